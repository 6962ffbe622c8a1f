"""Reading of external change sets from files, with limits and with errors that name the place."""

import json
from typing import Any, Final, NoReturn

from app.api.http.errors import shown
from app.api.v1.geofences import change_of
from app.api.wire.common.decoding import validate
from app.api.wire.common.encoding import Encoded
from app.api.wire.review.change_sets import ACTIONS, FORMAT, VERSION, encode_applied, encode_not_portable, encode_plan
from app.api.wire.snapshot import SeedGeofence
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.domain.ports import Progress, no_progress, reporting
from engine.domain.tracking.snapshots import GeofenceSeed
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.promotion.promotions import PromotionQuery, SubmittedChange

MAX_CHANGE_SET: Final = 256 * 1024 * 1024
"""Maximum size of a file in bytes."""

_NEEDS: Final = {"create": ("geofence",), "update": ("geofence", "seen"), "delete": ("seen",)}
_MEMBERS: Final = frozenset({"action", "tag", "externalId", "geofence", "seen"})


def plan_promotion(engine: Engine, query: PromotionQuery) -> Encoded:
    """Return the changes that a promotion would make."""
    return encode_plan(engine.promotions.plan(query), engine.stop.check)


def apply_change_set(
    engine: Engine, content: bytes, progress: Progress = no_progress, *, dry_run: bool = False
) -> Encoded:
    """Apply a change set and return the numbers of affected geofences; raises `InvalidParameter` and `Conflict`."""
    source, target, requested = decode_change_set(content, engine.stop.check)
    changes = engine.promotions.read(source, target, requested)
    return encode_applied(engine.promotions.apply(changes, progress, dry_run=dry_run))


def notes_about(engine: Engine, content: bytes) -> Encoded:
    """Return warnings about the effects of a change set; raises `InvalidParameter`."""
    source, target, requested = decode_change_set(content, engine.stop.check)
    changes = engine.promotions.read(source, target, requested)
    return {"notes": list(engine.promotions.notes(changes)), "notPortable": encode_not_portable(changes)}


def decode_change_set(
    content: bytes, report: Progress = no_progress
) -> tuple[Environment, Environment, list[SubmittedChange]]:
    """Return the environments and changes of a file; raises `InvalidParameter` naming the place in the file.

    `report` may raise `Cancelled`.
    """
    whole = _object(parse_change_set(content), "changeSet")
    source, target = (_environment(whole, name) for name in ("from", "to"))
    if source is target:
        _refuse("to", f"must be the other environment, not {target.value}, too.")
    changes = whole.get("changes")
    if not isinstance(changes, list):
        _refuse("changes", f"must be a list, not {shown(changes)}.")
    requested: dict[tuple[str, str], SubmittedChange] = {}
    for number, item in enumerate(reporting(changes, report)):
        place = f"changes[{number}]"
        change = _change(_object(item, place), place, source, target)
        if change.key in requested:
            _refuse(place, f"{'/'.join(change.key)} is in the change set twice.")
        requested[change.key] = change
    return source, target, list(requested.values())


def parse_change_set(content: bytes) -> Any:
    """Return the JSON of a change set in a supported version."""
    if len(content) > MAX_CHANGE_SET:
        _refuse("changeSet", f"must not be larger than {MAX_CHANGE_SET // 1024**2} MB.")
    try:
        whole = json.loads(not_too_deep(content), parse_constant=_no_constant)
    except NestedTooDeeply as error:
        _refuse("changeSet", f"{error}.")
    except json.JSONDecodeError as error:
        _refuse("changeSet", f"is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}.")
    except (ValueError, RecursionError):
        _refuse("changeSet", "is not valid JSON in UTF-8.")
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        _refuse("changeSet", f"is no change set: its format must be {FORMAT!r}.")
    version = whole.get("version")
    if isinstance(version, bool) or version != VERSION:
        text = f"must be {VERSION}, not {shown(version)}; another version of Fencewright may read the file."
        _refuse("version", text)
    return whole


def _change(item: dict[str, Any], place: str, source: Environment, target: Environment) -> SubmittedChange:
    action = item.get("action")
    if not isinstance(action, str) or action not in _NEEDS:
        _refuse(f"{place}.action", f"must be one of {', '.join(ACTIONS.values())}, not {shown(action)}.")
    for name in item:
        if name not in _MEMBERS:
            _refuse(f"{place}.{name[:60]}", "is not a field of a change.")
    for name in ("geofence", "seen"):
        if (name in item) != (name in _NEEDS[action]):
            _refuse(f"{place}.{name}", f"{'is required' if name not in item else 'must be absent'} for {action}.")
    tag, external_id = (_text(item.get(name), f"{place}.{name}") for name in ("tag", "externalId"))
    return SubmittedChange(
        (tag, external_id),
        _geofence(item, "geofence", place, source),
        _geofence(item, "seen", place, target),
    )


def _geofence(item: dict[str, Any], name: str, place: str, environment: Environment) -> GeofenceSeed | None:
    if name not in item:
        return None
    place = f"{place}.{name}"
    given = dict(_object(item[name], place))
    user_ids = given.pop("userIds", None)
    try:
        body = validate(SeedGeofence, given, strict=True)
        change, ring = change_of(body), body.given_outline()
    except InvalidParameter as error:
        full_name = f"{place}.{error.param}"
        raise InvalidParameter(full_name, f"{full_name}{error.message.removeprefix(error.param)}") from error
    if body.address is not None or body.place_id is not None:
        _refuse(place, "a change set names coordinates, no address and no place.")
    if user_ids is not None:
        change = _with_user_ids(change, user_ids, place)
    if change.type == GeometryType.ISOCHRONE and ring is None:
        _refuse(f"{place}.geometry", "is required for an isochrone.")
    return GeofenceSeed(environment=environment, change=change, ring=ring)


def _with_user_ids(change: GeofenceChange, user_ids: Any, place: str) -> GeofenceChange:
    if not (isinstance(user_ids, list) and all(isinstance(each, str) for each in user_ids)):
        _refuse(f"{place}.userIds", "must be a list of strings.")
    return replace(change, user_ids=tuple(user_ids))


def _environment(whole: dict[str, Any], name: str) -> Environment:
    value = whole.get(name)
    if value not in tuple(Environment):
        _refuse(name, f"must be test or live, not {shown(value)}.")
    return Environment(value)


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _refuse(place, f"must be a JSON object, not {shown(value)}.")
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        _refuse(place, f"must be a string, not {shown(value)}.")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _refuse(place: str, text: str) -> NoReturn:
    raise InvalidParameter(place, f"{place}: {text}")
