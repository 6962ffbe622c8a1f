"""The webhooks panel."""
