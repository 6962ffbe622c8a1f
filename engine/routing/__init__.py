"""Finding ways: Valhalla in this process over the areas' tiles, or a Valhalla server by its URL."""
