"""HTTP handling of all requests: errors, authentication, limits, CORS, and the lanes to the engine."""
