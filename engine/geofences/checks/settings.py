"""Checks of the settings of a project. They need no geofences, so they can be shown next to the settings."""

from collections.abc import Iterator

from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.tracking.updates import Confidence
from engine.geofences.checks.findings import Check, Finding, Fix, Severity
from engine.geofences.checks.surroundings import CheckProgress, Fences, Surroundings

_FIX = Fix("Turn on buffer exits", settings=SettingsChange(buffer_exits=True))


def settings_findings(settings: ProjectSettings) -> tuple[Finding, ...]:
    """Return the findings about settings."""
    return (*_buffers(settings), *_coarse_exits(settings))


def settings_warnings(settings: ProjectSettings) -> tuple[str, ...]:
    """Return the findings about settings that are severe enough to be shown while editing."""
    return tuple(each.text for each in settings_findings(settings) if each.severity is not Severity.INFO)


def find_buffers(_fences: Fences, around: Surroundings, _report: CheckProgress) -> Iterator[Finding]:
    """Find buffer entries without buffer exits."""
    return _buffers(around.settings)


def find_coarse_exits(_fences: Fences, around: Surroundings, _report: CheckProgress) -> Iterator[Finding]:
    """Find a minimum confidence that lets exits on coarse fixes pass."""
    return _coarse_exits(around.settings)


def _buffers(settings: ProjectSettings) -> Iterator[Finding]:
    if not settings.buffer_entries or settings.buffer_exits:
        return
    text = "Buffer entries are on and buffer exits are off: a device that stands just outside enters and exits again "
    text += "and again."
    if settings.minimum_confidence > 1:
        text = "Buffer entries are on and buffer exits are off. The minimum confidence of "
        text += f"{settings.minimum_confidence} keeps devices just outside from entering, so the buffer has no effect."
    severity = Severity.INFO if settings.minimum_confidence > 1 else Severity.WARNING
    yield Finding(Check.BUFFERS, severity, (), text, fix=_FIX)


def _coarse_exits(settings: ProjectSettings) -> Iterator[Finding]:
    """Find a minimum confidence of 2: with 1 no certainty is expected, and 3 requires the whole circle outside."""
    if settings.minimum_confidence != Confidence.MEDIUM or settings.buffer_exits:
        return
    text = (
        "The minimum confidence of 2 does not prevent exits on coarse fixes: of an accuracy circle that is much larger "
    )
    text += "than the geofence, more than half is always outside. Buffer exits prevent them."
    yield Finding(Check.COARSE_EXITS, Severity.WARNING, (), text, fix=_FIX)
