"""Back-tests in the window: what is requested, how it runs, and what it found."""
