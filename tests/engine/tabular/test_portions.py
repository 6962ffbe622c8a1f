"""Portions of the features of a file that are read at once, by the sizes of their geometries."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyogrio import raw

from engine.tabular.formats.portions import PORTION_BYTES, portions, sizes_of
from engine.tabular.formats.source import FileFormat

POSITIONS = (5, 4, 900, 7)
FORMATS = {FileFormat.GEOPACKAGE: ("zones.gpkg", "GPKG"), FileFormat.SHAPEFILE: ("zones.shp", "ESRI Shapefile")}

sizes = st.lists(st.integers(0, PORTION_BYTES // 3) | st.integers(0, 3 * PORTION_BYTES), min_size=1, max_size=30)


@given(sizes, st.integers(1, 12))
def test_portions_have_each_feature_once_and_are_small_unless_one_feature_is_large(found: list[int], most: int) -> None:
    read = list(islice(portions(len(found), most, np.array(found)), len(found) + 1))
    assert [number for first, count in read for number in range(first, first + count)] == list(range(len(found)))
    for first, count in read:
        of_portion = found[first : first + count]
        assert len(of_portion) <= most
        assert sum(of_portion) <= PORTION_BYTES or count == 1
        following = found[first + count : first + count + 1]
        assert not following or count == most or sum(of_portion + following) > PORTION_BYTES, "no portion is split"


def test_features_of_unknown_size_are_counted_and_no_features_are_one_portion() -> None:
    assert list(portions(25, 10, None)) == [(0, 10), (10, 10), (20, 10)]
    assert list(portions(0, 10, None)) == [(0, 10)]


@pytest.mark.parametrize("format", FORMATS)
def test_the_sizes_in_a_file_are_those_of_its_geometries(tmp_path: Path, format: FileFormat) -> None:
    name, driver = FORMATS[format]
    shapes = [shapely.Point(9, 47).buffer(0.1).segmentize(1 / count) for count in POSITIONS]
    wkb = shapely.to_wkb(np.array(shapes))
    names = [np.array(["a", "b", "c", "d"], dtype=object)]
    path = tmp_path / name
    raw.write(str(path), wkb, names, np.array(["name"]), driver=driver, crs="EPSG:4326", geometry_type="Polygon")
    measured = sizes_of(format, path, "zones", len(shapes))
    assert measured is not None
    assert np.abs(measured - np.array([len(each) for each in wkb])).max() < 100
    assert sizes_of(format, path, "zones", len(shapes) - 1) is None, "the file is not what its header says"
    assert sizes_of(format, path, "zones", 0) is None
