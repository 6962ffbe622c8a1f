"""Fetches what the data of the program is made from, and makes it: the world pack and the bundled area."""
