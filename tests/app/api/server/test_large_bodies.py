"""Bodies of several megabytes, which are split before they are parsed, without changing their meaning."""

import asyncio
import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.api.http.errors import TooBusy
from app.api.http.json_pieces import NotJson, has_too_many_values, split_member
from app.api.http.limits import BodyRoom
from app.api.wire.common.decoding import QUICK_BODY, decode_body, parse_pairs, unquoted
from app.api.wire.geofence import GeofenceUpsert
from app.api.wire.track import ReplayBody
from engine.domain.errors import InvalidParameter
from tests.app.api.conftest import Api, assert_refused, fix

MIB = 1024 * 1024
JSON = b"application/json"
FORM = b"application/x-www-form-urlencoded"

values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(alphabet='ab"\\,[]{}:é\n'),
    lambda inner: some.lists(inner) | some.dictionaries(some.sampled_from(["replays", "a", '"', "]"]), inner),
    max_leaves=20,
)
spaces = some.sampled_from([None, 1, "\t"])


@given(some.dictionaries(some.text(alphabet='ab"[,'), values), some.lists(values), spaces, some.booleans())
def test_the_pieces_equal_the_whole(others: dict[str, Any], items: list[Any], indent: Any, escaped: bool) -> None:
    whole = others | {"replays": items}
    text = json.dumps(whole, indent=indent, ensure_ascii=escaped).encode()
    rest, pieces = split_member(text, "replays")
    assert [json.loads(piece) for piece in pieces] == items
    assert json.loads(rest) == whole | {"replays": []}


@given(values, some.integers(1, 30))
def test_values_are_counted_outside_of_texts(value: Any, most: int) -> None:
    def count(part: Any) -> int:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        return 1 + sum(map(count, inner))

    too_many = has_too_many_values(json.dumps(value).encode(), most)
    # An empty list or dictionary may count as one more value.
    if too_many:
        assert 2 * count(value) >= most
    if count(value) > most:
        assert too_many


@pytest.mark.parametrize("text", [b"", b"  ", b"[]", b"1", b'x{"replays":[]}', b'{"replays":[1,', b'{"replays":["a]}'])
def test_a_body_that_is_no_object_is_not_split(text: bytes) -> None:
    with pytest.raises(NotJson):
        split_member(text, "replays")


@pytest.mark.parametrize("text", [b"{}", b'{"a":["replays",[1]]}', b'{"replays":{"a":[1]}}', b'{"a":{"replays":[1]}}'])
def test_nothing_is_split_without_such_a_list(text: bytes) -> None:
    assert split_member(text, "replays") == (text, [])


def replay_of(count: int, pad: int, **others: object) -> dict[str, object]:
    items = [fix(f"large-{number}", metadata={"pad": ', "[{' + "x" * pad}) for number in range(count)]
    return {"before": [1, {"replays": 2}], "replays": items, **others}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("content_type", [JSON, FORM])
def test_a_large_replay_is_decoded_as_a_small_one(indent: int | None, content_type: bytes) -> None:
    given = replay_of(900, 1_900)
    body = json.dumps(given, indent=indent).encode()
    assert len(body) > 1.5 * MIB
    assert decode_body(ReplayBody, body, content_type, long_list="replays").replays == given["replays"]


def test_a_large_replay_names_the_fault_of_each_item(publishable: Api) -> None:
    items: list[Any] = [fix(f"item-{number}", metadata={"pad": "x" * 1_900}) for number in range(800)]
    items[3] |= {"latitude": 91}
    items[5] = [1]
    items[7] |= {"description": "\ud800"}
    body = json.dumps({"replays": items}).encode()
    assert len(body) > MIB
    response = publishable.post("/v1/track/replay", content=body)
    assert response.status_code == 200
    outcomes = [each["meta"] for each in response.json()["replays"]]
    assert [outcomes[number].get("param") for number in (3, 5, 7)] == ["latitude", "replays", "description"]
    assert sum(each["code"] == 200 for each in outcomes) == 797


REFUSED = {
    "item 2": b'{"replays":[{},{"a":"' + b"x" * MIB + b'"}]}',
    "not counting the items of replays": b'{"replays":[{}],"a":"' + b"x" * MIB + b'"}',
    "at most 100,000 values": b'{"replays":[' + b"1," * MIB + b"1]}",
    "not valid JSON": b'{"replays":["' + b'","'.join([b"x" * 2_000] * 900) + b'"]',
    "at most 1,000 items": b'{"replays":["' + b'","'.join([b"x" * 1_100] * 1_001) + b'"]}',
    "empty": b" " * (2 * MIB),
}


@pytest.mark.parametrize("words", REFUSED)
def test_large_bodies_are_refused_with_a_reason(publishable: Api, words: str) -> None:
    response = publishable.post("/v1/track/replay", content=REFUSED[words])
    assert_refused(response, "replays" if "item" in words and "counting" not in words else "body", words)


@pytest.mark.parametrize("path", ["/v1/track/replay", "/v1/track"])
def test_a_form_is_at_most_a_mib(publishable: Api, path: str) -> None:
    headers = {"Content-Type": FORM.decode()}
    assert_refused(publishable.post(path, content=b"%" * (MIB + 1), headers=headers), "body", "1 MiB")
    assert "1 MiB" not in publishable.post(path, content=b"%" * MIB, headers=headers).text


def test_commas_in_a_text_are_no_values() -> None:
    body = orjson.dumps({"description": "," * (QUICK_BODY * 8)})
    with pytest.raises(InvalidParameter, match="characters"):
        decode_body(GeofenceUpsert, body, JSON)
    with pytest.raises(InvalidParameter, match="at most 25,000 values"):
        decode_body(GeofenceUpsert, b'{"metadata":[' + b"1," * 200_000 + b"1]}", JSON)


def test_json_text_in_a_form_has_so_many_values_too() -> None:
    with pytest.raises(InvalidParameter, match="metadata: must have at most 100,000 values"):
        decode_body(GeofenceUpsert, b"metadata=[" + b"1," * 200_000 + b"1]", FORM)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b"a%20b", "a b"),
        (b"%C3%A9%c3%a9", "éé"),
        (b"100%", "100%"),
        (b"%%41%4", "%A%4"),
        (b"%zz%4g", "%zz%4g"),
        (b"\xc3\xa9", "é"),
    ],
)
def test_escapes(text: bytes, wanted: str) -> None:
    assert unquoted(text) == wanted


def test_pairs_of_a_form() -> None:
    assert parse_pairs(b"a+b=c+%2B&&d&e=f=g&%FF=1", "body") == [("a b", "c +"), ("d", ""), ("e", "f=g"), ("�", "1")]
    for wrong in (b"a=%FF", b"\xff=1", b"a=\xff"):
        with pytest.raises(InvalidParameter, match="UTF-8"):
            parse_pairs(wrong, "body")


def test_lists_of_a_form_are_joined_wherever_they_stand() -> None:
    body = decode_body(GeofenceUpsert, b"userIds=a&enabled=True&userIds=b&userIds=c", FORM)
    assert body.user_ids == ["a", "b", "c"]


def test_large_bodies_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    async def take_turns() -> list[str]:
        room, order = BodyRoom(10), []

        async def hold(name: str, size: int, seconds: float) -> None:
            await room.take(size)
            order.append(name)
            await asyncio.sleep(seconds)
            room.give_back(size)

        async with asyncio.TaskGroup() as group:
            for name, size in (("first", 6), ("large", 8), ("small", 3), ("last", 10)):
                group.create_task(hold(name, size, 0.02))
        await hold("again", 10, 0)
        return order

    assert asyncio.run(take_turns()) == ["first", "large", "small", "last", "again"]


def test_a_request_that_waits_too_long_for_room_is_refused_and_keeps_no_other_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.api.http.limits.MAX_WAIT_S", 0.05)

    async def wait() -> None:
        room = BodyRoom(10)
        await room.take(8)
        with pytest.raises(TooBusy):
            await room.take(5)
        leaving = asyncio.create_task(room.take(9))
        await asyncio.sleep(0)
        staying = asyncio.create_task(room.take(2))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.wait_for(staying, 1)
        room.give_back(8)
        room.give_back(2)
        await asyncio.wait_for(room.take(10), 1)

    asyncio.run(wait())
