"""Pelias: search, autocomplete and reverse geocoding."""

from collections.abc import Mapping
from typing import Any, Final

from engine.domain.addresses.address import (
    FINE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
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

MAX_LIMIT: Final = 40

_KINDS_BY_LAYER: Final[Mapping[Layer, tuple[str, ...]]] = {
    Layer.PLACE: ("venue",),
    Layer.ADDRESS: ("address", "street"),
    Layer.POSTAL_CODE: ("postalcode",),
    Layer.LOCALITY: ("locality", "localadmin", "borough", "neighbourhood"),
    Layer.COUNTY: ("county",),
    Layer.STATE: ("region",),
    Layer.COUNTRY: ("country", "dependency"),
}
_KINDS: Final = {kind: layer for layer, kinds in _KINDS_BY_LAYER.items() for kind in kinds}
_CONFIDENCES: Final[Mapping[str, MatchConfidence]] = {word.value: word for word in MatchConfidence}


class PeliasGeocoder:
    """Queries a Pelias server."""

    completes = True

    def __init__(self, url: str, *, limit_s: float = LIMIT_S) -> None:
        self._server = Server("Pelias", url, limit_s)

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        """Return the matches of the query, best first."""
        params = _common(query.text, query.layers, query.countries, query.language)
        found = self._ask("/v1/search", params, query.layers)
        graded = [
            replace(address, confidence=_confidence(properties, address, query.text)) for properties, address in found
        ]
        return tuple(graded[: query.limit])

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        """Return the completions of the text."""
        params = _common(query.text, query.layers, query.countries, query.language)
        near = query.near
        if near is not None:
            params |= {"focus.point.lat": near.latitude, "focus.point.lon": near.longitude}
        found = [address for _, address in self._ask("/v1/autocomplete", params, query.layers)][: query.limit]
        return tuple(found if near is None else [with_distance(address, near) for address in found])

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        """Return the results around a position, nearest first.

        If only regions are requested, these are the regions that contain it.
        """
        layers = query.layers & FINE or query.layers
        params: Params = {
            "point.lat": query.point.latitude,
            "point.lon": query.point.longitude,
            "layers": ",".join(_kinds_of(layers)),
            "size": query.limit,
            "lang": query.language,
        }
        found = self._ask("/v1/reverse", params, layers)
        return tuple(with_distance(address, query.point) for _, address in found)[: query.limit]

    def _ask(self, path: str, params: Params, layers: frozenset[Layer]) -> list[tuple[dict[str, Any], Address]]:
        """Return results of these layers with their original properties."""
        try:
            features = features_of(self._server, self._server.get(path, params))
        except Refused:
            return []
        read = ((feature, read_feature(feature)) for feature in features)
        return [
            (feature["properties"], address)
            for feature, address in read
            if address is not None and address.layer in layers
        ]

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


def _common(text: str, layers: frozenset[Layer], countries: frozenset[str], language: str) -> Params:
    common: Params = {"text": text, "layers": ",".join(_kinds_of(layers)), "size": MAX_LIMIT, "lang": language}
    return common | ({"boundary.country": ",".join(sorted(countries))} if countries else {})


def _kinds_of(layers: frozenset[Layer]) -> list[str]:
    return [kind for layer, kinds in _KINDS_BY_LAYER.items() if layer in layers for kind in kinds]


def read_feature(feature: Mapping[str, Any]) -> Address | None:
    """Return the address in a feature, or None if it is invalid."""
    properties = feature.get("properties")
    point = feature_point(feature)
    if point is None or not isinstance(properties, dict):
        return None
    layer = _KINDS.get(text_of(properties, "layer") or "")
    if layer is None:
        return None
    parts = Parts(
        point=point,
        layer=layer,
        name=text_of(properties, "name"),
        number=text_of(properties, "housenumber"),
        street=text_of(properties, "street"),
        neighborhood=text_of(properties, "neighbourhood"),
        borough=text_of(properties, "borough"),
        city=text_of(properties, "locality", "localadmin"),
        county=text_of(properties, "county"),
        state=text_of(properties, "region"),
        state_code=text_of(properties, "region_a"),
        postal_code=text_of(properties, "postalcode"),
        country=text_of(properties, "country"),
        country_code=code_of(properties, "country_code", "country_a"),
    )
    return address_of(parts)


def _confidence(properties: Mapping[str, Any], address: Address, query: str) -> MatchConfidence:
    """Return the confidence that the server states, or else the computed one."""
    if properties.get("accuracy") == "interpolated":
        return MatchConfidence.INTERPOLATED
    word = _CONFIDENCES.get(text_of(properties, "match_type") or "")
    return match_confidence(address, query) if word is None else word
