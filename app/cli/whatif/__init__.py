"""Commands of What if: replay updates in a sandbox, or sweep a parameter over a range."""
