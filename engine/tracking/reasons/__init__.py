"""Why events of places and regions fired, or not, and what a location update meant for all of its events."""
