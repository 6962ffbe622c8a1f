"""What the program shows but does not compute: web assets, icons, style sheets, demo data."""
