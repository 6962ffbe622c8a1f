"""How updates arrive: late, ahead of the clock, or again."""
