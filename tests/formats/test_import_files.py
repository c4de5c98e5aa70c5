"""The true files of others: what they hold, and a Jackal that drives in them."""

import math

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.import_file import ImportOptions, import_file
from outrider.formats.sdf.read import read_sdf, read_sdf_model
from outrider.loader.foreign_write import write_imported
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

TREES = {  # worlds.md: x, y, z, yaw
    "tree1": (3, 3, 0.6, 0),
    "tree2": (5, 6, 0.7, 0.3),
    "tree3": (1, 8, 0.9, 0),
    "tree4": (-5, 4, 0.8, 0.1),
    "tree5": (-10, -3, 1.1, 0.3),
    "tree6": (-6, -7, 1.02, 0.5),
    "tree7": (-1, -6, 0.8, 0.2),
    "tree8": (9, -4, 0.5, 0.5),
    "tree9": (6, -10, 0.8, 0.5),
}
BARRIERS = [
    (-6.20, 8.65, -2.352),
    (-2.65, -4.02, -0.748),
    (-2.55, -7.07, -0.764),
    (-6.12, -2.85, 0),
    (-6.09, 0.35, 0),
    (9.05, 6.20, 2.365),
    (6.49, -6.17, 0.783),
]
JERSEYS = [
    (-4.55, -6.23, 1.594),
    (-9.49, -4.94, 0),
    (-6.31, -6.26, 1.595),
    (-8.07, -6.27, 1.571),
    (10.32, -7.44, 0),
    (-4.54, 9.39, 1.591),
    (10.32, -9.21, 0),
]


@pytest.fixture(scope="module")
def hratc(shared_data):
    return read_sdf(shared_data / "hratc_and_race_worlds/worlds/scenario1.world", env={})


@pytest.fixture(scope="module")
def race(shared_data):
    path = shared_data / "hratc_and_race_worlds/worlds/jackal_race.world"
    return read_sdf(path, env={}, lenient=True)


def seen(model):
    """Return the only link of a model that is seen, and its pose in the world."""
    (link,) = (link for link in model.links if link.visuals)
    return link, model.pose @ model.link_poses()[link.name]


def points(model):
    link, pose = seen(model)
    return np.concatenate([(pose @ g.pose).apply(g.shape.vertices) for g in link.visuals])


def test_hratc_is_a_square_of_100_feet(hratc):
    ground = hratc.world.models[0]
    found = points(ground)
    assert found.min(axis=0) == pytest.approx([-15, -15, 0.19], abs=0.01)
    assert found.max(axis=0) == pytest.approx([15.48, 15.48, 1.84], abs=0.01)
    assert np.ptp(found, axis=0)[:2] == pytest.approx([30.48, 30.48], abs=1e-3)
    textures = [g.material.texture for g in seen(ground)[0].visuals]
    assert any(t.endswith("Media/models/textures/Vegetation_Grass1.jpg") for t in textures)


def test_hratc_has_nine_trees_at_their_places_and_of_their_size(hratc):
    trees = {m.name: m for m in hratc.world.models if m.name != "landscape"}
    assert set(trees) == set(TREES)
    for name, (x, y, z, yaw) in TREES.items():
        link, pose = seen(trees[name])
        assert pose.position == pytest.approx([x, y, z]), name
        assert pose.rpy[2] == pytest.approx(yaw), name
        own = np.concatenate([g.shape.vertices for g in link.visuals])
        big = name in ("tree3", "tree7")
        size = [3.79, 4.12, 3.51] if big else [2.78, 3.03, 2.98]
        assert np.ptp(own, axis=0) == pytest.approx(size, abs=0.02), name
        if not big:  # the trunk stands about (1.25, 1.3) m from the pose
            foot = own[own[:, 2] < own[:, 2].min() + 0.3]
            middle = (foot[:, :2].min(axis=0) + foot[:, :2].max(axis=0)) / 2
            assert middle == pytest.approx([1.25, 1.3], abs=0.15), name


def test_hratc_has_its_light_and_weight(hratc):
    world = hratc.world
    (sun,) = world.lights
    assert (sun.direction, sun.cast_shadows) == ((0.1, 0.1, -1.0), False)
    assert world.ambient == world.sky == (0.5, 0.5, 0.5)
    assert world.gravity == (0, 0, -9.81)
    assert all(model.mobility == "static" for model in world.models)


def test_the_race_is_where_its_state_block_says(race):
    def poses(word):
        found = [m.pose for m in race.world.models if word in m.name]
        return [(p.position[0], p.position[1], p.rpy[2]) for p in found]

    for word, wanted in (("angled", BARRIERS), ("jersey", JERSEYS)):
        found = poses(word)
        assert len(found) == len(wanted)
        for wx, wy, wyaw in wanted:
            x, y, yaw = min(found, key=lambda p: math.dist(p[:2], (wx, wy)))
            assert (x, y) == pytest.approx((wx, wy), abs=0.006)
            assert math.remainder(yaw - wyaw, 2 * math.pi) == pytest.approx(0, abs=0.002)
    assert len(poses("cylinder")) == 2
    group = next(m for m in race.world.models if m.name == "drc_practice_angled_barrier_135")
    ten = next(j for j in group.joints if j.child == "ten::link")
    assert (group.pose @ ten.origin).position == pytest.approx(
        [-9.39139, -3.71784, 0.866], abs=1e-4
    )


def test_the_race_reports_what_is_not_at_hand(race, shared_data):
    missing = [str(note) for note in race.log if note.kind == "missing"]
    assert len(missing) == 3
    for name in ("orange_jersey_barrier", "white_jersey_barrier", "blue_cylinder"):
        assert any(f"model://drc_practice_{name}/" in text for text in missing)
    path = shared_data / "hratc_and_race_worlds/worlds/jackal_race.world"
    with pytest.raises(FormatError, match=r"model://drc_practice_\w+/meshes/.*searched"):
        read_sdf(path, env={})


@pytest.mark.parametrize(
    ("piece", "friction", "texture"),
    [("bumps", 0.8, "plywood.png"), ("grass", 0.2, "grass.jpg"), ("gravel", 0.55, "")],
)
def test_the_lab_pieces_have_their_surfaces(shared_data, piece, friction, texture):
    found = read_sdf_model(shared_data / "farley_lab_pieces" / piece / "model.sdf", env={})
    (link,) = found.model.links
    assert link.colliders[0].material.friction == friction
    assert link.visuals[0].material.friction == friction
    assert link.visuals[0].material.texture.rpartition("/")[2] == texture
    assert sum(len(g.shape.faces) for g in link.visuals) > 0
    if piece == "gravel":
        assert link.colliders[0].material.restitution == 0.45


def test_leaves_of_hratc_are_seen_but_not_felt(hratc):
    for tree in [m for m in hratc.world.models if m.name != "landscape"]:
        link, _ = seen(tree)
        every = sum(len(g.shape.faces) for g in link.visuals)
        felt = sum(len(g.shape.faces) for g in link.colliders)
        assert felt == every - 1285  # triangles that the leaf's picture is on
    told = [str(note) for note in hratc.log if "do not collide" in note.text]
    assert len(told) == 2  # once for each file of trees


def test_hratc_written_out_is_the_same_world_after_a_thousand_steps(shared_data, tmp_path):
    path = shared_data / "hratc_and_race_worlds/worlds/scenario1.world"
    found = import_file(path, ImportOptions(env={}))
    ours, _ = write_imported(found, tmp_path)
    ends = []
    for world in (path, ours):
        scenario = loads(
            f"world: {world}\nrobots: [{{model: jackal, motion: {{type: drive, speed: 0.8}}}}]\n"
        )
        simulation = build(scenario)
        for _ in range(1000):
            simulation.step()
        ends.append(next(iter(simulation.robots.values())).pose.matrix)
    assert np.abs(ends[0] - ends[1]).max() < 1e-9
    assert ends[0][0, 3] > 1.5


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("drive.mcap", "outrider replay"),
        ("drive.bag", "outrider replay"),
        ("my.py", "--user-code"),
        ("now.state", "--state"),
    ],
)
def test_files_that_another_command_takes_are_told_with_it(tmp_path, name, command):
    file = tmp_path / name
    with file.open("wb") as written:
        written.truncate(65 << 20)  # larger than what is read as XML
    with pytest.raises(FormatError, match=f"holds no robot or world; .*{command}"):
        import_file(file)
