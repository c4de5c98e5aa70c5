"""What a peer may ask for: one policy for every bridge and port."""

from pathlib import Path

import pytest

from outrider.bridges.policy import OWN_USER, Access, Policy, guarded
from outrider.core.errors import BridgeError, OutriderError
from outrider.core.files.package_files import LIBRARY, spawned_folder
from outrider.messages.services.table import SERVICES
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.session.session import Session

BOX = {"name": "box", "shape": {"type": "mesh", "file": "box.stl"}}


def _echo(arguments):
    return dict(arguments)


def _all(policy):
    return guarded(dict.fromkeys(SERVICES, _echo), policy)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "allowed"
    made.mkdir()
    return made


@pytest.mark.parametrize("service", ["save_world", "save_state"])
@pytest.mark.parametrize("file", ["a.yaml", "../a.yaml", "/etc/profile.d/x.sh", "~/.bashrc"])
def test_without_a_folder_no_peer_writes_a_file(service, file, tmp_path):
    with pytest.raises(BridgeError, match="start the run with --files DIR"):
        _all(Policy())[service]({"file": file})


@pytest.mark.parametrize(
    "file",
    [
        "../a",
        "a/b",
        "/tmp/a",
        "",
        ".",
        "..",
        ".bashrc",
        "a\\b",
        "a\0b",
        "C:a",
        "x" * 200,
        "CON",
        "nul.yaml",
        "a.",
    ],
)
def test_a_name_that_is_no_plain_file_name_is_refused(file, folder):
    services = _all(Policy.of_folder(folder))
    for service in ("save_world", "save_state", "load_state"):
        with pytest.raises(BridgeError, match="expected a plain file name"):
            services[service]({"file": file})
    assert list(folder.iterdir()) == []


def test_a_peer_saves_below_the_folder_and_never_over_a_file(folder):
    session = Session(Scenario())
    control = Control(session)
    service = {
        name: lambda arguments, name=name: control.call(name, **arguments)
        for name in ("save_world", "save_state", "load_state")
    }
    services = guarded(service, Policy.of_folder(folder))
    assert services["save_world"]({"file": "world.yaml"})["file"] == "world.yaml"
    services["save_state"]({"file": "now.state"})
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(written) == {"world.yaml", "now.state"}
    assert all(written.values())
    for name in written:
        with pytest.raises(BridgeError, match="already"):
            services["save_world"]({"file": name})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == written
    assert services["load_state"]({"file": "now.state"})["steps"] == 0


def test_a_save_that_fails_leaves_no_file(folder):
    def fails(arguments):
        raise OutriderError("full")

    services = guarded({"save_state": fails}, Policy.of_folder(folder))
    with pytest.raises(OutriderError, match="full"):
        services["save_state"]({"file": "a.state"})
    assert list(folder.iterdir()) == []


def test_links_do_not_lead_out_of_the_folder(folder, tmp_path):
    (tmp_path / "secret.state").write_text("secret")
    for name in ("secret.state", "new.state"):
        (folder / name).symlink_to(tmp_path / name)
    services = _all(Policy.of_folder(folder))
    with pytest.raises(BridgeError, match="link out of the folder"):
        services["load_state"]({"file": "secret.state"})
    for name in ("secret.state", "new.state"):
        with pytest.raises(BridgeError, match="link out of the folder"):
            services["save_state"]({"file": name})
    assert not (tmp_path / "new.state").exists()


def test_links_in_a_circle_are_no_file(folder):
    (folder / "round").symlink_to(folder / "round")
    with pytest.raises(BridgeError, match="there is no file 'round' in the folder of --files"):
        _all(Policy.of_folder(folder))["load_state"]({"file": "round"})
    with pytest.raises(BridgeError, match="the file 'round' already exists"):
        _all(Policy.of_folder(folder))["save_state"]({"file": "round"})


@pytest.mark.parametrize(
    ("service", "arguments"),
    [
        ("load_world", {"world": "/etc/hosts.yaml"}),
        ("load_world", {"world": "../a.yaml"}),
        ("add_robot", {"model": "/home/user/robot.urdf"}),
        ("add_robot", {"model": "jackal", "search": ["/home/user"]}),
        ("add_robot", {"sensors": [{"name": "s", "model": "/etc/sensor.yaml"}]}),
        ("add_robot", {"model": "autominy", "curves": {"speed": "id_rsa"}}),
        ("add_robot", {"model": "autominy", "curves": {"speed": ".netrc"}}),
        ("add_object", {"name": "o", "shape": {"type": "mesh", "file": "/etc/hosts"}}),
        ("add_object", {"name": "o", "texture": "/etc/hosts"}),
        ("add_object", {"name": "o", "parts": [{"texture": "x.png"}]}),
        ("add_sensor", {"name": "s", "model": "../sensor.yaml"}),
    ],
)
def test_what_is_added_by_a_peer_names_no_file(service, arguments):
    with pytest.raises(BridgeError, match=f"{service}: clients may not use files"):
        _all(Policy())[service](arguments)


@pytest.mark.parametrize("file", ["file:///etc/hosts", "package://jackal/x.stl", "http://host/x"])
def test_what_is_added_by_a_peer_names_no_address(file, folder):
    for policy in (Policy(), Policy.of_folder(folder)):
        with pytest.raises(BridgeError, match="expected a name"):
            _all(policy)["add_object"]({"name": "o", "shape": {"file": file}})


def test_names_of_the_library_and_files_of_the_folder_are_free(folder):
    assert _all(Policy())["load_world"]({"world": "ice"}) == {"world": "ice"}
    assert _all(Policy())["add_robot"]({"model": "husky"}) == {"model": "husky"}
    (folder / "box.stl").write_text("solid")
    found = _all(Policy.of_folder(folder))["add_object"](BOX)
    assert found["shape"]["file"] == str(folder.resolve() / "box.stl")


def test_a_curve_of_the_library_is_free():
    curve = "autonomos_speed_normalized.txt"
    found = _all(Policy())["add_robot"]({"model": "autominy", "curves": {"speed": curve}})
    assert found["curves"]["speed"] == str(LIBRARY / "curves" / curve)


def test_a_peer_is_not_told_where_the_users_folders_are(folder):
    (folder / "a.state").write_text("no state")
    control = Control(Session(Scenario()))
    service = {
        name: lambda arguments, name=name: control.call(name, **arguments)
        for name in ("load_state", "spawn")
    }
    services = guarded(service, Policy.of_folder(folder))
    for name, arguments in (
        ("load_state", {"file": "a.state"}),
        ("spawn", {"name": "r", "text": "<robot name='r'><link/></robot>"}),
    ):
        with pytest.raises(BridgeError) as told:
            services[name](arguments)
        assert str(folder) not in str(told.value)
        assert str(spawned_folder()) not in str(told.value)


@pytest.mark.parametrize(
    ("service", "arguments", "text"),
    [
        ("load_world", {"world": "a.yaml"}, "include: {}"),
        ("load_world", {"world": "a.yaml"}, "models: [{{name: m, file: {}}}]"),
    ],
)
@pytest.mark.parametrize("secret", ["secretword", "secretword: 1", "a: 1\na: secretword"])
def test_no_text_of_a_file_outside_the_folder_reaches_a_peer(
    folder, tmp_path, capsys, monkeypatch, secret, service, arguments, text
):
    monkeypatch.setattr("outrider.core.process.notices._said", set())
    (tmp_path / "secret.yaml").write_text(secret)
    (folder / "a.yaml").write_text(text.format(tmp_path / "secret.yaml"))
    control = Control(Session(Scenario()))
    services = guarded(
        {service: lambda given: control.call(service, **given)}, Policy.of_folder(folder)
    )
    with pytest.raises(BridgeError) as told:
        services[service](arguments)
    assert (
        str(told.value) == f"{service}: 'a.yaml' cannot be used; the terminal of the run says why"
    )
    assert f"{service}: a client named 'a.yaml', which cannot be used: " in capsys.readouterr().err


def test_control_off_leaves_what_only_looks():
    services = _all(Policy().narrowed(Access(control=False)))
    for name, row in SERVICES.items():
        if row.kind == "read":
            assert services[name]({}) == {}
        else:
            with pytest.raises(BridgeError, match=f"{name}: this bridge was opened with control"):
                services[name]({})


def test_the_users_own_port_may_use_any_file(tmp_path):
    path = str(tmp_path / "any.state")
    assert _all(OWN_USER)["save_state"]({"file": path}) == {"file": path}


def test_a_folder_that_is_none_is_refused_before_the_run():
    with pytest.raises(BridgeError, match="--files: '/no/such' is not a folder"):
        Run(Scenario(), files=Path("/no/such"))


def test_a_file_has_its_name_only_when_it_is_complete(folder):
    path = folder / "now.state"

    def saved(arguments):
        assert list(folder.iterdir()) == []  # a run killed now leaves nothing of that name
        Path(arguments["file"]).write_text("whole")
        assert not path.exists()
        return {"file": arguments["file"]}

    services = guarded({"save_state": saved}, Policy.of_folder(folder))
    assert services["save_state"]({"file": "now.state"}) == {"file": "now.state"}
    assert [(item.name, item.read_text()) for item in folder.iterdir()] == [("now.state", "whole")]


def test_of_two_that_save_under_one_name_the_second_is_refused(folder):
    def saved(arguments):
        (folder / "a").write_text("first")
        Path(arguments["file"]).write_text("second")
        return {}

    services = guarded({"save_world": saved}, Policy.of_folder(folder))
    with pytest.raises(BridgeError, match="save_world: the file 'a' already exists"):
        services["save_world"]({"file": "a"})
    assert [(item.name, item.read_text()) for item in folder.iterdir()] == [("a", "first")]


def test_what_a_killed_run_left_is_gone_at_the_next_start(folder):
    (folder / ".now.state.999999999-1.tmp").write_text("half")
    (folder / ".mine").write_text("kept")
    Policy.of_folder(folder)
    assert [item.name for item in folder.iterdir()] == [".mine"]


def test_a_file_that_cannot_be_written_is_told_by_the_name_that_was_asked_for(folder):
    def saved(arguments):
        raise OutriderError(f"{arguments['file']}: cannot be written: No space left on device")

    services = guarded({"save_world": saved}, Policy.of_folder(folder))
    with pytest.raises(BridgeError, match=r"^a: cannot be written: No space left on device$"):
        services["save_world"]({"file": "a"})
