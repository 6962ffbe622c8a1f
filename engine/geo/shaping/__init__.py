"""Changing shapes: combining and cutting them, simplifying, growing, moving, filling with a grid, and measuring."""
