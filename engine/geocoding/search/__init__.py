"""Forward, reverse, autocomplete and places over gazetteers."""
