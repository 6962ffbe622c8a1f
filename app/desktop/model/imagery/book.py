"""The user's imagery sources, topmost first, and the servers the user agreed to contact. Stored in one file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
from typing import Final, Self

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from app.desktop.language import tr
from app.desktop.model.imagery.sources import TILE_SIZES, ImagerySource, Kind, checked, origin_of
from engine.domain.errors import InvalidParameter
from engine.domain.nesting import not_too_deep
from engine.domain.values import replace
from engine.store.keys import write_private

MAX_SOURCES: Final = 50
MAX_BYTES: Final = 1_000_000


class ImageryBook(Struct, frozen=True):
    """Imagery sources, and the origins that the user agreed to contact."""

    sources: tuple[ImagerySource, ...] = ()
    agreed: frozenset[str] = frozenset()

    def get(self, source_id: str) -> ImagerySource | None:
        """Return the source with an ID."""
        return next((source for source in self.sources if source.id == source_id), None)

    def may_ask(self, source: ImagerySource) -> bool:
        """Return whether the user agreed to contact the server of a source."""
        return origin_of(source) in self.agreed

    def shown(self) -> tuple[ImagerySource, ...]:
        """Return the sources shown on the map, topmost first."""
        return tuple(source for source in self.sources if source.shown and self.may_ask(source))

    def with_source(self, source: ImagerySource) -> Self:
        """Return a copy with a new or changed source. It is hidden unless the user agreed to contact its server.

        Raises `InvalidParameter` naming the field.
        """
        source = checked(source)
        source = replace(source, shown=source.shown and self.may_ask(source))
        if self.get(source.id) is None:
            if len(self.sources) >= MAX_SOURCES:
                raise InvalidParameter(
                    "name",
                    tr("name: There can be no more than {max_sources} sources of imagery.", max_sources=MAX_SOURCES),
                )
            return replace(self, sources=(source, *self.sources))
        return replace(self, sources=tuple(source if each.id == source.id else each for each in self.sources))

    def with_agreement(self, source: ImagerySource) -> Self:
        """Return a copy in which the user has agreed to contact the server of a source."""
        return replace(self, agreed=self.agreed | {origin_of(source)})

    def with_shown(self, source_id: str, *, shown: bool) -> Self:
        """Return a copy in which a source is shown on the map or hidden."""
        changed = (replace(each, shown=shown) if each.id == source_id else each for each in self.sources)
        return replace(self, sources=tuple(changed))

    def moved(self, source_id: str, by: int) -> Self:
        """Return a copy with a source moved down by a number of places."""
        ids = [source.id for source in self.sources]
        at = ids.index(source_id)
        others = [source for source in self.sources if source.id != source_id]
        to = max(0, min(len(others), at + by))
        return replace(self, sources=(*others[:to], self.sources[at], *others[to:]))

    def without(self, source_id: str) -> Self:
        """Return a copy without a source, and without the agreement for its server if no other source uses that."""
        sources = tuple(source for source in self.sources if source.id != source_id)
        return replace(self, sources=sources, agreed=self.agreed & {origin_of(source) for source in sources})


def new_id() -> str:
    """Return a new source ID."""
    return token_hex(8)


def read_imagery(file: Path) -> tuple[ImageryBook, str]:
    """Return the book stored in a file and a description of any problem with it, or ""."""
    try:
        if not file.exists():
            return ImageryBook(), ""
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
        return _book_of(orjson.loads(not_too_deep(content))), ""
    except (OSError, ValueError) as error:
        return ImageryBook(), tr(
            "Your imagery in {file_name} cannot be read: {error}.", file_name=file.name, error=error
        )


def write_imagery(file: Path, book: ImageryBook) -> None:
    """Save the book, readable by its owner only because URLs may contain keys. Raises `OSError`."""
    content = {"sources": [asdict(source) for source in book.sources], "agreed": sorted(book.agreed)}
    file.parent.mkdir(parents=True, exist_ok=True)
    write_private(file, orjson.dumps(content, option=orjson.OPT_INDENT_2))


def _book_of(found: object) -> ImageryBook:
    if not isinstance(found, dict) or not isinstance(found.get("sources"), list):
        raise ValueError("it has no list of sources")
    agreed = found.get("agreed")
    origins = frozenset(text for text in agreed if isinstance(text, str)) if isinstance(agreed, list) else frozenset()
    return ImageryBook(tuple(_sources_of(found["sources"][:MAX_SOURCES])), origins)


def _sources_of(found: Iterable[object]) -> Iterable[ImagerySource]:
    seen: set[str] = set()
    for fields in found:
        try:
            if not isinstance(fields, dict):
                raise TypeError("not an object")
            source = checked(_source_of(fields))
        except (TypeError, KeyError, ValueError, InvalidParameter):
            raise ValueError(f"source {len(seen) + 1} is not valid") from None
        if source.id in seen:
            raise ValueError("two sources have the same ID")
        seen.add(source.id)
        yield source


def _source_of(fields: dict[str, object]) -> ImagerySource:
    kinds: dict[str, type | tuple[type, ...]] = {
        "id": str, "name": str, "url": str, "attribution": str, "layers": str, "version": str, "image_format": str,
        "transparent": bool, "min_zoom": int, "max_zoom": int, "opacity": (int, float), "shown": bool,
    }  # fmt: skip
    for name, kind in kinds.items():
        if not isinstance(fields[name], kind):
            raise TypeError(name)
    values = {name: fields[name] for name in kinds}
    # Missing in files written by earlier versions.
    size = fields.get("tile_size", TILE_SIZES[0])
    if isinstance(size, bool) or not isinstance(size, int):
        raise TypeError("tile_size")
    return ImagerySource(kind=Kind(str(fields["kind"])), tile_size=size, **values)  # type: ignore[arg-type]
