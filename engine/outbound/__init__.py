"""Remote servers: asked within bounds of bytes and time, and read as if they might answer anything."""
