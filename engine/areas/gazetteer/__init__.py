"""Build of an area's gazetteer from its extract."""
