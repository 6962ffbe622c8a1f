"""The settings of a project as they are edited: their titles, units and words."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.desktop.model.words import minutes_text
from engine.domain.errors import InvalidParameter
from engine.domain.ip import parse_ip_ranges
from engine.domain.metadata import MetadataValue
from engine.domain.place import ChainSetting
from engine.domain.settings import ProjectSettings, SettingsChange


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off."""

    name: str
    param: str
    title: str
    hint: str


@dataclass(frozen=True, slots=True)
class Number:
    """A setting with a unit: what is shown times `factor` is what is stored. `unset` names having none."""

    name: str
    param: str
    title: str
    hint: str
    unit: str
    factor: float = 1.0
    unset: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting with few values."""

    name: str
    param: str
    title: str
    hint: str
    options: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A setting that is typed; an empty text sets nothing."""

    name: str
    param: str
    title: str
    hint: str
    placeholder: str
    parse: Callable[[str], Any]
    spell: Callable[[Any], str]


type Setting = Switch | Number | Choice | Words


def split_ids(text: str) -> tuple[str, ...]:
    """Return the IDs in a text with commas or lines between them, each once."""
    return tuple(dict.fromkeys(part.strip() for part in text.replace("\n", ",").split(",") if part.strip()))


def split_slugs(text: str) -> tuple[str, ...]:
    """Return the slugs of the chains in a text with commas or lines between them: ``MIGROS`` is ``migros``."""
    # Only here: the rules of brands take long to load.
    from engine.areas.brands import slug_of

    # What leaves nothing of a slug is for the engine to refuse.
    return tuple(dict.fromkeys(slug_of(name) or name for name in split_ids(text)))


def join_ids(ids: tuple[str, ...]) -> str:
    """Return IDs as `split_ids` reads them back."""
    return ", ".join(ids)


def split_chains(text: str) -> tuple[ChainSetting, ...]:
    """Return the chains in a text such as ``mcdonalds = M-12 tier=2; denner``; raises `InvalidParameter` ``chains``."""
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
        raise InvalidParameter("chains", f"chains: {error}.") from error
    return tuple(_chain(tokens) for tokens in chains if tokens)


def join_chains(chains: tuple[ChainSetting, ...]) -> str:
    """Return chains as `split_chains` reads them back."""
    return "; ".join(
        " ".join(
            [
                chain.slug if chain.external_id is None else f"{chain.slug} = {shlex.quote(chain.external_id)}",
                *(f"{shlex.quote(key)}={_spelled(value)}" for key, value in chain.metadata.items()),
            ]
        )
        for chain in chains
    )


def _chain(tokens: list[str]) -> ChainSetting:
    """Return the chain of ``slug``, ``slug = id`` and after either any number of ``key = value``."""
    slug, rest, external_id = tokens[0], tokens[1:], None
    if rest and rest[0] == "=":
        external_id, rest = (rest[1] if len(rest) > 1 else ""), rest[2:]
    if len(rest) % 3 or any(sign != "=" for sign in rest[1::3]):
        raise InvalidParameter("chains", f"chains: {slug}: must be slug = ID key=value …, with semicolons between.")
    metadata = {key: _read(value) for key, value in zip(rest[::3], rest[2::3], strict=True)}
    return ChainSetting(slug, external_id, metadata)


def _spelled(value: MetadataValue) -> str:
    return str(value).lower() if isinstance(value, bool) else shlex.quote(str(value))


def _read(text: str) -> MetadataValue:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


_EVENTS: tuple[Setting, ...] = (
    Switch(
        "stop_detection",
        "stopDetection",
        "Stop detection",
        "Entries only when the device is stopped or the app is in the foreground. Geofences can override it.",
    ),
    Switch("buffer_entries", "bufferEntries", "Buffer entries", "Entries within the accuracy of the boundary too."),
    Switch("buffer_exits", "bufferExits", "Buffer exits", "Exits only beyond the accuracy from the boundary."),
    Switch(
        "operating_hours_restriction",
        "operatingHoursRestriction",
        "Operating hours restriction",
        "No events outside the hours of geofences that have hours.",
    ),
    Switch("dwell_event", "dwellEvent", "Dwell event", "An event when a stay exceeds the dwell threshold."),
    Number(
        "default_dwell_threshold_s",
        "defaultDwellThreshold",
        "Default dwell threshold",
        "For geofences without their own.",
        "min",
        60.0,
        unset="none",
    ),
    Choice(
        "minimum_confidence",
        "minimumConfidence",
        "Minimum confidence",
        "Entries and exits below it are withheld.",
        (("1 · Low", 1), ("2 · Medium", 2), ("3 · High", 3)),
    ),
)
_FRAUD: tuple[Setting, ...] = (
    Switch("fraud", "fraud", "Fraud checks", "Users carry what the checks found, and failed checks are events."),
    Number("jumped_speed_mps", "jumpedSpeed", "Jumped: faster than", "Between two fixes.", "m/s"),
    Number("inaccurate_accuracy_m", "inaccurateAccuracy", "Inaccurate: accuracy above", "", "m"),
    Number("sharing_window_s", "sharingWindow", "Sharing: two users on a device within", "", "min", 60.0),
    Words(
        "proxy_addresses",
        "proxyAddresses",
        "Proxy addresses",
        "Of proxies and VPNs: addresses, 10.0.*.*, or 10.0.0.0/16.",
        "none known",
        lambda text: parse_ip_ranges(text, "proxyAddresses"),
        lambda ranges: ", ".join(ranges.items) if ranges else "",
    ),
    Words(
        "blocked",
        "blocked",
        "Blocked",
        "User IDs and device IDs that never pass, with commas between them.",
        "nobody",
        split_ids,
        join_ids,
    ),
    Words(
        "bypassed",
        "bypassed",
        "Bypassed",
        "User IDs and device IDs that always pass, with commas between them.",
        "nobody",
        split_ids,
        join_ids,
    ),
)
_USERS: tuple[Setting, ...] = (
    Switch("regions", "regions", "Regions", "Users carry their country, state and postal code where they are known."),
    Switch("places", "places", "Places", "Users carry the place they are at, where places are known."),
    Words(
        "place_categories",
        "placeCategories",
        "Places of categories",
        "Only they make events, and those of the chains below: food-beverage, hotel, … with commas between them.",
        "all places",
        split_ids,
        join_ids,
    ),
    Words(
        "place_chains",
        "placeChains",
        "Places of chains",
        "Only they make events, and those of the categories above: mcdonalds, … with commas between them.",
        "all places",
        split_slugs,
        join_ids,
    ),
    Words(
        "chains",
        "chains",
        "Chains of yours",
        "Your own IDs and metadata of chains: mcdonalds = M-12 tier=2; denner = D-1",
        "none",
        split_chains,
        join_chains,
    ),
    Number(
        "kept_updates",
        "keptUpdates",
        "Kept updates",
        "Location updates kept for “Why?” and replays; older ones are forgotten.",
        "updates",
        whole=True,
    ),
)
_ENDPOINT: tuple[Setting, ...] = (
    Switch("rate_limit", "rateLimit", "Rate limits", "Answer 429 to clients that ask too often."),
    Switch(
        "endpoint_rate_limits",
        "endpointRateLimits",
        "Endpoint limits",
        "Answer 429 beyond the requests a second that the specification allows each operation.",
    ),
    Words(
        "trusted_proxy_header",
        "trustedProxyHeader",
        "Trusted proxy header",
        "The header in which your own proxy tells the client's address. Anybody can send it where there is no proxy.",
        "none: the connection's address counts",
        lambda text: text.strip() or None,
        lambda name: name or "",
    ),
)
GROUPS: tuple[tuple[str, tuple[Setting, ...]], ...] = (
    ("Events", _EVENTS),
    ("Fraud", _FRAUD),
    ("Data", _USERS),
    ("Endpoint", _ENDPOINT),
)
"""Every setting but the segments, which have an editor of their own."""


def change_of(name: str, value: object) -> SettingsChange:
    """Return the change of one setting."""
    return SettingsChange(**{name: value})  # type: ignore[arg-type]


def stop_detection_text(settings: ProjectSettings) -> str:
    """Return what a geofence gets that follows the project."""
    return f"as the project ({'on' if settings.stop_detection else 'off'})"


def dwell_text(settings: ProjectSettings) -> str:
    """Return the dwell threshold that a geofence gets that has none."""
    threshold = settings.default_dwell_threshold_s
    text = f"as the project ({minutes_text(threshold) if threshold is not None else 'none'})"
    return text if settings.dwell_event else f"{text}, event off"
