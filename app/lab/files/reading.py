"""Reading of scenario files: their text, their values, and all their errors."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAliasType, get_args, get_origin

from msgspec import Struct
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from app.api.http.errors import MUST_BE, bounds, shown
from app.lab.files.faults import Fault, ScenarioInvalid, Way, field_name
from app.lab.files.idle import idle_checks
from app.lab.files.models import VERSION, WITHOUT_HOURS_RULE, ScenarioBody
from app.lab.files.recorded import recorded_start
from app.lab.files.standins import StandIns, without_faulty
from app.lab.files.yaml_tree import Document, parse_document, read_document
from engine.domain.words import count, did_you_mean

SUFFIX: Final = ".fence.yaml"
_QUOTED: Final = re.compile(r"'([^']*)'")


class Scenario(Struct, frozen=True):
    """A parsed scenario. `document` has the position of every value.

    `faults` are the errors in its values. A scenario with faults can be checked but not run: in `body`, the items at
    `replaced` are placeholders, `texts` are the texts of the original items, and `is_unsure` is set if some names
    are unknown. `idle` are the expectations that cannot fail as written.
    """

    file: Path
    body: ScenarioBody
    document: Document
    faults: tuple[Fault, ...] = ()
    replaced: frozenset[Way] = frozenset()
    texts: frozenset[str] = frozenset()
    is_unsure: bool = False
    idle: tuple[Fault, ...] = ()

    @property
    def name(self) -> str:
        """Name of the scenario, by default that of its file."""
        return self.body.name or self.file.name.removesuffix(SUFFIX)


def load_scenario(file: Path) -> Scenario:
    """Return the scenario in a file, including errors in its values.

    Raises `ScenarioInvalid` if it is not a scenario.
    """
    return _scenario(read_document(file))


def read_scenario(file: Path) -> Scenario:
    """Return the scenario in a file, or raise `ScenarioInvalid` with all errors in its values."""
    return _sound(load_scenario(file))


def parse_scenario(file: Path, text: str) -> Scenario:
    """Return the scenario in a text that is, or will be, the content of a file. Raises `ScenarioInvalid`."""
    return _sound(_scenario(parse_document(file, text)))


def _sound(scenario: Scenario) -> Scenario:
    if scenario.faults:
        raise ScenarioInvalid(scenario.faults)
    return scenario


def _scenario(document: Document) -> Scenario:
    faults = [*document.faults, *_version_faults(document)]
    stand_ins, body, found = StandIns({"version": VERSION} | document.data), None, list[Fault]()
    try:
        body = ScenarioBody.model_validate(stand_ins.data, strict=True)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        found = _faults(document, errors)
        stand_ins = without_faulty(stand_ins.data, [_place(stand_ins.data, each["loc"])[0] for each in errors])
    try:
        body = body or ScenarioBody.model_validate(stand_ins.data, strict=True)
    except ValidationError:
        raise ScenarioInvalid(faults + found) from None
    if body.clock is None:
        body = body.model_copy(update={"clock": recorded_start(document.file, body)})
    faults += [*found, *_twice(document, body)]
    replaced, texts = frozenset(stand_ins.replaced), frozenset(stand_ins.texts)
    # A misspelled key may be an expectation.
    idle = tuple(idle_checks(document, body, replaced, is_known=not faults))
    return Scenario(document.file, body, document, tuple(faults), replaced, texts, stand_ins.is_unsure, idle)


def _version_faults(document: Document) -> list[Fault]:
    """Return the fault of a missing version. Raises `ScenarioInvalid` for another version."""
    if not isinstance(document.data, dict):
        raise document.invalid((), "must be a scenario: a mapping with version, geofences, devices, expect …")
    version = document.data.get("version")
    if version is None:
        return [document.fault((), f"version is required; write version: {VERSION}")]
    if isinstance(version, bool) or version not in (WITHOUT_HOURS_RULE, VERSION):
        newer = "; another version of Fencewright may read the file"
        expected = f"must be {WITHOUT_HOURS_RULE} or {VERSION}"
        raise document.invalid(("version",), f"{expected}, not {shown(version)}{newer}.")
    return []


def _twice(document: Document, body: ScenarioBody) -> Iterable[Fault]:
    """Yield faults for duplicate devices, whose fixes would have no order, and for duplicate webhook names."""
    seen: dict[tuple[str, str | None], int] = {}
    for index, device in enumerate(body.devices):
        key = (device.device_id, device.user_id)
        if key in seen:
            yield document.fault(("devices", index, "deviceId"), f"is that of devices[{seen[key]}] already.")
        seen.setdefault(key, index)
    names = [webhook.name for webhook in body.webhooks]
    for index, name in enumerate(names):
        if (first := names.index(name)) < index:
            yield document.fault(("webhooks", index, "name"), f"is that of webhooks[{first}] already.")


def _faults(document: Document, errors: Iterable[ErrorDetails]) -> list[Fault]:
    found = [_fault(document, each) for each in errors]
    return list({(fault.mark, fault.field): fault for fault in reversed(found)}.values())


def _fault(document: Document, error: ErrorDetails) -> Fault:
    path, models = _place(document.data, error["loc"])
    key = path[-1] if path else ""
    if error["type"] == "extra_forbidden":
        return document.key_fault(path, f"there is no such key{_suggestion(str(key), models)}")
    if error["type"] == "missing":
        above = path[:-1]
        return Fault(document.file, document.key_mark(above), field_name(path), "is required.")
    return document.fault(path, _error_text(error))


def _place(data: Any, loc: Sequence[str | int]) -> tuple[Way, list[type[BaseModel]]]:
    """Return the path to a value in the file and the models that may contain it.

    Elements that pydantic adds for the members of a union are left out.
    """
    path: list[str | int] = []
    models: list[type[BaseModel]] = [ScenarioBody]
    for number, part in enumerate(loc):
        is_last = number == len(loc) - 1
        fits = (isinstance(part, int) and isinstance(data, list) and part < len(data)) or (
            isinstance(data, dict) and isinstance(part, str) and (part in data or (is_last and _names(models, part)))
        )
        if not fits:
            continue
        path.append(part)
        data = data[part] if not isinstance(data, dict) or part in data else None
        if isinstance(part, str) and not is_last:
            models = _models_of(models, part) or models
    return tuple(path), models


def _names(models: Iterable[type[BaseModel]], alias: str) -> bool:
    return any(field.alias == alias for model in models for field in model.model_fields.values())


def _models_of(models: Iterable[type[BaseModel]], alias: str) -> list[type[BaseModel]]:
    kinds = [field.annotation for model in models for field in model.model_fields.values() if field.alias == alias]
    return [found for kind in kinds for found in _models_in(kind)]


def _models_in(kind: Any) -> list[type[BaseModel]]:
    if isinstance(kind, TypeAliasType):
        return _models_in(kind.__value__)
    if get_origin(kind) is None:
        return [kind] if isinstance(kind, type) and issubclass(kind, BaseModel) else []
    return [found for part in get_args(kind) for found in _models_in(part)]


def _suggestion(key: str, models: Iterable[type[BaseModel]]) -> str:
    known = list(dict.fromkeys(field.alias or name for model in models for name, field in model.model_fields.items()))
    return did_you_mean(key, known, f"; known are {', '.join(known)}." if len(known) <= 20 else ".")


_TEXTS: Final = ("string_type", "string_unicode")


def _error_text(error: ErrorDetails) -> str:
    """Return the error in a value and the expected value."""
    kind, value, context = error["type"], error["input"], error.get("ctx") or {}
    if kind == "refused":
        explanation = str(context["explanation"])
        return explanation if explanation.endswith("?") else f"{explanation}{_not(value)}."
    if kind == "literal_error":
        expected = "true" if context["expected"] == "True" else _QUOTED.sub(r"\1", context["expected"])
        return f"must be {expected}, not {shown(value)}."
    if kind in _TEXTS and isinstance(value, int | float):
        return f"must be a text, not {shown(value)}; put it in quotes."
    if kind in MUST_BE:
        return f"must be {_MAPPING.get(kind) or MUST_BE[kind]}, not {shown(value)}."
    if kind == "string_too_short":
        return "must not be empty."
    if "max_length" in context:
        return f"must have at most {_counted(context['max_length'], value)}, not {len(value):,}."
    if "min_length" in context:
        return f"must have at least {_counted(context['min_length'], value)}, not {len(value) or 'none'}."
    return f"must be {bounds(context)}, not {shown(value)}."


_MAPPING: Final = {"model_type": "a mapping", "model_attributes_type": "a mapping", "dict_type": "a mapping"}


def _not(value: object) -> str:
    """Return the value if it is short enough to be shown next to the expected one."""
    return f", not {shown(value)}" if isinstance(value, str | int | float | bool) or value is None else ""


def _counted(number: int, value: object) -> str:
    return count(number, "character" if isinstance(value, str) else "item")
