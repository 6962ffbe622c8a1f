"""Addresses that no internet server has: every row of IANA's registries, in every notation."""

import asyncio
import re
import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest

from engine.delivery.judging import check_url
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.ip import literal_address
from engine.outbound import guard
from engine.outbound.client import GuardedClient
from engine.outbound.posting.client import Client, PostFailed
from engine.outbound.posting.receiver import Receiver
from engine.outbound.questions import Bounds, Question, RequestFailed
from engine.outbound.special_purpose import IPV4, IPV6, is_public
from tests.servers import Reply, send, serving

pytestmark = pytest.mark.slow

ROWS = (*IPV4, *IPV6)
BEYOND_THE_TABLES = ("224.0.0.1", "239.255.255.255", "fec0::1", "ff0e::1", "::127.0.0.1", "4000::1", "::ffff:0:7f00:1")
BOUNDS = Bounds(1024, 20.0, redirects=1)


def ends(row: str) -> tuple[IPv4Address | IPv6Address, IPv4Address | IPv6Address]:
    """Return the first and the last address of a row."""
    network = ip_network(row)
    return network[0], network[-1]


def beside(network: IPv4Network | IPv6Network) -> Iterator[IPv4Address | IPv6Address]:
    """Yield the addresses next to a row."""
    for number in (int(network[0]) - 1, int(network[-1]) + 1):
        if 0 <= number < 1 << network.max_prefixlen:
            yield IPv4Address(number) if network.version == 4 else IPv6Address(number)


def inside_ipv6(address: IPv4Address) -> Iterator[IPv6Address]:
    """Yield the IPv6 addresses that represent an IPv4 address: mapped, compatible, translated, NAT64, 6to4, Teredo."""
    number = int(address)
    for prefix, bits in (("::ffff:0:0", 0), ("::", 0), ("::ffff:0:0:0", 0), ("64:ff9b::", 0), ("64:ff9b:1::", 0)):
        yield IPv6Address(int(IPv6Address(prefix)) | number << bits)
    yield IPv6Address(int(IPv6Address("2002::")) | number << 80)
    yield IPv6Address(int(IPv6Address("2001::")) | number ^ 0xFFFFFFFF)
    yield IPv6Address(int(IPv6Address("2001::")) | number << 64)


def notations(address: IPv4Address | IPv6Address) -> Iterator[str]:
    """Yield the spellings of an address as the host of a URL."""
    if isinstance(address, IPv6Address):
        yield from (f"[{address}]", f"[{address.exploded}]")
        return
    number, parts = int(address), address.packed
    yield from (str(address), str(number), hex(number), f"0{number:o}")
    yield ".".join(f"0{part:o}" for part in parts)
    yield ".".join(f"{part:#x}" for part in parts)
    yield f"{parts[0]}.{number & 0xFFFFFF}"
    yield f"{parts[0]}.0x{parts[1]:x}.{number & 0xFFFF}"
    yield from (f"[{inner}]" for inner in inside_ipv6(address))


def every_notation(row: str) -> list[str]:
    """Return the hosts of URLs that spell the ends of a row."""
    return [host for end in ends(row) for host in notations(end)]


@pytest.mark.parametrize("row", ROWS)
def test_no_address_of_a_row_is_public(row: str) -> None:
    assert not any(map(is_public, ends(row)))


@pytest.mark.parametrize("address", BEYOND_THE_TABLES)
def test_addresses_other_than_global_unicast_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


def test_the_addresses_beside_the_rows_are_public_unless_they_are_in_another() -> None:
    known = [ip_network(row) for row in (*ROWS, "224.0.0.0/4")]
    unicast = ip_network("2000::/3")
    for row in map(ip_network, ROWS):
        for address in beside(row):
            is_free = address.version == 4 or address in unicast
            assert is_public(address) == (is_free and not any(address in each for each in known)), address


@pytest.mark.parametrize("host", ["1.1.1.1", "192.0.1.1", "2606:4700::1111", "2001:200::1", "2a00:1450::1", "2003::1"])
def test_addresses_of_the_internet_are_public(host: str) -> None:
    assert is_public(ip_address(host))


@pytest.mark.parametrize("address", ["192.0.0.192", "169.254.169.254", "fd00:ec2::254", "100.100.100.200"])
def test_cloud_metadata_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        *(("0177.0.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("127.1.", "127.0.0.1")),
        *(("fe80::1%eth0", "fe80::1"), ("::ffff:8.8.8.8", "::ffff:808:808")),
        *(("example.com", None), ("dead.beef.example", None), ("0x", None), ("1.2.3.4.5", None), ("", None)),
    ],
)
def test_a_host_is_read_as_resolvers_read_it(host: str, address: str | None) -> None:
    assert literal_address(host) == (None if address is None else ip_address(address))


@pytest.mark.parametrize("row", ROWS)
def test_webhooks_of_live_are_not_accepted_there(row: str) -> None:
    for host in every_notation(row):
        with pytest.raises(InvalidParameter, match="private address"):
            check_url(f"https://{host}/hook", Environment.LIVE)
        assert check_url(f"https://{host}/hook", Environment.TEST)


@pytest.mark.parametrize("host", ["fec0::1", "::127.0.0.1", "::ffff:0:7f00:1", "192.88.99.1", "4000::1", "192.0.0.192"])
def test_addresses_that_live_accepted_before(host: str) -> None:
    with pytest.raises(InvalidParameter, match="private address"):
        check_url(f"https://[{host}]/" if ":" in host else f"https://{host}/", Environment.LIVE)


@pytest.mark.parametrize("host", ["localhost", "localhost.", "１２７.0.0.1", "127。0。0。1"])
def test_names_of_this_computer_are_not_accepted(host: str) -> None:
    with pytest.raises(InvalidParameter, match="private address"):
        check_url(f"https://{host}/", Environment.LIVE)


class Dialled(Exception):
    """A connection was made."""


@pytest.fixture
def _no_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail on any connection attempt, so that no test reaches an address."""

    def connect(*_: object) -> None:
        raise Dialled

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.sock_connect", connect)


@pytest.mark.usefixtures("_no_connections")
@pytest.mark.parametrize("row", ROWS)
def test_webhooks_do_not_connect_there(row: str) -> None:
    async def post(host: str) -> None:
        with pytest.raises(PostFailed, match="private address"):
            await Client().post(Receiver("w", f"https://{host}/", "a token of some length", 20.0, True), b"{}")

    async def post_all() -> None:
        for host in every_notation(row):
            await post(host)

    asyncio.run(post_all())


@pytest.mark.parametrize("row", ROWS)
def test_no_name_and_no_redirection_leads_there(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loopback server counts as public here, and redirects to every notation of the row."""
    local = ip_address("127.0.0.1")
    addresses = [end for end in ends(row) if end != local]
    monkeypatch.setattr(guard, "is_public", lambda address: address == local or is_public(address))
    client = GuardedClient()
    try:
        for host in [host for end in addresses for host in notations(end)]:
            with serving(leading_to(f"http://{host}/")) as server:
                for url in (server.url, f"http://{host}/"):
                    with pytest.raises(RequestFailed, match=_refusal(host)):
                        client.ask(Question(url=url, bounds=BOUNDS))
    finally:
        client.close()


def leading_to(url: str) -> Reply:
    """Return a reply that redirects."""
    return lambda handler, _: send(handler, 302, b"", location=url)


def _refusal(host: str) -> str:
    """Return the refusal text for a host; the HTTP client itself rejects parts with leading zeros."""
    return "closed the connection" if re.fullmatch(r"(?=.*\b0\d)\d+(\.\d+){3}", host) else "which is not public"


def test_every_address_of_a_name_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name with both a public and a private address does not give access to the private one."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in ("1.1.1.1", "192.0.0.192")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(PostFailed, match="private address"):
        asyncio.run(Client().post(Receiver("w", "https://both.example/", "a token of some length", 20.0, True), b"{}"))
