"""Playing a track as a device, without Qt: its sender, its status, and the simulation."""
