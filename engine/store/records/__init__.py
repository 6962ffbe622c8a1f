"""Rows of the tables, and the records that they hold."""
