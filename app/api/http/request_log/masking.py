"""Keys, made unreadable in whatever the request log shows: ``prj_test_sk_…a1b2``.

So are the users, passwords and queries of URLs: webhooks have secrets there.

A key may be anywhere: in its header, in a query, in a body or an answer, in one of their names, percent-encoded or
with the escapes of JSON. Where it is hidden by such an encoding, the text is shown without the encoding.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from engine.outbound.urls import url_secrets, without_url_secrets

MASK: Final = "…"
SHOWN_END: Final = 4
LEAST_TAIL: Final = 12
"""Of a shorter secret not even the end is shown."""

MAX_ROUNDS: Final = 4
"""How often text may be encoded upon encoded text."""

_SPELLED: Final = r"prj_(?:test|live)_(?:pk|sk)_"
_TOKEN: Final = r"eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*"
"""A session token (JWT), which always begins with the same letters of its head."""

_PERCENT: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_ESCAPE: Final = re.compile(r"\\+u([0-9A-Fa-f]{4})")
_SECRET_HEADERS: Final = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-radar-key"}
)
_SECRET_PARAMS: Final = frozenset(
    {
        "secretaccesskey",
        "smtppassword",
        "password",
        "key",
        "apikey",
        "publishablekey",
        "secretkey",
        "token",
        "accesstoken",
        "authorization",
        "auth",
    }
)
_TOKEN_MEMBER: Final = re.compile(r"""("token"\s*:\s*")((?:[^"\\]|\\.)*)""", re.IGNORECASE)
"""The token of a webhook in JSON, whether it was accepted or not."""

_SECRET_NAME: Final = re.compile(
    r'(?:"|(?<![^&\s]))[^"&=\s]{0,64}(?:secret.?acc|passw)[^"&=\s]{0,64}(?:"\s*:|=)\s*', re.IGNORECASE
)
"""The name of a secret of another service, in JSON or in a form, also where it is misspelled."""

_SECRET_VALUE: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|(?:null|true|false)\b|[\[{].*|[^&\s,}]*', re.DOTALL)
_SAYS_NOTHING: Final = ("null", "true", "false", "", '""')
_SCHEME: Final = re.compile(r"([A-Za-z]+) +(.+)", re.DOTALL)


class KeyMask:
    """Masks keys in text: whatever is spelled like a key, and the keys and tokens of a workspace."""

    def __init__(self, values: Callable[[], Iterable[str]]) -> None:
        self._values = values

    def text(self, text: str) -> str:
        """Return text without keys."""
        text = without_secrets(text)
        pattern = _pattern(tuple(self._values()))
        plain = decoded(text)
        if plain != text and (
            pattern.findall(plain) != pattern.findall(text) or len(url_secrets(plain)) > len(url_secrets(text))
        ):
            text = plain
        text = _TOKEN_MEMBER.sub(lambda found: f"{found[1]}{_end(found[2])}", text)
        return without_url_secrets(pattern.sub(_masked_key, text))

    def header(self, name: str, value: str) -> str:
        """Return a header's value without keys; of what only carries secrets nothing else is shown either."""
        if name.lower() not in _SECRET_HEADERS:
            return self.text(value)
        scheme = _SCHEME.fullmatch(value)
        if scheme is None:
            return self._secret(value)
        shown = MASK if scheme[1].lower() == "basic" else self._secret(scheme[2])
        return f"{scheme[1]} {shown}"

    def target(self, target: str) -> str:
        """Return a path with its query without keys, as it was sent otherwise."""
        path, mark, query = target.partition("?")
        parts = "&".join(map(self._pair, query.split("&"))) if mark else ""
        return self.text(f"{path}{mark}{parts}")

    def _pair(self, pair: str) -> str:
        name, mark, value = pair.partition("=")
        return f"{name}={self._secret(value)}" if mark and is_secret_param(decoded(name)) else pair

    def _secret(self, value: str) -> str:
        masked = self.text(value)
        return masked if MASK in masked and masked != value else _end(value)


def without_secrets(text: str) -> str:
    """Return JSON or a form without the values of what is named like a secret."""
    if len(_SECRET_NAME.findall(decoded(text))) > len(_SECRET_NAME.findall(text)):
        # A name that hides is shown, and nothing of what comes after it: an encoding hides where that ends.
        text = decoded(text)
        found = _SECRET_NAME.search(text)
        return text if found is None else f"{text[: found.end()]}{MASK}"
    parts, at = [], 0
    while (found := _SECRET_NAME.search(text, at)) is not None:
        value = _SECRET_VALUE.match(text, found.end())
        shown = "" if value is None else value[0] if value[0] in _SAYS_NOTHING else MASK
        if value is not None and value[0].startswith('"') and shown == MASK:
            shown = f'"{MASK}"'
        parts += [text[at : found.end()], shown]
        at = found.end() if value is None else value.end()
    return "".join([*parts, text[at:]])


def is_secret_param(name: str) -> bool:
    """Whether a parameter of this name is for a secret."""
    return name.lower().replace("_", "").replace("-", "") in _SECRET_PARAMS


def holds_key(text: str) -> bool:
    """Whether something in a text is spelled like a key."""
    return re.search(_SPELLED, decoded(text), re.IGNORECASE) is not None


@lru_cache(maxsize=8)
def _pattern(values: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds keys; the end of a key of the workspace is one as well."""
    tails = (value.rpartition("_")[2] for value in values)
    wanted = {part for part in (*values, *tails) if len(part) >= LEAST_TAIL}
    literal = (re.escape(part) for part in sorted(wanted, key=len, reverse=True))
    return re.compile(
        "|".join([f"{_SPELLED}(?!{MASK})(?:(?!{_SPELLED})[0-9A-Za-z])*", _TOKEN, *literal]), re.IGNORECASE
    )


def _masked_key(found: re.Match[str]) -> str:
    spelled = re.match(_SPELLED, found[0], re.IGNORECASE)
    begin = spelled[0] if spelled else ""
    return f"{begin}{_end(found[0][len(begin) :])}"


def _end(secret: str) -> str:
    return f"{MASK}{secret[-SHOWN_END:]}" if len(secret) >= LEAST_TAIL else MASK


def decoded(text: str) -> str:
    """Return text without the encodings in which a key could hide."""
    for _ in range(MAX_ROUNDS):
        if "%" not in text and "\\" not in text:
            break
        before = text
        if "%" in text:
            text = _PERCENT.sub(_byte_of, text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        if "\\" in text:
            text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
        if text == before:
            break
    return text


def _byte_of(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode())
