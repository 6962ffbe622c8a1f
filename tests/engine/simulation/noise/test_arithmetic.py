"""Functions made of sums and products alone, compared with the platform's functions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.simulation.noise.arithmetic import Draws, exponential, logarithm, sine_and_cosine


@given(st.floats(-700, 700))
def test_the_exponential_is_right(x: float) -> None:
    assert exponential(x) == pytest.approx(math.exp(x), rel=1e-11)


@given(st.floats(1e-300, 1e300))
def test_the_logarithm_is_right(x: float) -> None:
    assert logarithm(x) == pytest.approx(math.log(x), rel=1e-13, abs=1e-15)


@given(st.floats(-math.pi / 2, math.pi / 2))
def test_sine_and_cosine_are_right(x: float) -> None:
    sine, cosine = sine_and_cosine(x)
    assert sine == pytest.approx(math.sin(x), rel=1e-15, abs=1e-15)
    assert cosine == pytest.approx(math.cos(x), abs=1e-15)


def test_draws_have_their_distributions() -> None:
    draws = Draws(11, 1)
    normals = [draws.normal() for _ in range(40_000)]
    assert sum(normals) / len(normals) == pytest.approx(0, abs=0.02)
    assert sum(value * value for value in normals) / len(normals) == pytest.approx(1, abs=0.03)
    assert sum(abs(value) < 1.96 for value in normals) / len(normals) == pytest.approx(0.95, abs=0.005)
    assert sum(draws.waiting(5.0) for _ in range(20_000)) / 20_000 == pytest.approx(5, rel=0.03)


def test_each_stream_and_each_seed_draws_something_else() -> None:
    streams = [Draws(seed, stream) for seed in (1, 2) for stream in (1, 2)]
    assert len({draws.uniform() for draws in streams}) == 4
