"""Input and output of commands on a terminal."""
