"""Address, TLS and host names of the endpoint, and the comparison of host names."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Final

from msgspec import Struct

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
DEFAULT_PORT: Final = 8787

_LABELS: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*", re.ASCII)
MAX_NAME: Final = 253


class EndpointOptions(Struct, frozen=True):
    """An address to listen on (port 0 picks a free one), whether to use TLS, and additional host names."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    tls: bool = False
    allow_hosts: tuple[str, ...] = ()


class Reach(Struct, frozen=True):
    """The addresses of a running endpoint: for this machine, and for other devices, most likely first."""

    url: str
    network_urls: tuple[str, ...] = ()
    open_to_network: bool = False

    @property
    def device_url(self) -> str:
        """The address for devices, which is a network address if the endpoint is open to the network."""
        return self.network_urls[0] if self.network_urls else self.url

    @property
    def certificate_url(self) -> str:
        """The address at which a device that does not trust the authority yet downloads its certificate."""
        return f"http://{self.device_url.partition('://')[2]}/certificate"


def connection_details(url: str, publishable_key: str) -> Mapping[str, str]:
    """Return the details that an app needs to use the endpoint, as encoded in its QR code."""
    return {"host": url, "publishableKey": publishable_key}


def normal_host(text: str) -> str | None:
    """Return a host name or address in its normal form, or None if it is invalid or has a port.

    Names are in lower case without a trailing dot, and other alphabets in their wire format (``xn--``). Addresses are
    in their shortest form without a zone. An IPv4-mapped IPv6 address becomes the IPv4 address.
    """
    name = text.lower()
    if name.startswith("[") and name.endswith("]"):
        return _normal_address(name[1:-1])
    if (address := _normal_address(name)) is not None:
        return address
    name = name.removesuffix(".")
    try:
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    return name if len(name) <= MAX_NAME and _LABELS.fullmatch(name) else None


def _normal_address(text: str) -> str | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address)))
    return str(address)


def is_loopback(host: str) -> bool:
    """Whether a name or address in its normal form is this machine's own loopback."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_wildcard(host: str) -> bool:
    """Whether a host to listen on stands for all addresses of the machine."""
    try:
        return not host or ip_address(host).is_unspecified
    except ValueError:
        return False


def url_of(scheme: str, host: str, port: int) -> str:
    """Return the address of a server, without a trailing slash."""
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def warning_of(reach: Reach) -> str | None:
    """Return the warning for an endpoint that is open to the network, or None if only this machine reaches it."""
    if not reach.open_to_network:
        return None
    urls = ", ".join(reach.network_urls)
    text = (
        f"Other devices on the network can reach this endpoint at {urls}. Anyone with one of its keys can use it."
        if urls
        else "Other devices on the network can reach this endpoint. Anyone with one of its keys can use it."
    )
    if reach.device_url.startswith("https:"):
        return text
    return f"{text} Without TLS, keys and locations are sent unencrypted."
