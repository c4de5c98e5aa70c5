"""Executes runs: one process that lives on and keeps the world it built.

Used by local workers and on a Ray cluster alike. What counts threads when it is loaded is imported
only after the environment says one.
"""

import gc
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outrider.sweeps.one_core import ONE_THREAD

if TYPE_CHECKING:
    from outrider.recording.recorder import RecordingOptions

Data = dict[str, Any]


class RunExecutor:
    """Runs jobs one after the other; a failure of any kind is a line with its reason."""

    def __init__(self, scenario: str, folder: str, record: bool) -> None:
        """``scenario`` is the text that jobs change; recordings go to ``folder``."""
        os.environ.update(ONE_THREAD)
        from outrider.scenarios.built_worlds import BuiltWorlds
        from outrider.scenarios.load import loads

        self._scenario = loads(scenario)
        self._worlds = BuiltWorlds()
        self._folder = Path(folder)
        self._record = record

    def ready(self) -> bool:
        """Answer, as soon as it is there."""
        return True

    def run(self, job: Data) -> Data:
        """Return the line of one run."""
        from outrider.core.errors import ConfigError, OutriderError

        try:
            result = self._measured(job)
        except ConfigError as error:  # a drawn start inside a wall, say: not the robot's fault
            return failed(job, str(error)) | {"begun": False}
        except OutriderError as error:
            return failed(job, str(error))
        except Exception as error:  # a fault of ours or of user code: the other runs go on
            return failed(job, f"{type(error).__name__}: {error}")
        finally:
            gc.collect()  # what a run leaves refers to itself
        return line(job, result)

    def _measured(self, job: Data) -> Data:
        from outrider.evaluation.runs.measured_run import measured_run
        from outrider.scenarios.load import changed
        from outrider.scenarios.result import json_ready

        began_s = time.time()
        measured = measured_run(
            changed(self._scenario, job["settings"]),
            speed=0.0,
            since_s=began_s,
            recording=self._recording(job),
            worlds=self._worlds,
        )
        result: Data = json_ready(measured.result)
        return result

    def _recording(self, job: Data) -> "RecordingOptions | None":
        from outrider.recording.recorder import RecordingOptions

        if not self._record:
            return None
        return RecordingOptions(self._folder / f"run-{job['run']}.mcap", overwrite=True)


def line(job: Data, result: Data) -> Data:
    """Return what the journal keeps of a run."""
    done = {key: job[key] for key in ("run", "seed", "point")}
    kept = {key: value for key, value in result.items() if key not in ("facts", "seed")}
    return done | {"completed": result["completed"], "reason": result["reason"], "result": kept}


def failed(job: Data, reason: str) -> Data:
    """Return the line of a run that has no result."""
    text = " ".join(reason.split())
    return line(job, {"completed": False, "reason": text, "error": text})
