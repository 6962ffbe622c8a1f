"""A small window for tests of controllers: only the parts that a test needs, and a map without a page."""
