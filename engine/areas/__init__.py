"""From an OpenStreetMap extract to an area: roads to route on, and a map to look at."""
