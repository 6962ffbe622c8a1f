"""The command line. Scripts rely on its options and its output; both are described in the README."""

from app.cli.run import Interfaces, run

__all__ = ["Interfaces", "run"]
