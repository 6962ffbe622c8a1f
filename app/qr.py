"""QR codes with the address and the key of the endpoint, for phones."""

from typing import Final

import orjson

from app.endpoint import connection_details

QUIET: Final = 4
"""Number of modules around a code that stay light on any background, as required by the standard."""

_DARK, _LIGHT = 16, 231
"""Black and white in the 256-colour palette of terminals, independent of their theme."""

type Modules = tuple[tuple[bool, ...], ...]
"""The rows of a code from the top, including the quiet zone. True is dark."""


def connection_text(url: str, publishable_key: str) -> str:
    """Return the content of the code of a connection: a JSON object."""
    return orjson.dumps(connection_details(url, publishable_key)).decode()


def qr_modules(text: str) -> Modules:
    """Return the code of a text."""
    import segno

    made = segno.make(text, error="m", micro=False)
    return tuple(tuple(map(bool, row)) for row in made.matrix_iter(border=QUIET))


def for_terminal(modules: Modules) -> str:
    """Return a code as lines for a terminal, two rows per line, black on white."""
    lines = []
    for at in range(0, len(modules), 2):
        upper = modules[at]
        lower = modules[at + 1] if at + 1 < len(modules) else (False,) * len(upper)
        cells = (
            f"\x1b[38;5;{_DARK if above else _LIGHT};48;5;{_DARK if below else _LIGHT}m▀"
            for above, below in zip(upper, lower, strict=True)
        )
        lines.append(f"{''.join(cells)}\x1b[0m\n")
    return "".join(lines)
