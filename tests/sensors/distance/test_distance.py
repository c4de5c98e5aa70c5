import math
from dataclasses import replace

import numpy as np
import pytest
from sensor_stand import looking, site_before, thing, wall

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.sensors.distance.cone import Beam, BeamCone
from outrider.sensors.distance.sound import speed_of_sound
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model
from outrider.world.shapes import Box, Cylinder, Sphere

EXACT = {"noise": 0.0, "resolution": 0.0}
NARROW = [{"half_angle_deg": 20.0, "length": 10.0, "rays": 400}]


def off_axis_deg(directions: np.ndarray) -> np.ndarray:
    return np.degrees(np.arccos(np.clip(directions[:, 0], -1.0, 1.0)))


def ultrasonic(*models: Model, **parameters: object) -> float:
    """The range of a noiseless PING))) with one cone of 20 degrees that reaches 10 m."""
    settings = {**EXACT, "cones": NARROW, "max_range": 10.0, **parameters}
    return looking("ping", *models, **settings).output.range


# cones


@pytest.mark.parametrize("half_angle_deg", [2.5, 20.0, 75.0, 180.0])
def test_rays_lie_inside_their_cone_from_its_axis_to_its_edge(half_angle_deg: float) -> None:
    directions = BeamCone(half_angle_deg, 1.0, 200).directions()
    angles = off_axis_deg(directions)
    assert np.linalg.norm(directions, axis=1) == pytest.approx(1.0)
    assert angles[0] == pytest.approx(0.0, abs=1e-5)
    assert angles[-1] == pytest.approx(half_angle_deg, abs=1e-5)
    assert (angles <= half_angle_deg + 1e-9).all()


def test_rays_are_spread_evenly_over_the_solid_angle() -> None:
    cone = BeamCone(30.0, 1.0, 500)
    directions = cone.directions()
    edges = np.linspace(1.0, math.cos(math.radians(30.0)), 11)  # ten rings of equal solid angle
    rings = np.histogram(directions[:, 0], edges[::-1])[0]
    assert rings.min() >= 49
    turns = np.arctan2(directions[1:, 2], directions[1:, 1])
    sectors = np.histogram(turns, 12, (-np.pi, np.pi))[0]
    assert abs(sectors - 499 / 12).max() < 4
    apart = np.sort(np.arccos(np.clip(directions @ directions.T, -1, 1)), axis=1)[:, 1]
    mean_area = 2 * np.pi * (1 - math.cos(math.radians(30.0))) / 500
    # hexagons would be 1.07 sqrt(area) apart, squares 1
    assert 0.7 * math.sqrt(mean_area) < apart[5:].min()
    assert apart.mean() == pytest.approx(0.95 * math.sqrt(mean_area), rel=0.1)


def test_a_ring_has_no_rays_inside_and_a_side_lobe_points_aside() -> None:
    ring = off_axis_deg(BeamCone(32.0, 1.0, 100, inner_deg=24.0).directions())
    assert ring.min() == pytest.approx(24.0)
    assert ring.max() == pytest.approx(32.0)
    lobe = BeamCone(5.0, 1.0, 50, azimuth_deg=40.0, elevation_deg=10.0).directions()
    axis = [
        math.cos(math.radians(10)) * math.cos(math.radians(40)),
        math.cos(math.radians(10)) * math.sin(math.radians(40)),
        math.sin(math.radians(10)),
    ]
    assert np.degrees(np.arccos(lobe @ axis)).max() == pytest.approx(5.0)
    assert lobe[0] == pytest.approx(axis)


def test_nested_cones_keep_their_own_lengths() -> None:
    beam = Beam((BeamCone(20.0, 1.0, 10), BeamCone(10.0, 3.0, 20)))
    assert beam.lengths.tolist() == [1.0] * 10 + [3.0] * 20
    assert beam.field_of_view_rad == pytest.approx(math.radians(20.0))


# sound


@pytest.mark.parametrize("distance", [0.05, 0.5, 1.5, 2.9])
def test_a_wall_straight_ahead_is_as_far_as_it_is(distance: float) -> None:
    sensor = looking("ping", wall(distance), **EXACT)
    assert sensor.output.range == pytest.approx(distance, abs=1e-4)
    assert sensor.output.point == pytest.approx([distance, 0, 0], abs=1e-3)


@pytest.mark.parametrize("yaw_deg", [5.0, 12.0, 19.0])
def test_a_wall_turned_less_than_the_beam_is_seen_at_its_foot(yaw_deg: float) -> None:
    nearest = 2.0 * math.cos(math.radians(yaw_deg))
    assert ultrasonic(wall(2.0, yaw_deg)) == pytest.approx(nearest, rel=1e-3)


@pytest.mark.parametrize("yaw_deg", [25.0, 35.0, 45.0])
def test_a_wall_turned_more_is_seen_by_the_edge_of_the_beam(yaw_deg: float) -> None:
    turned, edge = math.radians(yaw_deg), math.radians(20.0)
    at_edge = 2.0 * math.cos(turned) / math.cos(turned - edge)
    assert ultrasonic(wall(2.0, yaw_deg)) == pytest.approx(at_edge, rel=0.01)
    assert ultrasonic(wall(2.0, yaw_deg)) >= at_edge - 1e-4


def test_a_wall_turned_beyond_the_incidence_limit_throws_no_sound_back() -> None:
    assert ultrasonic(wall(2.0, 47.0)) < 2.0  # its edge rays meet the wall at 27 degrees
    assert ultrasonic(wall(2.0, 51.0)) == math.inf
    assert ultrasonic(wall(2.0, 51.0), incidence_limit_deg=80.0) < 2.0


def test_the_floor_under_a_level_beam_is_not_heard() -> None:
    floor = thing("floor", Box((40.0, 40.0, 1.0)), 0.0, 0.0, -0.6)
    assert ultrasonic(floor) == math.inf
    assert ultrasonic(floor, incidence_limit_deg=90.0) == pytest.approx(
        0.1 / math.sin(math.radians(20)), rel=0.02
    )


def test_the_edge_of_a_box_beside_the_axis_is_heard_at_its_true_distance() -> None:
    box = thing("box", Box((1.0, 1.0, 4.0)), 1.5, 0.5 + 0.2)  # front at 1 m, from y = 0.2 on
    assert ultrasonic(box) == pytest.approx(math.hypot(1.0, 0.2), rel=0.01)
    beyond = 0.01 + math.tan(math.radians(20.0))
    aside = thing("box", Box((1.0, 1.0, 4.0)), 1.5, 0.5 + beyond)
    assert ultrasonic(aside) == math.inf


@pytest.mark.parametrize("angle_deg", [0.0, 8.0, 18.0])
def test_a_cylinder_is_heard_wherever_it_stands_in_the_beam(angle_deg: float) -> None:
    angle = math.radians(angle_deg)
    post = thing("post", Cylinder(0.1, 4.0), 1.5 * math.cos(angle), 1.5 * math.sin(angle))
    assert ultrasonic(post) == pytest.approx(1.4, abs=0.005)


def test_the_nearest_of_several_things_is_heard() -> None:
    near = thing("near", Sphere(0.2), 1.2, 0.15)
    assert ultrasonic(wall(2.0), near) == pytest.approx(math.hypot(1.2, 0.15) - 0.2, abs=0.004)


def test_an_echo_of_too_few_rays_is_not_loud_enough() -> None:
    thread = thing("thread", Cylinder(0.004, 0.05), 1.0)
    assert ultrasonic(thread, wall(2.0)) == pytest.approx(0.996, abs=1e-3)
    assert ultrasonic(thread, wall(2.0), echo_rays=5) == pytest.approx(2.0, abs=1e-3)


def test_every_cone_reaches_as_far_as_it_says() -> None:
    def ping(distance: float, angle_deg: float) -> float:
        angle = math.radians(angle_deg)
        post = thing("post", Sphere(0.08), distance * math.cos(angle), distance * math.sin(angle))
        return looking("ping", post, **EXACT).output.range

    assert ping(0.9, 18.0) == pytest.approx(0.82, abs=0.01)
    assert ping(1.3, 21.0) == math.inf
    assert ping(1.5, 13.0) == pytest.approx(1.42, abs=0.01)
    assert ping(2.5, 13.0) == math.inf
    assert ping(2.5, 5.0) == pytest.approx(2.42, abs=0.02)


def test_a_ring_of_side_lobes_hears_what_is_near_and_aside() -> None:
    def sonar(distance: float, angle_deg: float) -> float:
        angle = math.radians(angle_deg)
        ball = thing("ball", Sphere(0.04), distance * math.cos(angle), distance * math.sin(angle))
        return looking("sonar", ball, noise=0.0, noise_share=0.0, resolution=0.0).output.range

    assert sonar(0.7, 28.0) == pytest.approx(0.66, abs=0.006)
    assert sonar(0.7, 20.0) == math.inf
    assert sonar(1.3, 28.0) == math.inf


def test_what_is_in_the_dead_zone_is_too_near_or_at_the_minimum() -> None:
    assert looking("ping", wall(0.012), **EXACT).output.range == -math.inf
    inches = {"noise": 0.0}
    assert looking("maxbotix-ez1", wall(0.08), **inches).output.range == pytest.approx(0.1524)
    assert looking("maxbotix-ez1", wall(1.0), **inches).output.range == pytest.approx(39 * 0.0254)
    assert looking("maxbotix-ez1", wall(20.0), **inches).output.range == pytest.approx(6.4516)


def test_the_family_gets_narrower_from_ez0_to_ez4() -> None:
    def heard_to_deg(model: str) -> float:
        seen = 0.0
        for angle_deg in np.arange(0.0, 60.0, 1.0):
            angle = math.radians(angle_deg)
            ball = thing("ball", Sphere(0.05), math.cos(angle), math.sin(angle))
            if looking(model, ball, noise=0.0).output.range < 6.0:
                seen = angle_deg
        return seen

    reach = [heard_to_deg(f"maxbotix-ez{k}") for k in range(5)]
    assert reach == sorted(reach, reverse=True)
    assert reach[0] == pytest.approx(40.0, abs=4.0)
    assert reach[4] == pytest.approx(15.0, abs=4.0)


def test_cold_and_hot_air_are_11_to_13_percent_apart() -> None:
    assert speed_of_sound(0.0) == 331.5
    assert speed_of_sound(70.0) == pytest.approx(373.5)
    cold, hot = {"assumed_temperature_c": 0.0}, {"assumed_temperature_c": 70.0}
    # sound is faster in hot air: a device that thinks it is cold reads short
    short = ultrasonic(wall(2.0), temperature_c=70.0, **cold)
    long = ultrasonic(wall(2.0), temperature_c=0.0, **hot)
    assert short == pytest.approx(2.0 * 331.5 / 373.5, abs=1e-4)
    assert long == pytest.approx(2.0 * 373.5 / 331.5, abs=1e-4)
    assert 1 - short / 2.0 == pytest.approx(0.1124, abs=1e-3)
    assert long / 2.0 - 1 == pytest.approx(0.1267, abs=1e-3)
    assert ultrasonic(wall(2.0), temperature_c=35.0, assumed_temperature_c=35.0) == pytest.approx(
        2.0, abs=1e-4
    )


def test_sound_in_water_is_as_fast_as_measured() -> None:
    # Del Grosso and Mader 1972: pure water, 20 C 1482.3 m/s, 5 C 1426.2 m/s
    assert speed_of_sound(20.0, "water") == pytest.approx(1482.3, abs=1.0)
    assert speed_of_sound(5.0, "water") == pytest.approx(1426.2, abs=1.0)


def test_noise_has_its_size_and_repeats_with_its_seed() -> None:
    def series(seed: int) -> np.ndarray:
        site = site_before(wall(2.0), seed=seed)
        sensor = looking("ping", site=site, noise=0.01, noise_share=0.005, resolution=0.0)
        values = []
        for _ in range(2000):
            sensor.sample(0)
            values.append(sensor.output.range)
        return np.array(values)

    first = series(1)
    assert first.mean() == pytest.approx(2.0, abs=4 * 0.02 / math.sqrt(2000))
    assert first.std() == pytest.approx(0.02, rel=0.06)
    assert (series(1) == first).all()
    assert (series(2) != first).any()


def test_echoes_are_missed_as_often_as_asked() -> None:
    sensor = looking("ping", wall(1.0), missed=0.3)
    count = 0
    for _ in range(1000):
        sensor.sample(0)
        count += sensor.output.range == math.inf
    assert count == pytest.approx(300, abs=60)


def test_the_range_message_says_what_the_sensor_is() -> None:
    sensor = looking("ping", wall(1.0))
    message = sensor.outputs["range"](1_500_000_000)
    assert (message.header.stamp.sec, message.header.frame_id) == (1, "eye")
    assert (message.radiation_type, message.min_range, message.max_range) == (0, 0.02, 3.0)
    assert message.field_of_view == pytest.approx(math.radians(20.0))
    assert message.range == pytest.approx(1.0, abs=0.01)
    point = sensor.outputs["hit"](0).point
    assert [point.x, point.y, point.z] == pytest.approx([1, 0, 0], abs=0.01)
    nothing = looking("ping", wall(5.0))
    assert nothing.outputs["range"](0).range == math.inf
    assert math.isnan(nothing.outputs["hit"](0).point.x)


def test_what_hides_from_sensors_is_not_heard() -> None:
    hidden = thing("curtain", Box((0.1, 9, 9)), 1.0, material=Material(hidden_from_sensors=True))
    assert ultrasonic(hidden, wall(2.0)) == pytest.approx(2.0, abs=1e-4)


# light


@pytest.mark.parametrize(
    ("model", "at_10_cm", "at_80_cm"), [("sharp-gp2d12", 2.4, 0.4), ("sharp-gp2y0a21", 2.3, 0.4)]
)
def test_the_voltage_is_the_makers_at_both_ends(
    model: str, at_10_cm: float, at_80_cm: float
) -> None:
    exact = {"noise_v": 0.0, "step_v": 0.0}
    for distance, voltage in ((0.1, at_10_cm), (0.8, at_80_cm)):
        sensor = looking(model, wall(distance), **exact)
        assert sensor.voltage == pytest.approx(voltage, rel=2e-3)
        assert sensor.outputs["voltage"](0).data == sensor.voltage
    assert looking(model, wall(0.4), **exact).output.range == pytest.approx(0.4, rel=2e-3)
    assert looking(model, wall(0.4, 60.0), **exact).output.range == pytest.approx(0.4, rel=0.02)
    assert looking(model, wall(1.0), **exact).output.range == math.inf
    assert looking(model, wall(0.085), **exact).output.range == -math.inf


def test_a_thing_too_near_to_a_sharp_sensor_reads_as_far_away() -> None:
    near = looking("sharp-gp2y0a21", wall(0.01), noise_v=0.0)
    assert near.voltage < 1.0
    assert near.output.range > 0.3  # wrong, as the real one is


def test_half_a_spot_on_an_edge_gives_a_distance_between() -> None:
    box = thing("box", Box((0.2, 1.0, 4.0)), 0.4, 0.5)  # front at 0.3 m, covers the left half
    between = looking("sharp-gp2d12", box, wall(0.6), noise_v=0.0).output.range
    assert 0.33 < between < 0.57


# radio


def box_in_motion(velocity: tuple[float, float, float], spin: float = 0.0):
    """A site before a box whose front is 4 m away, and which moves."""
    box = thing("box", Box((1.0, 2.0, 2.0)), 4.5, mobility="scripted")
    site = site_before(box)
    site.state.bodies[0]["velocity"] = velocity
    site.state.bodies[0]["angular_velocity"] = (0.0, 0.0, spin)
    return site


EXACT_RADAR = {
    "range_noise": 0.0,
    "speed_noise": 0.0,
    "angle_noise_deg": 0.0,
    "range_resolution": 0.0,
    "speed_resolution": 0.0,
}


@pytest.mark.parametrize(
    ("velocity", "radial"), [((2.0, 0, 0), 2.0), ((-3.0, 0, 0), -3.0), ((0, 5.0, 0), 0.0)]
)
def test_radial_speed_is_positive_for_what_moves_away(velocity, radial: float) -> None:
    (track,) = looking("radar", site=box_in_motion(velocity), **EXACT_RADAR).tracks
    assert track.range == pytest.approx(4.0, abs=1e-3)
    assert track.radial_speed == pytest.approx(radial, abs=1e-6)
    assert track.azimuth_rad == pytest.approx(0.0, abs=1e-6)


def test_a_radar_that_drives_on_sees_still_things_come_nearer() -> None:
    rover = thing("rover", Box((0.2, 0.2, 0.2)), 0.0, yaw_deg=90.0, mobility="scripted")
    post = thing("post", Cylinder(0.1, 4.0), 0.0, 6.0)
    site = site_before(rover, post, body=0)
    site.state.bodies[0]["velocity"] = (0.0, 1.5, 0.0)
    sensor = looking("radar", site=site, **EXACT_RADAR)
    (track,) = sensor.tracks  # the rover itself is not among them
    assert track.range == pytest.approx(5.9, abs=0.01)
    assert track.radial_speed == pytest.approx(-1.5, rel=1e-3)
    message = sensor.outputs["tracks"](0).tracks[0]
    assert message.radial_speed == track.radial_speed


def test_the_edge_of_a_turning_thing_moves_by_its_turning() -> None:
    # a beam along y = 0.8 of the box: its front turns towards the sensor there
    site = box_in_motion((0.0, 0.0, 0.0), spin=2.0)
    cones = [{"half_angle_deg": 0.01, "length": 20.0, "rays": 1}]
    placed = Pose(np.array([0.0, 0.8, 0.0]))
    aside = replace(site, T_body_sensor=placed)
    (track,) = looking("radar", site=aside, cones=cones, **EXACT_RADAR).tracks
    assert track.radial_speed == pytest.approx(-2.0 * 0.8, rel=1e-4)


def test_each_thing_is_one_track_nearest_first() -> None:
    posts = [thing(f"post{k}", Cylinder(0.15, 2.0), 5.0 + 3 * k, k - 1.0) for k in range(3)]
    mover = thing("mover", Sphere(0.5), 7.0, -0.6, mobility="scripted")
    tracks = looking("radar", *posts, mover, **EXACT_RADAR).tracks
    assert [round(track.range, 1) for track in tracks] == [4.9, 6.5, 7.8, 10.9]
    assert math.degrees(tracks[0].azimuth_rad) == pytest.approx(
        math.degrees(math.atan2(-1, 5)), abs=1.5
    )
    assert len(looking("radar", *posts, mover, tracks=2).tracks) == 2


# bad input


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"min_range": 4.0}, "min_range must be below max_range"),
        ({"cones": []}, "at least one"),
        ({"cones": [{"half_angle_deg": 0.0, "length": 1.0}]}, "half_angle_deg: must be above 0"),
        ({"cones": [{"half_angle_deg": 200.0, "length": 1.0}]}, "at most 180"),
        ({"cones": [{"half_angle_deg": 5, "inner_deg": 6, "length": 1.0}]}, "inner_deg must be"),
        ({"cones": [{"half_angle_deg": 5, "length": 1.0, "rays": 0}]}, "rays: must be at least 1"),
        ({"too_near": "minimun"}, "did you mean 'minimum'"),
        ({"incidence_limit": 3}, "did you mean 'incidence_limit_deg'"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        looking("ping", wall(1.0), **settings)


def test_an_unknown_preset_gets_a_near_match() -> None:
    with pytest.raises(ConfigError, match="did you mean 'maxbotix-ez1'"):
        looking("maxbotix-z1", wall(1.0))


def test_a_mesh_less_world_is_silent() -> None:
    nothing = Model(
        "frame",
        (Link("link", None, (), (Geometry(Sphere(0.1), Pose(np.array([0, 0, 99.0]))),)),),
        mobility="static",
    )
    assert ultrasonic(nothing) == math.inf
