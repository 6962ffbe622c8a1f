"""Between the domain's values and the JSON texts that some columns hold. Times are milliseconds since 1970."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

import orjson

from engine.domain.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.fraud import Fraud, FraudCheck
from engine.domain.geofence import DEFAULT_RULES, GeofenceRules
from engine.domain.geometry import Point
from engine.domain.hours import parse_hours, spell_hours
from engine.domain.ip import IpRanges
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.place import Chain, ChainSetting, Place
from engine.domain.settings import Comparison, Condition, ProjectSettings, SegmentRule
from engine.domain.tracking import (
    NOWHERE,
    ChainVisits,
    Event,
    PlaceStay,
    Presence,
    User,
    Verification,
    Whereabouts,
)

type Content = dict[str, Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_ms(moment: datetime) -> int:
    """Return a moment as milliseconds since 1970."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """Return the moment of milliseconds since 1970, in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def _ms_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


def _moment_or_none(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_ms(milliseconds)


def text_of(content: Mapping[str, Any]) -> str | None:
    """Return the JSON text of what is not None in `content`; None when nothing is."""
    given = {name: value for name, value in content.items() if value is not None}
    return orjson.dumps(given).decode() if given else None


def metadata_text(metadata: Metadata) -> str:
    """Return metadata as JSON text."""
    return orjson.dumps(dict(metadata)).decode() if metadata else "{}"


def metadata_of(text: str) -> Metadata:
    """Return the metadata that JSON text holds."""
    return NO_METADATA if text == "{}" else MappingProxyType(orjson.loads(text))


def rules_text(rules: GeofenceRules) -> str | None:
    """Return what a geofence sets as JSON text; None when it sets nothing."""
    if rules == DEFAULT_RULES:
        return None
    return text_of(
        {
            "hours": None if rules.operating_hours is None else spell_hours(rules.operating_hours),
            "stop_detection": rules.stop_detection,
            "disable_after": _ms_or_none(rules.disable_after),
            "delete_after": _ms_or_none(rules.delete_after),
            "user_ids": list(rules.user_ids) or None,
            "ip": None if rules.ip is None else list(rules.ip.items),
            "dwell_threshold_s": rules.dwell_threshold_s,
        }
    )


def rules_of(text: str | None) -> GeofenceRules:
    """Return the rules that JSON text holds."""
    if text is None:
        return DEFAULT_RULES
    content = orjson.loads(text)
    return GeofenceRules(
        operating_hours=parse_hours(content["hours"]) if "hours" in content else None,
        stop_detection=content.get("stop_detection"),
        disable_after=_moment_or_none(content.get("disable_after")),
        delete_after=_moment_or_none(content.get("delete_after")),
        user_ids=tuple(content.get("user_ids", ())),
        ip=IpRanges(tuple(content["ip"])) if "ip" in content else None,
        dwell_threshold_s=content.get("dwell_threshold_s"),
    )


def fraud_content(fraud: Fraud | None) -> Content | None:
    """Return what the fraud checks found as JSON's types."""
    if fraud is None:
        return None
    content: Content = {"failed": sorted(fraud.failed), "last": {check.value: to_ms(at) for check, at in fraud.last}}
    return content | {"blocked": fraud.blocked, "bypassed": fraud.bypassed}


def fraud_of(content: Content | None) -> Fraud | None:
    """Return what the fraud checks found."""
    if content is None:
        return None
    return Fraud(
        frozenset(FraudCheck(check) for check in content["failed"]),
        tuple((FraudCheck(check), from_ms(at)) for check, at in content["last"].items()),
        content["blocked"],
        content["bypassed"],
    )


def user_details_text(user: User) -> str | None:
    """Return what few users have as JSON text."""
    fix, device = user.fix, user.device
    return text_of(
        {
            "os": device.os,
            "make": device.make,
            "model": device.model,
            "altitude_m": fix.altitude_m,
            "vertical_accuracy_m": fix.vertical_accuracy_m,
            "fraud": fraud_content(user.fraud),
            "whereabouts": whereabouts_content(user.whereabouts),
        }
    )


def event_details_text(event: Event) -> str | None:
    """Return what few events have as JSON text."""
    return text_of(
        {
            "metadata": dict(event.metadata) or None,
            "fraud": fraud_content(event.fraud),
            "verification": None if event.verification is None else int(event.verification),
            "verified_place_id": event.verified_place_id,
            "replayed": event.replayed or None,
            "place": None if event.place is None else _place_content(event.place),
            "region": None if event.region is None else _region_content(event.region),
        }
    )


def event_details_of(text: str | None) -> Content:
    """Return the fields of an event that JSON text holds."""
    content = {} if text is None else orjson.loads(text)
    verification = content.get("verification")
    return {
        "metadata": MappingProxyType(content["metadata"]) if "metadata" in content else NO_METADATA,
        "fraud": fraud_of(content.get("fraud")),
        "verification": None if verification is None else Verification(verification),
        "verified_place_id": content.get("verified_place_id"),
        "replayed": content.get("replayed", False),
        "place": _place_of(content["place"]) if "place" in content else None,
        "region": _region_of(content["region"]) if "region" in content else None,
    }


def whereabouts_content(whereabouts: Whereabouts, *, visits: bool = True) -> Content | None:
    """Return where a user is as JSON's types; None for nowhere."""
    if whereabouts is NOWHERE:
        return None
    content: Content = {"settings": whereabouts.settings}
    if (stay := whereabouts.stay) is not None:
        content |= {"place": _place_content(stay.place), "entered_at": to_ms(stay.entered_at)}
    if whereabouts.regions is not NO_REGIONS:
        content["regions"] = [_region_content(region) for region in whereabouts.regions.all]
    if visits and whereabouts.visits:
        content["visits"] = [(each.slug, each.name, each.count) for each in whereabouts.visits]
    return content


def whereabouts_of(content: Content | None) -> Whereabouts:
    """Return where a user is."""
    if content is None:
        return NOWHERE
    stay = None
    if "place" in content:
        stay = PlaceStay(_place_of(content["place"]), from_ms(content["entered_at"]))
    regions = Regions.of(map(_region_of, content.get("regions", ())))
    visits = tuple(ChainVisits(*each) for each in content.get("visits", ()))
    return Whereabouts(stay, regions, visits, content["settings"])


def _place_content(place: Place) -> Content:
    content: Content = {
        "id": place.id,
        "name": place.name,
        "point": (place.point.longitude, place.point.latitude),
        "categories": place.categories,
        "country": place.country_code,
    }
    if (chain := place.chain) is not None:
        content["chain"] = (chain.name, chain.slug, chain.external_id, dict(chain.metadata))
    return content


def _place_of(content: Content) -> Place:
    chain = None
    if "chain" in content:
        name, slug, external_id, metadata = content["chain"]
        chain = Chain(name, slug, external_id, MappingProxyType(metadata) if metadata else NO_METADATA)
    return Place(
        id=content["id"],
        name=content["name"],
        point=Point(*content["point"]),
        chain=chain,
        categories=tuple(content["categories"]),
        country_code=content["country"],
    )


def _region_content(region: Region) -> tuple[str, str, str]:
    return region.type.value, region.code, region.name


def _region_of(content: tuple[str, str, str]) -> Region:
    kind, code, name = content
    return Region(RegionType(kind), code, name)


def presences_content(presences: Mapping[str, Presence]) -> Content | None:
    """Return where a user was inside as JSON's types."""
    if not presences:
        return None
    return {key: [to_ms(presence.entered_at), int(presence.dwelled)] for key, presence in presences.items()}


def presences_of_content(content: Content | None) -> dict[str, Presence]:
    """Return where a user was inside."""
    return {key: Presence(key, from_ms(at), bool(dwelled)) for key, (at, dwelled) in (content or {}).items()}


def settings_text(settings: ProjectSettings) -> str:
    """Return settings as JSON text."""
    proxies = settings.proxy_addresses
    content = {name: getattr(settings, name) for name in ProjectSettings.__dataclass_fields__}
    content["proxy_addresses"] = None if proxies is None else proxies.items
    content["segments"] = [
        {
            "description": rule.description,
            "external_id": rule.external_id,
            "conditions": [(each.field, each.comparison, each.value) for each in rule.conditions],
        }
        for rule in settings.segments
    ]
    content["chains"] = [(chain.slug, chain.external_id, dict(chain.metadata)) for chain in settings.chains]
    return orjson.dumps(content).decode()


def settings_of(text: str) -> ProjectSettings:
    """Return the settings that JSON text holds; one it does not know of yet has its default."""
    content = orjson.loads(text)
    known = {name: content[name] for name in ProjectSettings.__dataclass_fields__ if name in content}
    known["proxy_addresses"] = IpRanges(tuple(content["proxy_addresses"])) if content["proxy_addresses"] else None
    known["blocked"] = tuple(content["blocked"])
    known["bypassed"] = tuple(content["bypassed"])
    known["segments"] = tuple(
        SegmentRule(
            rule["description"],
            rule["external_id"],
            tuple(Condition(field, Comparison(comparison), value) for field, comparison, value in rule["conditions"]),
        )
        for rule in content["segments"]
    )
    known["chains"] = tuple(
        ChainSetting(slug, external_id, MappingProxyType(metadata) if metadata else NO_METADATA)
        for slug, external_id, metadata in content.get("chains", ())
    )
    known["place_chains"] = tuple(content.get("place_chains", ()))
    known["place_categories"] = tuple(content.get("place_categories", ()))
    return ProjectSettings(**known)
