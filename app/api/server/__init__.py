"""The process side of HTTP: the server, its connections, the short way of updates, routing, OpenAPI and its page."""
