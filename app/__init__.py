"""The interfaces of Fencewright: the desktop, the local API and the command line."""
