"""Tools that all nouns of the wire share: decoding, envelopes, field types, and parameters without effect."""
