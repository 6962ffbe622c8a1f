"""The QA lab: scenario files, their expectations, their runner, their reports, and the pytest plugin.

It imports nothing here, since every run of pytest loads this package, with or without scenarios.
"""
