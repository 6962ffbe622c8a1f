"""Set-up of the program's data: downloads its sources and builds the world pack and the bundled area."""
