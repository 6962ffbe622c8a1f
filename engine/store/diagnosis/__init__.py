"""Read-only diagnosis of a workspace's database."""
