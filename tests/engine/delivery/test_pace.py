"""The rest between deliveries, compared with the rule: the more other work, the longer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.delivery.pace import BUSY, LEAST_BUSY_S, LEAST_IDLE_S, MOST_S, REST_BUSY, REST_IDLE, rest_s

WORK_S = st.floats(0, 0.1)


@given(WORK_S, st.floats(0, 4), st.floats(0, 4))
def test_the_busier_the_others_the_longer_the_rest(took_s: float, one: float, other: float) -> None:
    assert rest_s(took_s, min(one, other)) <= rest_s(took_s, max(one, other))
    assert LEAST_IDLE_S <= rest_s(took_s, one) <= MOST_S


def test_an_idle_process_causes_no_wait_and_tracking_has_most_of_a_busy_one() -> None:
    assert rest_s(0, 0) == LEAST_IDLE_S
    assert rest_s(0.01, 0) == pytest.approx(0.01 * REST_IDLE)
    assert rest_s(0, BUSY) == LEAST_BUSY_S
    assert rest_s(0.01, BUSY) == rest_s(0.01, 4) == pytest.approx(0.01 * REST_BUSY)
    assert 1 / (1 + REST_BUSY) < 0.05
