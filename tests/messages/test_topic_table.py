import pytest

from outrider.core.errors import BusError
from outrider.messages.store import message_class
from outrider.messages.topics import TOPICS, topic_name


def full(template: str, namespace: str = "") -> str:
    return topic_name(template, namespace=namespace, robot_id=3, name="max", type_="autominy")


def test_every_row_names_a_known_type_and_a_valid_topic():
    for key, topic in TOPICS.items():
        assert key == topic.key
        message_class(topic.type)
        assert full(topic.name, "car").startswith("/")
        assert topic.description


def test_names_are_unique():
    names = [full(topic.name, "car") for topic in TOPICS.values()]
    assert len(set(names)) == len(names)


def test_the_six_actuator_topics_are_those_of_the_real_car():
    names = {full(t.name): t.type.split("/")[-1] for t in TOPICS.values() if "actuators" in t.name}
    assert names == {
        "/actuators/steering": "SteeringCommand",
        "/actuators/steering_pwm": "SteeringPWMCommand",
        "/actuators/steering_normalized": "NormalizedSteeringCommand",
        "/actuators/speed": "SpeedCommand",
        "/actuators/speed_pwm": "SpeedPWMCommand",
        "/actuators/speed_normalized": "NormalizedSpeedCommand",
    }


@pytest.mark.parametrize(
    ("template", "namespace", "name"),
    [
        ("odom", "", "/odom"),
        ("odom", "jackal", "/jackal/odom"),
        ("odom", "/jackal/", "/jackal/odom"),
        ("/clock", "jackal", "/clock"),
        ("/communication/gps/{ID}", "jackal", "/communication/gps/3"),
        ("odom", "/car_{ID}", "/car_3/odom"),
        ("{TYPE}/{NAME}_{ID}/odom", "", "/autominy/max_3/odom"),
    ],
)
def test_a_template_becomes_a_full_name(template, namespace, name):
    assert full(template, namespace) == name


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{id}/odom", r"unknown placeholder \{id\}.*'ID'"),
        ("{NAM}/odom", "did you mean 'NAME'"),
        ("{}/odom", "unknown placeholder"),
        ("{ID/odom", "is not a topic name"),
        ("my topic", "is not a topic name"),
        ("odom/", "is not a topic name"),
        ("a//b", "is not a topic name"),
        ("", "is not a topic name"),
        ("/", "is not a topic name"),
        ("odom\n", "is not a topic name"),
        ("straße", "is not a topic name"),
    ],
)
def test_a_bad_template_is_refused_in_one_sentence(template, said):
    with pytest.raises(BusError, match=said):
        full(template)


def test_a_robot_name_that_ros_cannot_spell_is_refused_with_its_template():
    with pytest.raises(BusError, match=r"/max 2/odom.*from '\{NAME\}/odom'"):
        topic_name("{NAME}/odom", namespace="", robot_id=1, name="max 2", type_="car")
