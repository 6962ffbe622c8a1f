"""All actions of the user, with their names, keys and icons."""
