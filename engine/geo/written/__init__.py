"""Positions as people write them: coordinates in every usual form, links of maps, geo URIs, plus codes."""
