"""The formats in which a back-test writes its events, and the names of its files."""

from enum import StrEnum
from typing import Final

PAGE: Final = "report.html"
RECORD: Final = "report.json"
EVENTS: Final = "events*.parquet"
"""The files with the events, in the order of their names."""


class EventFormat(StrEnum):
    """The formats of events."""

    PARQUET = "parquet"
    CSV = "csv"
    GEOJSON = "geojson"
