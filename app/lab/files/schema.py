"""The JSON schema of scenario files, for editors that complete and check YAML by one."""

from typing import Any, Final

from app.lab.files import expectations
from app.lab.files.models import ScenarioBody

TITLE: Final = "Fencewright scenario"
_CHECKED: Final = (
    *(expectations.Expect, expectations.EventPattern, expectations.ExpectedEvent, expectations.ForbiddenEvent),
    *(expectations.ExpectedUser, expectations.ExpectedTrip, expectations.ExpectedDelivery),
)
"""Models of which a key without a value is refused, since it would check nothing."""


def scenario_schema() -> dict[str, Any]:
    """Return the schema that the models describe."""
    schema = ScenarioBody.model_json_schema(by_alias=True, mode="validation")
    for model in _CHECKED:
        for key in schema["$defs"][model.__name__]["properties"].values():
            _refuse_null(key)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": TITLE}


def _refuse_null(key: dict[str, Any]) -> None:
    """Take null out of what a key may be."""
    kinds = [each for each in key.pop("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1:
        key |= kinds[0] | key
    elif kinds:
        key["anyOf"] = kinds
    if key.get("default", ...) is None:
        del key["default"]
