"""The routing process: ``python -m engine.routing.process.main THREADS``.

It reads requests from its standard input and writes the responses to its standard output, in the order in which they
are ready. It ends when its input does, so it never outlives the process that started it.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, BinaryIO

from engine.routing.actors import make_tool
from engine.routing.process.frames import frame, frames
from engine.routing.process.store import ActorStore
from engine.routing.service import UNEXPECTED, Refused


def serve(requests: BinaryIO, answer: Callable[[bytes], None], threads: int) -> None:
    """Answer requests until the input ends.

    The thread that reads a request also answers it, while the next one reads: a handover would take longer than a short
    search. There is one thread more than searches, so that one is always free to notice the end.
    """
    store = ActorStore(lambda roads, exact: make_tool(Path(roads), exact=exact))
    incoming, reading, ended = frames(requests), Lock(), Event()

    def work() -> None:
        while True:
            with reading:
                received = next(incoming, None)
            if received is None:
                ended.set()
                return
            answer(_answer(store, *received))

    for _ in range(threads + 1):
        Thread(target=work, daemon=True).start()
    ended.wait()


def _answer(store: ActorStore, header: dict[str, Any], body: str) -> bytes:
    number, action = header["number"], header["action"]
    try:
        with store.lent(header["roads"], action) as actor:
            return frame({"number": number}, actor(action, body))
    except Refused as refused:
        return frame({"number": number, "code": refused.code, "reason": refused.reason})
    except Exception as error:  # noqa: BLE001 - one request fails, the others go on
        return frame({"number": number, "code": UNEXPECTED, "reason": f"{type(error).__name__}: {error}"})


def _private_output() -> int:
    """Return a descriptor of the standard output that libraries do not write to."""
    private = os.dup(1)
    os.dup2(2, 1)
    return private


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is handled by the process that started this one
    output, lock = _private_output(), Lock()

    def answer(content: bytes) -> None:
        with lock, suppress(BrokenPipeError):  # the end of the input follows
            view = memoryview(content)
            while view:
                view = view[os.write(output, view) :]

    serve(sys.stdin.buffer, answer, int(sys.argv[1]))
    os._exit(0)  # without waiting for searches whose result is not needed


if __name__ == "__main__":
    main()
