"""The user's own imagery: where its tiles come from, how it is kept, and what a WMS offers."""
