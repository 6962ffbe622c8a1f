"""Cheap facts about the set-up: scripts, locks, build hook. What needs a bare machine is not proved here."""
