"""The request log: the records of requests, and the masking of keys when the log is read."""
