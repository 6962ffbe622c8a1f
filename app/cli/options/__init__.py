"""The options of every command."""
