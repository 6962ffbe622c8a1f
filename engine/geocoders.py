"""What finds addresses, places and regions for an open workspace: in the areas in use, or on a server elsewhere."""
