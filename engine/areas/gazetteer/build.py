"""Build of an area's gazetteer: an index of its contents by words and positions, made from its extract."""

from pathlib import Path

from engine.areas.brands import BrandTable
from engine.areas.folder import GAZETTEER
from engine.areas.gazetteer.address_assignment import house_numbers_in
from engine.areas.gazetteer.atlas import Atlas
from engine.areas.gazetteer.countries import Countries, divisions_in
from engine.areas.gazetteer.divisions import DivisionWriter
from engine.areas.gazetteer.from_world import read_outer
from engine.areas.gazetteer.houses import HouseWriter
from engine.areas.gazetteer.places import PlaceWriter
from engine.areas.gazetteer.postcodes import write_postcodes
from engine.areas.gazetteer.reading import read_findings
from engine.areas.gazetteer.streets import numbered_roads, roads_in, write_roads
from engine.domain.addresses.address import Layer
from engine.domain.area import Bounds
from engine.domain.ports import Progress
from engine.gazetteer.writer import GazetteerWriter

_READ, _PLACED, _WRITTEN = 35, 65, 85
"""Progress in per cent."""


def build_gazetteer(
    extract: Path, bounds: Bounds, folder: Path, name: str, world: Path | None, progress: Progress
) -> Path:
    """Write the gazetteer of a prepared extract into `folder`.

    `world` is the world pack, which provides the surrounding countries, states, counties and localities, and the
    brands. Without it, only the contents of the extract are available.
    """
    findings = read_findings(extract)
    progress(_READ, 100)
    outer = read_outer(world, bounds)
    countries = Countries(findings, bounds, outer.divisions)
    atlas = Atlas(divisions_in(findings, bounds, countries), outer, countries, bounds)
    houses = house_numbers_in(findings, atlas)
    findings.addresses.clear()
    roads = roads_in([*findings.streets, *numbered_roads(findings.roads, countries.usual)], houses, atlas)
    findings.streets.clear()
    findings.roads.clear()
    progress(_PLACED, 100)
    with GazetteerWriter(folder / GAZETTEER, {"name": name}) as writer:
        divisions = DivisionWriter(writer, atlas)
        divisions.write(
            division for division in atlas.divisions if not division.clipped and division.layer != Layer.POSTAL_CODE
        )
        write_postcodes(atlas, houses, divisions)
        write_roads(roads, writer, divisions, countries.languages, atlas)
        house_writer = HouseWriter(writer, divisions, atlas, findings.interpolations)
        house_writer.write(roads)
        house_writer.write_ranges()
        brands = BrandTable.read(world)
        PlaceWriter(writer, divisions, atlas, brands).write(findings.places.values(), houses, countries.languages)
        progress(_WRITTEN, 100)
    return folder / GAZETTEER
