"""The settings of a project on the wire.

Durations are minutes here and seconds in the engine; distances are metres, speeds metres a second.
"""
