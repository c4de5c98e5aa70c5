import threading

import numpy as np
import pytest

from outrider.core.errors import BusError
from outrider.messages import store as store_module
from outrider.messages import types
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.store import register_whole
from outrider.messages.types import message_class, register, store

AUTOMINY = {
    "SteeringPWMCommand": ("int16", -1558),
    "SteeringCommand": ("float64", 0.1234567890123),
    "NormalizedSteeringCommand": ("float32", -0.25),
    "SpeedPWMCommand": ("int16", 210),
    "SpeedCommand": ("float64", -2.5),
    "NormalizedSpeedCommand": ("float32", 0.5),
    "Speed": ("float64", 1e-9),
    "SteeringAngle": ("float64", 0.512),
    "SteeringFeedback": ("int16", 420),
    "Tick": ("uint8", 255),
    "Voltage": ("float32", 16.0),
    "Plot": ("float32", 3.5),
}


def round_trip(name: str, data: dict) -> dict:
    message = from_dict(name, data)
    raw = store().serialize_cdr(message, name)
    return to_dict(store().deserialize_cdr(raw, name))


@pytest.mark.parametrize("name", AUTOMINY)
def test_each_autominy_value_survives_cdr(name):
    value = AUTOMINY[name][1]
    header = {"stamp": {"sec": 7, "nanosec": 999_999_999}, "frame_id": "base_link"}
    back = round_trip(f"autominy_msgs/msg/{name}", {"header": header, "value": value})
    assert back == {"header": header, "value": value}


@pytest.mark.parametrize("name", AUTOMINY)
def test_each_autominy_value_has_the_type_of_the_real_car(name):
    fields = dict(store().fielddefs[f"autominy_msgs/msg/{name}"][1])
    assert list(fields) == ["header", "value"]
    assert fields["value"][1][0] == AUTOMINY[name][0]


def test_a_trajectory_survives_cdr():
    points = [
        {"pose": {"position": {"x": float(i)}}, "time_from_start": {"sec": i}} for i in (1, 2)
    ]
    data = {"child_frame_id": "base_link", "trajectory": points}
    back = round_trip("autominy_msgs/Trajectory".replace("/", "/msg/"), data)
    assert [p["pose"]["position"]["x"] for p in back["trajectory"]] == [1.0, 2.0]
    assert back["trajectory"][1]["time_from_start"] == {"sec": 2, "nanosec": 0}


def test_obstacles_survive_cdr_and_name_their_classes():
    pedestrian = message_class("autominy_msgs/Obstacle").PEDESTRIAN
    assert pedestrian == 3
    obstacle = {
        "object_id": 65535,
        "classification": pedestrian,
        "contour_points": [{"x": 1.5}, {"y": -2.0}],
        "odom": {"pose": {"covariance": list(range(36))}},
        "classification_certainty": 0.75,
    }
    back = round_trip("autominy_msgs/msg/Obstacles", {"obstacles": [obstacle]})["obstacles"][0]
    assert back["object_id"] == 65535
    assert back["contour_points"][1] == {"x": 0.0, "y": -2.0, "z": 0.0}
    assert back["odom"]["pose"]["covariance"][35] == 35.0


def test_our_own_messages_survive_cdr():
    sensors = [{"name": "imu", "sim_update_rate": 100.0, "real_update_rate": 50.0, "fps": 0.0}]
    metrics = {"real_time_factor": 0.5, "steps": 2**63, "sensors": sensors}
    back = round_trip("outrider_msgs/msg/PerformanceMetrics", metrics)
    assert back["steps"] == 2**63
    assert back["sensors"] == sensors
    collision = {"first": "jackal", "second": "wall", "normal": {"x": -1.0}, "impulse": 12.5}
    back = round_trip("outrider_msgs/msg/Collision", collision)
    assert (back["first"], back["second"], back["impulse"]) == ("jackal", "wall", 12.5)


def test_a_long_or_a_short_name_leads_to_the_class_used_inside():
    assert message_class("geometry_msgs/msg/Twist") is types.Twist
    assert message_class("geometry_msgs/Twist") is types.Twist


def test_an_unknown_type_is_refused_with_a_near_match():
    with pytest.raises(BusError, match="did you mean 'geometry_msgs/msg/Twist'"):
        message_class("geometry_msgs/Twisst")
    with pytest.raises(BusError, match="named like"):
        message_class("Twist")


def test_all_threads_get_one_store():
    found = []
    threads = [threading.Thread(target=lambda: found.append(store())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1


def test_a_type_can_be_added_while_running_and_again():
    text = "# two wheels\r\nstd_msgs/Header header\r\nfloat32[2] speeds\r\nuint8 STOP=7\r\n"
    added = register("lab_msgs/WheelSpeeds", text)
    assert register("lab_msgs/msg/WheelSpeeds", text) is added
    assert added.STOP == 7
    back = round_trip("lab_msgs/msg/WheelSpeeds", {"speeds": [0.5, -1.0]})
    assert back["speeds"] == [0.5, -1.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int32 x\nint32 y!\n", "line 2"),
        ("geometry_msgs/Twst twist", "unknown type 'geometry_msgs/msg/Twst'.*Twist"),
        ("Broken[] parts", "contains itself"),
        ("int8 x\nint8 x", "two fields with the same name"),
        ("int8 LEFT=port", "LEFT must be int8"),
        ("int8[-3] x", "1 to"),
        ("float64[99999999999] x", "1 to"),
        ("#" * 70_000, "characters"),
        ("".join(f"int8 x{n}\n" for n in range(1001)), "more than 1000 fields"),
        ("std_msgs/Empty[] parts", "'lab_msgs/msg/Broken': parts is a list of messages without"),
        ("geometry_msgs/Twist[2000] all", "holds 12000 values and 6000 messages"),
        ("float64[800000] a\nfloat64[800000] b", "holds 1600000 values"),
    ],
)
def test_bad_text_is_refused_in_one_sentence(text, said):
    with pytest.raises(BusError, match=said) as caught:
        register("lab_msgs/msg/Broken", text)
    assert "\n" not in str(caught.value)
    assert "lab_msgs/msg/Broken" not in store().types


def test_types_that_double_are_refused():
    register("lab_msgs/Double0", "int8 x")
    for n in range(1, 9):
        register(f"lab_msgs/Double{n}", f"Double{n - 1} a\nDouble{n - 1} b")
    with pytest.raises(BusError, match=r"Double9' holds 512 values and 1022 messages"):
        register("lab_msgs/Double9", "Double8 a\nDouble8 b")


def test_types_in_types_without_end_are_refused():
    register("lab_msgs/Deep0", "int8 x")
    for n in range(1, 51):
        register(f"lab_msgs/Deep{n}", f"Deep{n - 1} a")
    with pytest.raises(BusError, match=r"Deep51' is nested more than 50 deep"):
        register("lab_msgs/Deep51", "Deep50 a")
    whole = "Link499 a\n" + "".join(
        f"{'=' * 80}\nMSG: lab_msgs/Link{n}\n{f'Link{n - 1} a' if n else 'int8 x'}\n"
        for n in range(500)
    )
    with pytest.raises(BusError, match="is nested more than 50 deep"):
        register_whole("lab_msgs/Chain", whole)


def test_types_have_an_end(monkeypatch):
    monkeypatch.setattr(store_module, "_MOST_TYPES", len(store().fielddefs) + 1)
    register("lab_msgs/Last", "int8 x")
    with pytest.raises(BusError, match="message types already"):
        register("lab_msgs/OneMore", "int8 x")
    assert register("lab_msgs/Last", "int8 x")


def test_a_known_type_cannot_be_changed():
    with pytest.raises(BusError, match="already known"):
        register("geometry_msgs/msg/Twist", "int8 x")


def test_stamps_carry_nanoseconds_exactly():
    stamp = types.header(12_000_000_001, "odom").stamp
    assert (stamp.sec, stamp.nanosec) == (12, 1)


def test_arrays_of_messages_are_numpy_arrays():
    assert from_dict("nav_msgs/Odometry", {}).pose.covariance.dtype == np.float64
