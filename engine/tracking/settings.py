"""What a project may set about tracking."""

from dataclasses import dataclass

from engine.domain.tracking import Confidence


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """The project's settings that decide events."""

    minimum_confidence: int = Confidence.LOW
