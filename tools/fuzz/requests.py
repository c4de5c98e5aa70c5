"""stub"""
from tools.fuzz.limits import Outcome
def outcomes(*a): return iter(())
