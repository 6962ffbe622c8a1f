"""Rows of the table of the rules on the lifetime of a geofence, its boundary, and confidence."""

from datetime import timedelta

from engine.domain.tracking.decision import Outcome, Rule
from tests.engine.fixtures import NOON
from tests.engine.tracking.table import ENTERED, came, edited, fix, rows, switched, waited

LIFE = [
    *rows(
        Rule.ENABLED,
        ("fires", "enabled", fix(0), Outcome.ENTER, ""),
        ("withheld", "disabled", fix(0), Outcome.STAY_OUTSIDE, "is disabled", {"fence": {"enabled": False}}),
        (
            *("withheld", "disabled during a stay: no exit", fix(500), Outcome.STAY_OUTSIDE, "is disabled"),
            {"before": (ENTERED, edited(enabled=False))},
        ),
        (
            *("edge", "disabled and enabled again between two fixes: entered anew", fix(0), Outcome.ENTER, ""),
            {"before": (ENTERED, edited(enabled=False), edited(enabled=True))},
        ),
    ),
    *rows(
        Rule.DISABLE_AFTER,
        ("fires", "before its time", fix(0), Outcome.ENTER, "", {"names": Rule.ENABLED}),
        (
            *("edge", "at its very time", fix(0), Outcome.ENTER, ""),
            {"before": (waited(60),), "names": Rule.ENABLED},
        ),
        (
            *(
                "withheld",
                "a millisecond later",
                fix(0),
                Outcome.STAY_OUTSIDE,
                "since 2026-03-02T13:01:00+01:00 (Europe/Vaduz)",
            ),
            {"before": (waited(60.001),)},
        ),
        (
            *("withheld", "during a stay: no exit", fix(500), Outcome.STAY_OUTSIDE, "disabled since"),
            {"before": (ENTERED, waited(61))},
        ),
        (
            *("edge", "the engine's clock counts, not the fix's time", fix(0, 3_600), Outcome.ENTER, ""),
            {"names": Rule.ENABLED},
        ),
        (
            *("edge", "enabling it does not give it more time", fix(0), Outcome.STAY_OUTSIDE, "disabled since"),
            {"before": (waited(61), edited(enabled=True))},
        ),
        fence={"disable_after": NOON + timedelta(seconds=60)},
    ),
    *rows(
        Rule.DELETE_AFTER,
        ("fires", "before its time", fix(0), Outcome.ENTER, "", {"names": Rule.ENABLED}),
        (
            *("edge", "at its very time", fix(0), Outcome.ENTER, ""),
            {"before": (waited(60),), "names": Rule.ENABLED},
        ),
        ("withheld", "a millisecond later", fix(0), None, "", {"before": (waited(60.001),)}),
        ("withheld", "during a stay: no exit", fix(500), None, "", {"before": (ENTERED, waited(61))}),
        fence={"delete_after": NOON + timedelta(seconds=60)},
    ),
]

BOUNDARY = [
    *rows(
        Rule.BOUNDARY,
        ("fires", "inside: entry", fix(40), Outcome.ENTER, "inside, 60.0 m from the boundary"),
        ("fires", "outside: exit", fix(120), Outcome.EXIT, "outside, 20.0 m from", {"before": (ENTERED,)}),
        ("withheld", "outside: no entry", fix(120), Outcome.STAY_OUTSIDE, "outside, 20.0 m from the boundary"),
        ("withheld", "inside: no exit", fix(40), Outcome.STAY_INSIDE, "inside, 60.0 m from", {"before": (ENTERED,)}),
        ("edge", "on the boundary: entry", fix(100), Outcome.ENTER, "inside, 0.0 m from the boundary"),
        ("edge", "on the boundary: no exit", fix(100), Outcome.STAY_INSIDE, "inside, 0.0 m", {"before": (ENTERED,)}),
        ("edge", "a centimetre outside: no entry", fix(100.01), Outcome.STAY_OUTSIDE, "outside, 0.0 m"),
        ("edge", "a centimetre outside: exit", fix(100.01), Outcome.EXIT, "outside", {"before": (ENTERED,)}),
        ("edge", "no second entry without an exit", fix(0), Outcome.STAY_INSIDE, "inside", {"before": (ENTERED,)}),
        (
            *("edge", "an entry again after an exit", fix(0), Outcome.ENTER, "inside"),
            {"before": (ENTERED, came(fix(500)))},
        ),
    ),
    *rows(
        Rule.BUFFER_ENTRIES,
        ("fires", "nearer than the accuracy", fix(105), Outcome.ENTER, "5.0 m outside, within its accuracy of 10 m"),
        ("fires", "inside anyway", fix(40), Outcome.ENTER, "inside", {"names": Rule.BOUNDARY}),
        ("withheld", "farther than the accuracy", fix(115), Outcome.STAY_OUTSIDE, "15.0 m outside, beyond"),
        ("edge", "a centimetre nearer", fix(109.99), Outcome.ENTER, "within its accuracy"),
        ("edge", "a centimetre farther", fix(110.01), Outcome.STAY_OUTSIDE, "beyond its accuracy"),
        (
            *("edge", "switched off", fix(105), Outcome.STAY_OUTSIDE, "outside, 5.0 m from the boundary"),
            {"before": (switched(buffer_entries=False),), "names": Rule.BOUNDARY},
        ),
        (
            *("edge", "an entry in the buffer is left at once where exits have none", fix(105, 1), Outcome.EXIT, ""),
            {"before": (came(fix(105)),), "names": Rule.BOUNDARY},
        ),
        settings={"buffer_entries": True},
    ),
    *rows(
        Rule.BUFFER_EXITS,
        ("fires", "farther than the accuracy", fix(115), Outcome.EXIT, "15.0 m outside, beyond its accuracy of 10 m"),
        ("withheld", "nearer than the accuracy", fix(105), Outcome.EXIT_WITHHELD, "only 5.0 m outside, within"),
        ("edge", "a centimetre nearer", fix(109.99), Outcome.EXIT_WITHHELD, "within its accuracy"),
        ("edge", "a centimetre farther", fix(110.01), Outcome.EXIT, "beyond its accuracy"),
        (
            *("edge", "switched off", fix(105), Outcome.EXIT, "outside, 5.0 m from the boundary"),
            {"before": (ENTERED, switched(buffer_exits=False)), "names": Rule.BOUNDARY},
        ),
        (
            *("edge", "outside there is no dwell", fix(105, 61), Outcome.EXIT_WITHHELD, "only 5.0 m outside"),
            {"fence": {"dwell_threshold_s": 60}},
        ),
        (
            *("edge", "but where the buffer is inside too", fix(105, 61), Outcome.DWELL, "1 min 1 s, more than"),
            {
                "fence": {"dwell_threshold_s": 60},
                "settings": {"buffer_entries": True, "buffer_exits": True, "dwell_event": True},
                "names": Rule.DWELL_THRESHOLD,
            },
        ),
        before=(ENTERED,),
        settings={"buffer_exits": True, "dwell_event": True},
    ),
]

MOVING = "neither stopped nor in the foreground"

CERTAINTY = [
    *rows(
        Rule.STOP_DETECTION,
        ("fires", "stopped", fix(0, stopped=True), Outcome.ENTER, "the device is stopped"),
        ("fires", "in the foreground", fix(0, foreground=True), Outcome.ENTER, "the device is in the foreground"),
        ("withheld", "neither", fix(0), Outcome.ENTRY_WITHHELD, MOVING),
        ("withheld", "neither, said outright", fix(0, stopped=False, foreground=False), Outcome.ENTRY_WITHHELD, MOVING),
        (
            *("edge", "the geofence switches it off for itself", fix(0), Outcome.ENTER, "stop detection is off"),
            {"fence": {"stop_detection": False}},
        ),
        (
            *("edge", "the geofence switches it on for itself", fix(0), Outcome.ENTRY_WITHHELD, MOVING),
            {"fence": {"stop_detection": True}, "settings": {}},
        ),
        (
            *("edge", "whoever stops later enters then", fix(0, 9, stopped=True), Outcome.ENTER, "is stopped"),
            {"before": (came(fix(0)),)},
        ),
        (
            *("edge", "an exit needs no stop", fix(500, 9), Outcome.EXIT, ""),
            {"before": (came(fix(0, stopped=True)),), "names": Rule.BOUNDARY},
        ),
        settings={"stop_detection": True},
    ),
    *rows(
        Rule.MINIMUM_CONFIDENCE,
        ("fires", "an entry of 3", fix(0), Outcome.ENTER, "3, at least the minimum of 2: 100% of"),
        ("fires", "an exit of 3", fix(500), Outcome.EXIT, "3, at least the minimum of 2", {"before": (ENTERED,)}),
        ("withheld", "an entry of 1", fix(95, accuracy_m=1_000), Outcome.ENTRY_WITHHELD, "1, below the minimum of 2"),
        (
            *("withheld", "an exit of 2", fix(105), Outcome.EXIT_WITHHELD, "2, below the minimum of 3"),
            {"before": (ENTERED,), "settings": {"minimum_confidence": 3}},
        ),
        ("edge", "an entry of exactly the minimum", fix(98), Outcome.ENTER, "2, at least the minimum of 2"),
        (
            *("edge", "an exit of exactly the minimum", fix(105), Outcome.EXIT, "2, at least the minimum of 2"),
            {"before": (ENTERED,)},
        ),
        (
            *("edge", "surely inside later: entered then", fix(0, 9), Outcome.ENTER, "3, at least"),
            {"before": (came(fix(0, accuracy_m=1_000)),)},
        ),
        (
            *("edge", "a dwell needs none", fix(0, 61, accuracy_m=1_000), Outcome.DWELL, "1 min 1 s, more than"),
            {"before": (ENTERED,), "fence": {"dwell_threshold_s": 60}, "names": Rule.DWELL_THRESHOLD},
        ),
        (
            *(
                "edge",
                "who is kept inside does not dwell",
                fix(105, 61),
                Outcome.EXIT_WITHHELD,
                "below the minimum of 3",
            ),
            {
                "before": (ENTERED,),
                "fence": {"dwell_threshold_s": 60},
                "settings": {"minimum_confidence": 3, "dwell_event": True},
            },
        ),
        settings={"minimum_confidence": 2, "dwell_event": True},
    ),
]
