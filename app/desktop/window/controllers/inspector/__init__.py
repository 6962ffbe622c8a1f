"""The inspector: events, users, and injected faults, for whoever tests an app."""
