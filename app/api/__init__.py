"""The local `/v1` endpoint."""
