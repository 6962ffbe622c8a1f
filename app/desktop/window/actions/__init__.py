"""Everything a user can do, as actions: one place for names, keys and icons."""
