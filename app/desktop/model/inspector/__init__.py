"""Contents of the inspector, without Qt: events that pass its filter, pinned events, and users as rows."""
