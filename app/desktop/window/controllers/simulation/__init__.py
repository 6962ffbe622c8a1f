"""Controllers of simulated devices: noise, routes and fleets."""
