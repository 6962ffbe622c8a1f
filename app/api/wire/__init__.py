"""The spelling of the wire: of each noun its requests, its records and their encoders, side by side.

The only place that names a JSON field.
"""
