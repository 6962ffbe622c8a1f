"""The command line; scripts rely on its options and its output, which the README describes."""

from app.cli.run import Interfaces, run

__all__ = ["Interfaces", "run"]
