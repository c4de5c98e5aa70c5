"""Weather: sun, light, fog, rain, snow, dust, wind and air, by published formulas."""
