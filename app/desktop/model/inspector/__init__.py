"""Contents of the inspector, independent of Qt: filtered events, pinned events, and users as rows."""
