"""The host names under which requests are served."""

import re
import socket
import time
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Final

from app.api.http.errors import MAX_SHOWN, shown
from app.endpoint import is_loopback, normal_host

EMULATORS: Final = ("10.0.2.2", "10.0.3.2")
"""Addresses of this machine inside the emulators of Android Studio and Genymotion."""

ALWAYS: Final = frozenset({"localhost", "127.0.0.1", "::1", *EMULATORS})
MAX_REMEMBERED_HOSTS: Final = 64
LOOK_EVERY_S: Final = 3.0
"""Minimum interval between reads of the network addresses, so that foreign host names cannot force constant reading."""

_HOST: Final = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::\d{0,5})?", re.ASCII)
"""A name or an address, in brackets if it contains colons, with an optional port."""

_NOWHERE: Final = ("198.51.100.1", 9)
"""An unassigned address; connecting to it reveals the machine's own address for outgoing traffic."""


class OwnNames:
    """The machine's network addresses and names, as of the last read."""

    def __init__(self, addresses: Callable[[], tuple[str, ...]] | None = None) -> None:
        self._read = addresses or own_addresses
        self._names = own_names()
        self._looked_at = time.monotonic()
        self.addresses = self._read()

    @property
    def all(self) -> frozenset[str]:
        """All names and addresses."""
        return frozenset((*self._names, *self.addresses))

    def look_again(self) -> bool:
        """Read the network addresses again unless that was done a moment ago; return whether they changed."""
        now = time.monotonic()
        if now - self._looked_at < LOOK_EVERY_S:
            return False
        before, self.addresses, self._looked_at = self.addresses, self._read(), now
        return self.addresses != before


class Hosts:
    """The accepted ``Host`` headers, regardless of port.

    A page of a foreign domain whose owner points its name at this machine (DNS rebinding) sends that domain and is
    refused. Every other name is refused too, unless it is this machine's loopback, including as seen by an emulator,
    one of its own addresses (`own`, when listening beyond loopback), or explicitly allowed.
    """

    def __init__(self, names: Iterable[str] = (), own: OwnNames | None = None) -> None:
        self._names = ALWAYS | {name for each in names if (name := normal_host(each)) is not None}
        self._own = own
        self._known: set[bytes] = set()

    @property
    def names(self) -> frozenset[str]:
        """All names and addresses that are currently accepted."""
        return self._names | (frozenset() if self._own is None else self._own.all)

    def look_again(self) -> bool:
        """Read the machine's addresses again, at most every few seconds; return whether they changed."""
        if self._own is None or not self._own.look_again():
            return False
        self._known.clear()
        return True

    def allows(self, header: bytes | None) -> bool:
        """Return whether a request with this header (with or without a port, or None) is accepted; None always is."""
        if header is None or header in self._known:
            return True
        allowed = self._is_ours(header.decode("latin-1"))
        if allowed and len(self._known) < MAX_REMEMBERED_HOSTS:
            self._known.add(header)
        return allowed

    def _is_ours(self, header: str) -> bool:
        name = name_of(header)
        if name is None:
            return False
        if name in self.names or is_loopback(name):
            return True
        return self.look_again() and name in self.names


def name_of(header: str) -> str | None:
    """Return the normalized name or address of a ``Host`` header, or None if it is malformed."""
    named = _HOST.fullmatch(header)
    return None if named is None else normal_host(named[1])


def refusal_of(header: bytes) -> str:
    """Return the reason why a ``Host`` header is refused, and how to allow it."""
    name = name_of(header.decode("latin-1"))
    if name is None:
        return f"Host: {shown(header.decode('latin-1'))} is not a valid host name."
    return (
        f"Host: this endpoint does not answer to the host name {shown(name)}. To allow it, start the endpoint with "
        f"--allow-host {name[:MAX_SHOWN]}, or add it to the allowed host names in the window."
    )


def own_names() -> frozenset[str]:
    """Return the name of this machine, both bare and as other devices on a local network resolve it."""
    name = normal_host(socket.gethostname())
    if name is None or is_loopback(name):
        return frozenset()
    return frozenset((name,) if "." in name else (name, f"{name}.local"))


def own_addresses() -> tuple[str, ...]:
    """Return the non-loopback addresses of this machine, the outgoing address first, then IPv4 before IPv6.

    Only the operating system is queried; nothing is sent.
    """
    import psutil

    families = (socket.AF_INET, socket.AF_INET6)
    listed = (each.address for of in psutil.net_if_addrs().values() for each in of if each.family in families)
    found = {address for each in listed if (address := normal_host(each)) is not None and not is_loopback(address)}
    outward = _outward_address()
    return tuple(sorted(found, key=lambda each: (each != outward, ":" in each, ip_address(each).packed)))


def _outward_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return ""
