"""The panel of webhooks."""
