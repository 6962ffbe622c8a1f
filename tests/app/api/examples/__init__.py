"""The examples of the reference: requests that tell one story, sent to a real server, with its responses."""
