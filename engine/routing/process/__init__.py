"""The process that runs Valhalla. Its memory is released when it ends, and a crash affects no other process."""
