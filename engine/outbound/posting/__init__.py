"""Requests to many receivers at once, made by a process of its own: slow receivers hold up nobody else."""
