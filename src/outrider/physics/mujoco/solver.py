"""Which of MuJoCo's solvers finds the contact forces of a step.

Newton's method is exact, and fast for what is small: in every iteration it factors a matrix of all
bodies that touch each other. Of a heap of hundreds nearly all of that matrix fills with numbers,
and a step takes seconds. Such steps are left to projected Gauss-Seidel (PGS), which goes from
contact to contact: its cost grows with their number alone.
"""

import mujoco

LARGE = 1200  # degrees of freedom that hang together by contacts: 200 free bodies
_SWEEPS = 30  # over all contacts; more hardly change what is found
_NEWTON = int(mujoco.mjtSolver.mjSOL_NEWTON)
_PGS = int(mujoco.mjtSolver.mjSOL_PGS)


class SolverChoice:
    """The solver of one model, chosen anew in every step with contacts by what touches then."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self._option, self._data = model.opt, data
        self._iterations = int(model.opt.iterations)
        self._large = False

    def choose(self) -> None:
        """Set the solver; call between the two halves of a step."""
        data = self._data
        large = data.nisland > 0 and int(data.island_nv.max()) > LARGE
        if large != self._large:
            self._large = large
            self._option.solver = _PGS if large else _NEWTON
            self._option.iterations = _SWEEPS if large else self._iterations
