"""Conversion between values of the domain and the JSON text of some columns. Times are milliseconds since 1970."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

import orjson

from engine.domain.addresses.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.addresses.place import Chain, Place
from engine.domain.environment import Environment
from engine.domain.geofence import Extent
from engine.domain.geometry import GeometryType, Point
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.tracking.beacon import BeaconSummary, BeaconType, Eddystone, IBeacon, Signal
from engine.domain.tracking.fraud import Fraud, FraudCheck
from engine.domain.tracking.updates import (
    NOWHERE,
    ChainSummary,
    ChainVisits,
    Device,
    DeviceType,
    Event,
    Fix,
    InOrder,
    PlaceState,
    PlaceStay,
    Presence,
    Reporter,
    SegmentSummary,
    User,
    UserSummary,
    Verification,
)
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.trip_contents import trip_content, trip_of_content

type Content = dict[str, Any]


def _ms_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


def moment_or_none(milliseconds: int | None) -> datetime | None:
    """Return the moment of milliseconds since 1970, or None for None."""
    return None if milliseconds is None else from_ms(milliseconds)


def text_of(content: Mapping[str, Any]) -> str | None:
    """Return the values of `content` that are not None as JSON text, or None if there are none."""
    given = {name: value for name, value in content.items() if value is not None}
    return orjson.dumps(given).decode() if given else None


def metadata_text(metadata: Metadata) -> str:
    """Return metadata as JSON text."""
    return orjson.dumps(dict(metadata)).decode() if metadata else "{}"


def metadata_of(text: str) -> Metadata:
    """Return the metadata in a JSON text."""
    return NO_METADATA if text == "{}" else MappingProxyType(orjson.loads(text))


def fraud_content(fraud: Fraud | None) -> Content | None:
    """Return the results of the fraud checks as JSON types."""
    if fraud is None:
        return None
    content: Content = {"failed": sorted(fraud.failed), "last": {check.value: to_ms(at) for check, at in fraud.last}}
    return content | {"blocked": fraud.blocked, "bypassed": fraud.bypassed}


def fraud_of(content: Content | None) -> Fraud | None:
    """Return the results of the fraud checks."""
    if content is None:
        return None
    return Fraud(
        frozenset(FraudCheck(check) for check in content["failed"]),
        tuple((FraudCheck(check), from_ms(at)) for check, at in content["last"].items()),
        content["blocked"],
        content["bypassed"],
    )


def user_details_text(user: User) -> str | None:
    """Return the rarely set properties of a user as JSON text, or None if there are none."""
    fix, device = user.fix, user.device
    if (
        (device.os is None and device.make is None and device.model is None)
        and (fix.altitude_m is None and fix.vertical_accuracy_m is None and fix.source is None)
        and (user.actual_updated_at is None and user.fraud is None and user.place_state is NOWHERE)
        and (user.newest_at is None and user.in_order is None and not user.user_tags)
    ):
        return None
    return text_of(
        {
            "os": device.os,
            "make": device.make,
            "model": device.model,
            "altitude_m": fix.altitude_m,
            "vertical_accuracy_m": fix.vertical_accuracy_m,
            "source": fix.source,
            "actual_updated_at": _ms_or_none(user.actual_updated_at),
            "fraud": fraud_content(user.fraud),
            "whereabouts": place_state_content(user.place_state),
            "newest_at": _ms_or_none(user.newest_at),
            "in_order": None if user.in_order is None else _in_order_content(user.in_order),
            "user_tags": user.user_tags or None,
        }
    )


def _in_order_content(before: InOrder) -> Content:
    fix = before.fix
    return {
        "presences": presences_content(before.presences),
        "fix": [fix.point.longitude, fix.point.latitude, fix.accuracy_m, to_ms(fix.at)],
        "received_at": to_ms(before.received_at),
        "stay": None if before.stay is None else _stay_content(before.stay),
        "beacons": {key: to_ms(at) for key, at in before.beacons.items()},
    }


def presences_content(presences: Mapping[str, Presence]) -> list[list[Any]]:
    """Return the presences of a user as JSON types."""
    return [[each.geofence_id, to_ms(each.entered_at), each.dwelled] for each in presences.values()]


def presences_of_content(content: Iterable[list[Any]]) -> dict[str, Presence]:
    """Return the presences of a user."""
    return {key: Presence(key, from_ms(entered_at), dwelled) for key, entered_at, dwelled in content}


def in_order_of(content: Content | None) -> InOrder | None:
    """Return the state of a user before late updates."""
    if content is None:
        return None
    longitude, latitude, accuracy_m, at = content["fix"]
    return InOrder(
        presences_of_content(content["presences"]),
        Fix(Point(longitude, latitude), accuracy_m, from_ms(at)),
        from_ms(content["received_at"]),
        None if content["stay"] is None else _stay_of(content["stay"]),
        {key: from_ms(entered) for key, entered in content["beacons"].items()},
    )


def event_details_text(event: Event) -> str | None:
    """Return the rarely set properties of an event as JSON text, or None if there are none."""
    return text_of(
        {
            "metadata": dict(event.metadata) or None,
            "fraud": fraud_content(event.fraud),
            "verification": None if event.verification is None else int(event.verification),
            "verified_place_id": event.verified_place_id,
            "replayed": event.replayed or None,
            "place": None if event.place is None else _place_content(event.place),
            "region": None if event.region is None else _region_content(event.region),
            "trip": None if event.trip is None else trip_content(event.trip),
            "alternates": [_place_content(place) for place in event.alternate_places] or None,
            "extent": None if event.geofence is None else _extent_content(event.geofence.extent),
            "reporter": None if event.reporter is None else _reporter_content(event.reporter),
            **user_summary_content(event.user),
            "beacon": None if event.beacon is None else _beacon_content(event.beacon),
            "revenue": event.revenue,
        }
    )


def user_summary_content(user: UserSummary) -> Content:
    """Return the rarely set properties of an event's user as JSON types."""
    return {
        "regions": [_region_content(region) for region in user.regions.all] or None,
        "segments": [(each.description, each.external_id) for each in user.segments] or None,
        "top_chains": list(map(_chain_content, user.top_chains)) or None,
    }


def user_summary_details_of(
    content: Content,
) -> tuple[Regions, tuple[SegmentSummary, ...], tuple[ChainSummary, ...]]:
    """Return the regions, segments and chains of an event's user."""
    regions = Regions.of(map(_region_of, content["regions"])) if "regions" in content else NO_REGIONS
    segments = tuple(SegmentSummary(*each) for each in content.get("segments", ()))
    return regions, segments, tuple(ChainSummary(*_chain_parts(each)) for each in content.get("top_chains", ()))


def _chain_content(chain: Chain | ChainSummary) -> list[Any]:
    return [chain.name, chain.slug, chain.external_id, dict(chain.metadata), chain.domain]


def _chain_parts(content: Iterable[Any]) -> tuple[str, str, str | None, Metadata, str | None]:
    """Return the parts of a chain. Earlier versions stored neither its domain nor the metadata of top chains."""
    name, slug, external_id, metadata, domain, *_ = *content, None, None
    return name, slug, external_id, MappingProxyType(metadata) if metadata else NO_METADATA, domain


def _reporter_content(reporter: Reporter) -> list[str | None]:
    device = reporter.device
    return [device.type, device.os, device.make, device.model, reporter.sdk_version, reporter.install_id]


def _reporter_of(content: list[Any]) -> Reporter:
    kind, os, make, model, sdk_version, install_id = content
    return Reporter(Device(DeviceType(kind) if kind else None, os, make, model), sdk_version, install_id)


def _extent_content(extent: Extent | None) -> Content | None:
    if extent is None:
        return None
    return {
        "type": extent.type.value,
        "center": (extent.center.longitude, extent.center.latitude),
        "radius": extent.radius,
    }


def extent_of_content(content: Content | None) -> Extent | None:
    """Return the extent of a geofence."""
    if content is None:
        return None
    return Extent(GeometryType(content["type"]), Point(*content["center"]), content["radius"])


def event_details_of(content: Content, environment: Environment) -> Content:
    """Return the fields of an event from JSON types."""
    verification = content.get("verification")
    return {
        "metadata": MappingProxyType(content["metadata"]) if "metadata" in content else NO_METADATA,
        "fraud": fraud_of(content.get("fraud")),
        "verification": None if verification is None else Verification(verification),
        "verified_place_id": content.get("verified_place_id"),
        "replayed": content.get("replayed", False),
        "place": _place_of(content["place"]) if "place" in content else None,
        "region": _region_of(content["region"]) if "region" in content else None,
        "trip": trip_of_content(content["trip"], environment) if "trip" in content else None,
        "reporter": _reporter_of(content["reporter"]) if "reporter" in content else None,
        "alternate_places": tuple(map(_place_of, content.get("alternates", ()))),
        "beacon": _beacon_of(content["beacon"]) if "beacon" in content else None,
        "revenue": content.get("revenue"),
    }


def place_state_content(place_state: PlaceState, *, visits: bool = True) -> Content | None:
    """Return the place, regions and chains of a user as JSON types, or None if there are none."""
    if place_state is NOWHERE:
        return None
    content: Content = {"settings": place_state.settings}
    if (stay := place_state.stay) is not None:
        content |= _stay_content(stay)
    if place_state.regions is not NO_REGIONS:
        content["regions"] = [_region_content(region) for region in place_state.regions.all]
    if visits and place_state.visits:
        content["visits"] = [(each.slug, each.name, each.count) for each in place_state.visits]
    if place_state.near_chains:
        content["near_chains"] = place_state.near_chains
    return content


def place_state_of(content: Content | None) -> PlaceState:
    """Return the place, regions and chains of a user."""
    if content is None:
        return NOWHERE
    stay = _stay_of(content) if "place" in content else None
    regions = Regions.of(map(_region_of, content.get("regions", ())))
    visits = tuple(ChainVisits(*each) for each in content.get("visits", ()))
    return PlaceState(stay, regions, visits, content["settings"], tuple(content.get("near_chains", ())))


def _stay_content(stay: PlaceStay) -> Content:
    return {"place": _place_content(stay.place), "entered_at": to_ms(stay.entered_at)}


def _stay_of(content: Content) -> PlaceStay:
    return PlaceStay(_place_of(content["place"]), from_ms(content["entered_at"]))


def _place_content(place: Place) -> Content:
    content: Content = {
        "id": place.id,
        "name": place.name,
        "point": (place.point.longitude, place.point.latitude),
        "categories": place.categories,
        "country": place.country_code,
    }
    if (chain := place.chain) is not None:
        content["chain"] = _chain_content(chain)
    return content


def _place_of(content: Content) -> Place:
    chain = None
    if "chain" in content:
        chain = Chain(*_chain_parts(content["chain"]))
    return Place(
        id=content["id"],
        name=content["name"],
        point=Point(*content["point"]),
        chain=chain,
        categories=tuple(content["categories"]),
        country_code=content["country"],
    )


def signal_text(signal: Signal) -> str:
    """Return the signal of a beacon as text, which is equal for equal signals."""
    if isinstance(signal, IBeacon):
        return f"{signal.uuid} {signal.major} {signal.minor}"
    return f"{signal.uid} {signal.instance}"


def signal_of(kind: str, text: str) -> Signal:
    """Return the signal of a beacon."""
    parts = text.split(" ")
    if kind == BeaconType.IBEACON:
        return IBeacon(parts[0], int(parts[1]), int(parts[2]))
    return Eddystone(*parts)


def _beacon_content(beacon: BeaconSummary) -> Content:
    return {
        "id": beacon.id,
        "tag": beacon.tag,
        "external_id": beacon.external_id,
        "description": beacon.description,
        "type": beacon.signal.type.value,
        "signal": signal_text(beacon.signal),
        "point": (beacon.point.longitude, beacon.point.latitude),
        "enabled": beacon.enabled,
        "metadata": dict(beacon.metadata),
    }


def _beacon_of(content: Content) -> BeaconSummary:
    return BeaconSummary(
        content["id"],
        content["tag"],
        content["external_id"],
        content["description"],
        signal_of(content["type"], content["signal"]),
        Point(*content["point"]),
        content["enabled"],
        MappingProxyType(content["metadata"]) if content["metadata"] else NO_METADATA,
    )


def _region_content(region: Region) -> tuple[str, str, str]:
    return region.type.value, region.code, region.name


def _region_of(content: tuple[str, str, str]) -> Region:
    kind, code, name = content
    return Region(RegionType(kind), code, name)
