"""Project settings as they are edited: their titles, units and texts."""

import shlex
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from app.desktop.language import number_text, tr, translated
from app.desktop.model.editing.numbers import NotANumber, read_number
from app.desktop.model.words import minutes_text
from engine.domain.addresses.place import ChainSetting
from engine.domain.errors import InvalidParameter
from engine.domain.hours import HoursRule
from engine.domain.ip import IpRanges, parse_ip_ranges
from engine.domain.metadata import MetadataValue
from engine.domain.settings import ProjectSettings, RehearsedError, SettingsChange
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel


class Switch(Struct, frozen=True):
    """A setting that can be on or off."""

    name: str
    title: str
    hint: str


class Number(Struct, frozen=True):
    """A setting with a unit. The stored value is the shown value times `factor`; `unset` is the text for no value."""

    name: str
    title: str
    hint: str
    unit: str
    factor: float = 1.0
    unset: str = ""
    whole: bool = False


class Choice(Struct, frozen=True):
    """A setting with a few possible values."""

    name: str
    title: str
    hint: str
    options: tuple[tuple[str, Any], ...]


def split_ids(text: str) -> tuple[str, ...]:
    """Return the distinct IDs in a text, separated by commas or newlines."""
    return tuple(dict.fromkeys(part.strip() for part in text.replace("\n", ",").split(",") if part.strip()))


def join_ids(ids: tuple[str, ...]) -> str:
    """Return IDs in the format of `split_ids`."""
    return ", ".join(ids)


class Words(Struct, frozen=True):
    """A setting that is typed as text, by default a list of IDs. An empty text means no value."""

    name: str
    title: str
    hint: str
    placeholder: str
    parse: Callable[[str], Any] = split_ids
    spell: Callable[[Any], str] = join_ids


class Tracking(Struct, frozen=True):
    """A setting of tracking options, which are edited in a table. `unset` is the text for none."""

    name: str
    title: str
    hint: str
    unset: str
    column: str


type Setting = Switch | Number | Choice | Words | Tracking


def split_slugs(text: str) -> tuple[str, ...]:
    """Return the distinct slugs of the chains in a text, separated by commas or newlines: ``MIGROS`` is ``migros``."""
    # Imported here because the rules of brands are slow to load.
    from engine.areas.brands import slug_of

    # A name without a slug is kept, so that the engine rejects it.
    return tuple(dict.fromkeys(slug_of(name) or name for name in split_ids(text)))


def spell_ranges(ranges: IpRanges | None) -> str:
    """Return IP address ranges as text."""
    return ", ".join(ranges.items) if ranges else ""


def split_chains(text: str) -> tuple[ChainSetting, ...]:
    """Return the chains in a text such as ``mcdonalds = M-12 @mcdonalds.com tier=2; denner``.

    Raises `InvalidParameter` for ``chains``.
    """
    lexer = shlex.shlex(text.replace("\n", ";"), posix=True, punctuation_chars=";=")
    lexer.commenters = ""
    lexer.whitespace_split = True
    chains: list[list[str]] = [[]]
    try:
        for token in lexer:
            if set(token) == {";"}:
                chains.append([])
            else:
                chains[-1].append(token)
    except ValueError as error:
        raise InvalidParameter("chains", tr("chains: {error}.", error=error)) from error
    return tuple(_chain(tokens) for tokens in chains if tokens)


def join_chains(chains: tuple[ChainSetting, ...]) -> str:
    """Return chains in the format of `split_chains`."""
    return "; ".join(
        " ".join(
            [
                chain.slug if chain.external_id is None else f"{chain.slug} = {shlex.quote(chain.external_id)}",
                *([] if chain.domain is None else [f"@{chain.domain}"]),
                *(f"{shlex.quote(key)}={_spelled(value)}" for key, value in chain.metadata.items()),
            ]
        )
        for chain in chains
    )


def split_features(text: str) -> tuple[SdkFeature, ...]:
    """Return the features in a text, separated by commas or newlines; raises `InvalidParameter`."""
    try:
        return tuple(map(SdkFeature, split_ids(text)))
    except ValueError as error:
        known = ", ".join(SdkFeature)
        raise InvalidParameter(
            "sdk_features",
            tr("sdk_features: {error}; valid features are {valid_features}.", error=error, valid_features=known),
        ) from None


def _chain(tokens: list[str]) -> ChainSetting:
    """Return the chain for ``slug`` or ``slug = id``, either followed by ``@domain`` and any ``key = value``."""
    slug, rest, external_id, domain = tokens[0], tokens[1:], None, None
    if rest and rest[0] == "=":
        external_id, rest = (rest[1] if len(rest) > 1 else ""), rest[2:]
    if rest and rest[0].startswith("@") and rest[1:2] != ["="]:
        domain, rest = rest[0][1:], rest[1:]
    if len(rest) % 3 or any(sign != "=" for sign in rest[1::3]):
        raise InvalidParameter(
            "chains", tr("chains: {chain}: must be slug = ID key=value …, with semicolons between.", chain=slug)
        )
    metadata = {key: _read(value) for key, value in zip(rest[::3], rest[2::3], strict=True)}
    return ChainSetting(slug, external_id, metadata, domain)


def _spelled(value: MetadataValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return shlex.quote(value if isinstance(value, str) else number_text(repr(value)))


def _read(text: str) -> MetadataValue:
    if text in ("true", "false"):
        return text == "true"
    try:
        return read_number(text)
    except NotANumber:
        return text


EVENTS: tuple[Setting, ...] = (
    Switch(
        "stop_detection",
        tr("Stop detection"),
        tr(
            "Generate entries only when the device is stopped or the app is in the foreground. "
            "Geofences can override this."
        ),
    ),
    Switch(
        "buffer_entries",
        tr("Buffer entries"),
        tr(
            "Also generate entries outside the boundary but within the accuracy. Without Buffer "
            "exits, a device just outside enters and exits repeatedly."
        ),
    ),
    Switch(
        "buffer_exits",
        tr("Buffer exits"),
        tr(
            "Generate exits only when the device is farther from the boundary than the accuracy. "
            "Recommended with Buffer entries."
        ),
    ),
    Switch(
        "operating_hours_restriction",
        tr("Operating hours restriction"),
        tr("Generate no events while a geofence is closed."),
    ),
    Choice(
        "operating_hours_rule",
        tr("Operating hours rule"),
        tr(
            "Platform, as in production: a day that is not listed is open, and hours hold strictly between opening and "
            "closing, never past midnight. Calendar: such a day is closed, and hours may go past midnight."
        ),
        ((tr("Platform"), HoursRule.PLATFORM), (tr("Calendar"), HoursRule.CALENDAR)),
    ),
    Switch("dwell_event", tr("Dwell event"), tr("Generate an event when a stay exceeds the dwell threshold.")),
    Number(
        "default_dwell_threshold_s",
        tr("Default dwell threshold"),
        tr("For geofences without their own threshold."),
        "min",
        60.0,
        unset=tr("none"),
    ),
    Choice(
        "minimum_confidence",
        tr("Minimum confidence"),
        tr(
            "Entries and exits with a lower confidence are withheld. Exits on coarse fixes are prevented by Buffer "
            "exits."
        ),
        ((tr("1 · Low"), 1), (tr("2 · Medium"), 2), (tr("3 · High"), 3)),
    ),
)
_FRAUD: tuple[Setting, ...] = (
    Switch(
        "fraud",
        tr("Fraud checks"),
        tr("Check locations for fraud. Results appear on users; failed checks generate events."),
    ),
    Number("jumped_speed_mps", tr("Jumped: faster than"), tr("Between two fixes."), "m/s"),
    Number("inaccurate_accuracy_m", tr("Inaccurate: accuracy above"), "", "m"),
    Number("sharing_window_s", tr("Sharing: two users on a device within"), "", "min", 60.0),
    Words(
        "proxy_addresses",
        tr("Proxy addresses"),
        tr("IP addresses of proxies and VPNs: 10.0.0.7, 10.0.*.* or 10.0.0.0/16, comma-separated."),
        tr("none known"),
        lambda text: parse_ip_ranges(text, "proxy_addresses"),
        spell_ranges,
    ),
    Words(
        "blocked",
        tr("Blocked"),
        tr("User IDs and device IDs that always fail, comma-separated."),
        tr("nobody"),
    ),
    Words(
        "bypassed",
        tr("Bypassed"),
        tr("User IDs and device IDs that always pass, comma-separated."),
        tr("nobody"),
    ),
)
_USERS: tuple[Setting, ...] = (
    Switch("regions", tr("Regions"), tr("Add the country, state and postal code to users, where known.")),
    Switch("places", tr("Places"), tr("Add the place that users are at, where known.")),
    Words(
        "place_categories",
        tr("Place categories"),
        tr("Only these and the chains below generate events: food-beverage, hotel, … Comma-separated."),
        tr("all places"),
    ),
    Words(
        "place_chains",
        tr("Place chains"),
        tr("Only these and the categories above generate events: mcdonalds, … Comma-separated."),
        tr("all places"),
        split_slugs,
    ),
    Words(
        "chains",
        tr("Custom chains"),
        tr("Your own IDs and metadata for chains: mcdonalds = M-12 tier=2; denner = D-1"),
        tr("none"),
        split_chains,
        join_chains,
    ),
    Number(
        "kept_updates",
        tr("Kept updates"),
        tr("Location updates kept for “Why?” and replays; older ones are deleted."),
        tr("updates"),
        whole=True,
    ),
)
_TRIPS: tuple[Setting, ...] = (
    Number(
        "trip_approaching_threshold_s",
        tr("Approaching threshold"),
        tr("A trip is approaching when its ETA is this or less. Trips and geofences can override this."),
        "min",
        60.0,
    ),
    Number(
        "trip_expiry_s",
        tr("Trips expire after"),
        tr("When a trip has had no location updates for this long."),
        "min",
        60.0,
    ),
)
_ENDPOINT: tuple[Setting, ...] = (
    Switch("rate_limit", tr("Rate limits"), tr("Return 429 to devices that send more than one update per second.")),
    Switch(
        "endpoint_rate_limits",
        tr("Endpoint limits"),
        tr("Return 429 when an operation exceeds its documented requests per second."),
    ),
    Words(
        "trusted_proxy_header",
        tr("Trusted proxy header"),
        tr("Header in which your proxy passes the client's IP address. Without a proxy, any client can set it."),
        tr("none: use the connection's address"),
        lambda text: text.strip() or None,
        lambda name: name or "",
    ),
    Switch(
        "allow_private_urls",
        tr("Private URLs"),
        tr("Let the nightly sync read from private and local addresses. Test only."),
    ),
)
_REHEARSAL: tuple[Setting, ...] = (
    Choice(
        "rehearsed_error",
        tr("Error"),
        tr("Return this error for every request, to test how your app copes. Settings can still be changed."),
        (
            (tr("None"), None),
            (tr("402 · Disabled"), RehearsedError.ORGANIZATION_DISABLED),
            (tr("402 · Usage exceeded"), RehearsedError.USAGE_EXCEEDED),
            (tr("503 · Unavailable"), RehearsedError.UNAVAILABLE),
        ),
    ),
    Number(
        "hourly_limit",
        tr("Hourly limit"),
        tr("Return 429 above this limit."),
        tr("requests"),
        unset=tr("none"),
        whole=True,
    ),
    Number(
        "daily_limit",
        tr("Daily limit"),
        tr("Return 429 above this limit."),
        tr("requests"),
        unset=tr("none"),
        whole=True,
    ),
    Words(
        "blocked_countries",
        tr("Blocked countries"),
        tr("Return 451 for requests with a location in these countries: CU, KP, … Comma-separated."),
        tr("none"),
        lambda text: split_ids(text.upper()),
    ),
)
_SDK: tuple[Setting, ...] = (
    Choice(
        "sdk_log_level",
        tr("Log level"),
        tr("How much the SDKs in your apps log."),
        ((tr("The app's own"), None), *((translated(level.value.capitalize()), level) for level in SdkLogLevel)),
    ),
    Words(
        "sdk_features",
        tr("SDK features"),
        tr("Additional SDK features: useSyncRegion, usePersistence, trackOnceOnAppOpen, … Comma-separated."),
        tr("the app's own"),
        split_features,
        lambda features: ", ".join(feature.value for feature in features),
    ),
)
_TRACKING: tuple[Setting, ...] = (
    Tracking(
        "tracking_options",
        tr("Tracking by default"),
        tr("Unless one of the others applies."),
        tr("the app's own"),
        tr("Default"),
    ),
    Tracking(
        "on_trip_tracking_options",
        tr("Tracking on a trip"),
        tr("While the user is on a trip."),
        tr("not set"),
        tr("On a trip"),
    ),
    Tracking(
        "in_geofence_tracking_options",
        tr("Tracking in a geofence"),
        tr("With one of the tags below."),
        tr("not set"),
        tr("In a geofence"),
    ),
    Words(
        "in_geofence_tracking_tags",
        tr("Geofence tags for tracking"),
        tr("Comma-separated. Without tags, tracking in a geofence never applies."),
        tr("no tags"),
    ),
)
GROUPS: tuple[tuple[str, tuple[Setting, ...]], ...] = (
    (tr("Events"), EVENTS),
    (tr("Fraud"), _FRAUD),
    (tr("Data"), _USERS),
    (tr("Trips"), _TRIPS),
    (tr("Endpoint"), _ENDPOINT),
    (tr("Test errors"), _REHEARSAL),
    (tr("Apps"), _SDK),
    (tr("Tracking"), _TRACKING),
)
"""All settings except segments, which have their own editor."""


def change_of(name: str, value: object) -> SettingsChange:
    """Return the change of one setting."""
    return SettingsChange(**{name: value})  # type: ignore[arg-type]


def stop_detection_text(settings: ProjectSettings) -> str:
    """Return the stop detection of a geofence that uses the project default."""
    return tr("project default ({default_value})", default_value=tr("on") if settings.stop_detection else tr("off"))


def dwell_text(settings: ProjectSettings) -> str:
    """Return the dwell threshold of a geofence that does not set one."""
    threshold = settings.default_dwell_threshold_s
    text = tr(
        "project default ({default_value})",
        default_value=minutes_text(threshold) if threshold is not None else tr("none"),
    )
    return text if settings.dwell_event else tr("{dwell_threshold}, event off", dwell_threshold=text)


def approaching_text(settings: ProjectSettings) -> str:
    """Return the ETA at which a trip approaches a geofence that does not set one."""
    return tr(
        "project default ({default_value})",
        default_value=minutes_text(settings.trip_approaching_threshold_s),
    )
