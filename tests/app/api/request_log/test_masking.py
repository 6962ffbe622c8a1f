"""Masking of keys in the request log, for all ways to send them."""

import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.http.request_log.masking import KeyMask, decoded

OWN = "prj_test_sk_" + "0123456789abcdef0123456789abcdef01234567"
mask = KeyMask(lambda: [OWN, "a-key-that-somebody-chose"])

keys = st.builds(
    "prj_{}_{}_{}".format,
    st.sampled_from(["test", "live"]),
    st.sampled_from(["pk", "sk"]),
    st.text("0123456789abcdef", min_size=40, max_size=40),
)
words = st.text(max_size=20)


def escaped(text: str) -> str:
    """Return text with each character as a JSON escape."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def percent(text: str) -> str:
    """Return text with all bytes percent-encoded."""
    return "".join(f"%{byte:02X}" for byte in text.encode())


ways = st.sampled_from(
    [
        str,
        str.upper,
        percent,
        escaped,
        lambda key: percent(percent(key)),
        lambda key: escaped(escaped(key)),
        lambda key: key[:15] + percent(key[15]) + key[16:],
        lambda key: escaped(key[:3]) + key[3:],
        lambda key: json.dumps(json.dumps({"key": key})),
        lambda key: f"Bearer {key}",
        lambda key: f"x{key}y",
        lambda key: key + key,
        quote,
    ]
)


def assert_hidden(shown: str, key: str) -> None:
    """Fail if more than the end of a key can be read or decoded from a text."""
    for text in (shown, decoded(shown)):
        secret = key.rpartition("_")[2].lower()
        for at in range(len(secret) - 5):
            assert secret[at : at + 6] not in text.lower(), (shown, key)


@settings(max_examples=300, deadline=None)
@given(key=keys, way=ways, before=words, after=words)
def test_a_key_anywhere_in_a_text_cannot_be_read(key: str, way: object, before: str, after: str) -> None:
    assert callable(way)
    sent = f"{before} {way(key)} {after}"
    assert_hidden(mask.text(sent), key)
    assert_hidden(mask.target(f"/v1/{sent}?a={way(key)}&{way(key)}=1&key={way(key)}#{way(key)}"), key)
    for name in ("Authorization", "X-Anything", "Cookie"):
        assert_hidden(mask.header(name, sent), key)


@given(text=st.text(max_size=200))
def test_text_without_a_key_stays_as_it_is(text: str) -> None:
    assert mask.text(text) == text


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("Authorization", "prj_test_sk_" + "0" * 36 + "a1b2", "prj_test_sk_…a1b2"),
        ("authorization", "Bearer prj_live_pk_" + "0" * 36 + "a1b2", "Bearer prj_live_pk_…a1b2"),
        ("Authorization", "a-key-that-somebody-chose", "…hose"),
        ("Authorization", "Token short", "Token …"),
        ("Authorization", "Basic cHJqX3Rlc3Q6", "Basic …"),
        ("X-Api-Key", "something-long-and-secret", "…cret"),
        ("User-Agent", "curl/8", "curl/8"),
        ("X-Anything", "a-key-that-somebody-chose", "…hose"),
    ],
)
def test_headers(name: str, value: str, shown: str) -> None:
    assert mask.header(name, value) == shown


def test_the_end_of_a_key_of_the_workspace_is_hidden_by_itself() -> None:
    assert mask.text(f'{{"secret": "{OWN[12:]}"}}') == '{"secret": "…4567"}'


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("/v1/track", "/v1/track"),
        ("/v1/users?limit=3&userId=a%20b", "/v1/users?limit=3&userId=a%20b"),
        (f"/v1/users?key={OWN}", "/v1/users?key=prj_test_sk_…4567"),
        ("/v1/users?publishableKey=whatever-this-may-be", "/v1/users?publishableKey=…y-be"),
        ("/v1/users?api_key=short", "/v1/users?api_key=…"),
        (f"/v1/users/{OWN}?", "/v1/users/prj_test_sk_…4567?"),
    ],
)
def test_paths(sent: str, shown: str) -> None:
    assert mask.target(sent) == shown


def test_a_session_token_is_hidden_wherever_it_is() -> None:
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl-ab_d"
    for text in (f'{{"authToken": "{token}"}}', f"a=Bearer%20{token}&b=1", f"{token} and {token}"):
        assert "c2lnbmF0" not in mask.text(text)
        assert "eyJzdWIi" not in mask.text(text)
    assert mask.text("eyJhbGciOiJIUzI1NiJ9 is no token") == "eyJhbGciOiJIUzI1NiJ9 is no token"


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ('{"secretAccessKey":"a\\"b/c", "hour":2}', '{"secretAccessKey":"…", "hour":2}'),
        ('{"hour":2,"smtpPassword" : "geheim', '{"hour":2,"smtpPassword" : "…"'),
        ('{"secretAccesKey":12345}', '{"secretAccesKey":…}'),
        ('{"smtpPassword":["a","b"]}', '{"smtpPassword":…'),
        ('{"smtpPassword":null,"secretAccessKeySet":true}', '{"smtpPassword":null,"secretAccessKeySet":true}'),
        ("hour=2&secretAccessKey=a%2Fb&x=1", "hour=2&secretAccessKey=…&x=1"),
        ('{"smtp\\u0050assword":"a\\u0022b","x":1}', '{"smtpPassword":…'),
    ],
)
def test_secrets_of_other_services_are_hidden_by_their_names(sent: str, shown: str) -> None:
    assert mask.text(sent) == shown


def test_a_secret_in_a_query_is_hidden() -> None:
    assert mask.target("/v1/imports/sync?smtpPassword=geheim&x=1") == "/v1/imports/sync?smtpPassword=…&x=1"


URL = "https://caller:pass word@example.com/hook?key=hidden&sign=concealed"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"url": URL}),
        json.dumps({"url": URL}).replace("/", "\\/"),
        json.dumps(json.dumps({"url": URL})),
        f"url={quote(URL, safe='')}&token=x",
        f"url={URL}",
        f"url={percent(URL)}",
        f'{{"url": "{escaped(URL)}"}}',
        f"url: {URL} cannot be reached.",
    ],
)
def test_addresses_are_shown_without_user_password_and_query(text: str) -> None:
    for shown in (mask.text(text), decoded(mask.text(text))):
        assert "example.com" in shown
        assert not any(secret in shown for secret in ("caller", "word", "hidden", "concealed"))
