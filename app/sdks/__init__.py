"""The client SDKs: the lines that point each at this endpoint, and which of them has sent a request."""
