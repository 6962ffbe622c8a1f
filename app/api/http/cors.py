"""Headers that let a page of any origin call the endpoint from a browser.

Any origin may call: the data is protected by the key in the ``Authorization`` header, which a browser never adds on its
own. The private control routes get none of these headers.
"""

from typing import Final

from app.api.http.headers import Headers, RawHeaders

METHODS: Final = b"GET, POST, PUT, PATCH, DELETE, OPTIONS"
USUAL_HEADERS: Final = (
    b"authorization, content-type, x-radar-device-type, x-radar-sdk-version, x-radar-product, "
    b"x-radar-desktop-device-type"
)
CORS_HEADERS: Final[Headers] = [
    (b"access-control-allow-origin", b"*"),
    (
        b"access-control-expose-headers",
        b"x-radar-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset",
    ),
]


def preflight_headers(request_headers: RawHeaders) -> Headers:
    """Return the headers that answer a preflight request, which allow the headers it asks for.

    A page of the public web reaches a local endpoint only if the browser's private-network request is allowed.
    """
    headers = [
        (b"access-control-allow-methods", METHODS),
        (b"access-control-allow-headers", request_headers.get(b"access-control-request-headers") or USUAL_HEADERS),
        (b"access-control-max-age", b"600"),
    ]
    if b"access-control-request-private-network" in request_headers:
        headers.append((b"access-control-allow-private-network", b"true"))
    return headers
