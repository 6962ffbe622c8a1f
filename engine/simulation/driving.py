"""Driving along stretches of roads: at the speed of each, with acceleration and braking."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.domain.geometry import Position
from engine.domain.routing import Stretch
from engine.domain.travel import TravelMode
from engine.geo.earth import distance_m, metres_per_degree

type Floats = NDArray[np.float64]


class Pedals(Struct, frozen=True):
    """Acceleration and braking in metres per second squared, and the maximum speed."""

    gain: float
    brake: float
    fastest_mps: float


PEDALS: Final[Mapping[TravelMode, Pedals]] = {
    TravelMode.CAR: Pedals(1.5, 2.0, 60.0),
    TravelMode.TRUCK: Pedals(0.7, 1.2, 30.0),
    TravelMode.MOTORBIKE: Pedals(2.5, 3.0, 60.0),
    TravelMode.BIKE: Pedals(0.8, 1.5, 15.0),
    TravelMode.FOOT: Pedals(1.0, 1.0, 5.0),
}

_LEAST_M: Final = 0.01
_LEAST_MPS: Final = 0.1
_TURNS_BACK: Final = -0.9
"""Cosine of the turning angle below which a turn is a U-turn, which requires a stop."""


class _Part(Struct, frozen=True):
    """A measured stretch; after it, the drive stands for `delay_s`."""

    metres: float
    speed_mps: float
    delay_s: float


class Drive:
    """A drive along stretches that begins and ends standing."""

    def __init__(self, stretches: Sequence[Stretch], mode: TravelMode) -> None:
        """Drive along `stretches`, each of which begins at the end of the previous one."""
        pedals = PEDALS[mode]
        parts, positions = _measured(stretches, pedals)
        self._positions: Floats = np.asarray(positions, dtype=np.float64).reshape(-1, 2)
        lengths = [distance_m(*one, *other) for one, other in pairwise(positions)]
        self._along: Floats = np.concatenate(([0.0], np.cumsum(lengths)))
        self._phases: Floats = np.asarray(_phases(parts, pedals), dtype=np.float64).reshape(-1, 4)
        self._starts: Floats = np.concatenate(([0.0], np.cumsum(self._phases[:, 0])))
        self._from: Floats = np.concatenate(([0.0], np.cumsum(self._phases[:, 3])))

    @property
    def duration_s(self) -> float:
        """Duration in seconds."""
        return float(self._starts[-1])

    @property
    def distance_m(self) -> float:
        """Length of the route in metres."""
        return float(self._along[-1])

    def positions(self, seconds: Floats) -> list[Position]:
        """Return the position after each of the given times in seconds."""
        if not len(self._phases):
            return [(float(lon), float(lat)) for lon, lat in np.repeat(self._positions[:1], len(seconds), axis=0)]
        phase = np.clip(np.searchsorted(self._starts, seconds, "right") - 1, 0, len(self._phases) - 1)
        passed = np.clip(seconds - self._starts[phase], 0.0, self._phases[phase, 0])
        along = self._from[phase] + self._phases[phase, 1] * passed + self._phases[phase, 2] * passed**2 / 2
        longitudes, latitudes = (np.interp(along, self._along, self._positions[:, axis]) for axis in (0, 1))
        return list(zip(longitudes.tolist(), latitudes.tolist(), strict=True))


def _measured(stretches: Sequence[Stretch], pedals: Pedals) -> tuple[list[_Part], list[Position]]:
    """Return the stretches that have a length, and the positions of all."""
    parts: list[_Part] = []
    positions: list[Position] = []
    for stretch in stretches:
        metres = sum(distance_m(*one, *other) for one, other in pairwise(stretch.line))
        turns = _turns_back(positions, stretch.line)
        positions += stretch.line
        if metres >= _LEAST_M:
            if turns and parts:
                parts[-1] = _standing_at_end(parts[-1])
            parts.append(_part(metres, stretch, pedals))
    return parts, positions


def _part(metres: float, stretch: Stretch, pedals: Pedals) -> _Part:
    """Return a stretch measured. Stopping itself takes time, so a short delay only reduces the speed."""
    speed_mps = _speed(metres, stretch.duration_s, pedals)
    lost_s = speed_mps / pedals.brake / 2 + speed_mps / pedals.gain / 2
    if 0 < stretch.delay_s <= lost_s:
        return _Part(metres, _speed(metres, stretch.duration_s + stretch.delay_s, pedals), 0.0)
    return _Part(metres, speed_mps, max(0.0, stretch.delay_s - lost_s))


def _speed(metres: float, seconds: float, pedals: Pedals) -> float:
    return min(max(metres / seconds if seconds > 0 else pedals.fastest_mps, _LEAST_MPS), pedals.fastest_mps)


def _standing_at_end(part: _Part) -> _Part:
    return _Part(part.metres, part.speed_mps, max(part.delay_s, 1e-3))


def _turns_back(before: Sequence[Position], after: Sequence[Position]) -> bool:
    ahead = _direction(after)
    came = _direction(before[:-4:-1])
    return ahead is not None and came is not None and -(ahead[0] * came[0] + ahead[1] * came[1]) < _TURNS_BACK


def _direction(positions: Sequence[Position]) -> tuple[float, float] | None:
    """Return the initial direction of positions as a unit vector (east, north), or None if they do not move."""
    for position in positions[1:]:
        east_m, north_m = metres_per_degree(position[1])
        east, north = (position[0] - positions[0][0]) * east_m, (position[1] - positions[0][1]) * north_m
        length = hypot(east, north)
        if length >= _LEAST_M:
            return east / length, north / length
    return None


def _phases(parts: Sequence[_Part], pedals: Pedals) -> list[tuple[float, float, float, float]]:
    """Return phases of constant acceleration: seconds, initial speed, acceleration, metres."""
    ends = _speeds_between(parts, pedals)
    phases: list[tuple[float, float, float, float]] = []
    for part, first, last in zip(parts, ends[:-1], ends[1:], strict=True):
        phases += _phases_of(part, first, last, pedals)
        if part.delay_s > 0:
            phases.append((part.delay_s, 0.0, 0.0, 0.0))
    return phases


def _speeds_between(parts: Sequence[_Part], pedals: Pedals) -> list[float]:
    """Return the speeds before, between and after the parts, low enough to be reached and to brake in time."""
    between = [0.0 if one.delay_s > 0 else min(one.speed_mps, other.speed_mps) for one, other in pairwise(parts)]
    speeds = [0.0, *between, 0.0] if parts else []
    for index, part in enumerate(parts):
        speeds[index + 1] = min(speeds[index + 1], sqrt(speeds[index] ** 2 + 2 * pedals.gain * part.metres))
    for index in range(len(parts) - 1, -1, -1):
        reachable = sqrt(speeds[index + 1] ** 2 + 2 * pedals.brake * parts[index].metres)
        speeds[index] = min(speeds[index], reachable)
    return speeds


def _phases_of(part: _Part, first: float, last: float, pedals: Pedals) -> list[tuple[float, float, float, float]]:
    gain, brake = pedals.gain, pedals.brake
    reachable = sqrt((2 * gain * brake * part.metres + brake * first**2 + gain * last**2) / (gain + brake))
    top = max(min(part.speed_mps, reachable), first, last)
    up_m, down_m = (top**2 - first**2) / (2 * gain), (top**2 - last**2) / (2 * brake)
    level_m = max(0.0, part.metres - up_m - down_m)
    phases = [
        ((top - first) / gain, first, gain, up_m),
        (level_m / top, top, 0.0, level_m),
        ((top - last) / brake, top, -brake, down_m),
    ]
    return [phase for phase in phases if phase[0] > 0]
