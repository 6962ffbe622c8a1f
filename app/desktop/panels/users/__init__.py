"""The users panel, with all known users, their places, and the times of their last updates."""
