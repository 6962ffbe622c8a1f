"""Reading of a history: files found and checked before the work, and their rows in the common columns."""
