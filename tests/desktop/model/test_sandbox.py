"""A sandbox with the same limits and the same geofences as the workspace."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.editing.changes import same_content
from app.desktop.model.whatif.sandbox import Sandbox
from engine.domain.environment import Environment
from engine.domain.errors import Conflict
from engine.domain.geofence import Geofence
from engine.domain.values import replace
from tests.desktop.model.values import MemoryFences, MemorySettings, fence

TEST = Environment.TEST
SOME = st.integers(0, 4)


def known_as(geofence: Geofence, external_id: str) -> Geofence:
    return replace(geofence, summary=replace(geofence.summary, external_id=external_id))


@given(st.lists(st.tuples(st.lists(st.tuples(SOME, SOME), max_size=4), st.lists(SOME, max_size=2, unique=True))))
def test_it_refuses_and_holds_the_same_as_a_store(steps: list[tuple[list[tuple[int, int]], list[int]]]) -> None:
    store = MemoryFences()
    sandbox = Sandbox(MemoryFences(), MemorySettings(), TEST)
    for saves, removals in steps:
        saved = [known_as(fence(number), str(key)) for number, key in saves]
        removed = [each for each in (fence(number).id for number in removals) if each in store.fences]
        refused = []
        for taker in (store, sandbox):
            try:
                taker.put_all(TEST, saved, removed)
            except Conflict:
                refused.append(taker)
        assert refused in ([], [store, sandbox])
        held = {each.id: each for each in sandbox.edits.saved}
        assert held.keys() == store.fences.keys()
        assert all(same_content(each, store.fences[key]) for key, each in held.items())
