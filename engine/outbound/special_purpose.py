"""Special-purpose addresses, which no server on the internet has.

The tables are the complete IANA registries of special-purpose addresses: IPv4 as of 2020-09-04
(https://www.iana.org/assignments/iana-ipv4-special-registry), IPv6 as of 2025-10-09
(https://www.iana.org/assignments/iana-ipv6-special-registry). Rows contained in others are kept, so that a new version
of a registry can be compared with its table line by line.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Final

IPV4: Final = {
    "0.0.0.0/8": "this network",
    "0.0.0.0/32": "this host on this network",
    "10.0.0.0/8": "private use",
    "100.64.0.0/10": "shared address space",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link local",
    "172.16.0.0/12": "private use",
    "192.0.0.0/24": "IETF protocol assignments",
    "192.0.0.0/29": "IPv4 service continuity prefix",
    "192.0.0.8/32": "IPv4 dummy address",
    "192.0.0.9/32": "Port Control Protocol anycast",
    "192.0.0.10/32": "traversal using relays around NAT anycast",
    "192.0.0.170/32": "NAT64/DNS64 discovery",
    "192.0.0.171/32": "NAT64/DNS64 discovery",
    "192.0.2.0/24": "documentation (TEST-NET-1)",
    "192.31.196.0/24": "AS112-v4",
    "192.52.193.0/24": "automatic multicast tunneling",
    "192.88.99.0/24": "deprecated 6to4 relay anycast",
    "192.168.0.0/16": "private use",
    "192.175.48.0/24": "direct delegation AS112 service",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation (TEST-NET-2)",
    "203.0.113.0/24": "documentation (TEST-NET-3)",
    "240.0.0.0/4": "reserved",
    "255.255.255.255/32": "limited broadcast",
}

IPV6: Final = {
    "::1/128": "loopback address",
    "::/128": "unspecified address",
    "::ffff:0:0/96": "IPv4-mapped address",
    "64:ff9b::/96": "IPv4-IPv6 translation",
    "64:ff9b:1::/48": "IPv4-IPv6 translation",
    "100::/64": "discard-only address block",
    "100:0:0:1::/64": "dummy IPv6 prefix",
    "2001::/23": "IETF protocol assignments",
    "2001::/32": "Teredo",
    "2001:1::1/128": "Port Control Protocol anycast",
    "2001:1::2/128": "traversal using relays around NAT anycast",
    "2001:1::3/128": "DNS-SD service registration protocol anycast",
    "2001:2::/48": "benchmarking",
    "2001:3::/32": "automatic multicast tunneling",
    "2001:4:112::/48": "AS112-v6",
    "2001:10::/28": "deprecated, previously ORCHID",
    "2001:20::/28": "ORCHIDv2",
    "2001:30::/28": "drone remote ID protocol entity tags",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4",
    "2620:4f:8000::/48": "direct delegation AS112 service",
    "3fff::/20": "documentation",
    "5f00::/16": "segment routing SIDs",
    "fc00::/7": "unique local",
    "fe80::/10": "link-local unicast",
}

_MULTICAST: Final = IPv4Network("224.0.0.0/4")
_UNICAST: Final = IPv6Network("2000::/3")
"""Global unicast, the only IPv6 range that IANA has assigned to hosts on the internet."""

_SPECIAL: Final = tuple(map(ip_network, (*IPV4, *IPV6)))


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is global unicast and has no special purpose.

    An IPv6 address that contains an IPv4 address (mapped, NAT64, 6to4, Teredo) is never public, because a gateway on
    the way may lead to any IPv4 address.
    """
    is_unicast = address not in _MULTICAST if isinstance(address, IPv4Address) else address in _UNICAST
    return is_unicast and not any(address in network for network in _SPECIAL)
