"""Garbage collections of a server, each in a separate process, since they scan all objects."""

import subprocess
import sys
from typing import Final

_BEGIN: Final = """
import gc, weakref
from app.cli.collecting import LOOK_EVERY_S, short_collections

class Kept:
    pass

def cycle():
    one, other = Kept(), Kept()
    one.other, other.one = other, one
    return one, weakref.ref(one)

now = [0.0]
def go_through(until_s):
    now[0] = until_s
    gc.collect()
"""


def _run(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", _BEGIN + script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_settled_objects_are_not_traversed_again() -> None:
    _run("""
with short_collections(lambda: now[0]):
    kept = [Kept() for _ in range(1_000)]
    assert sum(type(each) is Kept for each in gc.get_objects()) == 1_000
    go_through(1.0)
    assert not any(each is kept or type(each) is Kept for each in gc.get_objects())
assert sum(type(each) is Kept for each in gc.get_objects()) == 1_000
""")


def test_unreferenced_objects_are_freed_all_the_same() -> None:
    _run("""
with short_collections(lambda: now[0]):
    plain = Kept()
    plain_ref = weakref.ref(plain)
    go_through(1.0)
    del plain
    assert plain_ref() is None
    _, young = cycle()
    del _
    go_through(2.0)
    assert young() is None
""")


def test_settled_cycles_go_when_as_much_again_has_settled() -> None:
    _run("""
with short_collections(lambda: now[0]):
    settled, ref = cycle()
    go_through(1.0)
    del settled
    go_through(2 * LOOK_EVERY_S)
    assert ref() is not None
    more = [[] for _ in range(2 * gc.get_freeze_count())]
    go_through(2 * LOOK_EVERY_S + 1)
    go_through(4 * LOOK_EVERY_S)
    go_through(4 * LOOK_EVERY_S + 1)
    assert ref() is None
    assert gc.get_freeze_count() > len(more)
""")
