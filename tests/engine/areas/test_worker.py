"""Progress that the process of a build reports to its parent."""

import subprocess
import sys

import orjson

SLOW_TO_BEGIN = """
import sys
import time
from engine.areas.worker import run_worker

def build(progress):
    time.sleep(0.5)
    progress(40, 100)
    time.sleep(0.5)

sys.exit(run_worker("The area", build))
"""


def test_progress_is_in_per_cent_before_anything_is_done() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", SLOW_TO_BEGIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with worker:
        assert worker.stdout is not None
        *reports, last = [orjson.loads(line) for line in worker.stdout]
    assert worker.returncode == 0
    assert last == {"built": True}
    assert reports[0] == {"done": 0, "total": 100}
    assert reports[-1] == {"done": 40, "total": 100}
