"""Simulated devices between the user and the engine: noise, routes and fleets."""
