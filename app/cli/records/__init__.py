"""Commands about what has happened: events shown as they come, events and users exported."""
