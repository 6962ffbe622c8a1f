"""Fast validation of values against the schemas of one document.

jsonschema resolves each reference, and creates each part of a schema again, for each value. This takes four fifths of
the processor time of a test's exchange. The schemas of a document do not change, so each part is created only once
here. Keywords are evaluated by jsonschema, except for the five that only lead to other parts.
"""

from collections.abc import Iterator
from typing import Any, Final, Protocol

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

type Node = dict[str, Any]

_COMPONENTS: Final = "#/components/schemas/"


class _Part(Protocol):
    """A part of a schema, prepared for validation."""

    def iter_errors(self, instance: object) -> Iterator[ValidationError]: ...

    def is_valid(self, instance: object) -> bool: ...

    def evolve(self, *, schema: object) -> "_Part": ...


class Schemas:
    """The schemas of a document."""

    def __init__(self, document: Node) -> None:
        self._components = {"components": document["components"]}
        self._parts: dict[int, tuple[object, _Part]] = {}
        leading = {
            "$ref": self._ref,
            "anyOf": self._any_of,
            "items": self._items,
            "prefixItems": self._prefix_items,
            "properties": self._properties,
        }
        self._root: _Part = extend(Draft202012Validator, leading)({})  # type: ignore[no-untyped-call]

    def validate(self, schema: Node, value: object) -> None:
        """Raise `ValidationError` if `value` does not fit `schema`, which is a part of the document."""
        if not self.fits(schema, value):
            self.explain(schema, value)

    def fits(self, schema: Node, value: object) -> bool:
        """Return whether `value` fits `schema`, which is a part of the document."""
        return self._part(schema).is_valid(value)

    def explain(self, schema: Node, value: object) -> None:
        """Validate with jsonschema alone, whose error describes the mismatch and its location."""
        Draft202012Validator(schema | self._components).validate(value)

    def _part(self, schema: object) -> _Part:
        # The schema is kept with its validator, so that no other schema gets the same id.
        known = self._parts.get(id(schema))
        if known is None:
            known = self._parts[id(schema)] = (schema, self._root.evolve(schema=schema))
        return known[1]

    def _ref(self, _: object, reference: str, value: object, _schema: object) -> Iterator[ValidationError]:
        name = reference.removeprefix(_COMPONENTS)
        return self._part(self._components["components"]["schemas"][name]).iter_errors(value)

    def _properties(self, _: object, properties: Node, value: object, _schema: object) -> Iterator[ValidationError]:
        if isinstance(value, dict):
            for name, schema in properties.items():
                if name in value:
                    yield from self._part(schema).iter_errors(value[name])

    def _items(self, _: object, items: object, value: object, schema: Node) -> Iterator[ValidationError]:
        if isinstance(value, list):
            part = self._part(items)
            for item in value[len(schema.get("prefixItems", ())) :]:
                yield from part.iter_errors(item)

    def _prefix_items(
        self, _: object, items: list[object], value: object, _schema: object
    ) -> Iterator[ValidationError]:
        if isinstance(value, list):
            for schema, item in zip(items, value, strict=False):
                yield from self._part(schema).iter_errors(item)

    def _any_of(self, _: object, several: list[Node], value: object, _schema: object) -> Iterator[ValidationError]:
        if not any(self._part(schema).is_valid(value) for schema in several):
            yield ValidationError("fits none")
