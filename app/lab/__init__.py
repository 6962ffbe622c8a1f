"""The QA lab: scenario files, what is expected of them, their runner, their reports, and the plugin of pytest.

It imports nothing here: every run of pytest loads this package, whether it has scenarios or not.
"""
