"""For tests of your own robots: the pytest fixture ``outrider_sim``."""
