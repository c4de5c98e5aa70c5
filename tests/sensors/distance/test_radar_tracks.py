"""Radar tracks of a car, a person and what hides them, against their true places and speeds."""

import numpy as np
import pytest

from outrider.scenarios.build import build
from outrider.scenarios.load import loads

EXACT = (
    "range_noise: 0, speed_noise: 0, angle_noise_deg: 0, range_resolution: 0, speed_resolution: 0"
)
RADAR_Z = 0.6


def seen(actors, seconds, obstacles="[]", settings=""):
    """Return the tracks over time, where bodies were then, and the simulation's body names."""
    text = f"""
world: empty
robots:
  - model: jackal
    sensors: [{{name: radar, model: radar, pose: {{z: {RADAR_Z}}}, set: {{{EXACT}{settings}}}}}]
obstacles: {obstacles}
actors: {actors}
duration_s: null
"""
    sim = build(loads(text))
    box = sim.bus.subscribe("/radar", kept="all")
    rows = []
    while sim.time_s < seconds - 1e-9:
        sim.step()
        while (item := box.poll()) is not None:
            rows.append((sim.time_s, item[1].tracks, sim.state.bodies.copy()))
    names = [body.name for body in sim.rig.scene.assembly.bodies]
    eye = sim.robots["jackal"].sensors["radar"].pose.position
    sim.close()
    return rows, names, eye


def place(track):
    """Return where a track is, from the sensor."""
    flat = track.range * np.cos(track.elevation)
    return np.array(
        [
            flat * np.cos(track.azimuth),
            flat * np.sin(track.azimuth),
            track.range * np.sin(track.elevation),
        ]
    )


def test_a_car_that_comes_is_one_track_with_its_place_and_closing_speed():
    car = "[{type: car, name: car, robots: ignore, points: [[60, 1.5], [-60, 1.5]], speed: 8}]"
    rows, names, eye = seen(car, 4.5)
    body = names.index("car/body")
    found = [(tracks, bodies[body]) for _, tracks, bodies in rows if tracks]
    assert len(found) > 20
    assert {len(tracks) for tracks, _ in found} == {1}
    assert len({tracks[0].id for tracks, _ in found}) == 1
    for (track,), truth in found:
        point = eye + place(track)
        centre, velocity = truth["position"], truth["velocity"]
        assert np.linalg.norm(truth["angular_velocity"]) < 1e-3  # straight on
        assert 2.8 < centre[0] - point[0] < 3.6  # its bumper, before the rear axle
        assert abs(point[1] - centre[1]) < 1.1
        assert 0.0 < point[2] < 1.8
        away = place(track) / track.range
        # the sensor stands; a wheel's tread may be the nearest point
        assert track.radial_speed == pytest.approx(float(velocity @ away), abs=0.6)
        assert track.radial_speed < 0
    assert found[-1][0][0].range < found[0][0][0].range


def test_a_person_who_crosses_is_one_track_that_comes_nearer_and_then_goes():
    anna = (
        "[{type: person, name: anna, robots: ignore, points: [[8, 4], [8, -4]], times: [0, 6.4]}]"
    )
    rows, names, eye = seen(anna, 6.3)
    body = names.index("anna/body")
    assert {len(tracks) for _, tracks, _ in rows} == {1}
    assert len({tracks[0].id for _, tracks, _ in rows}) == 1
    coming, going = [], []
    for time_s, (track,), bodies in rows:
        point, truth = eye + place(track), bodies[body]
        assert np.hypot(*(point - truth["position"])[:2]) < 0.7
        along = place(track) / track.range
        radial = float(truth["velocity"] @ along)  # -1.25 m/s across
        (coming if time_s < 2.4 else going if time_s > 4.0 else []).append(
            (track.radial_speed, radial)
        )
    for rows_of, sign in ((coming, -1), (going, 1)):
        found, true = np.array(rows_of).T
        assert np.sign(true.mean()) == sign
        assert found.mean() == pytest.approx(true.mean(), abs=0.2)  # limbs swing about the body


def test_what_stands_behind_a_wall_or_outside_the_beam_is_not_seen():
    herd = (
        "[{type: person, name: hidden, robots: ignore, points: [[9, -0.5], [9, 0.5]], speed: 0.5},"
        " {type: person, name: aside, robots: ignore, points: [[2, 9], [2, 8]], speed: 0.5},"
        " {type: person, name: far, robots: ignore, points: [[20, 6.0], [20, 6.5]], speed: 0.5}]"
    )
    wall = "[{name: wall, shape: {type: box, size: [0.2, 6, 4]}, pose: {x: 5, z: 2}}]"
    rows, _, _ = seen(herd, 0.3, wall)
    for _, tracks, _ in rows:
        assert [round(track.range, 1) for track in tracks] == [pytest.approx(4.9, abs=0.15)]


def test_the_ground_is_a_track_only_where_it_is_asked_for():
    lengths = [
        {len(tracks) for _, tracks, _ in seen("[]", 0.3, settings=setting)[0]}
        for setting in ("", ", sees_ground: true")
    ]
    assert lengths == [{0}, {1}]
