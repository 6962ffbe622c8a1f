"""What is looked into while an app is tested: events, users, and injected faults."""
