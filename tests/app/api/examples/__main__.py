"""Records the examples of the reference again: ``python -m tests.app.api.examples``.

Run it after a response has changed, and read the difference.
"""

import orjson

from app.api.server.examples import EXAMPLES
from tests.app.api.examples.failures import record_failures
from tests.app.api.examples.recording import record_story, story_server


def main() -> None:
    """Replace the file of examples."""
    with story_server() as server:
        operations = record_story(server)
    with story_server() as server:
        content = {"operations": operations, "errors": record_failures(server)}
    EXAMPLES.parent.mkdir(exist_ok=True)
    EXAMPLES.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main()
