"""Remote servers: asked within bounds of bytes and time, and read as if they might answer anything."""

import logging

for _name in ("httpx", "httpcore"):
    # They log whole addresses, with the keys in them.
    logging.getLogger(_name).setLevel(logging.WARNING)
