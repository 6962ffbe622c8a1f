"""Judging a run: what was expected and did not come, what came besides, and why."""
