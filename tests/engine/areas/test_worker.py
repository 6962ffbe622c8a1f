"""Progress that a build process reports to its parent."""

import subprocess
import sys
from pathlib import Path

import orjson

SLOW_TO_BEGIN = """
import sys
import time
from pathlib import Path
from engine.areas.worker import run_worker

def wait_for(name):
    while not (Path(sys.argv[1]) / name).exists():
        time.sleep(0.01)

def build(progress):
    wait_for("begin")
    progress(40, 100)
    wait_for("end")

sys.exit(run_worker("The area", build))
"""


def test_progress_is_in_per_cent_before_anything_is_done(tmp_path: Path) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", SLOW_TO_BEGIN, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with worker:
        assert worker.stdout is not None
        reports = (orjson.loads(line) for line in worker.stdout)
        first = next(reports)
        (tmp_path / "begin").touch()
        begun = next(report for report in reports if report != first)
        (tmp_path / "end").touch()
        *_, last = reports
    assert first == {"done": 0, "total": 100}
    assert begun == {"done": 40, "total": 100}
    assert last == {"built": True}
    assert worker.returncode == 0
