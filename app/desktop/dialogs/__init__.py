"""Dialogs. None of them blocks: each is opened, and answers by a call."""
