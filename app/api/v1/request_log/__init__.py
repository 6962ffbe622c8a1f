"""The request log: GET and DELETE /v1/requests, and the conversion of raw requests into readable records."""
