"""Maps for clients: the tiles of the areas in use and of the world, and glyphs for their labels."""
