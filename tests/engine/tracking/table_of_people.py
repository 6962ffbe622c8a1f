"""Rows of the table of the rules on users, networks, times and durations."""

from engine.domain.hours import HoursRule, parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.tracking.decision import Outcome, Rule
from tests.engine.tracking.table import ENTERED, came, edited, fix, rows, switched, waited

WEEKDAYS = parse_hours({"Mon": [["09:00", "17:00"]], "Tue": [["22:00", "02:00"]]})
LANS = parse_ip_ranges("10.0.*.*, 192.168.7.0/24, 2001:db8::/32")

FOR_ANN = came(fix(0, user_id="ann"))

SUBJECTS = [
    *rows(
        Rule.USER_IDS,
        ("fires", "for this user", fix(0, user_id="ann"), Outcome.ENTER, "user ann is in userIds"),
        ("fires", "for this user: exit", fix(500, 9, user_id="ann"), Outcome.EXIT, "ann", {"before": (FOR_ANN,)}),
        ("withheld", "for others", fix(0, user_id="carl"), Outcome.ENTRY_WITHHELD, "user carl is not in userIds"),
        ("withheld", "nobody is logged in", fix(0), Outcome.ENTRY_WITHHELD, "no user is logged in"),
        (
            *(
                "withheld",
                "an exit: the stay ends",
                fix(500, 9, user_id="ann"),
                Outcome.LEAVE_SILENTLY,
                "user ann is not",
            ),
            {"before": (FOR_ANN, edited(user_ids=("ben",)))},
        ),
        (
            *("withheld", "a dwell", fix(0, 61, user_id="ann"), Outcome.DWELL_WITHHELD, "user ann is not in userIds"),
            {"before": (FOR_ANN, edited(user_ids=("ben",), dwell_threshold_s=60))},
        ),
        (
            "edge",
            "IDs are compared letter by letter",
            fix(0, user_id="Ann"),
            Outcome.ENTRY_WITHHELD,
            "Ann is not in userIds",
        ),
        (
            *("edge", "an empty list is for all", fix(0, user_id="carl"), Outcome.ENTER, ""),
            {"before": (edited(user_ids=()),)},
        ),
        (
            *("edge", "whoever logs in later enters then", fix(0, 9, user_id="ann"), Outcome.ENTER, "ann"),
            {"before": (came(fix(0)),)},
        ),
        fence={"user_ids": ("ann", "ben")},
        settings={"dwell_event": True},
    ),
    *rows(
        Rule.IP,
        ("fires", "in a wildcard", fix(0, ip="10.0.3.4"), Outcome.ENTER, "the address 10.0.3.4 is in the"),
        ("fires", "in a network", fix(0, ip="192.168.7.255"), Outcome.ENTER, "is in the"),
        ("fires", "in a network of IPv6", fix(0, ip="2001:db8::9"), Outcome.ENTER, "is in the"),
        (
            "withheld",
            "elsewhere",
            fix(0, ip="10.1.3.4"),
            Outcome.ENTRY_WITHHELD,
            "10.1.3.4 is not in the geofence's IP ranges",
        ),
        ("withheld", "from nowhere", fix(0), Outcome.ENTRY_WITHHELD, "the request has no address"),
        (
            *(
                "withheld",
                "an exit: the stay ends",
                fix(500, 9, ip="10.1.3.4"),
                Outcome.LEAVE_SILENTLY,
                "is not in",
            ),
            {"before": (came(fix(0, ip="10.0.3.4")),)},
        ),
        (
            *("withheld", "a dwell", fix(0, 61, ip="10.1.3.4"), Outcome.DWELL_WITHHELD, "is not in"),
            {"before": (came(fix(0, ip="10.0.3.4")), edited(dwell_threshold_s=60))},
        ),
        ("edge", "an address of the next network", fix(0, ip="192.168.8.0"), Outcome.ENTRY_WITHHELD, "is not in"),
        ("edge", "IPv4 inside IPv6", fix(0, ip="::ffff:10.0.3.4"), Outcome.ENTER, "is in the"),
        (
            *(
                "edge",
                "an address that came before does not count",
                fix(0, 9),
                Outcome.ENTRY_WITHHELD,
                "has no address",
            ),
            {"before": (came(fix(500, ip="10.0.3.4")),)},
        ),
        fence={"ip": LANS},
        settings={"dwell_event": True},
    ),
]

HOUR = 3_600.0
_BY_CALENDAR = "the calendar rule: Mon 09:00–17:00, Tue 22:00–02:00"
CLOSED = f"closed by {_BY_CALENDAR}, local time"

HOURS = [
    *rows(
        Rule.OPERATING_HOURS,
        ("fires", "open", fix(0), Outcome.ENTER, f"open by {_BY_CALENDAR}, local time Mon 13:00 Europe"),
        ("fires", "an exit", fix(500, 9), Outcome.EXIT, "local time Mon 13:00 Europe/Vaduz", {"before": (ENTERED,)}),
        ("withheld", "closed", fix(0, 4 * HOUR), Outcome.ENTRY_WITHHELD, f"{CLOSED} Mon 17:00 Europe/Vaduz"),
        (
            *("withheld", "an exit: the stay ends", fix(500, 5 * HOUR), Outcome.LEAVE_SILENTLY, f"{CLOSED} Mon 18:00"),
            {"before": (ENTERED,)},
        ),
        (
            *("withheld", "a dwell", fix(0, 5 * HOUR), Outcome.DWELL_WITHHELD, f"{CLOSED} Mon 18:00"),
            {"before": (ENTERED, edited(dwell_threshold_s=60))},
        ),
        ("edge", "it opens at its minute", fix(0, -4 * HOUR), Outcome.ENTER, "local time Mon 09:00"),
        ("edge", "not before", fix(0, -4 * HOUR - 0.001), Outcome.ENTRY_WITHHELD, "local time Mon 08:59"),
        ("edge", "it closes at its minute", fix(0, 4 * HOUR - 0.001), Outcome.ENTER, "local time Mon 16:59"),
        ("edge", "across midnight", fix(0, 36.5 * HOUR), Outcome.ENTER, "local time Wed 01:30"),
        ("edge", "not into another night", fix(0, 37 * HOUR), Outcome.ENTRY_WITHHELD, "local time Wed 02:00"),
        (
            "edge",
            "a day that is not listed is closed",
            fix(0, 72 * HOUR),
            Outcome.ENTRY_WITHHELD,
            "local time Thu 13:00",
        ),
        (
            *(
                "edge",
                "without the restriction",
                fix(0, 5 * HOUR),
                Outcome.ENTER,
                "rule, but the operating hours",
            ),
            {"settings": {}},
        ),
        (
            *("edge", "always closed is not always open", fix(0), Outcome.ENTRY_WITHHELD, "calendar rule: never open"),
            {"before": (edited(operating_hours=parse_hours({"Mon": []})),)},
        ),
        (
            *("edge", "without hours it is always open", fix(0, 5 * HOUR), Outcome.ENTER, ""),
            {"before": (edited(operating_hours=None),)},
        ),
        (
            *("edge", "whoever waits enters when it opens", fix(0, -4 * HOUR), Outcome.ENTER, "Mon 09:00"),
            {"before": (came(fix(0, -5 * HOUR)),)},
        ),
        (
            *("edge", "whoever waits dwells when it opens", fix(0, 33 * HOUR), Outcome.DWELL, "Tue 22:00"),
            {"before": (ENTERED, edited(dwell_threshold_s=60), came(fix(0, 5 * HOUR)))},
        ),
        (
            *("edge", "the fix's time counts, not the engine's", fix(0), Outcome.ENTER, "local time Mon 13:00"),
            {"before": (waited(5 * HOUR),)},
        ),
        (
            *(
                "edge",
                "but a time out of order is replaced",
                fix(0, -1),
                Outcome.ENTRY_WITHHELD,
                "local time Mon 18:00",
            ),
            {"before": (came(fix(500)), waited(5 * HOUR))},
        ),
        fence={"operating_hours": WEEKDAYS},
        settings={
            "operating_hours_restriction": True,
            "operating_hours_rule": HoursRule.CALENDAR,
            "dwell_event": True,
        },
    ),
]

DWELL = [
    *rows(
        Rule.DWELL_EVENT,
        ("fires", "switched on", fix(0, 61), Outcome.DWELL, "", {"names": Rule.DWELL_THRESHOLD}),
        (
            *("withheld", "switched off", fix(0, 61), Outcome.STAY_INSIDE, "the dwell event is off"),
            {"settings": {}},
        ),
        (
            *("edge", "switched on during the stay", fix(0, 99), Outcome.DWELL, ""),
            {
                "before": (ENTERED, came(fix(0, 61)), switched(dwell_event=True)),
                "settings": {},
                "names": Rule.DWELL_THRESHOLD,
            },
        ),
        before=(ENTERED,),
        fence={"dwell_threshold_s": 60},
        settings={"dwell_event": True},
    ),
    *rows(
        Rule.DWELL_THRESHOLD,
        ("fires", "longer", fix(0, 90), Outcome.DWELL, "1 min 30 s, more than the dwell threshold of 1 min"),
        (
            "withheld",
            "shorter",
            fix(0, 30),
            Outcome.STAY_INSIDE,
            "lasted 30 s, not more than the dwell threshold of 1 min",
        ),
        ("edge", "exactly as long", fix(0, 60), Outcome.STAY_INSIDE, "1 min, not more than"),
        ("edge", "a millisecond longer", fix(0, 60.001), Outcome.DWELL, "1 min 0.001 s, more than"),
        ("edge", "on the first fix after it, however late", fix(0, 9_000), Outcome.DWELL, "150 min, more than"),
        (
            *("edge", "the geofence's counts before the project's", fix(0, 90), Outcome.DWELL, "threshold of 1 min"),
            {"settings": {"dwell_event": True, "default_dwell_threshold_s": 600.0}},
        ),
        (
            *(
                "edge",
                "the project's counts where there is none",
                fix(0, 90),
                Outcome.STAY_INSIDE,
                "threshold of 10 min",
            ),
            {"settings": {"dwell_event": True, "default_dwell_threshold_s": 600.0}, "fence": {}},
        ),
        (
            *("edge", "neither is set", fix(0, 9_000), Outcome.STAY_INSIDE, "sets a dwell threshold"),
            {"fence": {}},
        ),
        (
            *("edge", "whoever leaves does not dwell", fix(500, 90), Outcome.EXIT, "outside"),
            {"names": Rule.BOUNDARY},
        ),
        before=(ENTERED,),
        fence={"dwell_threshold_s": 60},
        settings={"dwell_event": True},
    ),
    *rows(
        Rule.DWELL_ONCE,
        ("fires", "the first time", fix(0, 61), Outcome.DWELL, "", {"names": Rule.DWELL_THRESHOLD}),
        (
            *("withheld", "the second time", fix(0, 999), Outcome.STAY_INSIDE, "has already dwelled in this stay"),
            {"before": (ENTERED, came(fix(0, 61)))},
        ),
        (
            *("edge", "again in another stay", fix(0, 999), Outcome.DWELL, ""),
            {
                "before": (ENTERED, came(fix(0, 61)), came(fix(500, 62)), came(fix(0, 63))),
                "names": Rule.DWELL_THRESHOLD,
            },
        ),
        (
            *("edge", "another threshold is no other stay", fix(0, 999), Outcome.STAY_INSIDE, "has already dwelled"),
            {"before": (ENTERED, came(fix(0, 61)), edited(dwell_threshold_s=300))},
        ),
        before=(ENTERED,),
        fence={"dwell_threshold_s": 60},
        settings={"dwell_event": True},
    ),
]
