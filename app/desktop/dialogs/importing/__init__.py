"""Importing files and exporting them: the columns, the preview, the history."""
