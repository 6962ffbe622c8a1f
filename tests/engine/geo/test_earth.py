"""The figures of the ellipsoid."""

from engine.geo import earth


def test_the_figures_are_those_of_proj() -> None:
    """They are written down, as PROJ takes long to load; what was computed with them stays the same to the last bit."""
    assert earth.wgs84().a == earth._A
    assert earth.wgs84().es == earth._E2
