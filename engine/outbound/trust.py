"""The certificates by which remote servers are trusted."""

import os
from functools import cache
from ssl import SSLContext

import httpx


def usual_trust() -> SSLContext:
    """Return an SSL context with the certificates named by the environment, or else with those bundled with httpx.

    It is loaded once for all clients, because that takes longer than most requests, even for clients that never need
    it.
    """
    return _read(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _read(file: str | None, folder: str | None) -> SSLContext:  # noqa: ARG001 - httpx reads both, and others later
    return httpx.create_ssl_context()
