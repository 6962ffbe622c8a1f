"""Dialogs, none of which blocks: each is opened and answers through a callback."""
