"""Receivers that fail as real ones do, over real sockets: order, retries, dead letters, a full disk."""

import errno
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.api.wire.webhook import WirePayloads
from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.errors import StorageUnavailable
from engine.domain.webhooks.delivery import DeliveryStatus
from engine.domain.webhooks.webhook import Webhook, WebhookChange
from tests.engine.delivery.conftest import LONG_S, TEST, happen, of, take
from tests.engine.fixtures import SetClock, circle, update
from tests.servers import ReceivedRequest, Reply, answering, break_off, drip_head, send, serving
from tests.waiting import eventually

type Hook = Callable[..., Webhook]


def redirect(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Redirect the client to a private address."""
    send(handler, 301, b"", location="http://169.254.169.254/latest")


def hang_up(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Close the connection without a response."""
    handler.connection.close()


def chatter(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Respond with something other than HTTP."""
    handler.wfile.write(b"220 mail.example.com ESMTP\r\n\r\n")


def endless_head(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Send more headers than a client accepts."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for _piece in range(100):
        handler.wfile.write(b"X-Filler: " + b"-" * 10_000 + b"\r\n")


def long_page(status: int) -> Reply:
    """Return a reply with a larger body than a client accepts."""
    return lambda handler, _: send(handler, status, b" " * 1_000_000)


FAILURES = {
    "500": (answering({}, 500), "answered 500"),
    "404": (answering({}, 404), "answered 404"),
    "redirect": (redirect, "answered 301; redirects are not followed"),
    "mid-body": (break_off, "closed the connection during its response"),
    "late": (drip_head, "did not answer within 0.5 s"),
    "hang up": (hang_up, "closed the connection without a response"),
    "not HTTP": (chatter, "does not speak HTTP"),
    "endless head": (endless_head, "sent a response that is too long"),
    "long page": (long_page(503), "answered 503"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_delivery_without_an_acknowledgement_is_retried(sending: Engine, hook: Hook, kind: str) -> None:
    fails, error = FAILURES[kind]
    broken = True
    if kind == "late":
        take(sending, 0.5)

    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        (fails if broken else answering({}))(handler, request)

    with serving(reply) as server:
        webhook = hook(server.url)
        happen(sending, "phone", "a")
        eventually(lambda: of(sending, webhook)[0].attempts == 1)
        (delivery,) = of(sending, webhook)
        assert delivery.last is not None
        assert (delivery.status, delivery.last.error) == (DeliveryStatus.QUEUED, error)
        assert len(server.requests) == 1
        broken = False
        take(sending, LONG_S)
        sending.set_clock(ClockChange(advance_s=10))
        eventually(lambda: of(sending, webhook)[0].status is DeliveryStatus.DELIVERED)
        first, second = server.requests
        assert first.body == second.body
        assert first.headers["x-radar-signing-id"] != second.headers["x-radar-signing-id"]


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_acknowledges(sending: Engine, hook: Hook, status: int) -> None:
    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        handler.send_response(status)
        handler.end_headers()

    with serving(reply) as server:
        webhook = hook(server.url)
        happen(sending, "phone", "a")
        eventually(lambda: of(sending, webhook)[0].status is DeliveryStatus.DELIVERED)


def test_an_answer_that_is_too_long_to_read_acknowledges_by_its_status(sending: Engine, hook: Hook) -> None:
    with serving(long_page(200)) as server:
        webhook = hook(server.url)
        happen(sending, "phone", "a")
        happen(sending, "phone", "b")
        eventually(lambda: [each.status for each in of(sending, webhook)] == [DeliveryStatus.DELIVERED] * 2)
        assert len(server.requests) == 2


def test_a_later_event_of_a_user_waits_and_a_dead_letter_releases_it(
    sending: Engine, hook: Hook, clock: SetClock
) -> None:
    poisoned = b'"type":"poison"'

    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        send(handler, 500 if poisoned in request.body else 200, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url)
        for name in ("first", "poison", "third"):
            happen(sending, "ann", name)
        happen(sending, "ben", "other")

        def types() -> list[str]:
            return [request.json["event"]["type"] for request in server.requests]

        eventually(lambda: "poison" in types() and "other" in types())
        assert "third" not in types(), "it waits for the one before it"
        # Advancing the clock of Test runs a day of attempts at once.
        for attempts in range(1, 4):
            eventually(lambda attempts=attempts: of(sending, webhook)[1].attempts == attempts)  # type: ignore[misc]
            sending.set_clock(ClockChange(advance_s=3_700))
        eventually(lambda: of(sending, webhook)[1].attempts == 4)
        assert "third" not in types()
        sending.set_clock(ClockChange(advance_s=24 * 3600))
        eventually(lambda: "third" in types())
        eventually(lambda: of(sending, webhook)[2].status is DeliveryStatus.DELIVERED)
        statuses = [delivery.status for delivery in of(sending, webhook)]
        assert statuses == [DeliveryStatus.DELIVERED, DeliveryStatus.FAILED, *[DeliveryStatus.DELIVERED] * 2]
        assert of(sending, webhook)[1].attempts == 5
        dead = of(sending, webhook)[1]
        poisoned = b"no more"
        sending.webhooks.resend(TEST, webhook.id, dead.id)
        eventually(lambda: of(sending, webhook)[1].status is DeliveryStatus.DELIVERED)


def test_a_clock_that_is_set_back_delays_no_delivery(sending: Engine, hook: Hook) -> None:
    status = 500

    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        send(handler, status, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url)
        sending.set_clock(ClockChange(advance_s=30 * 24 * 3600))
        happen(sending, "ann", "a")
        happen(sending, "ann", "b")
        eventually(lambda: of(sending, webhook)[0].attempts == 1)
        status = 200
        sending.set_clock(ClockChange(system=True))
        happen(sending, "ann", "c")
        eventually(lambda: [each.status for each in of(sending, webhook)] == [DeliveryStatus.DELIVERED] * 3)
        assert [request.json["event"]["type"] for request in server.requests][-3:] == ["a", "b", "c"]


def test_a_receiver_that_hangs_holds_up_neither_tracking_nor_others(sending: Engine, hook: Hook) -> None:
    release = threading.Event()

    def hang(_handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        release.wait(60)

    try:
        with serving(hang) as slow, serving(answering({})) as quick:
            stuck, fine = hook(slow.url), hook(quick.url)
            sending.geofences.create(TEST, circle())
            for number in range(40):
                sending.tracking.track(TEST, update(device_id=f"d{number}"))
            eventually(lambda: all(each.status is DeliveryStatus.DELIVERED for each in of(sending, fine)))
            assert len(quick.requests) == 40
            assert all(each.status is DeliveryStatus.QUEUED for each in of(sending, stuck))
            eventually(lambda: len(slow.requests) == 16)
            sending.webhooks.delete(TEST, stuck.id)
            release.set()
    finally:
        release.set()


@pytest.mark.parametrize("changes", ["url", "paused", "deleted"])
def test_deliveries_that_have_not_begun_obey_a_change(sending: Engine, hook: Hook, changes: str) -> None:
    released, turns, answered = threading.Event(), count(), []

    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        # Fast at first, so that many more deliveries are ready when it hangs.
        if next(turns) >= 100:
            released.wait(LONG_S)
        answered.append(200)
        send(handler, 200, b"{}")

    try:
        with serving(reply) as server, serving(answering({})) as other:
            webhook = hook(server.url, paused=True)
            for number in range(200):
                happen(sending, f"u{number}", "a")
            sending.webhooks.update(TEST, webhook.id, WebhookChange(paused=False))
            eventually(lambda: len(server.requests) == 116)
            if changes == "deleted":
                sending.webhooks.delete(TEST, webhook.id)
            else:
                change = WebhookChange(url=other.url) if changes == "url" else WebhookChange(paused=True)
                sending.webhooks.update(TEST, webhook.id, change)
            # The sending process knows the change once it knows this webhook, which comes later.
            later = hook(other.url, event_types=("b",))
            happen(sending, "u0", "b")
            eventually(lambda: [each.status for each in of(sending, later)] == [DeliveryStatus.DELIVERED])
            released.set()
            eventually(lambda: len(answered) == 116)
            happen(sending, "u1", "b")
            eventually(lambda: [each.status for each in of(sending, later)] == [DeliveryStatus.DELIVERED] * 2)
            if changes != "deleted":
                expected = 202 if changes == "url" else 116
                eventually(
                    lambda: sum(each.status is DeliveryStatus.DELIVERED for each in of(sending, webhook)) == expected
                )
            assert len(server.requests) == 116
    finally:
        released.set()


def test_a_test_is_sent_past_hanging_deliveries(sending: Engine, hook: Hook) -> None:
    released = threading.Event()

    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        if b'"type":"a"' in request.body:
            released.wait(LONG_S)
        send(handler, 200, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url)
        for number in range(20):
            happen(sending, f"u{number}", "a")
        eventually(lambda: len(server.requests) == 16)
        try:
            assert sending.webhooks.test(TEST, webhook.id).status is DeliveryStatus.DELIVERED
            assert len(server.requests) == 17
        finally:
            released.set()


def test_queued_deliveries_are_sent_when_the_workspace_is_opened_next(tmp_path: Path, clock: SetClock) -> None:
    with serving(answering({})) as server:
        with Engine.open(tmp_path, clock=clock) as alone:
            webhook = alone.webhooks.create(TEST, WebhookChange(url=server.url))
            alone.geofences.create(TEST, circle())
            (event,) = alone.tracking.track(TEST, update()).events
        assert not server.requests
        with Engine.open(tmp_path, clock=clock, payloads=WirePayloads) as sending:
            eventually(lambda: of(sending, webhook)[0].status is DeliveryStatus.DELIVERED)
        assert server.requests[0].json["event"]["_id"] == event.id
        assert server.requests[0].json["user"]["_id"] == event.user.id


def test_the_order_of_each_user_is_kept_in_a_crowd(sending: Engine, hook: Hook) -> None:
    refused = set()

    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        # Every fifth delivery is refused once.
        key = request.json["event"]["_id"]
        bad = int(request.json["event"]["type"]) % 5 == 0 and key not in refused
        refused.add(key)
        send(handler, 503 if bad else 200, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url)
        for number in range(12):
            for user in "abc":
                happen(sending, user, str(number))

        def done() -> bool:
            sending.set_clock(ClockChange(advance_s=10))
            return all(each.status is DeliveryStatus.DELIVERED for each in of(sending, webhook))

        eventually(done)
        for user in "abc":
            received = [
                request.json["event"]
                for request in server.requests
                if request.json["event"]["user"]["deviceId"] == user
            ]
            types = list(dict.fromkeys(int(event["type"]) for event in received))
            assert types == list(range(12))


def fill(engine: Engine) -> None:
    """Prevent the database from growing, as on a full disk."""
    _limit(
        engine,
        engine._parts.writer.run(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()),
    )


def make_room(engine: Engine) -> None:
    """Let the database grow again."""
    _limit(engine, 2**30)


def _limit(engine: Engine, pages: int) -> None:
    engine._parts.writer.run(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages}"))


def test_a_full_disk_stores_neither_event_nor_delivery_and_goes_on(sending: Engine, hook: Hook) -> None:
    with serving(answering({})) as server:
        webhook = hook(server.url, paused=True)
        sending.geofences.create(TEST, circle())
        fill(sending)
        stored = 0
        with pytest.raises(StorageUnavailable, match="full"):  # noqa: PT012 - which of them fails, nobody knows
            for number in range(200):
                sending.tracking.track(TEST, update(device_id=f"d{number}"))
                stored += 1
        assert len(of(sending, webhook)) == stored == sending.history.counts(TEST).events
        with sending._parts.database.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        make_room(sending)
        sending.tracking.track(TEST, update(device_id=f"d{stored}"))
        sending.webhooks.update(TEST, webhook.id, WebhookChange(paused=False))
        eventually(lambda: all(each.status is DeliveryStatus.DELIVERED for each in of(sending, webhook)))
        assert len(server.requests) == stored + 1


def test_a_full_disk_while_outcomes_are_stored_delays_them(
    sending: Engine, hook: Hook, caplog: pytest.LogCaptureFixture
) -> None:
    users = [f"u{number}" for number in range(100)]
    with serving(answering({})) as server:
        webhook = hook(server.url, paused=True)
        for user in users:
            happen(sending, user, "a")
            happen(sending, user, "b")

        def received() -> list[tuple[str, str]]:
            events = [each.json["event"] for each in list(server.requests)]
            return [(event["user"]["deviceId"], event["type"]) for event in events]

        fill(sending)
        sending.webhooks.update(TEST, webhook.id, WebhookChange(paused=False))
        eventually(lambda: "Deliveries to webhooks wait" in caplog.text and "full" in caplog.text)
        stored = [each.device_id for each in of(sending, webhook) if each.status is DeliveryStatus.DELIVERED]
        assert len(stored) < 200
        assert {user for user, kind in received() if kind == "b"} <= set(stored), "nothing follows what is not stored"
        make_room(sending)
        eventually(lambda: all(each.status is DeliveryStatus.DELIVERED for each in of(sending, webhook)))
        for user in users:
            assert [kind for other, kind in received() if other == user] == ["a", "b"], "none is lost or sent again"


def test_clearing_test_data_clears_pending_deliveries(sending: Engine, hook: Hook) -> None:
    with serving(answering({})) as server:
        webhook = hook(server.url, paused=True)
        happen(sending, "ann", "a")
        happen(sending, "ben", "b")
        sending.history.clear_test_data("ann")
        assert [each.device_id for each in of(sending, webhook)] == ["ben"]
        sending.history.clear_test_data()
        assert not of(sending, webhook)
        happen(sending, "cid", "c")
        sending.webhooks.update(TEST, webhook.id, WebhookChange(paused=False))
        eventually(lambda: len(server.requests) == 1)
        assert server.requests[0].json["event"]["type"] == "c"
        with sending._parts.database.connect() as connection:
            assert connection.execute(sa.text("SELECT count(*) FROM delivery_bodies")).scalar() == 1


@pytest.mark.parametrize("removes", ["event", "device", "all"])
def test_deliveries_behind_a_removed_one_follow_at_once(sending: Engine, hook: Hook, removes: str) -> None:
    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        send(handler, 500 if b"poison" in request.body else 200, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url)
        poison = happen(sending, "ann", "poison")
        eventually(lambda: of(sending, webhook)[0].attempts == 1)
        if removes == "event":
            happen(sending, "ann", "next")
            sending.history.delete(TEST, poison.id)
        else:
            sending.history.clear_test_data("ann" if removes == "device" else None)
            happen(sending, "ann", "next")
        # The clock is frozen, so the next attempt of the deleted delivery would never come.
        eventually(lambda: [each.status for each in of(sending, webhook)] == [DeliveryStatus.DELIVERED])


def test_the_process_that_posts_may_die(sending: Engine, hook: Hook) -> None:
    with serving(answering({})) as server:
        webhook = hook(server.url)
        happen(sending, "ann", "a")
        eventually(lambda: of(sending, webhook)[0].status is DeliveryStatus.DELIVERED)
        assert sending._parts.dispatcher is not None
        process = sending._parts.dispatcher._courier.pid
        assert process is not None
        os.kill(process, signal.SIGKILL)
        happen(sending, "ann", "b")
        eventually(lambda: [each.status for each in of(sending, webhook)] == [DeliveryStatus.DELIVERED] * 2)


def test_a_process_that_cannot_be_started_is_tried_again(
    sending: Engine, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = list[object]()

    def start(command: object, *rest: object, **options: object) -> subprocess.Popen[bytes]:
        tries.append(command)
        if len(tries) == 1:
            raise OSError(errno.EAGAIN, "Resource temporarily unavailable")
        return popen(command, *rest, **options)  # type: ignore[call-overload, no-any-return]

    popen = subprocess.Popen
    monkeypatch.setattr("engine.delivery.courier.process.subprocess.Popen", start)
    with serving(answering({})) as server:
        webhook = hook(server.url)
        happen(sending, "ann", "a")
        eventually(lambda: of(sending, webhook)[0].status is DeliveryStatus.DELIVERED)
    assert len(tries) == 2


def test_old_deliveries_are_forgotten(sending: Engine, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.store.delivery.deliveries.KEPT", 5)
    monkeypatch.setattr("engine.delivery.dispatcher.FORGET_EVERY", 10)
    with serving(answering({})) as server:
        webhook = hook(server.url)
        for number in range(30):
            happen(sending, f"u{number}", "a")
        eventually(lambda: len(server.requests) == 30)
        eventually(lambda: len(of(sending, webhook)) < 30)
        assert {each.number for each in of(sending, webhook)} >= set(range(26, 31))


def test_deliveries_of_an_earlier_process_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.store.delivery.deliveries.KEPT", 3)
    with serving(answering({})) as server:
        for opened in range(4):
            with Engine.open(tmp_path / "workspace", payloads=WirePayloads) as engine:
                known = engine.webhooks.all(TEST)
                webhook = known[0] if known else engine.webhooks.create(TEST, WebhookChange(url=server.url))
                for number in range(3):
                    happen(engine, f"u{number}", "a")
                eventually(lambda: len(server.requests) == 3 * (opened + 1))  # noqa: B023
                eventually(lambda: all(each.status is DeliveryStatus.DELIVERED for each in of(engine, webhook)))  # noqa: B023
                assert len(of(engine, webhook)) <= 6


def test_a_waiting_delivery_that_is_resent_is_tried_at_once_and_in_order(sending: Engine, hook: Hook) -> None:
    broken = True

    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        answering({}, 500 if broken else 200)(handler, request)

    with serving(reply) as server:
        webhook = hook(server.url)
        for name in "abc":
            happen(sending, "phone", name)
        eventually(lambda: of(sending, webhook)[0].attempts == 1)
        broken = False
        second = of(sending, webhook)[1]
        assert sending.webhooks.resend(TEST, webhook.id, second.id).status is DeliveryStatus.QUEUED
        eventually(lambda: [each.status for each in of(sending, webhook)] == [DeliveryStatus.DELIVERED] * 3)
        assert [each.attempts for each in of(sending, webhook)] == [2, 1, 1]
        assert [request.json["event"]["type"] for request in server.requests] == ["a", "a", "b", "c"]


def test_a_replayed_delivery_whose_event_is_deleted_blocks_no_other(sending: Engine, hook: Hook) -> None:
    deleted = happen(sending, "phone", "gone")
    happen(sending, "phone", "left")

    def reply(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        send(handler, 500 if b'"type":"gone"' in request.body else 200, b"{}")

    with serving(reply) as server:
        webhook = hook(server.url)
        assert replay_all(sending, webhook) == 2
        eventually(lambda: of(sending, webhook)[0].attempts == 1)
        sending.history.delete(TEST, deleted.id)
        eventually(lambda: [each.status for each in of(sending, webhook)] == [DeliveryStatus.DELIVERED])


def test_a_long_replay_is_queued_in_portions_and_in_order(
    sending: Engine, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.delivery.webhooks._PORTION", 3)
    names = [f"e{number}" for number in range(10)]
    for name in names:
        happen(sending, "phone", name)
    webhook = hook("http://127.0.0.1:9/", paused=True)
    assert replay_all(sending, webhook) == 10
    assert [each.event_types for each in of(sending, webhook)] == [(name,) for name in names]


def replay_all(engine: Engine, webhook: Webhook) -> int:
    now, hour = engine.clock_of(TEST).now(), timedelta(hours=1)
    return engine.webhooks.replay(TEST, webhook.id, now - hour, now + hour)
