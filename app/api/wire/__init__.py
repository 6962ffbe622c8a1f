"""The wire format: the requests, records and encoders of each noun, side by side.

No other package names a JSON field.
"""
