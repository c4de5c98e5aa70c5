"""A component's file for tests."""

COUNTER = """
import outrider as o


class Counter(o.Component):
    by: int = 1

    def start(self, me):
        me.state.count = 0

    def step(self, me):
        me.state.count += self.by
"""
