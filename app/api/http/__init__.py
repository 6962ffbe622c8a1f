"""The HTTP side of every request: errors, authentication, limits, CORS, and the lanes to the engine."""
