"""The process that sends to webhooks, and its communication with the engine's process."""
