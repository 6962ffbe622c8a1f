"""Reading and writing of a connection, which may be held up by either side."""

from typing import override

from uvicorn.protocols.http.flow_control import FlowControl


class Flow(FlowControl):
    """Reading and writing of a connection; `held` reading is not resumed by who only waits for a body."""

    held = False

    @override
    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()

    def hold(self) -> None:
        """Read no more until `release`."""
        self.held = True
        self.pause_reading()

    def release(self) -> None:
        """Read on."""
        if self.held:
            self.held = False
            self.resume_reading()
