"""What the inspector shows, without Qt: which events pass its filter, which are pinned, and the users as rows."""
