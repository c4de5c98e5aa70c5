"""What goes over the wire between the simulation and browsers, and who may take part."""
