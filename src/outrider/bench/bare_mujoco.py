"""The same Husky as MuJoCo's users build it: its own wheel friction on its own height field."""

import mujoco
import numpy as np

from outrider.bench.terrain import SIDE, heights

_WHEELS = [(x, y) for x in (0.256, -0.256) for y in (0.2854, -0.2854)]


def _wheel(index: int, x: float, y: float) -> str:
    return f"""
      <body name="w{index}" pos="{x} {y} 0.0328">
        <joint name="j{index}" axis="0 1 0"/>
        <geom type="cylinder" size="0.1651 0.05715" zaxis="0 1 0" mass="2.637"/>
      </body>"""


def make(cells: int) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return model and data, standing and turning its wheels."""
    field = heights(cells)
    low, high = float(field.heights.min()), float(field.heights.max())
    n = field.heights.shape[0]
    wheels = "".join(_wheel(i, x, y) for i, (x, y) in enumerate(_WHEELS))
    motors = "".join(f'<velocity joint="j{i}" kv="20"/>' for i in range(4))
    xml = f"""
    <mujoco><option timestep="0.0025" integrator="implicitfast" cone="elliptic"/>
    <asset><hfield name="h" nrow="{n}" ncol="{n}" size="{SIDE / 2} {SIDE / 2} {high - low} 1"/>
    </asset>
    <worldbody><geom type="hfield" hfield="h" pos="0 0 {low}"/>
    <body pos="0 0 {high + 0.3}"><freejoint/>
      <geom type="box" size="0.45 0.22 0.06" pos="0 0 0.06" mass="46"/>{wheels}
    </body></worldbody><actuator>{motors}</actuator></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    model.hfield_data[:] = ((field.heights - low) / (high - low)).T.ravel().astype(np.float32)
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.5 / 0.1651
    for _ in range(800):
        mujoco.mj_step(model, data)
    return model, data
