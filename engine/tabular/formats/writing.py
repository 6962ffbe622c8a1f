"""Writing of maps: KML, and GeoPackage by GDAL."""

import importlib.util
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.extras import how_to_install

LAYER: Final = "geofences"
_DESCRIPTION: Final = "description"
"""The column for which KML has an element."""

_NO_XML: Final = dict.fromkeys(set(range(32)) - {9, 10, 13} | {0xFFFE, 0xFFFF})
"""Characters that XML cannot represent."""


class Feature(Struct, frozen=True):
    """Feature of a map: its texts by column, and its geometry in the form of GeoJSON."""

    values: Mapping[str, str]
    geometry: Mapping[str, Any]


def write_kml(features: Iterable[Feature], columns: Sequence[str]) -> bytes:
    """Return a KML document, in which the texts of each feature are its extended data."""
    fields = "".join(f'<SimpleField name={quoteattr(name)} type="string"/>' for name in columns if name != _DESCRIPTION)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n'
        f'<Document><name>{LAYER}</name><Schema name="{LAYER}" id="{LAYER}">{fields}</Schema>\n'
    )
    body = "".join(map(_placemark, features))
    return f"{head}{body}</Document>\n</kml>\n".encode()


def write_gpkg(features: Sequence[Feature], columns: Sequence[str]) -> bytes:
    """Return a GeoPackage; raises `InvalidParameter` if the required library is missing."""
    if importlib.util.find_spec("pyogrio") is None:
        raise InvalidParameter(
            "format",
            f"format: a GeoPackage needs pyogrio, which is not installed. {how_to_install('gis')} "
            "CSV, GeoJSON and KML can be exported without it.",
        )
    import numpy as np
    import shapely
    from pyogrio import raw
    from shapely.geometry import shape

    shapes = np.array([shape(feature.geometry) for feature in features], dtype=object)
    texts = [np.array([feature.values[name] for feature in features], dtype=object) for name in columns]
    with tempfile.TemporaryDirectory(prefix="fencewright-") as folder:
        file = Path(folder) / f"{LAYER}.gpkg"
        raw.write(
            str(file),
            shapely.to_wkb(shapes),
            texts,
            np.array(columns),
            layer=LAYER,
            driver="GPKG",
            geometry_type="Unknown",
            crs="EPSG:4326",
        )
        return file.read_bytes()


def _placemark(feature: Feature) -> str:
    values = ((name, value) for name, value in feature.values.items() if name != _DESCRIPTION)
    data = "".join(f"<SimpleData name={quoteattr(name)}>{_xml(value)}</SimpleData>" for name, value in values)
    description = _xml(feature.values[_DESCRIPTION])
    return (
        f"<Placemark><name>{description}</name><description>{description}</description>"
        f'<ExtendedData><SchemaData schemaUrl="#{LAYER}">{data}</SchemaData></ExtendedData>'
        f"{_geometry(feature.geometry)}</Placemark>\n"
    )


def _geometry(geometry: Mapping[str, Any]) -> str:
    match geometry["type"]:
        case "Point":
            return f"<Point><coordinates>{_position(geometry['coordinates'])}</coordinates></Point>"
        case "MultiPolygon":
            return f"<MultiGeometry>{''.join(map(_polygon, geometry['coordinates']))}</MultiGeometry>"
        case _:
            return _polygon(geometry["coordinates"])


def _polygon(rings: Sequence[Sequence[Sequence[float]]]) -> str:
    outer, *holes = map(_ring, rings)
    inner = "".join(f"<innerBoundaryIs>{hole}</innerBoundaryIs>" for hole in holes)
    return f"<Polygon><outerBoundaryIs>{outer}</outerBoundaryIs>{inner}</Polygon>"


def _ring(ring: Sequence[Sequence[float]]) -> str:
    return f"<LinearRing><coordinates>{' '.join(map(_position, ring))}</coordinates></LinearRing>"


def _position(position: Sequence[float]) -> str:
    return f"{position[0]!r},{position[1]!r}"


def _xml(text: str) -> str:
    return escape(text.translate(_NO_XML), {"\r": "&#13;"})
