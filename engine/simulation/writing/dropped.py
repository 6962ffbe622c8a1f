"""Messages for the user about the parts of a track that a file cannot hold."""

from collections.abc import Iterator
from typing import Final

from engine.domain.tracking.tracks import Track

_FIXED: Final = "The emulator gives every position the accuracy of its system image, such as 5 m."
_OPTION: Final = (
    "Run the script with --accuracy for those of the track; its positions are then mocked and have no speeds."
)
_NO_WAITS: Final = "Times are left out, because the console does not wait."


def dropped_by_xcode(track: Track) -> tuple[str, ...]:
    """Return messages about the parts that waypoints for Xcode cannot hold."""
    return tuple(_counted(track, "accuracy_m", "speed_mps", "foreground", "stopped"))


def dropped_by_commands(track: Track) -> tuple[str, ...]:
    """Return messages about the parts that commands for the Android emulator's console cannot hold."""
    fixed = (_FIXED,) if _number(track, "accuracy_m") else ()
    return (
        *_counted(track, "accuracy_m", "foreground", "stopped"),
        *fixed,
        *((_NO_WAITS,) if _number(track, "at") else ()),
    )


def dropped_by_script(track: Track) -> tuple[str, ...]:
    """Return messages about the parts that the Android emulator's script cannot hold, or only with ``--accuracy``."""
    return (*_counted(track, "foreground", "stopped"), *((_FIXED, _OPTION) if _number(track, "accuracy_m") else ()))


def _number(track: Track, field: str) -> int:
    return sum(getattr(point, field) is not None for point in track.points)


def _counted(track: Track, *fields: str) -> Iterator[str]:
    """Yield a sentence for each field that at least one position has."""
    for field in fields:
        if number := _number(track, field):
            yield _sentence(field, number)


def _sentence(field: str, number: int) -> str:
    match field:
        case "accuracy_m":
            return f"Accuracies left out: {number:,}."
        case "speed_mps":
            return f"Speeds left out: {number:,}."
        case "foreground":
            return f"Foreground flags left out: {number:,}."
    return f"Stopped flags left out: {number:,}."
