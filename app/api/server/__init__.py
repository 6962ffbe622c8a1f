"""The server side of HTTP: the server, its connections, the fast path of updates, routing, OpenAPI and its page."""
