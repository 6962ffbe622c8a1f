"""Contents of the timeline, independent of Qt: curves, bars, marks and their texts."""
