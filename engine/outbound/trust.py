"""The certificates that servers elsewhere are trusted by."""

import os
from functools import cache
from ssl import SSLContext

import httpx


def usual_trust() -> SSLContext:
    """Return what trusts the certificates that the environment names, or else those that come with httpx.

    They are read once for all clients: that takes longer than most requests, also of clients that never need them.
    """
    return _read(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _read(file: str | None, folder: str | None) -> SSLContext:  # noqa: ARG001 - httpx reads both, and others later
    return httpx.create_ssl_context()
