"""What other machines do not have: Linux's own modules, and packages without a wheel for them."""

import json
import subprocess
import sys

# modules of Python that Windows lacks; programs of others may look for them, ours may not
LINUX_ONLY = {
    "crypt",
    "curses",
    "fcntl",
    "grp",
    "posix",
    "pty",
    "pwd",
    "readline",
    "resource",
    "spwd",
    "syslog",
    "termios",
    "tty",
}
REFUSING = f"""
import builtins
usual = builtins.__import__

def refusing(name, globals=None, *more, **named):
    if globals and globals.get("__name__", "").partition(".")[0] == "outrider":
        if name.partition(".")[0] in {sorted(LINUX_ONLY)}:
            raise ModuleNotFoundError(f"{{globals['__name__']}} imports {{name}}")
    return usual(name, globals, *more, **named)

builtins.__import__ = refusing
"""
# as if pip had not installed them: looking for them finds nothing
WITHOUT_WHEELS = """
import importlib.machinery
finder = importlib.machinery.PathFinder
find = finder.find_spec
finder.find_spec = lambda name, *more: (
    None if name.partition(".")[0] in ("embreex", "moderngl", "glcontext") else find(name, *more)
)
"""
COMMAND = """
import sys
from outrider.cli.main import main
sys.argv[0] = "outrider"
main()
"""


def _outrider(before: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", before + COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_that_only_linux_has_is_imported():
    everything = "import outrider\n[getattr(outrider, name) for name in outrider.__all__]\n"
    short = ("run", "smoke", "--headless", "--speed", "0", "--duration", "0.1")
    done = _outrider(REFUSING + everything, *short)
    assert done.returncode == 0, done.stderr


def test_linux_on_arm_has_no_wheel_of_embree_and_opengl_and_says_so_once():
    done = _outrider(WITHOUT_WHEELS, "doctor", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("rays are cast without Embree") == 1
    report = json.loads(done.stdout)
    assert report["self_test"]["passed"] is True
    assert "without Embree" in report["rays"]
    assert report["renderer"]["used"] == "embree"
    assert "needs the Python package 'glcontext'" in report["renderer"]["gl"]
    assert "slower" in report["renderer"]["embree"]


def test_linux_on_arm_takes_pictures(tmp_path):
    done = _outrider(WITHOUT_WHEELS, "snapshot", "empty", "-o", str(tmp_path / "here.png"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here.png").stat().st_size > 1000
