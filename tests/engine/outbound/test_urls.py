"""Addresses of servers with and without secrets, and invalid ones."""

import pytest

from engine.outbound.urls import ServerUrl, shown_url, without_url_secrets


@pytest.mark.parametrize(
    ("url", "base", "query", "login"),
    [
        ("http://localhost:8002", "http://localhost:8002", "", None),
        ("https://geo.example.com/base//", "https://geo.example.com/base", "", None),
        (
            "http://user:s3cret@host/?api_key=KEY#part",
            "http://host",
            "api_key=KEY",
            ("user", "s3cret"),
        ),
        ("http://u%40x:p%3Aq@[::1]:80/p?a=b@c", "http://[::1]:80/p", "a=b@c", ("u@x", "p:q")),
        ("http://token@host", "http://host", "", ("token", "")),
    ],
)
def test_the_parts_of_an_address(url: str, base: str, query: str, login: tuple[str, str] | None) -> None:
    parsed = ServerUrl.parse(url)
    assert (parsed.base, parsed.query, parsed.login) == (base, query, login)
    assert shown_url(url) == base


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("localhost:8002?key=KEY", "localhost:8002"),
        ("photon+http://localhost:2322", "photon+http://localhost:2322"),
        ("ftp://user:KEY@host/", "…"),
        ("http://user:pa?KEY@host/", "…"),
        ("http://user:KEY@host:port/", "…"),
        ("http://", "http://"),
        ("http://[KEY@::1", "…"),
        ("http://host:0/?KEY", "http://host:0/"),
        ("http://host:99999/#KEY", "http://host:99999/"),
        ("http://ho st/", "http://ho st/"),
        ("http://host/\x00", "http://host/\x00"),
    ],
)
def test_an_invalid_address_is_shown_without_secrets(text: str, shown: str) -> None:
    with pytest.raises(ValueError, match=r"URL|Port"):
        ServerUrl.parse(text)
    assert shown_url(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:secret@example.com/hook?key=secret", "https://…@example.com/hook?…"),
        ('{"url": "http://a:se/cret@b/"}', '{"url": "http://a:se/cret@b/"}'),
        ('{"url": "https:\\/\\/a:p@ss@b.c\\/d?x=y", "n": 1}', '{"url": "https:\\/\\/…@b.c\\/d?…", "n": 1}'),
        ('{"url": "HTTPS://a:p\\"w@b.c/"}', '{"url": "HTTPS://…@b.c/"}'),
        ("see https://b.c/d?x=y and <http://e.f/?z=1>.", "see https://b.c/d?… and <http://e.f/?…>."),
        ("https://example.com/hook, and a@b.c", "https://example.com/hook, and a@b.c"),
        ("https://example.com/hook?…", "https://example.com/hook?…"),
    ],
)
def test_urls_in_texts_are_shown_without_secrets(text: str, shown: str) -> None:
    assert without_url_secrets(text) == shown
