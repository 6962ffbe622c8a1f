"""The private routes by which other commands of this machine use an open workspace."""
