"""Times that a scenario expects something at, although it has ended before: nothing would be looked at there."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.lab.files.faults import Fault, Way
from app.lab.files.words import spell_duration
from app.lab.running.recording import Run


def times_after_the_end(run: Run) -> list[Fault]:
    """Return what is wrong with them. An event that is expected then is missing, which its failure says."""
    message = f"is after the end of the scenario at {spell_duration(run.end)}; a wait as its last step makes it longer."
    return [
        run.scenario.document.fault(way, message)
        for way, time in _times(run)
        if time is not None and run.since_start(time) > run.end
    ]


def _times(run: Run) -> Iterator[tuple[Way, datetime | timedelta | None]]:
    expect = run.scenario.body.expect
    for index, pattern in enumerate(expect.none):
        yield ("expect", "none", index, "after"), pattern.after
        yield ("expect", "none", index, "before"), pattern.before
    for index, user in enumerate(expect.users):
        yield ("expect", "users", index, "at"), user.at
        yield ("expect", "users", index, "within"), user.within
