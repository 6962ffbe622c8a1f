"""Outgoing events: webhooks, the outbox, its order, retries and signatures."""
