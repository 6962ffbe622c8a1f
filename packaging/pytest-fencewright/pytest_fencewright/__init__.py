"""Tests of geofences with pytest: a served instance of Fencewright as a fixture, and scenario files as tests."""
