"""The client SDKs: the code that points each at this endpoint, and the ones that have sent a request."""
