"""HTTPS: a certificate that clients trust if they know the authority, and the errors for other clients."""

import shutil
import socket
import ssl
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from http.client import HTTPSConnection
from pathlib import Path

import httpx
import orjson
import pytest
from cryptography import x509

from app.api.http.hosts import own_addresses
from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.store.certificates.keeping import Certificates
from tests.app.api.contract import Contract
from tests.app.api.wire import Wire, meta_of, request

UPDATE = b'{"deviceId":"phone","latitude":47.1,"longitude":9.5,"accuracy":5}'


@pytest.fixture(scope="module")
def server(engine: Engine) -> Iterator[ApiServer]:
    """A server that speaks HTTPS."""
    with ApiServer(engine, port=0, tls=True) as server:
        yield server


@pytest.fixture(scope="module")
def trust(engine: Engine) -> ssl.SSLContext:
    """A TLS context that trusts the authority and is as strict as possible."""
    return trusting(engine.workspace.certificates.renew(["shop.example", *own_addresses()]).file)


@pytest.fixture
def key(engine: Engine) -> str:
    return engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)


def trusting(file: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(file))
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


class TlsWire(Wire):
    """A bare TLS connection."""

    def __init__(self, port: int, context: ssl.SSLContext, name: str = "localhost") -> None:
        super().__init__(port)
        try:
            self.socket = context.wrap_socket(self.socket, server_hostname=name)
        except BaseException:
            self.socket.close()
            raise


def shown_by(port: int, host: str = "127.0.0.1") -> x509.Certificate:
    """Return the certificate that a server presents, trusted or not."""
    return x509.load_pem_x509_certificate(ssl.get_server_certificate((host, port), timeout=10).encode())


def names_of(certificate: x509.Certificate) -> set[str]:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1", "10.0.2.2", "10.0.3.2"])
def test_a_client_that_trusts_the_authority_trusts_every_way_to_it(
    server: ApiServer, trust: ssl.SSLContext, key: str, name: str
) -> None:
    host = f"[{name}]" if ":" in name else name
    lines = f"POST /v1/track HTTP/1.1\r\nHost: {host}:{server.port}\r\nConnection: close\r\nAuthorization: {key}\r\n"
    with TlsWire(server.port, trust, name) as wire:
        wire.send(f"{lines}Content-Length: {len(UPDATE)}\r\n\r\n".encode() + UPDATE)
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"deviceId":"phone"' in answer


def test_no_other_certificate_is_trusted(server: ApiServer, trust: ssl.SSLContext) -> None:
    with pytest.raises(ssl.SSLCertVerificationError), TlsWire(server.port, ssl.create_default_context()):
        pass
    with pytest.raises(ssl.SSLCertVerificationError, match=r"example\.com"), TlsWire(server.port, trust, "example.com"):
        pass
    assert httpx.get(f"{server.url}/openapi.json", verify=trust, trust_env=False).status_code == 200


def test_the_contract_holds_over_https(server: ApiServer, trust: ssl.SSLContext, contract: Contract, key: str) -> None:
    assert server.url.startswith("https://")
    with httpx.Client(base_url=server.url, verify=trust, headers={"Authorization": key}, trust_env=False) as client:
        for path, status in (("/v1/users", 200), ("/v1/config", 200), ("/v1/geofences/none", 404)):
            answer = client.get(path)
            contract.check(answer.request, answer)
            assert answer.status_code == status
        for body in (UPDATE, b"{", UPDATE[:-1] + b',"metadata":{"k":"' + b"x" * 1_900 + b'"}}'):
            answer = client.post("/v1/track", content=body, headers={"Content-Type": "application/json"})
            contract.check(answer.request, answer)
            assert answer.status_code == (400 if body == b"{" else 200)


def test_a_connection_is_kept_and_carries_large_bodies_whole(
    server: ApiServer, trust: ssl.SSLContext, key: str
) -> None:
    connection = HTTPSConnection("127.0.0.1", server.port, context=trust, timeout=20)
    sizes = []
    for _ in range(3):
        connection.request("GET", "/docs/swagger-ui-bundle.js")
        sizes.append(len(connection.getresponse().read()))
        kept = connection.sock
        replays = orjson.dumps({"replays": [orjson.loads(UPDATE) | {"metadata": {"k": "x" * 1_900}}] * 200})
        connection.request("POST", "/v1/track/replay", replays, {"Authorization": key})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
        connection.request("POST", "/v1/track", iter([UPDATE[:20], UPDATE[20:]]), {"Authorization": key})
        assert connection.getresponse().read().startswith(b'{"meta":{"code":200}')
        assert connection.sock is kept
    connection.close()
    assert len(set(sizes)) == 1
    assert sizes[0] > 1_000_000


def test_requests_sent_at_once_are_answered_in_their_order(server: ApiServer, trust: ssl.SSLContext) -> None:
    script_request = b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with TlsWire(server.port, trust) as wire:
        wire.send(script_request * 200 + request("GET", "/v1/nothing"))
        answers = wire.rest()
    assert answers.count(b"HTTP/1.1 200 ") == 200
    assert meta_of(answers[answers.index(b"HTTP/1.1 404 ") :])["code"] == 404


def test_a_request_may_come_byte_by_byte(server: ApiServer, trust: ssl.SSLContext) -> None:
    with TlsWire(server.port, trust) as wire:
        for byte in request("GET", "/docs/start.js"):
            wire.send(bytes([byte]))
        assert wire.rest().startswith(b"HTTP/1.1 200 ")


def test_plain_http_is_answered_with_a_hint_to_use_https(server: ApiServer, key: str) -> None:
    body = [f"Authorization: {key}", f"Content-Length: {len(UPDATE)}"]
    for plain in (
        request("GET", "/v1/config"),
        request("POST", "/v1/track", *body, body=UPDATE),
        request("GET", "/docs"),
        request("PUT", "/v1/nothing"),
    ):
        with Wire(server.port) as wire:
            wire.send(plain)
            answer = wire.rest()
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert b"access-control-allow-origin: *" in answer
        meta = meta_of(answer)
        assert meta["param"] == "scheme"
        assert "HTTPS" in str(meta["message"])
    with Wire(server.port) as wire:
        wire.send(b"\x80\x2enonsense\r\n\r\n")
        assert meta_of(wire.rest())["code"] == 400


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_certificate_is_served_to_who_does_not_trust_it_yet(server: ApiServer, engine: Engine, scheme: str) -> None:
    url = f"{scheme}://127.0.0.1:{server.port}/certificate"
    authority = engine.workspace.certificates.authority()
    for path, content, name in (("", authority.der, "crt"), (".pem", authority.pem, "pem")):
        with httpx.Client(verify=False, trust_env=False) as client:
            answer = client.get(url + path)
            assert client.head(url + path).status_code == 200
            assert client.post(url + path).status_code == 405
        assert answer.content == content
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"
        assert f"fencewright-ca.{name}" in answer.headers["content-disposition"]
        assert b"PRIVATE" not in answer.content


def test_without_tls_there_is_no_certificate(engine: Engine) -> None:
    with ApiServer(engine, port=0) as server:
        answer = httpx.get(f"{server.url}/certificate", trust_env=False)
    assert (answer.status_code, answer.json()["meta"]["param"]) == (404, "path")
    assert "without TLS" in answer.json()["meta"]["message"]


@pytest.mark.parametrize(
    "data",
    [
        b"\x16",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\x16\x03\x01\x00\x05hello",
        b"\x16" + b"\xff" * 100,
        b"\x16\x03\x01" + b"\x40\x00" + b"\x01" + b"\x00" * 40_000,
    ],
)
def test_who_cannot_shake_hands_gets_no_word_of_http(server: ApiServer, data: bytes) -> None:
    with Wire(server.port) as wire:
        wire.send(data)
        wire.socket.shutdown(socket.SHUT_WR)
        assert not wire.rest().startswith(b"HTTP")
    assert httpx.get(f"http://127.0.0.1:{server.port}/certificate", trust_env=False).status_code == 200


def test_noise_in_the_midst_of_a_connection_ends_it_alone(server: ApiServer, trust: ssl.SSLContext) -> None:
    with TlsWire(server.port, trust) as other, Wire(server.port) as wire:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = trust.wrap_bio(incoming, outgoing, server_hostname="localhost")
        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                wire.send(outgoing.read())
                incoming.write(wire.socket.recv(65536))
        client.write(b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n")
        wire.send(outgoing.read() + b"\x17\x03\x03\x00\x20" + b"x" * 32)
        assert b"HTTP/1.1" not in wire.rest()
        other.send(request("GET", "/docs/start.js"))
        assert other.rest().startswith(b"HTTP/1.1 200 ")


def test_old_versions_are_refused(server: ApiServer, trust: ssl.SSLContext) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings(action="ignore"):
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)), TlsWire(server.port, context):
        pass
    modern = trusting_version(trust, ssl.TLSVersion.TLSv1_2, server.port)
    assert modern == "TLSv1.2"


def trusting_version(trust: ssl.SSLContext, version: ssl.TLSVersion, port: int) -> str | None:
    """Return the protocol version negotiated with a client that supports no newer one."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(trust.get_ca_certs(binary_form=True)[-1]))
    context.maximum_version = version
    with TlsWire(port, context) as wire:
        assert isinstance(wire.socket, ssl.SSLSocket)
        return wire.socket.version()


def test_the_client_receives_a_closing_alert(server: ApiServer, trust: ssl.SSLContext) -> None:
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    with trust.wrap_socket(raw, server_hostname="localhost", suppress_ragged_eofs=False) as wire:
        wire.sendall(request("GET", "/docs/start.js"))
        received = b""
        while part := wire.recv(65536):  # would raise without the closing alert
            received += part
    assert received.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("faulty", [b"NOT HTTP\r\n\r\n", b"GET /" + b"x" * 40_000])
def test_a_request_that_is_not_http_is_answered_over_tls(
    server: ApiServer, trust: ssl.SSLContext, faulty: bytes
) -> None:
    with TlsWire(server.port, trust) as wire:
        with suppress(OSError):
            wire.send(faulty)
        assert meta_of(wire.rest())["code"] == 400


def test_it_stops_though_clients_stay(engine: Engine, trust: ssl.SSLContext) -> None:
    server = ApiServer(engine, port=0, tls=True)
    server.start()
    with TlsWire(server.port, trust) as idle, TlsWire(server.port, trust) as half, Wire(server.port) as shaking:
        idle.send(b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.socket.recv(100).startswith(b"HTTP/1.1 200 ")
        half.send(b"POST /v1/track HTTP/1.1\r\nHost: local")
        shaking.send(b"\x16\x03\x01\x02\x00\x01")
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 20
        for wire in (idle, half, shaking):
            wire.rest()


def test_names_that_are_allowed_are_certified_and_the_authority_stays(engine: Engine, trust: ssl.SSLContext) -> None:
    with ApiServer(engine, port=0, tls=True, allow_hosts=["Shop.example.", "10.9.8.7"]) as server:
        assert names_of(shown_by(server.port)) >= {"shop.example", "10.9.8.7", "localhost", "10.0.2.2"}
        with TlsWire(server.port, trust, "shop.example") as wire:
            wire.send(b"GET /docs/start.js HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n")
            assert wire.rest().startswith(b"HTTP/1.1 200 ")
    with ApiServer(engine, port=0, tls=True) as server:
        assert "shop.example" not in names_of(shown_by(server.port))


def test_a_network_that_is_joined_is_certified_before_its_first_request(
    engine: Engine, trust: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = next((each for each in own_addresses() if ":" not in each), None)
    if address is None:
        pytest.skip("this machine has no network")
    joined: list[str] = []
    monkeypatch.setattr("app.api.http.hosts.own_addresses", lambda: tuple(joined))
    with ApiServer(engine, "0.0.0.0", 0, tls=True) as server:
        assert address not in names_of(shown_by(server.port))
        joined.append(address)
        monkeypatch.setattr("app.api.http.hosts.LOOK_EVERY_S", 0.0)
        answer = httpx.get(f"https://{address}:{server.port}/openapi.json", verify=trust, trust_env=False)
        assert answer.status_code == 200
        assert server.reach.device_url == f"https://{address}:{server.port}"
        assert server.reach.certificate_url == f"http://{address}:{server.port}/certificate"


def test_a_renewed_authority_is_used_from_the_next_connection_on(tmp_path: Path) -> None:
    with Engine.open(tmp_path) as engine, ApiServer(engine, port=0, tls=True) as server:
        before = shown_by(server.port)
        renewed = Certificates(tmp_path).renew()  # as another process would
        after = shown_by(server.port)
        assert after != before
        after.verify_directly_issued_by(x509.load_pem_x509_certificate(renewed.pem))
        assert httpx.get(f"http://127.0.0.1:{server.port}/certificate").content == renewed.der


def test_a_certificate_that_comes_to_its_end_is_replaced_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine.open(":memory:") as engine, ApiServer(engine, port=0, tls=True) as server:
        certificates = engine.workspace.certificates
        before = shown_by(server.port)
        later = certificates.now() + timedelta(days=380)
        monkeypatch.setattr(certificates, "now", lambda: later)
        after = shown_by(server.port)
        assert after.not_valid_after_utc > before.not_valid_after_utc
        after.verify_directly_issued_by(x509.load_pem_x509_certificate(certificates.authority().pem))
        assert shown_by(server.port) == after


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is missing")
def test_curl_trusts_the_file_of_the_workspace(server: ApiServer, engine: Engine) -> None:
    file = engine.workspace.certificates.authority().file
    url = f"{server.url}/docs/start.js"
    trusted = subprocess.run(["curl", "-sSf", "--noproxy", "*", "--cacert", file, url], capture_output=True, timeout=30)
    assert (trusted.returncode, trusted.stderr) == (0, b"")
    assert b"SwaggerUIBundle" in trusted.stdout
    unknown = subprocess.run(["curl", "-sS", "--noproxy", "*", url], capture_output=True, timeout=30)
    assert unknown.returncode == 60
