"""Routing with Valhalla: over the areas' tiles in a local process, or on a Valhalla server by its URL."""
