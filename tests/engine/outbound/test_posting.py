"""The client for webhook requests: guarded by address, over connections that may close at any time."""

import asyncio
import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from engine.outbound.posting.client import Client, PostFailed
from engine.outbound.posting.receiver import Posted, Receiver
from engine.outbound.posting.requests import AT_ONCE, Requests
from tests.servers import ReceivedRequest, answering, send, serving

BODY = '{"é": 1}'.encode()


def receiver(url: str, *, public_only: bool = False) -> Receiver:
    return Receiver("w", url, "a token of some length", 30.0, public_only)


def test_a_name_of_a_private_address_is_refused_on_connecting() -> None:
    with serving(answering({})) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        assert asyncio.run(Client().post(receiver(url), BODY)) == 200
        with pytest.raises(PostFailed, match="private address"):
            asyncio.run(Client().post(receiver(url, public_only=True), BODY))
        assert len(server.requests) == 1
        assert server.requests[0].json == {"é": 1}


def test_an_address_with_other_letters_is_sent_as_utf_8() -> None:
    with serving(answering({})) as server:
        assert asyncio.run(Client().post(receiver(f"{server.url}/münchen/€%20x/?q=ü&r=a+b%26"), BODY)) == 200
        assert server.requests[0].target == "/m%C3%BCnchen/%E2%82%AC%20x/?q=%C3%BC&r=a+b%26"


def test_a_connection_that_was_closed_while_idle_is_no_failure_of_the_receiver() -> None:
    async def run() -> tuple[list[int], int]:
        connections = 0

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            for _ in range(2):
                await reader.readuntil(b"}")
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            # Keep the connection open, and hang up at the third request.
            await reader.readuntil(b"}")
            writer.transport.abort()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            client = Client()
            statuses = [await client.post(receiver(f"http://127.0.0.1:{port}/"), BODY) for _ in range(4)]
            client.close()
        return statuses, connections

    assert asyncio.run(run()) == ([200] * 4, 2)


def test_requests_to_a_receiver_share_a_connection_until_it_has_been_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    connections: list[int] = []

    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        connections.append(handler.client_address[1])
        send(handler, 200, b"{}")

    async def run(url: str) -> None:
        posted = asyncio.Queue[Posted]()
        requests = Requests(asyncio.get_running_loop(), posted.put_nowait)

        async def post() -> None:
            requests.accept(receiver(url), {1: BODY})
            assert (await posted.get()).status == 200
            while requests.are_running:
                await asyncio.sleep(0)

        for _ in range(3):
            await post()
        monkeypatch.setattr("engine.outbound.posting.requests.FORGET_AFTER_S", 0.0)
        await post()
        requests.accept(receiver(url), {})

    with serving(reply, keeps=True) as server:
        asyncio.run(run(server.url))
    assert [connections.index(each) for each in connections] == [0, 0, 0, 3]


def test_names_that_are_not_resolved_delay_no_other_receiver(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, look_up = threading.Event(), socket.getaddrinfo

    def hang(host: str, *rest: Any, **options: Any) -> Any:
        if host.endswith(".hangs.example"):
            answered.wait(60)
            raise socket.gaierror
        return look_up(host, *rest, **options)

    async def run(url: str) -> list[str]:
        dead = [
            asyncio.create_task(Client().post(receiver(f"http://{number}.hangs.example/"), BODY))
            for number in range(40)
        ]
        await asyncio.sleep(0)
        try:
            assert await Client().post(receiver(url), BODY) == 200
            assert not any(task.done() for task in dead)
        finally:
            answered.set()
        return [str(outcome) for outcome in await asyncio.gather(*dead, return_exceptions=True)]

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with serving(answering({})) as server:
        outcomes = asyncio.run(run(server.url.replace("127.0.0.1", "localhost")))
    assert outcomes == ["cannot be reached: its host name cannot be resolved"] * 40


def test_a_request_is_made_even_if_all_others_end_at_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> set[int]:
        loop, answered, numbers = asyncio.get_running_loop(), asyncio.Event(), asyncio.Queue[int]()

        async def answer(_client: object, _receiver: object, number: int, _body: bytes) -> Posted:
            await answered.wait()
            return Posted(number, 200, None, 1)

        monkeypatch.setattr("engine.outbound.posting.requests._outcome", answer)
        requests = Requests(loop, lambda posted: numbers.put_nowait(posted.number))
        requests.accept(receiver("http://h/"), dict.fromkeys(range(AT_ONCE), b""))
        await asyncio.sleep(0)
        answered.set()
        # Queued after the last of those, before their end is noticed.
        loop.call_soon(requests.accept, receiver("http://h/"), {AT_ONCE: b""})
        return {await numbers.get() for _ in range(AT_ONCE + 1)}

    async def soon() -> set[int]:
        async with asyncio.timeout(30):
            return await run()

    assert asyncio.run(soon()) == set(range(AT_ONCE + 1))


def test_requests_that_have_not_started_can_be_withdrawn() -> None:
    async def run(url: str) -> tuple[list[set[int]], list[int]]:
        async with asyncio.timeout(30):
            return await withdrawing(url)

    async def withdrawing(url: str) -> tuple[list[set[int]], list[int]]:
        loop, posted = asyncio.get_running_loop(), asyncio.Queue[Posted]()
        requests = Requests(loop, posted.put_nowait)
        started = range(AT_ONCE)
        requests.accept(receiver(url), dict.fromkeys(started, BODY))
        await asyncio.sleep(0)
        requests.accept(receiver(url), {100: BODY, 101: BODY, 102: BODY})
        withdrawn = [
            requests.withdraw("another", {100}),
            requests.withdraw("w", {0, 101, 999}),
            requests.withdraw("w", {101}),
        ]
        made = [(await posted.get()).number for _ in range(AT_ONCE + 2)]
        while requests.are_running:
            await asyncio.sleep(0)
        assert posted.empty()
        return withdrawn, sorted(made)

    with serving(answering({})) as server:
        withdrawn, made = asyncio.run(run(server.url))
        assert len(server.requests) == AT_ONCE + 2
    assert withdrawn == [set(), {101}, set()]
    assert made == [*range(AT_ONCE), 100, 102]


def test_a_receiver_keeps_its_connection_until_it_was_idle_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> list[int]:
        connections = 0

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            with suppress(asyncio.IncompleteReadError):
                while await reader.readuntil(b"}"):
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            writer.close()

        after: list[int] = []
        async with asyncio.timeout(30), await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            posted = asyncio.Queue[Posted]()
            requests = Requests(asyncio.get_running_loop(), posted.put_nowait)
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            for number, forgotten_after_s in enumerate((60.0, 60.0, -1.0)):
                monkeypatch.setattr("engine.outbound.posting.requests.FORGET_AFTER_S", forgotten_after_s)
                requests.accept(receiver(url), {number: BODY})
                assert (await posted.get()).status == 200
                while requests.are_running:
                    await asyncio.sleep(0)
                after.append(connections)
            monkeypatch.setattr("engine.outbound.posting.requests.FORGET_AFTER_S", -1.0)
            requests.accept(Receiver("another", url, "a token of some length", 30.0), {})
        return after

    assert asyncio.run(run()) == [1, 1, 2]
