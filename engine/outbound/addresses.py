"""Addresses that a URL that comes from data may lead to."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

_NAT64: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))


def is_public(text: str) -> bool:
    """Whether an address is one of the internet: no private, loopback, link-local, multicast or NAT64 one."""
    try:
        address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return is_public(str(inner))
        if address.teredo is not None or any(address in network for network in _NAT64):
            return False
    return address.is_global and not address.is_multicast
