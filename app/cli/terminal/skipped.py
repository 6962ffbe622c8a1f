"""Reporting of the parts of a track that were left out."""

from typing import Final

from app.cli.terminal.output import note
from engine.domain.tracking.tracks import Track
from engine.domain.words import count

_SHOWN: Final = 10


def note_skipped(track: Track) -> None:
    """Report some of the skipped parts, and the number of the others."""
    for message in track.skipped[:_SHOWN]:
        note(f"{track.name}: {message}")
    if len(track.skipped) > _SHOWN:
        more = len(track.skipped) - _SHOWN
        note(f"{track.name}: {count(more, 'more place', 'more places')}; fencewright track info --json lists them")
