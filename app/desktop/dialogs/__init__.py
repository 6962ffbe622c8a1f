"""Dialogs. None of them blocks: each is opened and answers through a callback."""
