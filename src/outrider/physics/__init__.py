"""Engines that move bodies, and the tyres that carry vehicles."""
