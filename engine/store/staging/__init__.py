"""Edits of very many geofences or beacons: taking turns, and staging them before they come into force."""
