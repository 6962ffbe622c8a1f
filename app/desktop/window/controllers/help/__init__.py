"""Help for users: the documentation in the window."""
