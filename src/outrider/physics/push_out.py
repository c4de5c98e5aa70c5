"""How fast what was put inside something else comes out of it, on every engine with forces."""

DEEP = 0.02  # m in one another; contacts themselves take back less gently
FASTEST = 0.5  # m/s
