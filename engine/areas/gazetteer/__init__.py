"""The gazetteer of an area, made from its extract."""
