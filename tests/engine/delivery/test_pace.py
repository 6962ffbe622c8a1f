"""How long deliveries rest, against the rule: the more others work, the longer."""

from hypothesis import given
from hypothesis import strategies as st

from engine.delivery.pace import BUSY, REST_BUSY, REST_IDLE, rest


@given(st.floats(0, 4), st.floats(0, 4))
def test_the_busier_the_others_the_longer_the_rest(one: float, other: float) -> None:
    assert (rest(min(one, other))) <= rest(max(one, other))
    assert REST_IDLE <= rest(one) <= REST_BUSY


def test_nobody_waits_for_an_idle_process_and_tracking_has_the_better_part_of_a_busy_one() -> None:
    assert rest(0.0) == REST_IDLE
    assert rest(BUSY) == rest(1.0) == REST_BUSY
    assert 1 / (1 + REST_BUSY) < 0.1
