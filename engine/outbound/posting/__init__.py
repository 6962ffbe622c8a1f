"""Requests to many receivers at once, made by a separate process so that slow receivers delay nothing else."""
