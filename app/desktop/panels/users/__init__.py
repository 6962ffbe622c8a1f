"""The users panel, with the most recently seen users, their places, and the times of their last updates."""
