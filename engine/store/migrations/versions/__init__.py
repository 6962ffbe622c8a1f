"""One module per migration, named by its number."""
