"""Maps as files."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from outrider.autonomy.mapping.map_files import GridMap, load_map, save_map
from outrider.core.errors import OutriderError


def test_a_map_comes_back_as_it_was(tmp_path: Path) -> None:
    values = np.random.default_rng(1).choice([-1, 0, 100], (7, 5)).astype(np.int8)
    image, text = save_map(tmp_path / "site", GridMap(values, 0.05, np.array([-1.0, 2.0, 0.0])))
    found = load_map(text)
    assert (found.values == values).all()
    assert found.resolution == 0.05
    assert found.origin.tolist() == [-1.0, 2.0, 0.0]
    with Image.open(image) as picture:
        grey = np.asarray(picture)
    assert set(np.unique(grey)) <= {0, 205, 254}
    assert (grey[::-1] == 0).sum() == (values == 100).sum()  # the first row is the highest y
    assert (grey[0] == 254).tolist() == (values[-1] == 0).tolist()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("resolution: 0.1\norigin: [0, 0, 0]\n", "image: this key is required"),
        ("image: x.pgm\nresolution: -1\norigin: [0, 0, 0]\n", "above 0.0, got -1"),
        ("image: x.pgm\nresolution: 1\norigin: [0]\n", "expected 3 values, got 1"),
        ("image: /etc/passwd\nresolution: 1\norigin: [0, 0, 0]\n", "there is no image"),
        ("[]", "expected a mapping"),
        ("a: [", "not YAML: a value is missing"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(text)
    with pytest.raises(OutriderError) as error:
        load_map(path)
    assert told in str(error.value)
    assert "map.yaml" in str(error.value)
