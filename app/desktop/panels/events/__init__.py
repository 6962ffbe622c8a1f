"""The events panel: the table, its head with the filter, and the pinned events."""
