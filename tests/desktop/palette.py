"""Small PNG files: pictures with a palette of 256 colours, a third of the size of those without."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

_MOST = 256
_SMALLEST_FILE = 0
"""Qt's quality of a PNG file that is compressed as far as possible."""


def save_small(image: QImage, file: Path) -> None:
    """Save a picture with a palette: the most frequent colours of groups of similar ones."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)
    colors, at, counts = np.unique(pixels[:, : plain.width()], return_inverse=True, return_counts=True)
    rgb = np.stack([colors >> shift & 0xFF for shift in (16, 8, 0)], axis=1).astype(np.int32)
    # By the root of its frequency, a large area does not take all colours from small letters.
    chosen = _palette(rgb.astype(np.float64), np.sqrt(counts))
    indexes = _nearest(rgb, rgb[chosen])[at.reshape(plain.height(), plain.width())]
    rows = np.pad(indexes, ((0, 0), (0, -plain.width() % 4)))
    small = QImage(rows.tobytes(), plain.width(), plain.height(), rows.shape[1], QImage.Format.Format_Indexed8)
    small.setColorTable([int(color) | 0xFF000000 for color in colors[chosen]])
    if not small.save(str(file), "PNG", _SMALLEST_FILE):  # type: ignore[call-overload]
        raise OSError(f"{file} could not be saved")


def _palette(colors: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the most frequent colour of each group, after halving the most diverse group again and again."""
    groups = [np.arange(len(colors))]
    spreads = [_spread(colors, weights, groups[0])]
    while len(groups) < _MOST and max(spread for spread, _ in spreads) > 0:
        number = max(range(len(groups)), key=lambda each: spreads[each][0])
        group, (_, axis) = groups[number], spreads[number]
        values = colors[group, axis]
        low = values <= np.average(values, weights=weights[group])
        groups[number : number + 1] = [group[low], group[~low]]
        spreads[number : number + 1] = [_spread(colors, weights, each) for each in (group[low], group[~low])]
    return np.array([group[weights[group].argmax()] for group in groups])


def _spread(colors: NDArray[np.float64], weights: NDArray[np.float64], group: NDArray[np.int64]) -> tuple[float, int]:
    """Return how much the colours of a group differ, and by which component most."""
    of, weight = colors[group], weights[group, np.newaxis]
    squares = (weight * (of - np.average(of, axis=0, weights=weight[:, 0])) ** 2).sum(axis=0)
    # A single colour differs from its mean by the error of the arithmetic.
    return (float(squares.max()) if len(group) > 1 else 0.0), int(squares.argmax())


def _nearest(colors: NDArray[np.int32], palette: NDArray[np.int32]) -> NDArray[np.uint8]:
    distances = sum((colors[:, axis, np.newaxis] - palette[:, axis]) ** 2 for axis in range(3))
    return np.asarray(distances).argmin(axis=1).astype(np.uint8)
