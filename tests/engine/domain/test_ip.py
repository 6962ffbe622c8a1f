"""Ranges of addresses, compared with the standard library."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.ip import MAX_RANGES, IpRanges, normal_address, parse_ip_ranges

type Address = IPv4Address | IPv6Address
type Network = IPv4Network | IPv6Network

v4 = st.integers(0, 2**32 - 1).map(IPv4Address)
v6 = st.integers(0, 2**128 - 1).map(IPv6Address).filter(lambda address: address.ipv4_mapped is None)
addresses = v4 | v6
networks = st.builds(
    lambda address, length: ip_network(f"{address}/{length}", strict=False), v4, st.integers(0, 32)
) | (st.builds(lambda address, length: ip_network(f"{address}/{length}", strict=False), v6, st.integers(0, 128)))


def parsed(value: str) -> IpRanges:
    ranges = parse_ip_ranges(value)
    assert ranges is not None
    return ranges


def around(network: Network) -> list[Address]:
    """Return the addresses at both ends of a network and those just beyond, without IPv4 inside IPv6."""
    ends = int(network.network_address), int(network.broadcast_address)
    kind = type(network.network_address)
    near = {number + by for number in ends for by in (-1, 0, 1)}
    found = [kind(number) for number in near if 0 <= number < 2**network.max_prefixlen]
    return [address for address in found if not (isinstance(address, IPv6Address) and address.ipv4_mapped)]


@given(networks, addresses)
def test_a_network_holds_the_addresses_that_the_standard_library_does(network: Network, address: Address) -> None:
    ranges = parsed(str(network))
    for candidate in (address, *around(network)):
        assert (str(candidate) in ranges) == (candidate in network), (network, candidate)


@given(networks, st.data())
def test_a_network_may_be_written_with_any_of_its_addresses(network: Network, data: st.DataObject) -> None:
    number = data.draw(st.integers(int(network.network_address), int(network.broadcast_address)))
    written = f"{type(network.network_address)(number)}/{network.prefixlen}"
    assert all((str(candidate) in parsed(written)) == (candidate in network) for candidate in around(network))


@given(addresses, addresses)
def test_a_single_address_is_itself_alone(address: Address, other: Address) -> None:
    ranges = parsed(str(address))
    assert str(address) in ranges
    assert address.exploded.upper() in ranges
    assert (str(other) in ranges) == (other == address)


@given(v4, st.sets(st.integers(0, 3), min_size=1), v4)
def test_a_star_stands_for_any_number_in_its_place(address: IPv4Address, stars: set[int], other: IPv4Address) -> None:
    parts, others = str(address).split("."), str(other).split(".")
    item = ".".join("*" if place in stars else part for place, part in enumerate(parts))
    mixed = ".".join(others[place] if place in stars else part for place, part in enumerate(parts))
    same = all(place in stars or part == others[place] for place, part in enumerate(parts))
    assert mixed in parsed(item)
    assert (str(other) in parsed(item)) == same


@given(v6, st.sets(st.integers(0, 7), min_size=1), v6)
def test_a_star_stands_for_any_group_of_ipv6(address: IPv6Address, stars: set[int], other: IPv6Address) -> None:
    parts, others = address.exploded.split(":"), other.exploded.split(":")
    item = ":".join("*" if place in stars else part.lstrip("0") or "0" for place, part in enumerate(parts))
    mixed = ":".join(others[place] if place in stars else part for place, part in enumerate(parts))
    same = all(place in stars or part == others[place] for place, part in enumerate(parts))
    assert (mixed in parsed(item)) == (ip_address(mixed).ipv4_mapped is None)  # type: ignore[union-attr]
    assert (str(other) in parsed(item)) == same


@given(st.lists(networks, min_size=1, max_size=5), addresses)
def test_a_list_holds_the_addresses_of_its_ranges(some: list[Network], address: Address) -> None:
    ranges = parsed(", ".join(map(str, some)))
    assert (str(address) in ranges) == any(address in network for network in some)


@given(v4, networks)
def test_an_ipv4_address_inside_ipv6_is_that_address(address: IPv4Address, network: Network) -> None:
    mapped = f"::ffff:{address}"
    assert (mapped in parsed(str(network))) == (str(address) in parsed(str(network)))
    assert normal_address(mapped) == address
    assert str(address) in parsed(mapped)


@given(st.lists(networks, max_size=5))
def test_ranges_are_the_same_after_they_were_stored(some: list[Network]) -> None:
    ranges = parse_ip_ranges([str(network) for network in some])
    assert parse_ip_ranges(str(ranges or "")) == ranges


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("10.0.*.*", "10.0.255.1", "10.1.0.1"),
        ("10.*.0.*", "10.7.0.9", "10.7.1.9"),
        ("*.*.*.*", "1.2.3.4", "::1"),
        ("10.0.0.0/16", "10.0.255.255", "10.1.0.0"),
        ("10.0.0.0/0", "255.1.1.1", "::"),
        ("192.168.1.7/32", "192.168.1.7", "192.168.1.8"),
        ("192.168.1.7", "192.168.1.7", "192.168.1.70"),
        ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
        ("2001:DB8::1", "2001:db8:0:0:0:0:0:1", "2001:db8::2"),
        ("fe80:0:0:0:*:*:*:*", "fe80::1%eth0", "fe80:0:0:1::1"),
        ("::ffff:10.0.0.0/112", "10.0.3.4", "10.1.0.0"),
        (" 10.0.0.1 , 10.0.0.2 ,", "10.0.0.2", "10.0.0.3"),
    ],
)
def test_ranges_that_may_be_written(text: str, inside: str, outside: str) -> None:
    assert inside in parsed(text)
    assert outside not in parsed(text)


@pytest.mark.parametrize("text", ["", " ", ",", " , ,"])
def test_nothing_is_no_restriction(text: str) -> None:
    assert parse_ip_ranges(text) is None


@pytest.mark.parametrize("address", ["", "localhost", "10.0.0", "10.0.0.1.2", "10.0.0.1, 10.0.0.2", "testclient"])
def test_an_invalid_address_is_in_no_range(address: str) -> None:
    assert address not in parsed("0.0.0.0/0,::/0")


@pytest.mark.parametrize(
    "text",
    [
        "10.0.0",
        "10.0.0.256",
        "10.0.0.1.2",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/16/8",
        "10.0.*",
        "10.0.**.1",
        "10.0.1*.1",
        "256.*.*.*",
        "10.0x1.*.*",
        "10.٣.*.*",
        "2001:db8::*",
        "10000:*:*:*:*:*:*:*",
        "gggg:*:*:*:*:*:*:*",
        "2001:db8::/129",
        "localhost",
        "*",
        "10.0.0.1-10.0.0.9",
        "10.0.0.1 10.0.0.2",
        "10.0.0.1%",
        "[10.0.0.1",
        "10.0.0.1]",
    ],
)
def test_a_typo_is_refused_and_named(text: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_ip_ranges(f"192.168.0.1,{text}")
    assert refused.value.param == "ip"
    assert text in refused.value.message


def test_there_is_a_limit_to_ranges() -> None:
    items = [f"10.0.{number // 256}.{number % 256}" for number in range(MAX_RANGES + 1)]
    assert parsed(",".join(items[:-1])).items == tuple(items[:-1])
    with pytest.raises(InvalidParameter, match=f"^ip: at most {MAX_RANGES} "):
        parse_ip_ranges(items)
    repeated = [item for item, _ in zip(cycle(items[:2]), range(3_000), strict=False)]
    assert parse_ip_ranges(repeated) == IpRanges(tuple(items[:2]))
