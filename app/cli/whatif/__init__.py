"""Commands of What if: updates run again in a sandbox, and one parameter swept over a range."""
