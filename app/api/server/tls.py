"""TLS of a server: its certificate and the connections that use it.

TLS is a layer within a connection, not in front of it. A client with a slow handshake is therefore a connection like
any other: it has a deadline and counts as one of them. A client that speaks plain HTTP gets a readable response.
"""

import logging
import ssl
from asyncio import Transport
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, override

from app.api.http.headers import Headers
from app.api.http.hosts import Hosts
from app.api.server.protocol import BoundedProtocol
from app.endpoint import normal_host
from engine.domain.errors import FencewrightError
from engine.store.certificates.keeping import Certificates

BLOCK: Final = 64 * 1024
"""Number of decrypted bytes to read at once."""

_HANDSHAKE: Final = b"\x16"
"""The first byte that every TLS client sends; no HTTP method begins with it."""

logger = logging.getLogger(__name__)


class Tls:
    """The certificate of one server, always valid for its current names."""

    def __init__(self, certificates: Certificates, hosts: Hosts) -> None:
        """Load the certificate; raises `WorkspaceError` if that is not possible."""
        self._certificates, self._hosts = certificates, hosts
        self.authority = certificates.authority(filter(_can_be_reached, hosts.names))
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.options |= ssl.OP_NO_RENEGOTIATION
        self._context.set_alpn_protocols(["http/1.1"])
        self._names: frozenset[str] = frozenset()
        self._renew_at: datetime | None = None
        self._version: int | None = None
        self._load()

    def _load(self) -> None:
        version = self._certificates.version()
        certificate = self._certificates.for_names(filter(_can_be_reached, self._hosts.names))
        self._context.load_cert_chain(certificate.file)
        self._names, self._renew_at = certificate.names, certificate.renew_at
        self._version = version
        self.authority = self._certificates.authority()

    def begin(self, address: str | None, transport: Transport) -> "TlsTransport":
        """Begin the handshake with a client that connected to this address of the machine."""
        assert self._renew_at is not None
        is_old = self._certificates.now() >= self._renew_at or self._certificates.version() != self._version
        if is_old or self._has_joined(address):
            try:
                self._load()
            except FencewrightError:
                logger.exception("The certificate could not be renewed")
        return TlsTransport(transport, self._context)

    def _has_joined(self, address: str | None) -> bool:
        """Return whether this machine got an address by joining a network after the certificate was issued."""
        own = None if address is None else normal_host(address)
        if own is None or own in self._names or not _can_be_reached(own):
            return False
        self._hosts.look_again()
        return own in self._hosts.names


def _can_be_reached(name: str) -> bool:
    """Return whether a certificate needs a name; a link-local address is only used together with its interface."""
    return not name.startswith("fe80:")


class TlsTransport(Transport):
    """The TLS side of a connection over a plain transport, which does the buffering and pausing."""

    def __init__(self, below: Transport, context: ssl.SSLContext) -> None:
        super().__init__()
        self._below = below
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self.established = False
        self.ended = False
        """Whether the client has announced that it will send no more data."""

    def receive(self, data: bytes) -> bytes:
        """Process received data and return the decrypted part; raises `ssl.SSLError` after sending an alert."""
        self._incoming.write(data)
        try:
            return self._decrypted() if self.established or self._shake_hands() else b""
        finally:
            self._flush()

    def _shake_hands(self) -> bool:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        self.established = True
        return True

    def _decrypted(self) -> bytes:
        parts = []
        try:
            while part := self._tls.read(BLOCK):
                parts.append(part)
            self.ended = True
        except ssl.SSLWantReadError:
            pass
        return b"".join(parts)

    def _flush(self) -> None:
        if self._outgoing.pending and not self._below.is_closing():
            self._below.write(self._outgoing.read())

    def _send_close_notify(self) -> None:
        """Send the closing alert without waiting for the client's response."""
        with suppress(ssl.SSLError):
            self._tls.unwrap()
        self._flush()

    @override
    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._below.is_closing():
            return
        left = memoryview(data)
        try:
            while left:
                left = left[self._tls.write(left) :]
        except ssl.SSLError:
            self.abort()
        else:
            self._flush()

    @override
    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self.write(b"".join(list_of_data))

    @override
    def write_eof(self) -> None:
        self._send_close_notify()
        self._below.write_eof()

    @override
    def can_write_eof(self) -> bool:
        return True

    @override
    def close(self) -> None:
        if not self._below.is_closing():
            self._send_close_notify()
            self._below.close()

    @override
    def abort(self) -> None:
        self._below.abort()

    @override
    def is_closing(self) -> bool:
        return self._below.is_closing()

    @override
    def pause_reading(self) -> None:
        self._below.pause_reading()

    @override
    def resume_reading(self) -> None:
        self._below.resume_reading()

    @override
    def get_write_buffer_size(self) -> int:
        return self._below.get_write_buffer_size()

    @override
    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._below.get_extra_info(name, default)


class TlsProtocol(BoundedProtocol):
    """A connection to an HTTPS port, which also understands enough plain HTTP to respond to it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        app: Any = self.app
        self._tls: Tls = app.tls
        self._layer: TlsTransport | None = None
        self._plain = False

    @override
    def data_received(self, data: bytes) -> None:
        """Decrypt received data, or treat the connection as plain HTTP if it does not begin with a handshake."""
        if self._layer is None and data[:1] != _HANDSHAKE:
            self._plain = True
        if self._plain or self._refused:
            super().data_received(data)
            return
        if self._layer is None:
            self._layer = self._tls.begin(self.server and self.server[0], self.transport)
        self._receive(self._layer, data)

    def _receive(self, layer: TlsTransport, data: bytes) -> None:
        try:
            content = layer.receive(data)
        except ssl.SSLError as error:
            logger.debug("A TLS connection failed: %s", error)
            self.transport.close()
            return
        if layer.established and self.transport is not layer:
            self.transport, self.scheme = layer, "https"
            self._ready_at = self.loop.time()
        if content:
            super().data_received(content)
        if layer.ended:
            self.transport.close()

    @override
    def _goes_short_way(self, method: bytes) -> bool:
        return not self._plain and super()._goes_short_way(method)

    @override
    def _is_idle(self, now: float) -> bool:
        return (self._plain or self.transport is self._layer) and super()._is_idle(now)

    @override
    def _refuse(self, status: int, message: str, headers: Headers | None = None, param: str | None = None) -> None:
        """Refuse a request, or close without a response if the handshake is not finished."""
        if self._plain or (self._layer is not None and self._layer.established):
            super()._refuse(status, message, headers, param)
        else:
            self._refused = True
            self.transport.abort()
