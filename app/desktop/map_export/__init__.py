"""Export of the displayed map on one sheet: a title, the map, a legend, a scale bar and the attributions."""
