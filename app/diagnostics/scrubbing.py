"""Removal of secrets and users' data: only values that are known to be harmless are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

_KEY: Final = re.compile(r"\bprj_(test|live)_(sk|pk)_\w+")
_URL: Final = re.compile(r"\b([a-z][a-z0-9+.-]*)://[^\s\"'<>]+", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?i)\b([\w-]*(?:token|secret|password|passwd|authorization|cookie|api[_-]?key|credential|signature)[\w-]*)"
    r"(\"?'?\s*[:=]\s*)(?:(?:bearer|basic)\s+)?\S+"
)
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+\S+")
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_LONG: Final = re.compile(r"\b(?=\w*\d)[A-Za-z0-9_-]{24,}\b")
_POSITION: Final = re.compile(r"-?\b\d{1,3}\.\d{3,}\b")
_PATH: Final = re.compile(r"(?:~|(?<![\w.:/…]))(?:/[^/\s\"'<>:]+)+/([^/\s\"'<>:]+)")
_QUOTED: Final = re.compile(r"'(?!…)[^'\n]*'|\"(?!…)[^\"\n]*\"|“[^”\n]*”|‘[^’\n]*’")
_IP: Final = re.compile(r"\b(?!127\.)(?:\d{1,3}\.){3}\d{1,3}\b")
_FIELD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")
_PLACE: Final = re.compile(r"(?i)latitude|longitude|coordinates|location|bounds|home|secret|token|password")


class Scrubber:
    """Scrubs texts. `secrets` are removed wherever they occur, regardless of their context."""

    def __init__(self, secrets: Iterable[str] = (), home: Path | None = None) -> None:
        self._secrets = sorted({each for each in secrets if len(each) >= 4}, key=len, reverse=True)
        self._home = str(home or Path.home())

    def text(self, text: str) -> str:
        """Return a line of the log without secrets, positions, names and addresses."""
        for secret in self._secrets:
            text = text.replace(secret, "(secret)")
        text = _KEY.sub(r"prj_\1_\2_(key)", text)
        text = _NAMED.sub(r"\1\2(secret)", text)
        text = _BEARER.sub(r"\1 (secret)", text)
        text = _URL.sub(r"\1://(address)", text)
        text = _MAIL.sub("(e-mail)", text)
        text = _PATH.sub(r"…/\1", self.path(text))
        text = _QUOTED.sub("(text)", text)
        text = _LONG.sub("(id)", text)
        text = _IP.sub("(address)", text)
        return _POSITION.sub("(number)", text)

    def whole(self, content: str) -> str:
        """Return a finished part without secrets and without the path of the user's home folder."""
        for secret in self._secrets:
            content = content.replace(secret, "(secret)")
        return self.path(_KEY.sub(r"prj_\1_\2_(key)", content))

    def path(self, text: str) -> str:
        """Return a text in which paths begin with ``~`` instead of the user's home folder."""
        return text.replace(self._home, "~") if len(self._home) > 1 else text

    def settings(self, value: Any, name: str = "") -> Any:
        """Return settings with their switches and numbers, but only the presence of texts and the length of lists."""
        if _PLACE.search(name):
            return "(left out)" if value else value
        if isinstance(value, Mapping):
            known = {key: each for key, each in value.items() if isinstance(key, str) and _FIELD.fullmatch(key)}
            return {key: self.settings(each, key) for key, each in known.items()}
        if isinstance(value, list | tuple):
            return f"({len(value)} in the list)"
        if isinstance(value, str):
            return "(text)" if value else ""
        return value
