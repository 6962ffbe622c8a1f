"""The ``fencewright listen`` command: a receiver that shows incoming requests."""

from argparse import Namespace
from threading import Lock

from app.api.wire.common.encoding import encode_time
from app.cli.terminal.output import note, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.receiver import Received, Receiver


def listen(arguments: Namespace) -> int:
    """Receive requests until a signal asks to stop, and return success."""
    with stop_on_signals() as stop:
        return _listen(arguments, stop)


def _listen(arguments: Namespace, stop: StopRequest) -> int:
    lock = Lock()

    def show(received: Received) -> None:
        try:
            with lock:
                _write(received, as_json=arguments.json)
        except BrokenPipeError:
            stop.end()

    with Receiver(show, port=arguments.port, token=arguments.token, status=arguments.status) as receiver:
        note(f"receiving at {receiver.url}")
        checked = "are checked" if arguments.token else "are not checked: give the webhook's --token"
        note(f"signatures {checked}; press Ctrl-C to stop")
        stop.wait()
    return 0


def _write(received: Received, *, as_json: bool) -> None:
    if as_json:
        write_json(
            {
                "receivedAt": encode_time(received.at),
                "path": received.path,
                "signature": received.signature.value,
                "body": received.content if received.content is not None else received.text,
            }
        )
        return
    write_line(f"{encode_time(received.at)}  {received.path}  signature {received.signature}")
    if not received.events:
        write_line(f"  {received.text[:200]}")
    for event in received.events:
        write_line(f"  {event.type}  {event.about}  {event.id}".rstrip())
