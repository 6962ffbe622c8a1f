"""The condition of a workspace's database, looked at without changing it."""
