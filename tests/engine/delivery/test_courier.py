"""The sending process: its messages, encoding requests, and the state after it is killed."""

import os
import signal
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Engine
from engine.delivery.courier.messages import (
    Order,
    Outcomes,
    Report,
    Route,
    Routes,
    frame,
    frames,
    pack_bodies,
    pack_outcomes,
    pack_posted,
    pack_routes,
    pack_try,
    unpack_bodies,
    unpack_outcomes,
    unpack_posted,
    unpack_routes,
    unpack_try,
)
from engine.domain.clock import ClockPace
from engine.domain.environment import Environment
from engine.domain.webhooks.delivery import DeliveryStatus
from engine.domain.webhooks.webhook import Webhook, WebhookChange
from engine.outbound.posting.receiver import Posted, Receiver
from tests.engine.delivery.conftest import TEST, happen, of
from tests.engine.fixtures import NOON
from tests.servers import ReceivedRequest, answering, send, serving
from tests.waiting import eventually

type Hook = Callable[..., Webhook]

RECEIVER = Receiver("a group", "http://caller:é@h/", "a token of some length", 1.5, public_only=True)
NUMBERS = st.integers(-(2**62), 2**62)


def content(packed: bytes) -> bytes:
    """Return the content of the one frame in these bytes."""
    ((_, found),) = frames(BytesIO(packed))
    return found


@given(st.dictionaries(NUMBERS, st.binary(max_size=40)), st.lists(NUMBERS))
def test_bodies_arrive_as_they_were_sent(bodies: dict[int, bytes], requested: list[int]) -> None:
    assert unpack_bodies(content(pack_bodies("w", requested, bodies))) == ("w", requested, bodies)
    assert unpack_bodies(content(pack_bodies("w", requested, None))) == ("w", requested, None)


def test_the_other_messages_arrive_as_they_were_sent() -> None:
    pace = ClockPace(NOON, NOON + timedelta(days=3, milliseconds=5), 2.5, 2.5)
    routes = Routes((Route("w", TEST, RECEIVER, active=False),), {TEST: pace, Environment.LIVE: None})
    assert unpack_routes(content(pack_routes(routes))) == routes
    outcomes = Outcomes(b"[[1]]", {"w": 2}, (TEST,), [("w", "answered 500")])
    assert unpack_outcomes(content(pack_outcomes(outcomes))) == outcomes
    assert unpack_try(content(pack_try(RECEIVER, 7, b"\x00{"))) == (RECEIVER, 7, b"\x00{")
    posted = Posted(-7, None, "hung up", 3)
    assert unpack_posted(content(pack_posted(posted))) == posted


@given(st.integers(0, 30))
def test_a_message_that_is_cut_off_is_none(length: int) -> None:
    whole = frame(Order.GROWN) + frame(Report.TROUBLE, b"some trouble")
    found = list(frames(BytesIO(whole[:length])))
    assert found == [(Order.GROWN, b""), (Report.TROUBLE, b"some trouble")][: (length >= 5) + (length >= len(whole))]


def test_a_replay_is_encoded_when_it_is_sent_and_keeps_the_order(sending: Engine, hook: Hook) -> None:
    users = [f"u{number}" for number in range(70)]
    with serving(answering({})) as server:
        events = {user: [happen(sending, user, name).id for name in "ab"] for user in users}
        webhook = hook(server.url)
        now, hour = sending.clock_of(TEST).now(), timedelta(hours=1)
        assert sending.webhooks.replay(TEST, webhook.id, now - hour, now + hour) == 140
        eventually(lambda: all(each.status is DeliveryStatus.DELIVERED for each in of(sending, webhook)))
        received = defaultdict(list)
        for request in server.requests:
            received[request.json["event"]["user"]["deviceId"]].append(request.json["event"]["_id"])
        assert received == events


@pytest.mark.slow
def test_it_may_be_killed_at_any_moment(sending: Engine, hook: Hook) -> None:
    moments = Random(1)
    users = [f"u{number}" for number in range(50)]

    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        send(handler, 200, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url, paused=True)
        for name in "abc":
            for user in users:
                happen(sending, user, name)
        sending.webhooks.update(TEST, webhook.id, WebhookChange(paused=False))
        for _ in range(3):
            reached = len(server.requests) + moments.randrange(1, 30)
            eventually(lambda reached=reached: len(server.requests) >= min(reached, 150))  # type: ignore[misc]
            assert sending._parts.dispatcher is not None
            if process := sending._parts.dispatcher._courier.pid:
                os.kill(process, signal.SIGKILL)
        eventually(lambda: all(each.status is DeliveryStatus.DELIVERED for each in of(sending, webhook)))
        for user in users:
            received = [request.json["event"] for request in server.requests]
            types = [event["type"] for event in received if event["user"]["deviceId"] == user]
            assert types == sorted(types), "an earlier event came again after a later one"
            assert set(types) == set("abc")
