"""The street maps of the areas in use, read tile by tile from the files that the window also uses."""

import gzip
import logging
import os
from collections.abc import Callable
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import Lock
from typing import Any, Final

from pmtiles.tile import Compression, deserialize_directory, deserialize_header, find_tile, zxy_to_tileid

from engine.domain.area import Area
from engine.maps.protobuf import DamagedMessage
from engine.maps.tile import Tile, TilePlace, unpacked_tile
from engine.maps.vector_tiles import merge_tiles

_HEADER_BYTES: Final = 127
_DEEPEST_DIRECTORY: Final = 4
_KEPT_DIRECTORIES: Final = 64

type State = tuple[int, int, int]
"""Modification time, size and inode of a file. A rewritten file has another state."""

logger = logging.getLogger(__name__)


class Archive:
    """A PMTiles file, which stays readable after it has been replaced or removed."""

    def __init__(self, file: Path) -> None:
        """Open a file. Raises `OSError` or `ValueError` if it is missing or not a PMTiles file."""
        with file.open("rb") as stream:
            self.state = _state(os.fstat(stream.fileno()))
            self._bytes = mmap(stream.fileno(), 0, access=ACCESS_READ)
        try:
            self._header = deserialize_header(self._piece(0, _HEADER_BYTES))
        except Exception as error:
            raise ValueError(f"{file} is not a PMTiles file") from error
        self._directory = lru_cache(_KEPT_DIRECTORIES)(self._read_directory)

    def tile(self, place: TilePlace) -> bytes | None:
        """Return a tile as stored, compressed with gzip, or None if it does not exist.

        Raises `DamagedMessage` if the file is damaged.
        """
        if not self._header["min_zoom"] <= place.z <= self._header["max_zoom"]:
            return None
        try:
            stored = self._find(zxy_to_tileid(place.z, place.x, place.y))
        except Exception as error:
            raise DamagedMessage from error
        if stored is None or self._header["tile_compression"] == Compression.GZIP:
            return stored
        return gzip.compress(stored, mtime=0)

    def _find(self, tile_id: int) -> bytes | None:
        offset, length = self._header["root_offset"], self._header["root_length"]
        for _ in range(_DEEPEST_DIRECTORY):
            entry = find_tile(self._directory(offset, length), tile_id)
            if entry is None:
                return None
            if entry.run_length:
                return self._piece(self._header["tile_data_offset"] + entry.offset, entry.length)
            offset, length = self._header["leaf_directory_offset"] + entry.offset, entry.length
        return None

    def _read_directory(self, offset: int, length: int) -> Any:
        return deserialize_directory(self._piece(offset, length))

    def _piece(self, offset: int, length: int) -> bytes:
        return self._bytes[offset : offset + length]


class AreaTiles:
    """Tiles of the areas in use at the time of a request. If several areas have a tile, their contents are merged."""

    def __init__(self, areas: Callable[[], tuple[Area, ...]]) -> None:
        """Serve tiles of the areas that `areas` returns. It is called once per tile."""
        self._areas = areas
        self._lock = Lock()
        self._open: dict[Path, Archive] = {}
        self._logged: set[tuple[Path, State]] = set()
        self._merged = lru_cache(_KEPT_DIRECTORIES)(_merged)

    def tile(self, place: TilePlace) -> Tile | None:
        """Return a tile, or None if no area in use has it."""
        found = [tile for archive in self._archives() if (tile := self._tile_of(archive, place)) is not None]
        if len(found) > 1:
            return self._merged(tuple(found))
        return Tile.of(found[0]) if found else None

    def close(self) -> None:
        """Close the files; running requests keep theirs until they end."""
        with self._lock:
            self._open.clear()

    def _tile_of(self, archive: Archive, place: TilePlace) -> bytes | None:
        try:
            return archive.tile(place)
        except DamagedMessage:
            logger.warning("A tile of a street map cannot be read: %s", place)
            return None

    def _archives(self) -> list[Archive]:
        """Return the archives of the areas in use, opening new ones."""
        files = [area.basemap for area in self._areas() if area.basemap is not None]
        with self._lock:
            self._open = {file: archive for file in files if (archive := self._current(file)) is not None}
            return list(self._open.values())

    def _current(self, file: Path) -> Archive | None:
        try:
            state = _state(file.stat())
        except OSError:
            # The area was just removed, or is being replaced.
            return None
        known = self._open.get(file)
        if known is not None and known.state == state:
            return known
        try:
            return Archive(file)
        except (OSError, ValueError) as error:
            if (file, state) not in self._logged:
                self._logged.add((file, state))
                logger.warning("The street map %s cannot be read: %s", file, error)
            return None


def _state(found: os.stat_result) -> State:
    return found.st_mtime_ns, found.st_size, found.st_ino


def _merged(packed: tuple[bytes, ...]) -> Tile:
    """Return several tiles merged into one, without damaged ones."""
    readable = []
    for tile in packed:
        try:
            content = unpacked_tile(tile)
            merge_tiles([content])
        except DamagedMessage:
            continue
        readable.append(content)
    return Tile.plain(merge_tiles(readable))
