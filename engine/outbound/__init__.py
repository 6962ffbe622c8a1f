"""Requests to remote servers, within limits of bytes and time, and with distrust of their responses."""

import logging

for _name in ("httpx", "httpcore"):
    # They log whole URLs, including the keys in them.
    logging.getLogger(_name).setLevel(logging.WARNING)
