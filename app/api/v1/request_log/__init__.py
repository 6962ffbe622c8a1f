"""The request log: GET and DELETE /v1/requests, and what is made out of each request for whoever reads of it."""
