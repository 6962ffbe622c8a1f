"""Photon: search with autocompletion, and reverse geocoding."""

from collections.abc import Mapping
from typing import Any, Final

from engine.domain.addresses.address import (
    FINE,
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    ReverseQuery,
)
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geocoding.remote.engine import LIMIT_S, Params, Refused, Server, features_of
from engine.geocoding.remote.parts import (
    Parts,
    address_of,
    code_of,
    feature_point,
    match_confidence,
    text_of,
    with_distance,
)

MAX_LIMIT: Final = 50
REVERSE_KM: Final = 1
COARSE_REVERSE_KM: Final = 50

_KINDS: Final[Mapping[str, Layer]] = {
    "house": Layer.ADDRESS,
    "street": Layer.ADDRESS,
    "locality": Layer.LOCALITY,
    "district": Layer.LOCALITY,
    "city": Layer.LOCALITY,
    "county": Layer.COUNTY,
    "state": Layer.STATE,
    "country": Layer.COUNTRY,
    "other": Layer.PLACE,
}
"""Layers by Photon's types. Its houses include places at a house, which are recognized by their tags."""

_KINDS_BY_LAYER: Final[Mapping[Layer, tuple[str, ...]]] = {
    Layer.PLACE: ("house", "other"),
    Layer.ADDRESS: ("house", "street"),
    Layer.LOCALITY: ("city", "district", "locality"),
    Layer.COUNTY: ("county",),
    Layer.STATE: ("state",),
    Layer.COUNTRY: ("country",),
}
_BARE: Final = frozenset({"place", "building", "highway", "boundary"})
"""Keys of tags that do not denote a place to visit."""


class PhotonGeocoder:
    """Queries a Photon server."""

    completes = True

    def __init__(self, url: str, *, limit_s: float = LIMIT_S) -> None:
        self._server = Server("Photon", url, limit_s)
        self._unknown: set[AddressLanguage] = set()

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        """Return the matches of the query, best first."""
        params: Params = {"q": query.text, "limit": MAX_LIMIT}
        found = self._search(params, query.layers, query.countries, query.language)
        graded = [replace(address, confidence=match_confidence(address, query.text)) for address in found]
        return tuple(graded[: query.limit])

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        """Return the completions of the text."""
        near = query.near
        params: Params = {"q": query.text, "limit": MAX_LIMIT}
        params |= {} if near is None else _position(near)
        found = self._search(params, query.layers, query.countries, query.language)[: query.limit]
        return tuple(found if near is None else [with_distance(address, near) for address in found])

    def _search(
        self, params: Params, layers: frozenset[Layer], countries: frozenset[str], language: AddressLanguage
    ) -> list[Address]:
        kinds = _kinds_of(layers)
        if not kinds:
            return []
        found = self._ask("/api", {**params, "layer": kinds, "countrycode": sorted(countries)}, language)
        # Older servers do not know the parameter.
        here = [address for address in found if not countries or address.country_code in countries]
        return [address for address in here if address.layer in layers]

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        """Return the results around a position, nearest first."""
        layers = query.layers & FINE or query.layers
        if not (kinds := _kinds_of(layers)):
            return ()
        radius_km = REVERSE_KM if layers & FINE else COARSE_REVERSE_KM
        params: Params = {**_position(query.point), "radius": radius_km, "limit": query.limit, "layer": kinds}
        found = self._ask("/reverse", params, query.language)
        near = [with_distance(address, query.point) for address in found if address.layer in layers]
        return tuple(near[: query.limit])

    def _ask(self, path: str, params: Params, language: AddressLanguage) -> list[Address]:
        """Return results in a language if the server supports it, or else with their local names."""
        if language not in self._unknown:
            try:
                return self._read(self._server.get(path, {**params, "lang": language}))
            except Refused:
                pass
        try:
            found = self._read(self._server.get(path, params))
        except Refused:
            return []
        self._unknown.add(language)
        return found

    def _read(self, answer: Any) -> list[Address]:
        found = (read_feature(feature) for feature in features_of(self._server, answer))
        return [address for address in found if address is not None]

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


def _position(point: Point) -> Params:
    return {"lat": point.latitude, "lon": point.longitude}


def _kinds_of(layers: frozenset[Layer]) -> list[str]:
    return sorted({kind for layer in layers for kind in _KINDS_BY_LAYER.get(layer, ())})


def read_feature(feature: Mapping[str, Any]) -> Address | None:
    """Return the address in a feature, or None if it is invalid."""
    properties = feature.get("properties")
    point = feature_point(feature)
    if point is None or not isinstance(properties, dict):
        return None
    layer = _layer_of(properties)
    name = text_of(properties, "name")
    is_street = layer is Layer.ADDRESS and "housenumber" not in properties
    parts = Parts(
        point=point,
        layer=layer,
        name=name,
        number=text_of(properties, "housenumber") if layer in FINE else None,
        street=(text_of(properties, "street") or (name if is_street else None)) if layer in FINE else None,
        neighborhood=text_of(properties, "locality"),
        borough=text_of(properties, "district"),
        city=text_of(properties, "city") or (name if layer is Layer.LOCALITY else None),
        county=text_of(properties, "county") or (name if layer is Layer.COUNTY else None),
        state=text_of(properties, "state") or (name if layer is Layer.STATE else None),
        postal_code=text_of(properties, "postcode"),
        country=text_of(properties, "country") or (name if layer is Layer.COUNTRY else None),
        country_code=code_of(properties, "countrycode"),
    )
    return address_of(parts)


def _layer_of(properties: Mapping[str, Any]) -> Layer:
    kind, key = text_of(properties, "type"), text_of(properties, "osm_key")
    if kind in ("house", None) and key is not None and key not in _BARE:
        return Layer.PLACE
    if kind is None:
        return _KINDS.get(text_of(properties, "osm_value") or "", Layer.PLACE)
    return _KINDS.get(kind, Layer.PLACE)
