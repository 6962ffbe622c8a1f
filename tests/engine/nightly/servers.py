"""Local servers for syncs: one for files, one that speaks S3's protocol, and one for e-mail."""

import asyncio
import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.servers import FakeServer, ReceivedRequest, send, serving

KEY_ID, SECRET, REGION, BUCKET = "AKIAEXAMPLE", "the/secret+key", "eu-central-1", "fences"
_DENIED = '<?xml version="1.0"?><Error><Code>{}</Code><Message>no</Message></Error>'


def table(*rows: tuple[str, float]) -> bytes:
    """Return a CSV of circles by their external IDs and radii."""
    lines = [f'Store {name},circle,store,{name},"[9.5209,47.1410]",{radius}' for name, radius in rows]
    return "\n".join(["description,type,tag,externalId,coordinates,radius", *lines, ""]).encode()


@dataclass
class Files:
    """Files by path, served with an ETag, with a count of complete downloads."""

    content: dict[str, bytes] = field(default_factory=dict)
    sent: list[str] = field(default_factory=list)
    etags: bool = True
    before: Callable[[], None] = lambda: None
    """Called before each response."""
    server: FakeServer = field(default_factory=FakeServer)

    def url(self, path: str) -> str:
        return f"{self.server.url}/{path}"

    def answer(self, handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        self.before()
        body = self.content.get(request.path.strip("/"))
        if body is None:
            return send(handler, 404, b"none")
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if self.etags and request.headers.get("if-none-match") == etag:
            return send(handler, 304, b"")
        self.sent.append(request.path.strip("/"))
        return send(handler, 200, body, **({"etag": etag} if self.etags else {}))


@contextmanager
def files() -> Iterator[Files]:
    """Serve files."""
    made = Files()
    with serving(made.answer) as made.server:
        yield made


class _Silent(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        """Suppress the log."""


@contextmanager
def s3() -> Iterator[str]:
    """Run moto's S3, which takes any key, behind a check of keys like that of S3; yield its URL."""
    # Imported here because it takes a second; every process of a run imports this module, but only one needs S3.
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app

    moto = DomainDispatcherApplication(create_backend_app)

    def application(environ: dict[str, Any], start: Any) -> Any:
        query = parse_qs(environ["QUERY_STRING"])
        if environ["REQUEST_METHOD"] == "GET" and "X-Amz-Signature" in query and (code := _refusal(environ, query)):
            start("403 Forbidden", [("content-type", "application/xml")])
            return [_DENIED.format(code).encode()]
        return moto(environ, start)

    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=_Silent)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        # Its buckets are in the memory of the process, where another server may have created them.
        httpx.post(f"{url}/moto-api/reset", trust_env=False).raise_for_status()
        put(url, "")
        yield url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


_AUTHORIZATION = f"AWS4-HMAC-SHA256 Credential={KEY_ID}/20260101/{REGION}/s3/aws4_request"


def put(url: str, key: str, content: bytes = b"") -> None:
    """Put an object into the bucket, or create the bucket."""
    body = (
        content
        if key
        else f"<CreateBucketConfiguration><LocationConstraint>{REGION}</LocationConstraint></CreateBucketConfiguration>"
    )
    headers = {"authorization": _AUTHORIZATION}
    httpx.put(f"{url}/{BUCKET}/{key}", content=body, headers=headers, trust_env=False).raise_for_status()


def delete(url: str, key: str) -> None:
    """Delete an object of the bucket."""
    headers = {"authorization": _AUTHORIZATION}
    httpx.delete(f"{url}/{BUCKET}/{key}", headers=headers, trust_env=False).raise_for_status()


def _refusal(environ: dict[str, Any], query: dict[str, list[str]]) -> str | None:
    """Return the code of S3's error for wrong keys, or None."""
    from botocore.auth import S3SigV4QueryAuth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    if query["X-Amz-Credential"][0].split("/")[0] != KEY_ID:
        return "InvalidAccessKeyId"
    url = f"http://{environ['HTTP_HOST']}{environ['REQUEST_URI']}"
    parts = urlsplit(url)
    given = query["X-Amz-Signature"][0]
    unsigned = "&".join(part for part in parts.query.split("&") if not part.startswith("X-Amz-Signature"))
    request = AWSRequest(method="GET", url=f"{parts.scheme}://{parts.netloc}{parts.path}?{unsigned}")
    request.headers["host"] = parts.netloc
    request.context["timestamp"] = query["X-Amz-Date"][0]
    auth = S3SigV4QueryAuth(Credentials(KEY_ID, SECRET), "s3", REGION)
    signature = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    return None if signature == given else "SignatureDoesNotMatch"


class Mails:
    """A mail server's handler that records messages and gives configured responses to recipients."""

    def __init__(self) -> None:
        self.arrived: list[Message] = []
        self.logins: list[tuple[bytes, bytes]] = []
        self.answers: list[str] = []
        """Responses to the next recipients; "" closes the connection."""
        self.port = 0

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if not answer:
            server.transport.abort()
            return "421 gone"
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 (aiosmtpd's name)
        self.arrived.append(message_from_bytes(envelope.content))
        return "250 OK"

    def log_in(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"mail-secret", handled=False)


class _AnyPort(Controller):
    """A controller that runs on a free port."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def mails(**options: Any) -> Iterator[Mails]:
    """Run a mail server."""
    handler = Mails()
    controller = _AnyPort(handler, hostname="127.0.0.1", port=0, authenticator=handler.log_in, **options)
    controller.start()
    handler.port = controller.port
    try:
        yield handler
    finally:
        controller.stop()
