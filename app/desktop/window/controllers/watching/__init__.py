"""What has become of the open workspace."""
