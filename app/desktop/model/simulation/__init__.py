"""Playing a track as a device, independent of Qt: its sender, its status, and the simulation."""
