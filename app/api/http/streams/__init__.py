"""Streams of events: answers that go on for as long as somebody reads them."""
