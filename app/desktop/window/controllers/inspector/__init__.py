"""What is looked into while an app is tested: events, users, and faults on purpose."""
