"""Static resources of the program: web assets, icons, style sheets, demo data."""
