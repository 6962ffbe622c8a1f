"""The process that sends to webhooks, and what this process and that one tell each other."""
