"""The language of the window: its texts, its plurals, and the messages of the engine."""

from app.desktop.language.catalogue import counted, filled, number_text, searched, tr, translated, within_sentence

__all__ = ["counted", "filled", "number_text", "searched", "tr", "translated", "within_sentence"]
