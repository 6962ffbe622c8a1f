"""The instructions that point each SDK at this endpoint: one file per SDK for both the window and docs/sdks.md."""

from enum import StrEnum
from importlib.resources import files
from string import Template
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

FENCE: Final = "```"


class Sdk(StrEnum):
    """The SDKs, by the names of their files."""

    JAVASCRIPT = "javascript"
    PYTHON = "python"
    IOS = "ios"
    ANDROID = "android"
    REACT_NATIVE = "react-native"
    FLUTTER = "flutter"

    @property
    def label(self) -> str:
        """The SDK's display name."""
        return _LABELS[self]


_LABELS: Final = {
    Sdk.JAVASCRIPT: "JavaScript",
    Sdk.PYTHON: "Python",
    Sdk.IOS: "iOS",
    Sdk.ANDROID: "Android",
    Sdk.REACT_NATIVE: "React Native",
    Sdk.FLUTTER: "Flutter",
}


class Target(Struct, frozen=True):
    """The endpoint, and the keys of an environment."""

    url: str
    publishable: str
    secret: str


class Part(Struct, frozen=True):
    """A paragraph, or a block of code in a language."""

    text: str
    language: str | None = None


def instructions(sdk: Sdk, target: Target) -> str:
    """Return the instructions to point an SDK at an endpoint, in Markdown."""
    text = (files("resources") / "sdks" / f"{sdk}.md").read_text("utf-8").strip()
    address = urlsplit(target.url)
    return Template(text).substitute(
        url=target.url,
        machine=address.hostname or "",
        port=address.port or 443,
        key=target.publishable,
        secret=target.secret,
    )


def parts(markdown: str) -> list[Part]:
    """Return the paragraphs and code blocks of instructions, in order."""
    found: list[Part] = []
    for number, piece in enumerate(markdown.split(FENCE)):
        if number % 2:
            language, _, code = piece.partition("\n")
            found.append(Part(code.rstrip("\n"), language))
        else:
            found += [Part(text.strip()) for text in piece.split("\n\n") if text.strip()]
    return found
