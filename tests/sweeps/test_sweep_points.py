import numpy as np
import pytest
from scipy import stats

from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import from_data
from outrider.sweeps.points import points
from outrider.sweeps.settings import settings
from outrider.sweeps.spec import LogUniform, Normal, Sweep, Uniform


def sweep(text):
    return from_data(Sweep, parse_yaml(f"scenario: smoke\n{text}", "sweep"), "sweep")


def test_lists_and_grids_make_every_combination():
    found = points(sweep("parameters: {a: [1, x], b: {type: grid, low: 0, high: 1, count: 3}}"))
    assert found == [{"a": a, "b": b} for a in (1, "x") for b in (0.0, 0.5, 1.0)]


def test_every_combination_has_the_same_samples():
    text = "parameters: {a: [1, 2], b: {type: uniform, low: 0, high: 1}}\nsamples: 5"
    found = points(sweep(text))
    assert [p["b"] for p in found[:5]] == [p["b"] for p in found[5:]]
    assert len({p["b"] for p in found}) == 5
    assert found == points(sweep(text))
    assert found != points(sweep(f"{text}\nseed: 2"))


def test_a_latin_hypercube_has_one_sample_in_each_slice_of_each_parameter():
    text = (
        "parameters: {a: {type: uniform, low: 0, high: 1}, b: {type: uniform, low: 0, high: 1}}\n"
        "samples: 50\nsampling: latin-hypercube"
    )
    found = points(sweep(text))
    for key in "ab":
        assert sorted(int(p[key] * 50) for p in found) == list(range(50))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Uniform(low=-1, high=3), stats.uniform(-1, 4)),
        (LogUniform(low=0.01, high=5), stats.loguniform(0.01, 5)),
        (Normal(mean=1, sigma=2, low=0, high=4), stats.truncnorm(-0.5, 1.5, 1, 2)),
    ],
)
def test_distributions_are_those_of_scipy(ours, theirs):
    shares = np.linspace(0.0, 1.0, 21)
    values = [ours.at(share) for share in shares]
    np.testing.assert_allclose(values, theirs.ppf(shares), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose([ours.share(v) for v in values], shares, atol=1e-9)


@pytest.mark.parametrize("value", [1e-05, 0.1 + 0.2, "grass", "null", True, [1, {"a": "b c"}]])
def test_a_setting_reads_back_as_the_value_it_was_made_from(value):
    (text,) = settings({"key": value})
    assert parse_yaml(f"value: {text.removeprefix('key=')}", "text") == {"value": value}
