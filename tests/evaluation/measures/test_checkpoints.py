import numpy as np
import pytest

from outrider.core.errors import EvaluationError
from outrider.core.frames import Pose
from outrider.evaluation.measures.checkpoints import checkpoint_curve, read_curve
from outrider.evaluation.measures.trajectory import Trajectory


def test_one_millimetre_at_each_checkpoint_adds_up_over_thirty_metres():
    out = [(i * 10**8, Pose(np.array([0.1 * i, 0.0, 0.0]))) for i in range(151)]
    back = [((151 + i) * 10**8, Pose(np.array([15.0 - 0.1 * i, 0, 0]))) for i in range(151)]
    true = Trajectory.of([*out, *back])
    off = true.moved(Pose(np.array([0.0, 0.002, 0.0])))
    curve = checkpoint_curve(off, true, every_m=5.0)
    assert curve.distance_m == pytest.approx([5, 10, 15, 20, 25, 30])
    assert curve.sum_mm2 == pytest.approx([4, 8, 12, 16, 20, 24])
    with pytest.raises(EvaluationError, match="more than 0 m apart"):
        checkpoint_curve(off, true, every_m=0)


def test_a_curve_measured_elsewhere_is_read_with_or_without_a_header(tmp_path):
    for name, text in (("a.csv", "1,10\n2,30\n"), ("b.csv", "distance,error\n1,10\n2,30\n")):
        (tmp_path / name).write_text(text)
        curve = read_curve(tmp_path / name)
        assert curve.distance_m.tolist() == [1, 2]
        assert curve.sum_mm2.tolist() == [10, 30]
    (tmp_path / "c.csv").write_text("1,2,3\n")
    with pytest.raises(EvaluationError, match=r"c\.csv: expected lines of two numbers"):
        read_curve(tmp_path / "c.csv")
