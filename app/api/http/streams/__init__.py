"""Streams of events: responses that last as long as their clients read them."""
