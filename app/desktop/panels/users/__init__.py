"""The users panel: who was seen, where they are, and when."""
