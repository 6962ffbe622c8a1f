"""A well-behaved client in a separate process: ``python -m tests.hostile.onlooker PORT KEY [AUTHORITY]``.

It sends location updates, alternating between a kept connection and a new one, until its standard input ends; with the
file of an authority it uses TLS. Then it writes as JSON how long each response took, in seconds, and the errors.
"""

import ssl
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection, RemoteDisconnected
from typing import Final

import orjson

EVERY_S: Final = 0.01
WITHIN_S: Final = 30.0


class Onlooker:
    """Sends updates of one device after the other."""

    def __init__(self, port: int, key: str, authority: str | None = None) -> None:
        self._port = port
        self._trust = ssl.create_default_context(cafile=authority) if authority else None
        self._headers = {"Authorization": key, "Content-Type": "application/json"}
        self._kept = self._connection()
        self.latencies: list[float] = []
        self.faults: list[str] = []

    def _connection(self) -> HTTPConnection:
        if self._trust is None:
            return HTTPConnection("127.0.0.1", self._port, timeout=WITHIN_S)
        return HTTPSConnection("127.0.0.1", self._port, timeout=WITHIN_S, context=self._trust)

    def look(self, number: int) -> None:
        """Send an update and record its latency."""
        began = time.perf_counter()
        connection = self._kept if number % 2 else self._connection()
        body = b'{"deviceId":"onlooker-%d","latitude":47.1,"longitude":9.5,"accuracy":5}' % number
        try:
            status, content = self._answer(connection, body)
            if status != 200:
                self.faults.append(content.decode())
        except (OSError, HTTPException) as error:
            self.faults.append(repr(error))
            connection.close()
        self.latencies.append(time.perf_counter() - began)
        if connection is not self._kept:
            connection.close()

    def _answer(self, connection: HTTPConnection, body: bytes) -> tuple[int, bytes]:
        """Return the response, and reopen a kept connection that was closed while idle, as HTTP clients do."""
        try:
            return self._ask(connection, body)
        except (BrokenPipeError, ConnectionResetError, RemoteDisconnected):
            if connection is not self._kept:
                raise
            connection.close()
            return self._ask(connection, body)

    def _ask(self, connection: HTTPConnection, body: bytes) -> tuple[int, bytes]:
        connection.request("POST", "/v1/track", body, self._headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def _read_to_the_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


def main() -> None:
    """Send updates until standard input ends."""
    ended = threading.Event()
    threading.Thread(target=_read_to_the_end, args=(ended,), daemon=True).start()
    onlooker = Onlooker(int(sys.argv[1]), *sys.argv[2:4])
    number = 0
    while not ended.wait(EVERY_S):
        onlooker.look(number)
        number += 1
        if number == 2:
            print("looking", flush=True)
    print(orjson.dumps({"latencies": onlooker.latencies, "faults": onlooker.faults}).decode())


if __name__ == "__main__":
    main()
