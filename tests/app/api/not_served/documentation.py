"""Generator of the tables in docs/not-served.md.

Run it as ``python -m tests.app.api.not_served.documentation``. Endpoints, parameters and fields that the OpenAPI
document contains are left out, so the page gets shorter when more is served.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from app.api.server.docs import document
from app.api.v1 import RESOURCES
from app.api.v1.operations import Operation
from app.api.v1.request_log.near_misses import names_of
from app.api.v1.request_log.sdk_fields import FIELDS_OF_SDKS, UNSERVED_FIELDS, Sdk
from app.api.wire.common.decoding import NotServed, Refused
from tests.app.api.not_served.reference import REFERENCE, SDK_ENDPOINTS, placed
from tests.app.api.not_served.table import FEATURES, RECORDS, REQUESTS, RESPONSES, Feature

PAGE: Final = Path(__file__).parents[4] / "docs" / "not-served.md"
UNKNOWN: Final = "ignored, like unknown keys"

type Row = tuple[str, ...]


def operations() -> Iterator[tuple[str, str, Operation]]:
    """Yield the served operations, each with its method and path."""
    for resource in RESOURCES:
        for method, operation in resource.operations.items():
            yield method, resource.path, operation


def missing_endpoints() -> tuple[str, ...]:
    """Return the endpoints of the reference and the SDKs that the OpenAPI document does not have."""
    paths = document()["paths"]
    served = {(method.upper(), placed(path)) for path, item in paths.items() for method in item}
    known: dict[tuple[str, str], str] = {}
    for method, path in (*REFERENCE, *SDK_ENDPOINTS):
        known.setdefault((method, placed(path)), f"{method} {path}")
    return tuple(text for place, text in known.items() if place not in served)


def missing_parameters() -> Iterator[tuple[str, str]]:
    """Yield the parameters of the reference that their operation does not take, each with the operation."""
    served = {(method, placed(path)): operation for method, path, operation in operations()}
    for (method, path), parameters in REFERENCE.items():
        operation = served.get((method, placed(path)))
        known = parameters_of(operation) if operation is not None else frozenset(parameters)
        for name in parameters:
            if name.partition("[")[0] not in known:
                yield f"{method} {path}", name


def parameters_of(operation: Operation) -> frozenset[str]:
    """Return the documented parameters of an operation."""
    return names_of(operation.query) | names_of(operation.body)


def features() -> str:
    """Return the table of features, followed by the other missing endpoints."""
    rows = [(each.name, each.paths, _parts(each), _code(each.events)) for each in FEATURES]
    if endpoints := missing_endpoints():
        rows.append(("endpoints of the reference", _code(endpoints), "", ""))
    head = ("feature", "paths, which return 404", "in requests and responses", "events that are never sent")
    return _table(head, rows)


def in_sdks() -> str:
    """Return the table of the SDKs' behaviour without each feature."""
    rows = [(each.name, each.ios, each.android, each.web) for each in FEATURES if each.ios]
    return _table(("feature", Sdk.IOS.value, Sdk.ANDROID.value, "JavaScript"), rows)


def parameters() -> str:
    """Return the parameters without effect and the refused ones, by operation and behaviour."""
    found: dict[tuple[str, str], list[str]] = {}
    for method, path, operation in operations():
        for model in (operation.query, operation.body):
            for name, behaviour in _declared(model):
                found.setdefault((f"{method} {path}", behaviour), []).append(name)
    for target, name in missing_parameters():
        found.setdefault((target, UNKNOWN), []).append(name)
    declared = {name for names in found.values() for name in names}
    for name, text in UNSERVED_FIELDS.items():
        if name not in declared:
            found.setdefault(("any", f"{UNKNOWN}: {text}"), []).append(name)
    rows = [
        (f"`{target}`" if target != "any" else target, _code(names), text) for (target, text), names in found.items()
    ]
    return _table(("operation", "parameters", "behaviour"), rows)


def sdk_parameters() -> str:
    """Return the parameters that SDKs add by themselves and no operation takes, by the SDKs that send them."""
    taking = {operation.name: (f"{method} {path}", operation) for method, path, operation in operations()}
    senders: dict[tuple[str, str], list[Sdk]] = {}
    for sdk, fields in FIELDS_OF_SDKS.items():
        for operation, names in fields.items():
            for name in sorted(names - parameters_of(taking[operation][1])):
                senders.setdefault((taking[operation][0], name), []).append(sdk)
    rows: dict[tuple[str, str], list[str]] = {}
    for (target, name), sdks in sorted(senders.items(), key=lambda each: each[0][0], reverse=True):
        rows.setdefault((target, ", ".join(sdks)), []).append(name)
    head = ("operation", "parameters", "sent by")
    return _table(head, [(f"`{target}`", _code(names), sdks) for (target, sdks), names in rows.items()])


def others(rows: Iterable[tuple[str, str]], title: str) -> str:
    """Return a table of behaviours."""
    return _table((title, "behaviour"), list(rows))


def unread(feature: Feature) -> Mapping[str, tuple[str, ...]]:
    """Return the fields of responses that SDKs read for a feature and that the document does not have, by place."""
    schemas = document()["components"]["schemas"]
    found = {}
    for place, names in (feature.fields or {}).items():
        served = {name for record in RECORDS[place] for name in schemas[record].get("properties", {})}
        if left := tuple(name for name in names if name not in served):
            found[place] = left
    return found


def written(page: str) -> str:
    """Return the page with its tables up to date."""
    for name, content in (
        ("features", features()),
        ("SDKs", in_sdks()),
        ("parameters", parameters()),
        ("SDK parameters", sdk_parameters()),
        ("requests", others(REQUESTS, "request")),
        ("responses", others(RESPONSES, "response")),
    ):
        begin = page.index("-->", page.index(f"<!-- {name}:")) + 3
        end = page.index(f"<!-- end of {name} -->", begin)
        page = f"{page[:begin]}\n{content}\n{page[end:]}"
    return page


def _parts(feature: Feature) -> str:
    """Return the parts of requests and responses, and the fields that SDKs read."""
    fields = (f"{place}: no {_code(names)}" for place, names in unread(feature).items())
    return "; ".join(part for part in (feature.parts, *fields) if part)


def _declared(model: type[BaseModel] | None) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a model that are not served, each with the behaviour that its mark describes."""
    for name, field in model.model_fields.items() if model is not None else ():
        for mark in field.metadata:
            if isinstance(mark, NotServed):
                yield field.alias or name, f"ignored, with a warning: {mark.missing} are not served"
            elif isinstance(mark, Refused):
                yield field.alias or name, f"refused: {mark.missing}"


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(head: Row, rows: Sequence[Row]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"|{'|'.join(map(_cell, line))}|" for line in lines)


def _cell(text: str) -> str:
    return text if text == "---" else f" {text} " if text else " "


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
