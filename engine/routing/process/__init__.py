"""The process that has Valhalla: its memory is returned when it ends, and a failure of it ends no other."""
