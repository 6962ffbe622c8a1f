"""Reasons why events of places and regions fired, or not."""
