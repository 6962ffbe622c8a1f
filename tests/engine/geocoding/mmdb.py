"""Writer of databases in MaxMind's format for tests: some networks of one version of IP, each with a record.

Written from the format's public description (https://maxmind.github.io/MaxMind-DB/).
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

_EMPTY = -1
_SHORT, _PLAIN, _LONG = 5, 6, 9
"""Types of unsigned integers, of 16, 32 and 64 bits."""

_MARKER = b"\xab\xcd\xefMaxMind.com"


@dataclass(frozen=True)
class _Number:
    """A number and its type, since the metadata requires certain widths."""

    kind: int
    value: int


def write_mmdb(file: Path, kind: str, networks: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write a database with 32 bits for each side of a node, and return its file."""
    nodes: list[list[int | tuple[int]]] = [[_EMPTY, _EMPTY]]
    data, version = b"", 4
    for text, record in networks.items():
        network = ip_network(text)
        at, version = 0, network.version
        for depth in range(network.prefixlen):
            bit = int(network.network_address) >> (network.max_prefixlen - 1 - depth) & 1
            if depth == network.prefixlen - 1:
                nodes[at][bit] = (len(data),)
                continue
            child = nodes[at][bit]
            if child == _EMPTY:
                child = nodes[at][bit] = len(nodes)
                nodes.append([_EMPTY, _EMPTY])
            assert isinstance(child, int)
            at = child
        data += _encode(record)
    count = len(nodes)
    tree = b"".join(struct.pack(">II", *(_side(side, count) for side in node)) for node in nodes)
    metadata = {
        "binary_format_major_version": _Number(_SHORT, 2),
        "binary_format_minor_version": _Number(_SHORT, 0),
        "build_epoch": _Number(_LONG, 1_700_000_000),
        "database_type": kind,
        "description": {"en": "test"},
        "ip_version": _Number(_SHORT, version),
        "languages": ["en"],
        "node_count": _Number(_PLAIN, count),
        "record_size": _Number(_SHORT, 32),
    }
    file.write_bytes(tree + bytes(16) + data + _MARKER + _encode(metadata))
    return file


def _side(side: int | tuple[int], count: int) -> int:
    if isinstance(side, tuple):
        return count + 16 + side[0]
    return count if side == _EMPTY else side


def _encode(value: Any) -> bytes:
    if isinstance(value, str):
        raw = value.encode()
        return _head(2, len(raw)) + raw
    if isinstance(value, float):
        return _head(3, 8) + struct.pack(">d", value)
    if isinstance(value, _Number):
        raw = value.value.to_bytes((value.value.bit_length() + 7) // 8, "big")
        return _head(value.kind, len(raw)) + raw
    if isinstance(value, Mapping):
        return _head(7, len(value)) + b"".join(_encode(key) + _encode(each) for key, each in value.items())
    return _head(11, len(value)) + b"".join(_encode(each) for each in value)


def _head(kind: int, size: int) -> bytes:
    first = (kind if kind <= 7 else 0) << 5
    extended = bytes([kind - 7]) if kind > 7 else b""
    if size < 29:
        return bytes([first | size]) + extended
    assert size < 285
    return bytes([first | 29]) + extended + bytes([size - 29])
