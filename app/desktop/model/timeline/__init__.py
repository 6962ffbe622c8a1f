"""What the timeline shows, without Qt: curves, bars, marks, and what is written of them."""
