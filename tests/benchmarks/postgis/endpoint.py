"""A minimal endpoint over PostgreSQL with PostGIS that prints its address and answers location updates.

It resembles the endpoint of a program with all its rules in the database: it reads the JSON of an update, calls the
function `track` over one of its connections, and sends back the result.
"""

import argparse
import asyncio
import socket
from typing import Any, Final

import asyncpg
import orjson
import uvicorn

CALL: Final = "SELECT track($1, $2, $3, $4, $5, $6, $7, $8)"


def values_of(body: bytes, address: str, most: int) -> tuple[Any, ...]:
    """Return the arguments of `track` for the body of a request."""
    sent = orjson.loads(body)
    return (
        sent["deviceId"],
        sent["longitude"],
        sent["latitude"],
        sent["accuracy"],
        sent.get("deviceType"),
        bool(sent.get("stopped")),
        address,
        most,
    )


class Endpoint:
    """The ASGI application, which keeps at most `most` updates."""

    def __init__(self, folder: str, user: str, connections: int, most: int) -> None:
        self._folder, self._user, self._connections, self._most = folder, user, connections, most
        # Connections with the prepared call. Asyncpg's own pool has more overhead per call.
        self._free: asyncio.LifoQueue[tuple[Any, Any]] = asyncio.LifoQueue()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or handle the start and stop of the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        address = scope["client"][0]
        values = values_of(body, address, self._most)
        free = await self._free.get()
        try:
            answer = (await free[1].fetchval(*values)).encode()
        finally:
            self._free.put_nowait(free)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        for _ in range(self._connections):
            connection = await asyncpg.connect(host=self._folder, user=self._user, database="postgres")
            self._free.put_nowait((connection, await connection.prepare(CALL)))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        while not self._free.empty():
            await self._free.get_nowait()[0].close()
        await send({"type": "lifespan.shutdown.complete"})


def main() -> None:
    """Serve until terminated."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("user")
    parser.add_argument("connections", type=int)
    parser.add_argument("most", type=int)
    given = parser.parse_args()
    app = Endpoint(given.folder, given.user, given.connections, given.most)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        config = uvicorn.Config(
            app, loop="uvloop", http="httptools", lifespan="on", access_log=False, log_level="error"
        )
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
