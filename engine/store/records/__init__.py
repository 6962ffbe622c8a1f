"""What a row holds, and how it is written into one and read out of it."""
