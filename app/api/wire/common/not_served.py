"""Parameters of the specification and the SDKs that are not served.

Those that SDKs send with every request are accepted without effect, and the answer says so; those that somebody sets on
purpose are refused.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from app.api.wire.common.fields import refusal

NOTHING: Final[tuple[object, ...]] = (None, "", "null", "false", "False", "[]", "{}", [], {})
"""Values that SDKs send for a parameter without a value; in a form or query all of them are text."""

_ANY_TYPE: Final = ("object", "array", "string", "number", "boolean", "null")


class NotServed:
    """Marks a parameter that has no effect yet; `missing` names, in the plural, what would give it one."""

    def __init__(self, missing: str) -> None:
        self._missing = missing

    def warning(self, name: str) -> str:
        """Return what an answer says of the parameter `name`."""
        return f"{name}: {self._missing} are not served yet; this parameter was ignored."

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe that any value is accepted, and what becomes of it."""
        description = f"Accepted and ignored, with a warning: {self._missing} are not served yet."
        return {"type": list(_ANY_TYPE), "description": description}


class Refused:
    """Marks a parameter whose use is refused; `missing` says in a sentence what is not served.

    What SDKs send where it is not used (false, null, an empty text) is fine.
    """

    def __init__(self, missing: str) -> None:
        self._missing = missing

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Refuse every value that asks for something."""
        return core_schema.no_info_plain_validator_function(self._refuse)

    def _refuse(self, value: object) -> None:
        if value not in NOTHING and value is not False:
            raise refusal(self._missing)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe that nothing but what asks for nothing is accepted."""
        return {"enum": [False, None, "", "false"], "description": f"Refused unless empty or false: {self._missing}."}


@cache
def not_served(model: type[BaseModel]) -> Mapping[str, str]:
    """Return the warning for each field of `model` that has no effect yet, by the field's name."""
    return {
        name: mark.warning(field.alias or name)
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, NotServed)
    }


@cache
def names_refused(model: type[BaseModel]) -> frozenset[str]:
    """Return the names on the wire of the fields of `model` whose use is refused."""
    fields = model.model_fields.items()
    return frozenset(
        field.alias or name for name, field in fields if any(isinstance(each, Refused) for each in field.metadata)
    )


@cache
def names_not_served(model: type[BaseModel]) -> frozenset[str]:
    """Return the names on the wire of the fields of `model` that have no effect yet."""
    return frozenset(model.model_fields[name].alias or name for name in not_served(model))


def warnings_of(*requests: BaseModel | None) -> list[str]:
    """Return a sentence for each parameter that a query or body gave in vain."""
    return [
        warning
        for request in requests
        if request is not None
        for name, warning in not_served(type(request)).items()
        if getattr(request, name) not in NOTHING
    ]
