"""Nominatim: search and reverse geocoding. It does not support autocompletion."""

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
from engine.geocoding.remote.engine import FROM_SMALL_TO_LARGE, LIMIT_S, Params, Refused, Server
from engine.geocoding.remote.parts import (
    Parts,
    address_of,
    code_of,
    match_confidence,
    point_of,
    text_of,
    with_distance,
)

MAX_LIMIT: Final = 40
HOUSE_ZOOM: Final = 18

_ZOOMS: Final = {Layer.LOCALITY: 10, Layer.COUNTY: 8, Layer.STATE: 5, Layer.COUNTRY: 3}
_THEMES: Final = {Layer.ADDRESS: "address", Layer.PLACE: "poi"}
_CITIES: Final = ("city", "town", "village", "municipality", "hamlet", "isolated_dwelling", "croft")
_BOROUGHS: Final = ("borough", "city_district", "district", "subdivision")
_NEIGHBORHOODS: Final = ("neighbourhood", "quarter", "suburb", "allotments", "city_block")
_COUNTIES: Final = ("county", "state_district", "region")
_LAYERS: Final[Mapping[str, Layer]] = {
    "country": Layer.COUNTRY,
    "state": Layer.STATE,
    "province": Layer.STATE,
    **dict.fromkeys((*_COUNTIES, "county"), Layer.COUNTY),
    **dict.fromkeys((*_CITIES, *_BOROUGHS, *_NEIGHBORHOODS), Layer.LOCALITY),
    "postcode": Layer.POSTAL_CODE,
    "road": Layer.ADDRESS,
}


class NominatimGeocoder:
    """Queries a Nominatim server."""

    completes = False

    def __init__(self, url: str, *, limit_s: float = LIMIT_S) -> None:
        self._server = Server("Nominatim", url, limit_s)

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        """Return the matches of the query, best first."""
        params: Params = {**_common(query.language), "q": query.text, "limit": MAX_LIMIT}
        if query.countries:
            params["countrycodes"] = ",".join(sorted(query.countries)).lower()
        try:
            answer = self._server.get("/search", params)
        except Refused:
            return ()
        if not isinstance(answer, list):
            raise self._server.strange()
        found = [(result, address) for result in answer if (address := read_result(result)) is not None]
        wanted = [
            replace(address, confidence=_confidence(result, address, query.text))
            for result, address in found
            if address.layer in query.layers
        ]
        return tuple(wanted[: query.limit])

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        """Return the address or place of a position, or the smallest region of the requested layers."""
        detail = _detail(query.layers)
        if detail is None:
            return ()
        position: Params = {"lat": query.point.latitude, "lon": query.point.longitude}
        try:
            answer = self._server.get("/reverse", _common(query.language) | position | detail)
        except Refused:
            return ()
        if not isinstance(answer, dict):
            raise self._server.strange()
        if "error" in answer:
            return ()
        address = read_result(answer)
        if address is None:
            raise self._server.strange()
        return (with_distance(address, query.point),) if address.layer in query.layers else ()

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        """Return nothing, since Nominatim does not understand incomplete queries."""
        del query
        return ()

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


def _common(language: str) -> Params:
    return {"format": "jsonv2", "addressdetails": 1, "accept-language": language}


def _detail(layers: frozenset[Layer]) -> Params | None:
    """Return the parameters that select the smallest of these layers, or None if there are no such parameters."""
    if fine := layers & FINE:
        return {"zoom": HOUSE_ZOOM, "layer": ",".join(_THEMES[layer] for layer in sorted(fine))}
    zooms = [_ZOOMS[layer] for layer in FROM_SMALL_TO_LARGE if layer in layers and layer in _ZOOMS]
    return {"zoom": zooms[0], "layer": "address"} if zooms else None


def read_result(result: object) -> Address | None:
    """Return the address in a result, or None if it is invalid."""
    if not isinstance(result, dict):
        return None
    point = point_of(result.get("lon"), result.get("lat"))
    details = result.get("address")
    if point is None or not isinstance(details, dict):
        return None
    layer = _layer_of(result, details)
    shown = text_of(result, "display_name")
    name = text_of(result, "name") or (shown.partition(",")[0] if shown is not None else None)
    street = text_of(details, "road", "pedestrian", "footway", "square", "place")
    parts = Parts(
        point=point,
        layer=layer,
        name=name,
        number=text_of(details, "house_number") if layer in FINE else None,
        street=street if layer in FINE else None,
        neighborhood=text_of(details, *_NEIGHBORHOODS),
        borough=text_of(details, *_BOROUGHS),
        city=text_of(details, *_CITIES),
        county=text_of(details, *_COUNTIES),
        state=text_of(details, "state", "province"),
        state_code=_state_code(details),
        postal_code=text_of(details, "postcode"),
        country=text_of(details, "country"),
        country_code=code_of(details, "country_code"),
    )
    return address_of(parts)


def _state_code(details: Mapping[str, Any]) -> str | None:
    """Return the part of the state's code after the hyphen (``US-PA``)."""
    code = text_of(details, "ISO3166-2-lvl4", "ISO3166-2-lvl3", "ISO3166-2-lvl5", "ISO3166-2-lvl6")
    return code.partition("-")[2] or None if code is not None else None


def _layer_of(result: Mapping[str, Any], details: Mapping[str, Any]) -> Layer:
    category, sort = text_of(result, "category", "class"), text_of(result, "type")
    # Servers that are too old for addresstype identify it by the tags alone.
    for kind in (text_of(result, "addresstype"), sort if category == "place" else None):
        if kind is not None and kind in _LAYERS:
            return _LAYERS[kind]
    if category == "highway":
        return Layer.ADDRESS
    if category in ("place", "building") and "house_number" in details:
        return Layer.ADDRESS
    return Layer.PLACE


def _confidence(result: Mapping[str, Any], address: Address, query: str) -> MatchConfidence:
    """Return the confidence of a result. Nominatim returns interpolated house numbers as houses on a way."""
    confidence = match_confidence(address, query)
    between = (result.get("category"), result.get("type"), result.get("osm_type")) == ("place", "house", "way")
    if confidence is MatchConfidence.EXACT and address.layer is Layer.ADDRESS and between:
        return MatchConfidence.INTERPOLATED
    return confidence
