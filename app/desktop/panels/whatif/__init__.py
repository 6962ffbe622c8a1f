"""The What if panel and the banner over the map."""
