"""Simple facts about the set-up: scripts, locks, build hook. Tests that need a bare machine are not included."""
