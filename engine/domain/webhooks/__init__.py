"""Webhooks and the deliveries of events to them."""
