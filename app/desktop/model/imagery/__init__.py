"""The user's own imagery: the sources of its tiles, their storage, and the layers offered by a WMS."""
