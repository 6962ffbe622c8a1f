"""Finding: addresses, places and regions, by their names, their positions, or an IP address."""
