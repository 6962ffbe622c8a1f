"""Track files of apps, receivers and phones, recognised by their content."""
