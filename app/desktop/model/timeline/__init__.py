"""Contents of the timeline, without Qt: curves, bars, marks, and their texts."""
