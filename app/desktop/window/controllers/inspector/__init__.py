"""The inspector for testing an app: events, users and injected faults."""
