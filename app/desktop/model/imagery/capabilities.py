"""Capabilities of a WMS: its layers, and whether they are available in the map's projection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.parsers import expat

from msgspec import Struct, field

from app.desktop.language import tr

MAX_DEPTH: Final = 64
MAX_LAYERS: Final = 5_000
_LONGEST: Final = 500
_MERCATOR: Final = frozenset(("EPSG:3857", "EPSG:900913", "EPSG:102100"))
_ROOTS: Final = ("WMS_Capabilities", "WMT_MS_Capabilities")


class BadCapabilities(ValueError):
    """A document from which the layers of a WMS cannot be read.

    The message is a full sentence that gives the reason.
    """


class WmsLayer(Struct, frozen=True):
    """A layer that can be requested. `in_mercator` is whether the map can show it."""

    name: str
    title: str
    in_mercator: bool
    attribution: str = ""


class _Open(Struct):
    """A layer whose element is still open. It inherits from the layers around it."""

    systems: set[str]
    attribution: str
    name: str = ""
    title: str = ""
    at: int = -1


class _Reader(Struct):
    layers: list[WmsLayer | None] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    text: str = ""

    def on_start(self, name: str, _attributes: Mapping[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if not self.place and local not in _ROOTS:
            raise BadCapabilities(tr("The server's response does not list the layers of a WMS."))
        if len(self.place) >= MAX_DEPTH:
            raise BadCapabilities(tr("The server's response is nested too deeply."))
        self.place.append(local)
        self.text = ""
        if local == "Layer":
            if len(self.layers) >= MAX_LAYERS:
                raise BadCapabilities(
                    tr("The server lists more than {max_layers:,} layers. Type the name of one.", max_layers=MAX_LAYERS)
                )
            around = self.open[-1] if self.open else _Open(set(), "")
            # Reserve a place so that the layers stay in document order.
            self.layers.append(None)
            self.open.append(_Open(set(around.systems), around.attribution, at=len(self.layers) - 1))

    def on_text(self, text: str) -> None:
        if len(self.text) < _LONGEST:
            self.text += text[:_LONGEST]

    def on_end(self, _name: str) -> None:
        text, self.text = " ".join(self.text.split()), ""
        match self.place[-2:]:
            case ["Layer", "Name"]:
                self.open[-1].name = text
            case ["Layer", "Title"]:
                self.open[-1].title = text
            case ["Layer", "CRS" | "SRS"]:
                self.open[-1].systems |= set(text.upper().split())
            case ["Attribution", "Title"] if self.open:
                self.open[-1].attribution = text
            case [_, "Layer"]:
                self._end_layer(self.open.pop())
        self.place.pop()

    def _end_layer(self, ended: _Open) -> None:
        if ended.name:
            shows = bool(ended.systems & _MERCATOR)
            self.layers[ended.at] = WmsLayer(ended.name, ended.title or ended.name, shows, ended.attribution)


def read_capabilities(data: bytes) -> tuple[WmsLayer, ...]:
    """Return the layers that a WMS lists, in its order; raises `BadCapabilities`.

    External resources are never loaded, and a document that declares entities is rejected. A document type alone is
    accepted because WMS 1.1.1 requires one.
    """
    reader, parser = _Reader(), expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.on_start
    parser.CharacterDataHandler = reader.on_text
    parser.EndElementHandler = reader.on_end
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise BadCapabilities(
            tr("The server's response is not XML: {error}.", error=expat.ErrorString(error.code))
        ) from None
    except LookupError:
        raise BadCapabilities(tr("The server's response has an unknown encoding.")) from None
    found = tuple(layer for layer in reader.layers if layer is not None)
    if not found:
        raise BadCapabilities(tr("The server lists no layers."))
    return found


def _refuse_entities(*_: object) -> None:
    raise BadCapabilities(tr("The server's response declares XML entities, which is not allowed."))
