"""The simulator's Track menu: drawing, recording, editing and exporting tracks."""
