"""The bill of materials of a release in CycloneDX's JSON format, version 1.6."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from parts import Part

    _Components = dict[tuple[str, str, str], Component]

NAME: Final = "fencewright"
_KIND: Final = "fencewright:kind"


def bill_of_materials(version: str, parts: Sequence[Part], made_at_s: int) -> str:
    """Return the bill of materials for a version; the same arguments return the same text.

    Raises `ValueError` if the result does not conform to the schema.
    """
    program = Component(
        type=ComponentType.APPLICATION,
        name=NAME,
        version=version,
        bom_ref=NAME,
        licenses=[LicenseExpression("MIT")],
        purl=PackageURL("pypi", None, NAME, version),
    )
    components: _Components = {(part.kind, part.name, part.version): _component(part) for part in parts}
    bom = Bom(
        serial_number=uuid5(NAMESPACE_URL, f"{NAME}@{version} {made_at_s}"),
        metadata=BomMetaData(component=program, timestamp=datetime.fromtimestamp(made_at_s, UTC)),
        components=components.values(),
        dependencies=_dependencies(program, parts, components),
    )
    text = str(JsonV1Dot6(bom).output_as_string(indent=2)) + "\n"
    if (problem := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)) is not None:
        raise ValueError(f"The bill of materials does not conform to CycloneDX 1.6: {problem}")
    return text


def _component(part: Part) -> Component:
    hashes = [HashType(alg=HashAlgorithm(algorithm), content=digest) for algorithm, digest in part.pin.hashes]
    # A package of PyPI has several files, and which of them is installed depends on the system.
    files = ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(part.purl), hashes=hashes)
    return Component(
        type=ComponentType.DATA if part.kind == "data" else ComponentType.LIBRARY,
        name=part.name,
        version=part.version,
        bom_ref=f"{part.kind}/{part.name}@{part.version}",
        licenses=[LicenseExpression(part.licence)],
        purl=PackageURL.from_string(part.purl),
        description=part.about or None,
        external_references=[files],
        properties=[Property(name=_KIND, value=part.kind)],
    )


def _dependencies(program: Component, parts: Sequence[Part], components: _Components) -> list[Dependency]:
    needs: dict[tuple[str, str], set[Component]] = {}
    for part in parts:
        for name in part.pin.needed_by:
            needs.setdefault((part.kind if name else "", name), set()).add(
                components[part.kind, part.name, part.version]
            )
    own = [(program, needs.get(("", ""), set()))]
    own += [(component, needs.get((kind, name), set())) for (kind, name, _), component in components.items()]
    return [Dependency(each.bom_ref, [Dependency(needed.bom_ref) for needed in needed]) for each, needed in own]
