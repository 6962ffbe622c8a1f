"""Under which host names requests are answered."""

import re
import socket
import time
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Final

from app.api.http.errors import MAX_SHOWN, shown
from app.endpoint import is_loopback, normal_host

EMULATORS: Final = ("10.0.2.2", "10.0.3.2")
"""The computer as the emulators of Android Studio and Genymotion see it."""

ALWAYS: Final = frozenset({"localhost", "127.0.0.1", "::1", *EMULATORS})
MAX_REMEMBERED_HOSTS: Final = 64
LOOK_EVERY_S: Final = 3.0
"""A network is joined or left now and then; whoever asks under foreign names must not make us look all the time."""

_HOST: Final = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::\d{0,5})?", re.ASCII)
"""A name or an address, the latter in brackets where it holds colons, and perhaps a port."""

_NOWHERE: Final = ("198.51.100.1", 9)
"""An address of no machine: asked for the way to it, the system says which of its own addresses leads outside."""


class OwnNames:
    """The addresses of this machine in its networks, and its names there, as they were when it was last looked."""

    def __init__(self, addresses: Callable[[], tuple[str, ...]] | None = None) -> None:
        self._read = addresses or own_addresses
        self._names = own_names()
        self._looked_at = time.monotonic()
        self.addresses = self._read()

    @property
    def all(self) -> frozenset[str]:
        """All of them."""
        return frozenset((*self._names, *self.addresses))

    def look_again(self) -> bool:
        """Look at the networks again, unless that was done a moment ago; return whether anything is different."""
        now = time.monotonic()
        if now - self._looked_at < LOOK_EVERY_S:
            return False
        before, self.addresses, self._looked_at = self.addresses, self._read(), now
        return self.addresses != before


class Hosts:
    """The ``Host`` headers that are answered, whatever their port.

    A page of a foreign domain whose name its owner points at this machine (DNS rebinding) names that domain; it is
    refused. So is whatever else is neither this machine's loopback, as an emulator may see it, nor one of its own
    addresses (where it listens beyond loopback: `own`), nor allowed by name.
    """

    def __init__(self, names: Iterable[str] = (), own: OwnNames | None = None) -> None:
        self._names = ALWAYS | {name for each in names if (name := normal_host(each)) is not None}
        self._own = own
        self._known: set[bytes] = set()

    @property
    def names(self) -> frozenset[str]:
        """Every name and address that is answered at the moment."""
        return self._names | (frozenset() if self._own is None else self._own.all)

    def look_again(self) -> bool:
        """Look for the machine's addresses again, at most every few seconds; return whether they are different."""
        if self._own is None or not self._own.look_again():
            return False
        self._known.clear()
        return True

    def allows(self, header: bytes | None) -> bool:
        """Whether a request with this header (with or without a port) is answered; none at all is fine."""
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
    """Return the name or address of a ``Host`` header in its normal form; None where it is malformed."""
    named = _HOST.fullmatch(header)
    return None if named is None else normal_host(named[1])


def refusal_of(header: bytes) -> str:
    """Return why a ``Host`` header is refused, and how that is changed."""
    name = name_of(header.decode("latin-1"))
    if name is None:
        return f"Host: {shown(header.decode('latin-1'))} is not a valid host name."
    return (
        f"Host: this endpoint does not answer to the host name {shown(name)}. To allow it, start the endpoint with "
        f"--allow-host {name[:MAX_SHOWN]}, or add it to the allowed host names in the window."
    )


def own_names() -> frozenset[str]:
    """Return the name of this machine, as it is and as other devices of a local network find it."""
    name = normal_host(socket.gethostname())
    if name is None or is_loopback(name):
        return frozenset()
    return frozenset((name,) if "." in name else (name, f"{name}.local"))


def own_addresses() -> tuple[str, ...]:
    """Return the addresses of this machine but for its loopback; the one that leads outside first, IPv4 before IPv6.

    Asks the system alone: nothing is sent.
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
