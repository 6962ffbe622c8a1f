"""Export of the map as it is shown: a title, the map, a legend, a scale bar and whose data it is, on one sheet."""
