"""Links and topics that do not exist are refused with the file, the key and the nearest name."""

import shutil

import pytest
import yaml

from outrider.core.errors import ConfigError
from outrider.loader.library import find_file
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.vehicles.robot_file import read_robot

SLIPS = [
    (
        "sensors: [{name: imu, model: bno055, link: base_lnk}]",
        r"sensors\.0\.link: there is no link 'base_lnk' \(did you mean 'base_link'\?\); known: ",
    ),
    (
        "lamps: [{name: front, link: base_lnk}]",
        r"lamps\.0\.link: there is no link 'base_lnk' \(did you mean 'base_link'\?\); known: ",
    ),
    (
        "topics: {odometri: /x}",
        r"topics: there is no topic 'odometri' \(did you mean 'odometry'\?\); known: clock, ",
    ),
    (
        "rates: {odometri: 5}",
        r"rates: there is no topic 'odometri' \(did you mean 'odometry'\?\); known: clock, ",
    ),
]


@pytest.mark.parametrize(("slip", "sentence"), SLIPS)
def test_a_scenario_s_slip_is_told_with_its_key(slip, sentence):
    scenario = loads(f"name: yard\nrobots: [{{model: create, {slip}}}]\n")
    with pytest.raises(ConfigError, match=rf"yard: robots\.0\.{sentence}"):
        build(scenario)


@pytest.mark.parametrize(("slip", "sentence"), SLIPS)
def test_a_robot_file_s_slip_is_told_with_its_key(slip, sentence, tmp_path):
    home = shutil.copytree(find_file("robots", "create").parent, tmp_path / "mine")
    read = yaml.safe_load((home / "create.yaml").read_text())
    file = home / "mine.yaml"
    file.write_text(yaml.safe_dump({**read, **yaml.safe_load(slip)}))
    with pytest.raises(ConfigError, match=rf"^mine\.yaml: {sentence}"):
        read_robot(file)
