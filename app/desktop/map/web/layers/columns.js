// Geofences that arrived together, stored in columns. Creating a hundred thousand objects with nested parts would be
// slow, and every garbage collection would visit them.

import { groundCircle, nearestCopy, worldX, worldY } from "../geometry/geo.js";

/** Flags of how a geofence is drawn, combined into one number by `packing.py`. */
const [ENABLED, CLOSED, LOCKED, ROUND, TRACED] = [1, 2, 4, 8, 16];

const flagIf = (on, value) => (on ? value : 0);

/** Attributes that many geofences share: how they are drawn, and the tag and state that may hide them. */
class Kind {
  constructor(color, tag, state, flags) {
    this.color = color;
    this.tag = tag;
    this.state = state;
    this.enabled = Boolean(flags & ENABLED);
    this.closed = Boolean(flags & CLOSED);
    this.locked = Boolean(flags & LOCKED);
    this.round = Boolean(flags & ROUND);
    this.traced = Boolean(flags & TRACED);
  }
}

/** Return the columns of a packed portion. Both ends run on the same machine and use the same byte order. */
export function unpackColumns(buffer) {
  const [length] = new Uint32Array(buffer, 0, 1);
  const { id, label, kind, kinds, numbers } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  // A copy, since a view would keep the whole buffer with its text in memory.
  const shapes = new Float64Array(buffer, 8 + length).slice();
  return new Columns(id, label, kind, kinds.map((each) => new Kind(...each)), numbers, shapes);
}

/** Return the columns of geofences that arrived as objects. */
export function columnsOf(fences) {
  const shapes = fences.map(({ shape }) => numbersOf(shape));
  return new Columns(
    fences.map(({ id }) => id),
    fences.map(({ label }) => label),
    fences.map((_, row) => row),
    fences.map(kindOf),
    shapes.map(({ length }) => length),
    new Float64Array(shapes.flat()),
  );
}

function kindOf({ color, enabled, closed, locked = false, tag, state, shape }) {
  const flags = flagIf(enabled, ENABLED) + flagIf(closed, CLOSED) + flagIf(locked, LOCKED);
  const traced = shape.ring && shape.longitude !== undefined;
  return new Kind(color, tag, state, flags + flagIf(!shape.ring, ROUND) + flagIf(traced, TRACED));
}

function numbersOf({ ring, longitude, latitude, radius_m: radius }) {
  if (!ring) return [longitude, latitude, radius];
  return longitude === undefined ? ring.flat() : [...ring.flat(), longitude, latitude];
}

export class Columns {
  /**
   * Create columns from the ID, label, kind number and count of numbers of each geofence, and the numbers of all
   * shapes.
   */
  constructor(ids, labels, kindNumbers, kinds, counts, numbers) {
    this.ids = ids;
    this.labels = labels;
    this.kinds = kinds;
    this.kindNumbers = kindNumbers;
    this.numbers = numbers;
    /** Offsets of each shape in `numbers`, followed by the end of the last one. */
    this.offsets = new Uint32Array(ids.length + 1);
    /** Boxes in world units: left, top, right and bottom of each geofence. */
    this.boxes = new Float64Array(4 * ids.length);
    for (let row = 0; row < ids.length; row += 1) {
      this.offsets[row + 1] = this.offsets[row] + counts[row];
      if (this.kindOf(row).round) this._boundCircle(row);
      else this._boundRing(row);
    }
  }

  get length() {
    return this.ids.length;
  }

  kindOf(row) {
    return this.kinds[this.kindNumbers[row]];
  }

  /** Return the numbers of a shape: centre and radius of a circle, or else alternating longitudes and latitudes. */
  degreesOf(row) {
    return this.numbers.subarray(this.offsets[row], this._endOfRing(row));
  }

  /** Return the destination of an isochrone, or null for another shape. */
  destinationOf(row) {
    return this.kindOf(row).traced ? [...this.numbers.subarray(this._endOfRing(row), this.offsets[row + 1])] : null;
  }

  _endOfRing(row) {
    return this.offsets[row + 1] - (this.kindOf(row).traced ? 2 : 0);
  }

  _boundCircle(row) {
    const begin = this.offsets[row];
    const { x, y, rx, ry } = groundCircle(this.numbers[begin], this.numbers[begin + 1], this.numbers[begin + 2]);
    this._setBox(row, x - rx, y - ry, x + rx, y + ry);
  }

  /** Compute the box of a ring from its outermost degrees, so that only those are converted to world units. */
  _boundRing(row) {
    const { numbers } = this;
    const end = this._endOfRing(row);
    let previous = numbers[this.offsets[row]];
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = this.offsets[row]; i < end; i += 2) {
      const longitude = Math.abs(numbers[i] - previous) < 180 ? numbers[i] : nearestCopy(numbers[i], previous);
      const latitude = numbers[i + 1];
      if (longitude < west) west = longitude;
      if (longitude > east) east = longitude;
      if (latitude < south) south = latitude;
      if (latitude > north) north = latitude;
      previous = longitude;
    }
    this._setBox(row, worldX(west), worldY(north), worldX(east), worldY(south));
  }

  _setBox(row, left, top, right, bottom) {
    const offset = 4 * row;
    this.boxes[offset] = left;
    this.boxes[offset + 1] = top;
    this.boxes[offset + 2] = right;
    this.boxes[offset + 3] = bottom;
  }
}
