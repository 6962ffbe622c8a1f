"""The nouns of the specification as typed, frozen values. No I/O, no SQL, no wire formats."""
