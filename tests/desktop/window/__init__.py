"""Tests of the real window, with the mouse and the keyboard."""
