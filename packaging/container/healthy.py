"""Health check of the container: exit with 0 if the server answers /v1/ping, else with 1.

The address and the key are in the ready file of `fencewright serve`. It only needs the standard library.
"""

from __future__ import annotations

import json
import ssl
import sys
from pathlib import Path
from urllib.request import Request, urlopen

PATIENCE_S = 5


def ping(ready_file: Path) -> None:
    """Send one request to the server of a ready file. Raises `OSError`, `ValueError` or `KeyError` if it fails."""
    ready = json.loads(ready_file.read_text(encoding="utf-8"))
    authority = ready.get("certificate")
    context = None if authority is None else ssl.create_default_context(cafile=authority)
    request = Request(f"{ready['url']}/v1/ping", headers={"Authorization": ready["keys"]["test"]["publishable"]})
    with urlopen(request, timeout=PATIENCE_S, context=context) as response:
        response.read()


def main() -> int:
    """Check the server whose ready file is given."""
    try:
        ping(Path(sys.argv[1]))
    except (OSError, ValueError, KeyError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
