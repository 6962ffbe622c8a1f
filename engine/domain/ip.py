"""Ranges of IP addresses: single addresses, wildcards, or networks (CIDR); IPv4 and IPv6."""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from socket import inet_aton

from msgspec import Struct

from engine.domain.errors import InvalidParameter

MAX_RANGES = 1_000


class IpRanges(Struct, frozen=True):
    """Some ranges, in the spelling of their owner."""

    items: tuple[str, ...]

    def __contains__(self, address: object) -> bool:
        """Return whether an address is in one of the ranges. A text that is not an address is in none of them."""
        found = normal_address(address) if isinstance(address, str) else None
        return found is not None and any(_matches(item, found) for item in self.items)

    def __str__(self) -> str:
        return ",".join(self.items)


def parse_ip_ranges(value: str | Sequence[str], param: str = "ip") -> IpRanges | None:
    """Return the ranges of comma-separated text or of a list, or None if it is empty.

    Raises `InvalidParameter` for `param` naming a range that is invalid.
    """
    parts = value.split(",") if isinstance(value, str) else value
    items = tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if len(items) > MAX_RANGES:
        raise InvalidParameter(param, f"{param}: at most {MAX_RANGES} ranges are allowed, not {len(items)}.")
    for item in items:
        try:
            _compiled(item)
        except ValueError:
            raise InvalidParameter(
                param,
                f"{param}: {item[:60]!r} is not an IP address, a wildcard such as 10.0.*.*, or a network such as "
                "10.0.0.0/16.",
            ) from None
    return IpRanges(items) if items else None


def normal_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address of a request's sender, with or without a zone, or None if the text is not an address."""
    try:
        return _normal(text.strip().partition("%")[0])
    except ValueError:
        return None


def literal_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address in the host part of a URL, in any notation, or None for a name.

    IPv4 addresses may have the notations that resolvers accept: with octal and hexadecimal parts, with fewer parts, or
    as one number (``0177.1``, ``2130706433``). An IPv4 address inside IPv6 remains an IPv6 address.
    """
    with suppress(ValueError):
        return ip_address(host.partition("%")[0])
    with suppress(OSError):
        return IPv4Address(inet_aton(host.rstrip("."))) if _OLD_NOTATION.fullmatch(host) else None
    return None


_OLD_NOTATION = re.compile(r"[0-9A-Fa-fxX]+(\.[0-9A-Fa-fxX]+){0,3}\.?", re.ASCII)


def _normal(text: str) -> IPv4Address | IPv6Address:
    """Return the address in a text; an IPv4 address inside IPv6 becomes an IPv4 address."""
    address = ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


type _Bits = tuple[int, int, int]
"""A network: the version of its addresses, the mask of the compared bits, and their values."""


def _matches(item: str, address: IPv4Address | IPv6Address) -> bool:
    version, mask, wanted = _compiled(item)
    return address.version == version and int(address) & mask == wanted


@lru_cache(maxsize=65_536)
def _compiled(item: str) -> _Bits:
    if "*" in item:
        return _wildcard(item)
    if "/" in item:
        network = ip_network(item, strict=False)
        if isinstance(network, IPv6Network) and network.network_address.ipv4_mapped and network.prefixlen >= 96:
            network = ip_network(f"{network.network_address.ipv4_mapped}/{network.prefixlen - 96}")
        return network.version, int(network.netmask), int(network.network_address)
    if "%" in item:
        raise ValueError(item)
    address = _normal(item)
    return address.version, (1 << address.max_prefixlen) - 1, int(address)


def _wildcard(item: str) -> _Bits:
    """Return the bits of an address in which whole parts are ``*``."""
    if ":" not in item:
        return _bits(4, item.split("."), 8, 10)
    parts = item.split(":")
    if "" in parts:
        raise ValueError(item)
    return _bits(6, parts, 16, 16)


def _bits(version: int, parts: Sequence[str], width: int, base: int) -> _Bits:
    if len(parts) != (4 if version == 4 else 8):
        raise ValueError(parts)
    mask = wanted = 0
    for part in parts:
        mask <<= width
        wanted <<= width
        if part == "*":
            continue
        if not (part.isascii() and part.isalnum()) or not 0 <= (number := int(part, base)) < 1 << width:
            raise ValueError(part)
        mask |= (1 << width) - 1
        wanted |= number
    return version, mask, wanted
