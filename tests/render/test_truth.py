"""Pictures against geometry, OpenCV and each other, whichever renderer takes them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from render_rig import (
    ALL,
    EVERY,
    NOON,
    VGA,
    Studio,
    camera,
    floor,
    rays_of,
    save_image,
    scene_of,
    static,
    wall,
)

from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.shot import Shot
from outrider.scene.past_poses import PastPoses
from outrider.world.model import Light
from outrider.world.shapes import Box, Cylinder, Sphere
from outrider.world.state import BODY

PLAIN = Film(samples=4)
BARREL = (-0.28, 0.09, 0.0008, -0.0005, 0.0)
SQUARES = (9, 7)  # of the calibration board; its inner corners are 8 x 6
SQUARE_M = 0.1


def things():
    return [
        floor(),
        static("crate", Box((1.0, 1.0, 1.0)), x=4.0, y=0.6, z=0.5, rpy_deg=(0, 0, 30)),
        static("ball", Sphere(0.6), x=6.0, y=-1.5, z=0.6),
        static("post", Cylinder(0.1, 3.0), x=3.0, y=-0.5, z=1.5),
    ]


@pytest.mark.parametrize("distortion", [(0.0,) * 5, BARREL])
def test_depth_is_what_a_lidars_rays_measure(studio, distortion):
    """Within 2 mm, or it is the depth of a pixel next to it (an edge)."""
    scene = scene_of(*things())
    lens = Intrinsics.from_fov(320, 240, 70.0, distortion)
    pose = camera(z=1.2, pitch_deg=8.0)
    depth = studio.one(scene, Shot(pose, lens, far=100.0, wants=ALL)).depth
    origins, directions = rays_of(lens, pose)
    far = np.full(len(origins), 200.0, np.float32)
    past = PastPoses.of(np.zeros(1, BODY), 0)
    seen = scene.look(origins, directions, far, np.zeros(len(far), np.int64), past)
    along = lens.rays()[..., 2].ravel()
    truth = np.where(seen.shape >= 0, seen.distance * along, np.inf).reshape(240, 320)
    truth[truth > 100.0] = np.inf
    low, high = cv2.erode(truth, np.ones((3, 3))), cv2.dilate(truth, np.ones((3, 3)))
    with np.errstate(invalid="ignore"):
        exact = (np.abs(depth - truth) < 2e-3) | (depth == truth)
        neighbour = (depth >= low - 2e-3) & (depth <= high + 2e-3)
    assert (exact | neighbour).mean() > 0.9995
    # far away a pixel of floor is many metres deep: there only the neighbours count
    bent_later = studio.name == "gl" and any(distortion)  # drawn straight, then bent: a pixel off
    assert exact[truth < 20.0].mean() > (0.9 if bent_later else 0.97)


def test_labels_name_what_is_seen(studio):
    scene = scene_of(*things())
    picture = studio.one(scene, Shot(camera(z=1.2, pitch_deg=8.0), VGA, wants=ALL))
    seen = {picture.names[n] for n in np.unique(picture.labels).tolist()}
    assert seen == {"nothing", "floor", "crate", "ball", "post"}
    row, column = VGA.project(
        camera(z=1.2, pitch_deg=8.0).inverse().apply(np.array([[6.0, -1.5, 0.6]]))
    )[0][::-1]
    assert picture.names[int(picture.labels[round(row), round(column)])] == "ball"


def test_a_black_and_white_floor_is_black_and_white(studio, tmp_path):
    tiles = np.zeros((64, 64, 3), np.uint8)
    tiles[:32, :32] = tiles[32:, 32:] = 255
    picture = save_image(tmp_path / "tiles.png", tiles)
    scene = scene_of(floor(texture=picture, texture_size=2.0), lights=(Light("sun"),))
    image = studio.one(scene, Shot(camera(z=2.0, pitch_deg=45.0), VGA, film=PLAIN)).colour
    share = [np.mean(image == level) for level in (0, 255)]
    assert min(share) > 0.42  # the rest are the tiles' edges
    assert image[300:, :, 0].min() == 0
    assert image[300:, :, 0].max() == 255


def test_the_edge_of_a_shadow_falls_where_geometry_says(studio):
    """A block 2 m high under a sun of slope 1:2 casts a shadow 4 m long."""
    sun = Light("sun", direction=(2.0, 0.0, -1.0))
    block = static("block", Box((1.0, 4.0, 2.0)), x=-0.5, z=1.0)
    scene = scene_of(floor(), block, lights=(sun,))
    pose = camera(x=3.0, z=12.0, pitch_deg=90.0)
    image = studio.one(scene, Shot(pose, VGA, film=PLAIN)).colour.astype(float)[..., 0]
    ends = VGA.project(
        pose.inverse().apply(np.array([[4.0, 0.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0]]))
    )
    across = image[:, round(ends[0, 0])]
    assert crossing(across, ends[0, 1]) == pytest.approx(ends[0, 1], abs=1.2)
    along = image[round(ends[1, 1]), :]
    for place in ends[1:, 0]:
        assert crossing(along, place) == pytest.approx(place, abs=1.2)


def crossing(line, near):
    """Return where brightness passes the middle, closest to a place."""
    middle = (line.min() + line.max()) / 2
    above = line > middle
    steps = np.flatnonzero(above[1:] != above[:-1])
    step = steps[np.argmin(np.abs(steps + 0.5 - near))]
    return step + (middle - line[step]) / (line[step + 1] - line[step])


def board_image(path):
    squares = np.add.outer(np.arange(SQUARES[1]), np.arange(SQUARES[0])) % 2
    pixels = np.kron(np.pad(squares, 1, constant_values=1), np.ones((256, 256))) * 255
    return save_image(path, np.repeat(pixels[..., None], 3, 2))


def board(path):
    """A board that faces the camera (-x), squares of 0.1 m and a white rim of one square."""
    size = ((SQUARES[0] + 2) * SQUARE_M, (SQUARES[1] + 2) * SQUARE_M)
    # its z axis points to the camera, x to the right in the picture, y up
    return static(
        "board", Box((*size, 0.02)), x=1.01, rpy_deg=(90, 0, -90), texture=path, texture_size=0.0
    )


def board_corners():
    i, j = np.meshgrid(np.arange(SQUARES[0] - 1), np.arange(SQUARES[1] - 1))
    right = (i.ravel() - (SQUARES[0] - 2) / 2) * SQUARE_M
    up = (j.ravel() - (SQUARES[1] - 2) / 2) * SQUARE_M
    return np.column_stack([np.full(len(right), 1.0), -right, up])


def find_corners(image):
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    found, corners = cv2.findChessboardCornersSB(grey, (SQUARES[0] - 1, SQUARES[1] - 1))
    assert found
    return corners.reshape(-1, 2)


@pytest.mark.parametrize("distortion", [(0.0,) * 5, BARREL, (0.15, -0.02, 0, 0, 0)])
def test_corners_of_a_board_lie_where_they_are_projected(studio, tmp_path, distortion):
    scene = scene_of(board(board_image(tmp_path / "board.png")), ambient=(1, 1, 1), lights=())
    lens = Intrinsics.from_fov(640, 480, 65.0, distortion)
    pose = camera(x=-0.1, y=0.05, z=0.1, yaw_deg=-6.0, pitch_deg=7.0, roll_deg=4.0)
    corners = find_corners(studio.one(scene, Shot(pose, lens, film=PLAIN)).colour)
    expected = lens.project(pose.inverse().apply(board_corners()))
    apart = np.linalg.norm(corners[:, None] - expected[None], axis=2)
    assert (np.sort(apart.argmin(axis=1)) == np.arange(len(expected))).all()
    assert apart.min(axis=1).max() < 0.2


def test_opencv_calibrates_the_published_lens(studio, tmp_path):
    scene = scene_of(board(board_image(tmp_path / "board.png")), ambient=(1, 1, 1), lights=())
    lens = Intrinsics(640, 480, 520.0, 515.0, 322.0, 236.0, (-0.2, 0.06, 0.0, 0.0, 0.0))
    poses = [
        camera(x, y, z, yaw, pitch, roll)
        for x, y, z, yaw, pitch, roll in [
            (-0.2, 0, 0, 0, 0, 0),
            (0.1, 0.5, 0, -28, 0, 3),
            (0.1, -0.5, 0, 28, 0, -4),
            (0.0, 0, 0.5, 0, 26, 0),
            (0.0, 0, -0.5, 0, -26, 10),
            (0.1, 0.4, 0.4, -22, 22, 0),
            (0.1, -0.4, 0.4, 22, 22, 30),
            (0.0, 0.5, -0.3, -25, -18, -20),
            (-0.6, 0.3, 0, 2, -9, 0),
            (-0.6, -0.2, 0.1, -6, 10, 0),
            (-0.3, 0.2, 0.2, -6, 9, 15),
            (-0.5, -0.2, -0.2, 8, -8, 80),
        ]
    ]
    pictures = studio.take(scene, *[Shot(pose, lens, film=PLAIN) for pose in poses])
    corners = board_corners()
    flat = np.column_stack([-corners[:, 1], corners[:, 2], np.zeros(len(corners))]).astype(
        np.float32
    )
    images, objects = [], []
    for picture, pose in zip(pictures, poses, strict=True):
        expected = lens.project(pose.inverse().apply(corners))
        found = find_corners(picture.colour)
        nearest = np.linalg.norm(found[:, None] - expected[None], axis=2).argmin(axis=1)
        images.append(found.astype(np.float32))
        objects.append(flat[nearest])
    flags = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    _, k, d, _, _ = cv2.calibrateCamera(objects, images, (640, 480), None, None, flags=flags)
    for found, true in zip((k[0, 0], k[1, 1], k[0, 2], k[1, 2]), (520, 515, 322, 236), strict=True):
        assert found == pytest.approx(true, rel=5e-3)
    assert d.ravel()[0] == pytest.approx(-0.2, abs=0.02)


def random_image(path, seed=0, side=512):
    random = np.random.default_rng(seed)
    coarse = cv2.resize(random.uniform(0, 1, (side // 16, side // 16)), (side, side))
    fine = cv2.GaussianBlur(random.uniform(0, 1, (side, side)), (0, 0), 1.5)
    mix = (coarse - 0.5) * 0.5 + (fine - fine.mean()) * 4
    grey = np.clip(128 + mix * 110, 5, 250)
    return save_image(path, np.repeat(grey[..., None], 3, 2))


@pytest.mark.parametrize("distance", [2.0, 4.0, 8.0])
def test_stereo_matching_measures_a_wall(studio, tmp_path, distance):
    picture = random_image(tmp_path / "wall.png")
    scene = scene_of(
        wall(distance, texture=picture, texture_size=3.0), ambient=(1, 1, 1), lights=()
    )
    lens, baseline = Intrinsics.from_fov(1024, 768, 66.0), 0.12
    film = Film(noise=0.007, samples=1)
    eyes = [Shot(camera(y=y), lens, film=film) for y in (0.0, -baseline)]
    left, right = (cv2.cvtColor(p.colour, cv2.COLOR_RGB2GRAY) for p in studio.take(scene, *eyes))
    matcher = cv2.StereoSGBM_create(
        numDisparities=64, blockSize=7, P1=8 * 49, P2=32 * 49, uniquenessRatio=10
    )
    disparity = matcher.compute(left, right) / 16.0
    depth = lens.fx * baseline / disparity[disparity > 1]
    assert (disparity > 1).mean() > 0.7
    assert abs(np.median(depth) / distance - 1) < 0.02
    assert np.median(np.abs(depth / distance - 1)) < 0.02


def test_noise_has_the_moments_that_were_set(studio):
    scene = scene_of(wall(3.0), ambient=(1, 1, 1), lights=())
    shots = [Shot(camera(), VGA, film=Film(noise=0.02, seed=7, frame=f)) for f in (1, 2)]
    clean = studio.one(scene, Shot(camera(), VGA)).colour.astype(float)
    assert np.ptp(clean) == 0
    first, second = (p.colour.astype(float) - clean for p in studio.take(scene, *shots))
    exact = encode(decode(0.5) * 0.75) * 255  # a wall gets three quarters of the sky's light
    for noise in (first, second):
        assert (noise + clean).mean() == pytest.approx(exact, abs=0.15)
        assert noise.std() == pytest.approx(0.02 * 255, rel=0.01)
        assert np.mean((noise - noise.mean()) ** 4) / noise.var() ** 2 == pytest.approx(
            3.0, abs=0.05
        )
    assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.01
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert abs(np.corrcoef(first[..., one].ravel(), first[..., other].ravel())[0, 1]) < 0.01
    assert abs(np.corrcoef(first[:, 1:].ravel(), first[:, :-1].ravel())[0, 1]) < 0.01
    assert abs(np.corrcoef(first[1:].ravel(), first[:-1].ravel())[0, 1]) < 0.01


def test_a_trees_shadow_keeps_its_features(studio, tmp_path):
    """ORB finds at least half as many in the shadow of leaves as in the sun beside it."""
    leaves = np.zeros((256, 256, 4), np.uint8)
    leaves[..., :3] = (60, 110, 40)
    spots = cv2.GaussianBlur(np.random.default_rng(3).uniform(0, 1, (256, 256)), (0, 0), 6)
    leaves[..., 3] = np.where(spots > np.quantile(spots, 0.3), 255, 0)
    crown = save_image(tmp_path / "leaves.png", leaves)
    ground = random_image(tmp_path / "ground.png", 4, 1024)
    scene = scene_of(
        floor(texture=ground, texture_size=4.0),
        static(
            "crown", Box((4.0, 4.0, 0.01)), x=-6.0, y=2.0, z=6.0, texture=crown, texture_size=0.0
        ),
        lights=(Light("sun", direction=(1.0, 0.0, -1.0)),),
    )
    image = studio.one(scene, Shot(camera(z=6.0, pitch_deg=90.0), VGA, film=PLAIN)).colour
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    edges = VGA.project(
        camera(z=6.0, pitch_deg=90.0)
        .inverse()
        .apply(np.array([[1.9, 3.9, 0.0], [-1.9, 0.1, 0.0], [1.9, -0.1, 0.0], [-1.9, -3.9, 0.0]]))
    )
    dark, sunny = (np.zeros_like(grey) for _ in range(2))
    for mask, (a, b) in ((dark, edges[:2]), (sunny, edges[2:])):
        low, high = np.minimum(a, b).astype(int), np.maximum(a, b).astype(int)
        mask[max(0, low[1]) : high[1], max(0, low[0]) : high[0]] = 255
    assert grey[dark > 0].mean() < 0.8 * grey[sunny > 0].mean()
    finder = cv2.ORB_create(5000)
    inside, beside = len(finder.detect(grey, dark)), len(finder.detect(grey, sunny))
    assert beside > 100
    assert inside >= beside / 2


def test_holes_let_light_and_sight_through(studio, tmp_path):
    """A screen whose left half is not there: what is behind it is seen, and lit."""
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[:, :32, 3] = 0
    screen = save_image(tmp_path / "screen.png", pixels)
    half = static("screen", Box((2.0, 2.0, 0.01)), z=2.0, texture=screen, texture_size=0.0)
    scene = scene_of(floor(), half, lights=NOON)
    pose = camera(x=6.0, z=3.0, yaw_deg=180.0, pitch_deg=26.0)
    picture = studio.one(scene, Shot(pose, VGA, wants=ALL, film=PLAIN))
    points = np.array([[-0.5, 0.0, 2.0], [0.5, 0.0, 2.0], [-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]])
    pixel = np.rint(VGA.project(pose.inverse().apply(points))).astype(int)
    names = [picture.names[int(picture.labels[y, x])] for x, y in pixel]
    assert names == ["floor", "screen", "floor", "floor"]
    bright = [int(picture.colour[y, x, 0]) for x, y in pixel]
    assert bright[2] > 1.5 * bright[3]  # the sun passes the hole, not the screen
    depth = pose.inverse().apply(points)[1, 2]
    assert picture.depth[pixel[1][1], pixel[1][0]] == pytest.approx(depth, abs=0.05)


def test_a_texture_that_is_missing_is_magenta_and_said_once(studio, tmp_path, capsys):
    missing = str(tmp_path / f"missing-{studio.name}.png")
    scene = scene_of(wall(2.0, texture=missing), ambient=(1, 1, 1), lights=())
    first = studio.one(scene, Shot(camera(), VGA)).colour
    red, green, blue = first[240, 320].tolist()
    assert red == blue > 200
    assert green == 0
    again = scene_of(wall(3.0, texture=missing), ambient=(1, 1, 1), lights=())
    studio.one(again, Shot(camera(), VGA))
    assert capsys.readouterr().err.count("missing-") == 1


def test_the_moons_sky_is_black_and_haze_fades_to_the_horizon(studio):
    moon = scene_of(floor(), sky=(0, 0, 0), ambient=(0.02, 0.02, 0.02))
    assert studio.one(moon, Shot(camera(z=1.0), VGA)).colour[:200].max() == 0
    clear = studio.one(scene_of(wall(50.0)), Shot(camera(), VGA)).colour[240, 320]
    hazy_world = scene_of(wall(50.0), visibility=100.0, horizon=(1.0, 1.0, 1.0))
    hazy = studio.one(hazy_world, Shot(camera(), VGA)).colour[240, 320]
    share = np.exp(-1.5)
    expected = encode(decode(clear / 255.0) * share + (1 - share)) * 255
    assert np.abs(hazy - expected).max() < 1.5


def decode(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def encode(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)


def test_a_body_that_moves_is_drawn_where_it_is(studio):
    from outrider.world.materials import Material
    from outrider.world.model import Geometry, Link, Model

    ball = Geometry(Sphere(0.3), material=Material("red", colour=(1.0, 0.0, 0.0, 1.0)))
    mover = Model("ball", (Link("link", None, (ball,)),), mobility="scripted")
    scene = scene_of(floor(), mover)
    bodies = np.zeros(1, BODY)
    bodies["rotation"][:, 3] = 1.0
    for place in ([4.0, 1.0, 0.8], [5.0, -1.2, 0.6]):
        bodies["position"] = place
        pose = camera(z=1.0)
        picture = studio.one(scene, Shot(pose, VGA, wants=ALL), bodies)
        rows, columns = np.nonzero(picture.labels == number_of(picture, "ball/link"))
        expected = VGA.project(pose.inverse().apply(np.array([place])))[0]
        assert np.abs([columns.mean(), rows.mean()] - expected).max() < 1.0
        red = picture.colour[round(expected[1]), round(expected[0])]
        assert red[0] > 4 * red[1]
        hidden = studio.one(scene, Shot(pose, VGA, wants=ALL, hide_model=1), bodies)
        assert not (hidden.labels == number_of(picture, "ball/link")).any()


def number_of(picture, name):
    return next(n for n, own in picture.names.items() if own == name)


@pytest.mark.parametrize("name", [name for name in EVERY if name != "embree"])
def test_renderers_agree_on_colour(name, tmp_path):
    """PSNR of at least 30 dB, shadows and textures included."""
    tiles = random_image(tmp_path / "ground.png", 5)
    models = [floor(texture=tiles, texture_size=2.0), *things()[1:]]
    scene = scene_of(*models, lights=(Light("sun", direction=(0.6, 0.5, -1.0)),))
    shot = Shot(camera(z=1.4, pitch_deg=12.0), VGA, film=PLAIN, wants=ALL)
    pictures = []
    for which in ("embree", name):
        studio = Studio(which)
        pictures.append(studio.one(scene, shot))
        studio.close()
    first, second = (p.colour.astype(float) for p in pictures)
    assert 10 * np.log10(255**2 / np.mean((first - second) ** 2)) >= 30.0
    a, b = pictures[0].depth, pictures[1].depth
    near = (a < 30) & (b < 30)
    assert np.mean(np.abs(a[near] - b[near]) < 2e-3 + 2e-3 * a[near]) > 0.98


def test_the_same_seed_gives_the_same_picture_to_the_last_bit(studio, tmp_path):
    def picture():
        ground = random_image(tmp_path / "ground.png", 6)
        scene = scene_of(floor(texture=ground), *things()[1:])
        own = Studio(studio.name)
        film = Film(noise=0.01, grain=0.02, chromatic=0.002, vignetting=0.3, seed=5, frame=9)
        taken = own.one(scene, Shot(camera(z=1.4, pitch_deg=12.0), VGA, film=film, wants=ALL))
        own.close()
        return taken

    first, second = picture(), picture()
    assert (first.colour == second.colour).all()
    assert (first.depth == second.depth).all()
    assert (first.labels == second.labels).all()


def test_a_rolling_shutter_leans_upright_things(studio):
    """While the camera turns left, lower rows are read later: a post leans to the right."""
    scene = scene_of(static("post", Cylinder(0.05, 8.0), x=4.0))
    turn = [camera(yaw_deg=a) for a in (0.0, 4.0, 8.0)]
    picture = studio.one(scene, Shot(turn[1], VGA, wants=ALL, row_poses=tuple(turn)))
    top, low = (np.nonzero(picture.labels[row])[0].mean() for row in (0, 479))
    expected = VGA.project(np.array([[np.sin(np.radians(8)), 0, np.cos(np.radians(8))]]))[0, 0]
    assert low - top == pytest.approx(expected - VGA.cx, abs=8.0 if studio.name == "gl" else 2.0)


def moving(name, shape, start, end):
    """Return a thing, and where it is at nine times on its way."""
    bodies = np.zeros((9, 1), BODY)
    bodies["position"][:, 0] = np.linspace(start, end, 9)
    bodies["rotation"][..., 3] = 1.0
    return replace(static(name, shape), mobility="scripted"), bodies


def test_a_rolling_shutter_leans_what_moves(studio):
    """A post that goes to the right stands further to the right in rows that are read later."""
    post, bodies = moving("post", Cylinder(0.05, 8.0), (4.0, 0.0, 0.0), (4.0, -0.4, 0.0))
    shot = Shot(camera(), VGA, wants=ALL, row_poses=(camera(),) * 9)
    picture = studio.one(scene_of(post), shot, bodies)
    rows = np.arange(480)
    seen = np.array([np.nonzero(picture.labels[row])[0].mean() for row in rows])
    expected = VGA.cx + VGA.fx * 0.4 * rows / 479 / 4.0
    off = 0.8 if studio.name == "gl" else 0.6  # bands of eight rows: half a pixel
    assert np.abs(seen - expected).max() < off


def test_behind_a_rolling_shutter_nothing_lies_in_the_shadow_of_where_it_was(studio):
    board, bodies = moving("board", Box((0.02, 6.0, 6.0)), (4.0, 0.0, 0.0), (4.6, 0.0, 0.0))
    scene = scene_of(board, lights=(Light("sun", direction=(1.0, 0.0, -0.3)),))
    picture = studio.one(scene, Shot(camera(), VGA, row_poses=(camera(),) * 9), bodies)
    column = picture.colour[:, 320].astype(int)
    assert column.min() > 100
    assert np.ptp(column) < 8


def test_no_place_of_the_ground_looks_like_the_place_a_copy_of_its_picture_away(studio, tmp_path):
    random = np.random.default_rng(5)
    grain = cv2.GaussianBlur(random.uniform(0, 255, (256, 256)).astype(np.float32), (0, 0), 1.5)
    grain = np.clip(128 + 45 * (grain - grain.mean()) / grain.std(), 0, 255)
    detail = save_image(tmp_path / "detail.png", grain.astype(np.uint8))
    plain = save_image(tmp_path / "plain.png", np.full((2, 2, 3), 128))
    scene = scene_of(floor(texture=plain, texture_size=4.0, detail=detail))
    lens = Intrinsics.from_fov(200, 200, 30.0)
    shots = [Shot(camera(x=x, z=4.0, pitch_deg=90.0), lens) for x in (1.0, 5.0, 13.0)]
    shown = [p.colour[..., 0].astype(np.float64) for p in studio.take(scene, *shots)]
    assert shown[0].std() > 15  # as strong as one copy: its contrast is kept
    for other in shown[1:]:
        assert np.corrcoef(shown[0].ravel(), other.ravel())[0, 1] < 0.65
