"""The simulation loop, its time and its control."""
