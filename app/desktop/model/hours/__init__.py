"""Operating hours as they are drawn, chosen and written."""
