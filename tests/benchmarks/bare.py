"""A bare uvicorn for comparison, which prints its address and returns a constant for each request."""

import socket
from typing import Any, Final

import uvicorn

ANSWER: Final = b'{"meta":{"code":200},"user":"' + b"x" * 600 + b'"}'
"""A response of the same length as that to a location update."""

_HEADERS: Final = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(ANSWER))]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Read a request and respond to it."""
    assert scope["type"] == "http"
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
    await send({"type": "http.response.body", "body": ANSWER})


def main() -> None:
    """Serve until terminated."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        config = uvicorn.Config(
            app, loop="uvloop", http="httptools", lifespan="off", access_log=False, log_level="error"
        )
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
