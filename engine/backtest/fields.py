"""The fields of a history, without the libraries that reading one needs."""

from typing import Final

FIELDS: Final = (
    "device",
    "user",
    "time",
    "received",
    "longitude",
    "latitude",
    "accuracy",
    "stopped",
    "foreground",
    "ip",
)
"""Fields of a history that a column of a file can be mapped to, named as on the command line."""
