"""Distances, durations and speeds in readable form."""

import pytest

from engine.domain.units import Units, distance, duration, speed


@pytest.mark.parametrize(
    ("metres", "text"),
    [
        (0, "0 m"),
        (0.4, "0 m"),
        (65, "65 m"),
        (64.5, "65 m"),
        (999.4, "999 m"),
        (999.6, "1.0 km"),
        (1000, "1.0 km"),
        (1234, "1.2 km"),
    ],
)
def test_metric_distances(metres: float, text: str) -> None:
    assert distance(metres, Units.METRIC).text == text
    assert distance(metres, Units.METRIC).value == metres


@pytest.mark.parametrize(
    ("feet", "text"),
    [
        (0, "0.0 ft"),
        (213.3, "213.3 ft"),
        (999.9, "999.9 ft"),
        (999.96, "0.2 mi"),
        (1000, "0.2 mi"),
        (5280, "1.0 mi"),
        (13728, "2.6 mi"),
    ],
)
def test_imperial_distances(feet: float, text: str) -> None:
    found = distance(feet * 0.3048, Units.IMPERIAL)
    assert found.text == text
    assert found.value == pytest.approx(feet, abs=0.001)


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0, "0 min"),
        (0.04, "0 min"),
        (0.4, "0.4 min"),
        (0.49, "0.5 min"),
        (0.5, "1 min"),
        (1.49, "1 min"),
        (1.5, "2 mins"),
        (59.4, "59 mins"),
        (59.6, "1 hr"),
        (98, "1 hr 38 min"),
        (120, "2 hrs"),
        (142, "2 hrs 22 mins"),
        (1_500, "25 hrs"),
    ],
)
def test_durations(minutes: float, text: str) -> None:
    assert duration(minutes * 60).text == text
    assert duration(minutes * 60).value == pytest.approx(minutes, abs=0.001)


@pytest.mark.parametrize(
    ("kph", "metric", "imperial"), [(40, "40 kph", "25 mph"), (48, "48 kph", "30 mph"), (120, "120 kph", "75 mph")]
)
def test_speeds(kph: float, metric: str, imperial: str) -> None:
    assert speed(kph / 3.6, Units.METRIC).text == metric
    assert speed(kph / 3.6, Units.IMPERIAL).text == imperial
    assert f"{speed(kph / 3.6, Units.IMPERIAL).value} mph" == imperial
