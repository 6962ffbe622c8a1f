"""The JSON schema of scenario files, for editors that complete and validate YAML."""

from typing import Any, Final

from app.lab.files import expectations
from app.lab.files.models import ScenarioBody

TITLE: Final = "Fencewright scenario"
_CHECKED: Final = (
    *(expectations.Expect, expectations.EventPattern, expectations.ExpectedEvent, expectations.ForbiddenEvent),
    *(expectations.ExpectedUser, expectations.ExpectedTrip, expectations.ExpectedDelivery),
)
"""Models in which keys without a value are refused, since they would check nothing."""


def scenario_schema() -> dict[str, Any]:
    """Return the schema of the models."""
    schema = ScenarioBody.model_json_schema(by_alias=True, mode="validation")
    for model in _CHECKED:
        for key in schema["$defs"][model.__name__]["properties"].values():
            _refuse_null(key)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": TITLE}


def _refuse_null(key: dict[str, Any]) -> None:
    """Remove null from the allowed values of a key."""
    kinds = [each for each in key.pop("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1:
        key |= kinds[0] | key
    elif kinds:
        key["anyOf"] = kinds
    if key.get("default", ...) is None:
        del key["default"]
