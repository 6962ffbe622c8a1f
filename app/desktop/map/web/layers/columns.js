// Geofences that arrived together, stored in columns. Creating a hundred thousand objects with nested parts would be
// slow, and every garbage collection would visit them.

import { extent } from "../geometry/clip.js";
import { continuousParts, groundCircle, nearestCopy, worldX, worldY } from "../geometry/geo.js";

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
  const text = new TextDecoder().decode(new Uint8Array(buffer, 8, length));
  const { id, label, kind, kinds, numbers, rings } = JSON.parse(text);
  // A copy, since a view would keep the whole buffer with its text in memory.
  const shapes = new Float64Array(buffer, 8 + length).slice();
  return new Columns(id, label, kind, kinds.map((each) => new Kind(...each)), numbers, shapes, rings);
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
    fences.flatMap(({ shape }, row) => ringsOf(row, shape)),
  );
}

function kindOf({ color, enabled, closed, locked = false, tag, state, shape }) {
  const flags = flagIf(enabled, ENABLED) + flagIf(closed, CLOSED) + flagIf(locked, LOCKED);
  const traced = shape.ring && shape.longitude !== undefined;
  return new Kind(color, tag, state, flags + flagIf(!shape.ring, ROUND) + flagIf(traced, TRACED));
}

const hasSeveralRings = ({ holes, others }) => Boolean(holes?.length || others?.length);

const withRings = ({ ring, holes = [] }) => [ring, ...holes];

/** Return the rings of each part of a shape, its outer ring first, and those of the joined parts, if parts meet. */
export const partsOf = ({ ring, holes, others = [], joined = [] }) => ({
  parts: [{ ring, holes }, ...others].map(withRings),
  joined: joined.map(withRings),
});

function ringsOf(row, shape) {
  if (!hasSeveralRings(shape)) return [];
  const { parts, joined } = partsOf(shape);
  const sizes = [parts, joined].map((some) => some.map((rings) => rings.map(({ length }) => length)));
  return [[row, ...sizes]];
}

function numbersOf(shape) {
  const { ring, longitude, latitude, radius_m: radius } = shape;
  if (!ring) return [longitude, latitude, radius];
  if (hasSeveralRings(shape)) return Object.values(partsOf(shape)).flat(4);
  return longitude === undefined ? ring.flat() : [...ring.flat(), longitude, latitude];
}

export class Columns {
  /**
   * Create columns from the ID, label, kind number and count of numbers of each geofence, and the numbers of all
   * shapes. `rings` has the row of each polygon with several rings, with the numbers of positions of the rings of each
   * part, and of those of the joined parts that are drawn if parts meet.
   */
  constructor(ids, labels, kindNumbers, kinds, counts, numbers, rings) {
    this.ids = ids;
    this.labels = labels;
    this.kinds = kinds;
    this.kindNumbers = kindNumbers;
    this.numbers = numbers;
    this._rings = new Map(rings.map(([row, parts, joined]) => [row, { parts, joined }]));
    /** Offsets of each shape in `numbers`, followed by the end of the last one. */
    this.offsets = new Uint32Array(ids.length + 1);
    /** Boxes in world units: left, top, right and bottom of each geofence. */
    this.boxes = new Float64Array(4 * ids.length);
    for (let row = 0; row < ids.length; row += 1) {
      this.offsets[row + 1] = this.offsets[row] + counts[row];
      if (this.kindOf(row).round) this._boundCircle(row);
      else if (this._rings.get(row)?.parts.length > 1) this._boundParts(row);
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

  /** Return whether a shape is a polygon with holes or several parts. */
  hasSeveralRings(row) {
    return this._rings.has(row);
  }

  /** Return the rings of each part of a polygon with several rings, its outer ring first, or null for another shape. */
  partsOf(row) {
    const sizes = this._rings.get(row);
    return sizes ? this._split(this.offsets[row], sizes.parts) : null;
  }

  /** Return the rings to draw of each part of such a polygon with continuous longitudes: parts that meet are joined. */
  drawnPartsOf(row) {
    const sizes = this._rings.get(row);
    if (!sizes) return null;
    const begin = this.offsets[row];
    if (!sizes.joined.length) return continuousParts(this._split(begin, sizes.parts));
    const skipped = sizes.parts.flat().reduce((sum, size) => sum + 2 * size, 0);
    return this._split(begin + skipped, sizes.joined);
  }

  _split(begin, sizes) {
    let end = begin;
    return sizes.map((rings) => rings.map((size) => this.numbers.subarray(end, (end += 2 * size))));
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

  /**
   * Compute the box of an outer ring from its outermost degrees, so that only those are converted to world units. Holes
   * are inside it.
   */
  _boundRing(row) {
    const { numbers } = this;
    const holed = this._rings.get(row);
    const end = holed ? this.offsets[row] + 2 * holed.parts[0][0] : this._endOfRing(row);
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

  _boundParts(row) {
    const outer = this.drawnPartsOf(row).map(([ring]) => extent(ring));
    const [west, south] = [0, 1].map((side) => Math.min(...outer.map((box) => box[side])));
    const [east, north] = [2, 3].map((side) => Math.max(...outer.map((box) => box[side])));
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
