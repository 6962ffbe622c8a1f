"""The request log: what is kept of each request, and how keys are masked when somebody reads it."""
