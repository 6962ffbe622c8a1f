"""``/certificate``: the authority's certificate, for devices that must trust it; it is public and needs no key."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.http.errors import PlainHttp
from app.api.server.middleware import refused
from app.api.server.tls import Tls
from engine.domain.errors import NotFound

DER: Final = "/certificate"
PEM: Final = "/certificate.pem"
PATHS: Final = frozenset({DER, PEM})

CERTIFICATE: Final = "application/x-x509-ca-cert"
"""The media type that makes phones offer to install the certificate."""


class HttpsOnly:
    """Responds to plain HTTP on an HTTPS port with the certificate, or with an error on all other paths.

    A device fetches the certificate before it can trust this server, so it needs access without TLS.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["scheme"] == "https" or scope["path"] in PATHS:
            await self._app(scope, receive, send)
        else:
            await refused(PlainHttp(), Request(scope))(scope, receive, send)


def certificate_routes(tls: Tls | None) -> list[Route]:
    """Return the routes of the certificate, which return an error without TLS."""

    async def serve(request: Request) -> Response:
        """Return the certificate in the format given by the path."""
        if tls is None:
            raise NotFound("path", "This endpoint is served without TLS, so there is no certificate to trust.")
        der = request.scope["path"] == DER
        name = "fencewright-ca.crt" if der else "fencewright-ca.pem"
        headers = {"content-disposition": f'inline; filename="{name}"', "cache-control": "no-store"}
        return Response(tls.authority.der if der else tls.authority.pem, media_type=CERTIFICATE, headers=headers)

    return [Route(path, serve) for path in sorted(PATHS)]
