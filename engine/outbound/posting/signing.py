"""Signatures of deliveries, by which a receiver verifies their origin."""

import hmac
from hashlib import sha1
from secrets import token_hex
from typing import Final

SIGNATURE: Final = "X-Radar-Signature"
SIGNING_ID: Final = "X-Radar-Signing-Id"


def signed_headers(token: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of one attempt; each has its own signing ID."""
    signing_id = token_hex(12)
    return (SIGNING_ID, signing_id), (SIGNATURE, signature(token, signing_id))


def signature(token: str, signing_id: str) -> str:
    """Return the lower-case hexadecimal HMAC-SHA1 of a signing ID, keyed by a webhook's token."""
    return hmac.digest(token.encode(), signing_id.encode(), sha1).hex()


def is_signed(token: str, signing_id: str, given: str) -> bool:
    """Return whether a signature is correct."""
    return hmac.compare_digest(signature(token, signing_id).encode(), given.encode("utf-8", "replace"))
