"""Commands about recorded data: following events, and exporting events and users."""
