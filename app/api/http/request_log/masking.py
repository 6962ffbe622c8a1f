"""Masking of keys in everything the request log shows: ``prj_test_sk_…a1b2``.

The users, passwords and queries of URLs are masked too, because those of webhooks contain secrets.

A key may be anywhere: in its header, a query, a body or a response, in one of their names, percent-encoded or with JSON
escapes. If such an encoding hides a key, the text is shown decoded.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from engine.outbound.urls import url_secrets, without_url_secrets

MASK: Final = "…"
SHOWN_END: Final = 4
LEAST_TAIL: Final = 12
"""Minimum length of a secret whose end is shown."""

MAX_ROUNDS: Final = 4
"""Maximum depth of nested encodings."""

_SPELLED: Final = r"prj_(?:test|live)_(?:pk|sk)_"
_TOKEN: Final = r"eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*"
"""A session token (JWT), which always begins with the same letters."""

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
"""The name of another service's secret in JSON or in a form, even if misspelled."""

_SECRET_VALUE: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|(?:null|true|false)\b|[\[{].*|[^&\s,}]*', re.DOTALL)
_EMPTY_VALUES: Final = ("null", "true", "false", "", '""')
_SCHEME: Final = re.compile(r"([A-Za-z]+) +(.+)", re.DOTALL)


class KeyMask:
    """Masks keys in text: any text in the format of a key, and the keys and tokens of a workspace."""

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
        """Return a header's value without keys; in a header that only carries secrets, the rest is masked as well."""
        if name.lower() not in _SECRET_HEADERS:
            return self.text(value)
        scheme = _SCHEME.fullmatch(value)
        if scheme is None:
            return self._secret(value)
        shown = MASK if scheme[1].lower() == "basic" else self._secret(scheme[2])
        return f"{scheme[1]} {shown}"

    def target(self, target: str) -> str:
        """Return a path and query without keys, otherwise as sent."""
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
    """Return JSON or a form without the values whose names indicate a secret."""
    if len(_SECRET_NAME.findall(decoded(text))) > len(_SECRET_NAME.findall(text)):
        # An encoded name is shown, but nothing after it, because the encoding also obscures the end of the value.
        text = decoded(text)
        found = _SECRET_NAME.search(text)
        return text if found is None else f"{text[: found.end()]}{MASK}"
    parts, at = [], 0
    while (found := _SECRET_NAME.search(text, at)) is not None:
        value = _SECRET_VALUE.match(text, found.end())
        shown = "" if value is None else value[0] if value[0] in _EMPTY_VALUES else MASK
        if value is not None and value[0].startswith('"') and shown == MASK:
            shown = f'"{MASK}"'
        parts += [text[at : found.end()], shown]
        at = found.end() if value is None else value.end()
    return "".join([*parts, text[at:]])


def is_secret_param(name: str) -> bool:
    """Return whether a parameter with this name holds a secret."""
    return name.lower().replace("_", "").replace("-", "") in _SECRET_PARAMS


def holds_key(text: str) -> bool:
    """Return whether a text contains anything in the format of a key."""
    return re.search(_SPELLED, decoded(text), re.IGNORECASE) is not None


@lru_cache(maxsize=8)
def _pattern(values: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern that finds keys, including the bare ends of the workspace's keys."""
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
    """Return text without the encodings in which a key could be hidden."""
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
