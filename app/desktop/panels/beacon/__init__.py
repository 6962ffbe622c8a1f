"""The form of a beacon."""
