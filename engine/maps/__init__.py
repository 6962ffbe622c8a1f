"""Maps for clients: the tiles of the areas in use and of the world, and letters to write on them."""
