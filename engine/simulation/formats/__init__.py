"""Track files: what apps, receivers and phones write, recognised by what is in them."""
