"""Outrider: a simulator and test bench for unmanned ground vehicles."""
