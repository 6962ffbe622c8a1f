"""Commands that simulate devices: tracks along roads, the phone that carries them, and fleets."""
