"""The gazetteer of an area: what can be found in it, by words and by positions, made from its extract."""

from pathlib import Path

from engine.areas.brands import BrandTable
from engine.areas.folder import GAZETTEER
from engine.areas.gazetteer_atlas import Atlas
from engine.areas.gazetteer_divisions import LandWriter
from engine.areas.gazetteer_homes import homes_in
from engine.areas.gazetteer_houses import HouseWriter
from engine.areas.gazetteer_lands import Countries, lands_in
from engine.areas.gazetteer_places import PlaceWriter
from engine.areas.gazetteer_postcodes import write_postcodes
from engine.areas.gazetteer_reading import read_findings
from engine.areas.gazetteer_streets import roads_in, write_roads
from engine.areas.gazetteer_world import read_outer
from engine.domain.address import Layer
from engine.domain.area import Bounds
from engine.domain.ports import Progress
from engine.gazetteer.writer import GazetteerWriter

_READ, _PLACED, _WRITTEN = 35, 65, 85
"""How much of the work is done, in per cent."""


def build_gazetteer(
    extract: Path, bounds: Bounds, folder: Path, name: str, world: Path | None, progress: Progress
) -> Path:
    """Write the gazetteer of a prepared extract into `folder`.

    `world` is the world pack, whose countries, states, counties and localities hold what the extract is cut out of,
    and which knows the brands; without it only what the extract says is there.
    """
    findings = read_findings(extract)
    progress(_READ, 100)
    outer = read_outer(world, bounds)
    countries = Countries(findings, bounds, outer.lands)
    atlas = Atlas(lands_in(findings, bounds, countries), outer, countries, bounds)
    homes = homes_in(findings, atlas)
    findings.addresses.clear()
    roads = roads_in(findings.streets, homes, atlas)
    progress(_PLACED, 100)
    with GazetteerWriter(folder / GAZETTEER, {"name": name}) as writer:
        lands = LandWriter(writer, atlas)
        lands.write(land for land in atlas.lands if not land.cut and land.layer != Layer.POSTAL_CODE)
        write_postcodes(atlas, homes, lands)
        write_roads(roads, writer, lands, countries.languages)
        houses = HouseWriter(writer, lands, atlas, findings.interpolations)
        houses.write(roads)
        houses.write_ranges()
        brands = BrandTable.read(world)
        PlaceWriter(writer, lands, atlas, brands).write(findings.places.values(), homes, countries.languages)
        progress(_WRITTEN, 100)
    return folder / GAZETTEER
