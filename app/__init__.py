"""The interfaces of Fencewright: the desktop, the local API and the command line."""

__version__ = "0.1.0"
"""The version of the program, its wheel and everything else that a release consists of."""
