// Fences that came together, in columns. As an object with parts of its own each of a hundred thousand would have to be
// made, and looked at whenever garbage is collected.

import { groundCircle, nearestCopy, worldX, worldY } from "../geometry/geo.js";

/** How a fence is drawn, as `packing.py` adds it up. */
const [ENABLED, CLOSED, LOCKED, ROUND, TRACED] = [1, 2, 4, 8, 16];

const bit = (on, value) => (on ? value : 0);

/** What many fences have in common: how they are drawn, and what they may be hidden by. */
class Kind {
  constructor(color, tag, state, look) {
    this.color = color;
    this.tag = tag;
    this.state = state;
    this.enabled = Boolean(look & ENABLED);
    this.closed = Boolean(look & CLOSED);
    this.locked = Boolean(look & LOCKED);
    this.round = Boolean(look & ROUND);
    this.traced = Boolean(look & TRACED);
  }
}

/** The columns of a portion. Both ends are on one machine: bytes are in one order. */
export function unpacked(buffer) {
  const [length] = new Uint32Array(buffer, 0, 1);
  const { id, label, kind, kinds, numbers } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  // A copy: what is kept of the buffer would keep its text, too.
  const shapes = new Float64Array(buffer, 8 + length).slice();
  return new Columns(id, label, kind, kinds.map((each) => new Kind(...each)), numbers, shapes);
}

/** The columns of fences that came as objects. */
export function columnsOf(fences) {
  const shapes = fences.map(({ shape }) => numbersOf(shape));
  return new Columns(
    fences.map(({ id }) => id),
    fences.map(({ label }) => label),
    fences.map((_, at) => at),
    fences.map(kindOf),
    shapes.map(({ length }) => length),
    new Float64Array(shapes.flat()),
  );
}

function kindOf({ color, enabled, closed, locked = false, tag, state, shape }) {
  const own = bit(enabled, ENABLED) + bit(closed, CLOSED) + bit(locked, LOCKED);
  const traced = shape.ring && shape.longitude !== undefined;
  return new Kind(color, tag, state, own + bit(!shape.ring, ROUND) + bit(traced, TRACED));
}

function numbersOf({ ring, longitude, latitude, radius_m: radius }) {
  if (!ring) return [longitude, latitude, radius];
  return longitude === undefined ? ring.flat() : [...ring.flat(), longitude, latitude];
}

export class Columns {
  /** Of each its ID, its label, the number of its kind and how many numbers its shape has; then those of all shapes. */
  constructor(ids, labels, kindNumbers, kinds, counts, numbers) {
    this.ids = ids;
    this.labels = labels;
    this.kinds = kinds;
    this.kindNumbers = kindNumbers;
    this.numbers = numbers;
    /** Where the numbers of each begin, and where those of the last end. */
    this.begins = new Uint32Array(ids.length + 1);
    /** Four numbers of each, in world units: left, top, right, bottom. */
    this.boxes = new Float64Array(4 * ids.length);
    for (let at = 0; at < ids.length; at += 1) {
      this.begins[at + 1] = this.begins[at] + counts[at];
      if (this.kindOf(at).round) this._boundCircle(at);
      else this._boundRing(at);
    }
  }

  get length() {
    return this.ids.length;
  }

  kindOf(at) {
    return this.kinds[this.kindNumbers[at]];
  }

  /** The numbers of a shape: of a circle its centre and its radius, else longitudes and latitudes by turns. */
  degreesOf(at) {
    return this.numbers.subarray(this.begins[at], this._endOfRing(at));
  }

  /** Where one travels to from within an isochrone; null for another shape. */
  destinationOf(at) {
    return this.kindOf(at).traced ? [...this.numbers.subarray(this._endOfRing(at), this.begins[at + 1])] : null;
  }

  _endOfRing(at) {
    return this.begins[at + 1] - (this.kindOf(at).traced ? 2 : 0);
  }

  _boundCircle(at) {
    const begin = this.begins[at];
    const { x, y, rx, ry } = groundCircle(this.numbers[begin], this.numbers[begin + 1], this.numbers[begin + 2]);
    this._setBox(at, x - rx, y - ry, x + rx, y + ry);
  }

  /** Bound a ring by its outermost degrees: those alone are worked out in world units. */
  _boundRing(at) {
    const { numbers } = this;
    const end = this._endOfRing(at);
    let previous = numbers[this.begins[at]];
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let here = this.begins[at]; here < end; here += 2) {
      const longitude = Math.abs(numbers[here] - previous) < 180 ? numbers[here] : nearestCopy(numbers[here], previous);
      const latitude = numbers[here + 1];
      if (longitude < west) west = longitude;
      if (longitude > east) east = longitude;
      if (latitude < south) south = latitude;
      if (latitude > north) north = latitude;
      previous = longitude;
    }
    this._setBox(at, worldX(west), worldY(north), worldX(east), worldY(south));
  }

  _setBox(at, left, top, right, bottom) {
    const here = 4 * at;
    this.boxes[here] = left;
    this.boxes[here + 1] = top;
    this.boxes[here + 2] = right;
    this.boxes[here + 3] = bottom;
  }
}
