"""Coverage of runs: rules with all their outcomes, kinds of events, checks, and geofences."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from app.lab.running.recording import Run, key_of
from engine.domain.tracking.decision import Wording
from engine.domain.tracking.updates import EventType


class FenceUse(Struct):
    """Events of a geofence, and the number of scenarios that contain the geofence."""

    description: str
    scenarios: int = 1
    judged: int = 0
    """How many location updates near it were evaluated."""
    events: Counter[str] = field(default_factory=Counter)


class Exercise(Struct):
    """How often each rule, event, check and geofence was exercised.

    Reasons are counted by the names of their wordings.
    """

    scenarios: int = 0
    fixes: int = 0
    expecting_nothing: list[str] = field(default_factory=list)
    """Names of the scenarios that declare that they expect nothing."""
    reasons: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    geofences: dict[str, FenceUse] = field(default_factory=dict)

    def add(self, other: "Exercise") -> None:
        """Add the coverage of another run."""
        self.scenarios += other.scenarios
        self.fixes += other.fixes
        self.expecting_nothing += other.expecting_nothing
        for own, more in (
            (self.reasons, other.reasons),
            (self.events, other.events),
            (self.checks, other.checks),
        ):
            own.update(more)
        for key, use in other.geofences.items():
            if (known := self.geofences.get(key)) is None:
                self.geofences[key] = FenceUse(use.description, use.scenarios, use.judged, Counter(use.events))
                continue
            known.scenarios += use.scenarios
            known.judged += use.judged
            known.events.update(use.events)


def exercise_of(run: Run) -> Exercise:
    """Return the coverage of a run."""
    found = Exercise(scenarios=1, fixes=len(run.sent))
    found.expecting_nothing = [run.scenario.name] if run.scenario.body.expects_nothing else []
    found.geofences = {str(key): FenceUse(geofence.description) for key, geofence in run.geofences.items()}
    # An expired geofence is deleted before the next fix, which therefore has no reason to give.
    found.reasons[Wording.DELETED_SINCE.name] = run.expired
    for sent in run.sent:
        for explanation in sent.explanations:
            found.reasons.update(reason.wording.name for reason in explanation.reasons)
            found.geofences[str(key_of(explanation.geofence))].judged += 1
        for verdict in sent.verdicts:
            found.reasons.update(reason.wording.name for reason in verdict.reasons)
    for happened in run.happened:
        event = happened.event
        found.events[str(event.type)] += 1
        if event.geofence is not None:
            found.geofences[str(key_of(event.geofence))].events[str(event.type)] += 1
        if event.type == EventType.FAILED_FRAUD and event.fraud is not None:
            found.checks.update(map(str, event.fraud.failed))
            found.checks["blocked"] += event.fraud.blocked
    return found


def total(exercises: Iterable[Exercise]) -> Exercise:
    """Return the combined coverage of all runs."""
    found = Exercise()
    for each in exercises:
        found.add(each)
    return found
