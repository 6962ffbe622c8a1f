"""Accepted host names, and the responses to other names."""

import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.http.hosts import LOOK_EVERY_S, Hosts, OwnNames, name_of, own_addresses
from app.api.server.server import ApiServer
from app.endpoint import Reach, is_loopback, normal_host, warning_of
from engine.engine import Engine


class Network:
    """The addresses of a machine, and the number of lookups."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.looks = 0

    def __call__(self) -> tuple[str, ...]:
        self.looks += 1
        return self.addresses


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The current time for lookups, in seconds."""
    now = [1_000.0]
    monkeypatch.setattr("app.api.http.hosts.time.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    "header",
    [
        *("localhost", "LocalHost:1", "localhost.", "localhost.:80", "127.0.0.1", "127.3.2.1:5", "[::1]:8787"),
        *("10.0.2.2:8787", "10.0.3.2", "[::ffff:127.0.0.1]:1", "[0:0:0:0:0:0:0:1]"),
    ],
)
def test_the_loopback_is_answered_as_emulators_see_it_too(header: str) -> None:
    assert Hosts().allows(header.encode())


@pytest.mark.parametrize(
    "header",
    [
        *("192.168.1.5", "8.8.8.8:80", "10.0.2.3", "[fd00::1]", "0.0.0.0", "[::]", "[::ffff:8.8.8.8]"),
        *("evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "localhost@evil.com", "localhost..", "a b", ""),
        *("2130706433", "0x7f.0.0.1", "127.1", "[localhost]", "localhost:1:2", "localhost:a", "::1", "[::1", "\xff"),
    ],
)
def test_everything_else_is_refused(header: str) -> None:
    assert not Hosts().allows(header.encode("latin-1"))


def test_names_are_compared_as_the_wire_has_them() -> None:
    hosts = Hosts(["Shop.Example.", "[FD00:0::5]", "café.example"])
    for header in ("shop.example", "SHOP.EXAMPLE:8787", "shop.example.:1", "[fd00::5]:1", "xn--caf-dma.example"):
        assert hosts.allows(header.encode())
    for header in ("www.shop.example", "shop.example.evil.com", "[fd00::6]", "xn--caf-dma"):
        assert not hosts.allows(header.encode())


@given(st.ip_addresses(), st.none() | st.integers(0, 65535))
def test_an_address_is_the_same_in_every_spelling(address: IPv4Address | IPv6Address, port: int | None) -> None:
    end = "" if port is None else f":{port}"
    hosts = Hosts([str(address)])
    spellings = [f"[{address}]", f"[{address.exploded.upper()}]"] if address.version == 6 else [str(address)]
    if isinstance(address, IPv4Address):
        spellings.append(f"[::ffff:{address}]")
    assert all(hosts.allows(f"{each}{end}".encode()) for each in spellings)


@given(st.text(max_size=30))
def test_nothing_written_is_taken_for_a_name_that_it_is_not(text: str) -> None:
    name = normal_host(text)
    assert name is None or (normal_host(name) == name and name.isascii() and name == name.lower())
    if name is not None and is_loopback(name):
        assert text.lower().strip("[].").startswith(("localhost", "127.", "::", "0"))


def test_own_addresses_count_once_it_listens_beyond_loopback(seconds: list[float]) -> None:
    network = Network("192.168.1.5", "fd00::5")
    hosts = Hosts(own=OwnNames(network))
    assert hosts.allows(b"192.168.1.5:8787")
    assert hosts.allows(b"[fd00::5]")
    assert hosts.names >= {"192.168.1.5", "fd00::5", "localhost"}
    assert not hosts.allows(b"192.168.1.6")


def test_a_network_that_is_joined_later_is_found_without_looking_all_the_time(seconds: list[float]) -> None:
    network = Network("192.168.1.5")
    hosts = Hosts(own=OwnNames(network))
    network.addresses = ("10.1.1.7",)
    assert hosts.allows(b"192.168.1.5")
    assert not hosts.allows(b"10.1.1.7")  # last lookup was a moment ago
    seconds[0] += LOOK_EVERY_S
    assert hosts.allows(b"10.1.1.7")
    assert not hosts.allows(b"192.168.1.5")  # no longer remembered
    looks = network.looks
    for number in range(100):
        assert not hosts.allows(b"foreign%d.com" % number)
    assert network.looks == looks
    seconds[0] += LOOK_EVERY_S
    for number in range(100):
        assert not hosts.allows(b"foreign%d.com" % number)
    assert network.looks == looks + 1


def test_the_machine_has_the_address_that_leads_outside_first() -> None:
    addresses = own_addresses()
    assert not any(is_loopback(each) for each in addresses)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("198.51.100.1", 9))
        except OSError:
            pytest.skip("this machine has no network")
        assert addresses[0] == probe.getsockname()[0]


@pytest.fixture(scope="module")
def open_server(engine: Engine) -> Iterator[ApiServer]:
    """A server that listens on all addresses, and accepts one additional name."""
    with ApiServer(engine, "0.0.0.0", 0, allow_hosts=["Shop.example"]) as server:
        yield server


def fetch(server: ApiServer, host: str, path: str = "/v1/config") -> httpx.Response:
    return httpx.get(server.url + path, headers={"Host": host}, trust_env=False)


def test_a_server_beyond_loopback_is_reached_by_its_addresses(open_server: ApiServer) -> None:
    reach = open_server.reach
    assert reach.open_to_network
    assert reach.url == open_server.url
    for url in (reach.url, *reach.network_urls):
        assert httpx.get(url + "/openapi.json", trust_env=False).status_code == 200
    for host in ("shop.example", "0.0.0.0:1", socket.gethostname()):
        assert fetch(open_server, host).status_code == 401


@pytest.mark.parametrize("path", ["/v1/config", "/certificate", "/docs", "/v1/nothing"])
def test_a_refused_host_is_answered_with_how_to_allow_it(open_server: ApiServer, path: str) -> None:
    answer = fetch(open_server, "Evil.com:80", path)
    meta = answer.json()["meta"]
    assert (answer.status_code, meta["code"], meta["param"]) == (400, 400, "Host")
    assert "host name 'evil.com'" in meta["message"]
    assert "--allow-host evil.com" in meta["message"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "not a valid host name" in fetch(open_server, "localhost:1:2", path).json()["meta"]["message"]


def test_a_server_on_loopback_answers_to_no_other_address(server: ApiServer) -> None:
    assert server.reach == Reach(server.url)
    for address in own_addresses():
        host = f"[{address}]" if ":" in address else address
        assert fetch(server, host).json()["meta"]["param"] == "Host"


def test_only_who_opens_it_to_a_network_is_warned() -> None:
    here = Reach("http://127.0.0.1:1")
    assert warning_of(here) is None
    plain = Reach("http://127.0.0.1:1", ("http://192.168.1.5:1",), open_to_network=True)
    assert "192.168.1.5" in str(warning_of(plain))
    assert "unencrypted" in str(warning_of(plain))
    secure = Reach("https://127.0.0.1:1", ("https://192.168.1.5:1",), open_to_network=True)
    assert "unencrypted" not in str(warning_of(secure))
    assert "unencrypted" in str(warning_of(Reach("http://127.0.0.1:1", (), open_to_network=True)))


def test_a_header_names_a_host_whatever_its_port() -> None:
    assert [name_of(each) for each in ("a.b:1", "A.B.", "[::1]:0", "a:b", "a:123456")] == [
        "a.b",
        "a.b",
        "::1",
        None,
        None,
    ]
