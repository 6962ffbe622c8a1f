// What is drawn of the fences, in world units: the largest first, with all their boxes in one array, so that a hundred
// thousand of them are looked through in a millisecond.

import { extent } from "../geometry/clip.js";
import { groundCircle, isTraced, nearestCopy, worldX, worldY } from "../geometry/geo.js";

/** So many that change are put into their places; of more all are sorted again. */
const FEW = 200;

/** How a fence is drawn, as `packing.py` adds it up. */
const [ENABLED, CLOSED, LOCKED, ROUND, TRACED] = [1, 2, 4, 8, 16];

/** The fences of a portion, which keep parts of its buffer. Both ends are on one machine: bytes are in one order. */
export function unpacked(buffer) {
  const [length] = new Uint32Array(buffer, 0, 1);
  const columns = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const numbers = new Float64Array(buffer, 8 + length);
  let begin = 0;
  return columns.id.map((id, at) => {
    const look = columns.look[at];
    const own = numbers.subarray(begin, (begin += columns.numbers[at]));
    const shape = shapeOf(own, look);
    const [label, color, tag, state] = [columns.label[at], columns.color[at], columns.tag[at], columns.state[at]];
    const [enabled, closed, locked] = [ENABLED, CLOSED, LOCKED].map((bit) => Boolean(look & bit));
    return new Figure({ id, label, color, enabled, closed, locked, tag, state, shape });
  });
}

function shapeOf(numbers, look) {
  if (look & ROUND) return { longitude: numbers[0], latitude: numbers[1], radius_m: numbers[2] };
  if (!(look & TRACED)) return { ring: numbers };
  const [longitude, latitude] = numbers.subarray(-2);
  return { ring: numbers.subarray(0, -2), longitude, latitude };
}

/** A fence as it is drawn. Of a polygon it keeps the degrees, and the points of the world once they were needed. */
export class Figure {
  constructor({ id, label, color, enabled, closed, locked = false, tag, state, shape }) {
    this.id = id;
    this.label = label;
    this.color = color;
    this.tag = tag;
    this.state = state;
    this.enabled = enabled;
    this.closed = closed;
    this.locked = locked;
    this.invalid = false;
    this.round = !shape.ring;
    if (this.round) {
      this.degrees = [shape.longitude, shape.latitude, shape.radius_m];
      const { x, y, rx, ry } = groundCircle(shape.longitude, shape.latitude, shape.radius_m);
      this.box = [x - rx, y - ry, x + rx, y + ry];
    } else {
      this.degrees = shape.ring instanceof Float64Array ? shape.ring : new Float64Array(shape.ring.flat());
      this.destination = isTraced(shape) ? [shape.longitude, shape.latitude] : null;
      this.box = extent(this.points);
      // Most are never seen from near.
      this._points = null;
    }
    this.area = (this.box[2] - this.box[0]) * (this.box[3] - this.box[1]);
  }

  /** The same fence with another shape. */
  reshaped(shape, invalid) {
    return Object.assign(new Figure({ ...this, shape }), { invalid });
  }

  get shape() {
    const [longitude, latitude, radius] = this.degrees;
    if (this.round) return { longitude, latitude, radius_m: radius };
    const ring = [];
    for (let at = 0; at < this.degrees.length; at += 2) ring.push([this.degrees[at], this.degrees[at + 1]]);
    return this.destination ? { ring, longitude: this.destination[0], latitude: this.destination[1] } : { ring };
  }

  /** The middle and half the sides of a circle; null for a polygon. */
  get ellipse() {
    if (!this.round) return null;
    const [minX, minY, maxX, maxY] = this.box;
    return { x: (minX + maxX) / 2, y: (minY + maxY) / 2, rx: (maxX - minX) / 2, ry: (maxY - minY) / 2 };
  }

  /** The corners of a polygon, flat; null for a circle. */
  get points() {
    if (this.round) return null;
    this._points ??= this._inWorld();
    return this._points;
  }

  _inWorld() {
    const points = new Float64Array(this.degrees.length);
    let longitude = this.degrees[0];
    for (let at = 0; at < points.length; at += 2) {
      longitude = nearestCopy(this.degrees[at], longitude);
      points[at] = worldX(longitude);
      points[at + 1] = worldY(this.degrees[at + 1]);
    }
    return points;
  }
}

/** Which fences are shown, and what colour they have. */
class Rule {
  constructor({ hidden_tags: tags, hidden_states: states, state_colors: colors }) {
    this._tags = new Set(tags);
    this._states = new Set(states);
    this._colors = colors;
  }

  shows({ tag, state }) {
    return !this._tags.has(tag) && !this._states.has(state);
  }

  colorOf({ color, state }) {
    return this._colors?.[state] ?? color;
  }
}

/** What is looked at of each figure when all are painted, in arrays. */
function packed(figures, colorOf) {
  const boxes = new Float64Array(4 * figures.length);
  const looks = new Uint32Array(figures.length);
  const palette = [];
  const numbers = new Map();
  figures.forEach((figure, at) => {
    boxes.set(figure.box, 4 * at);
    const [color, enabled] = [colorOf(figure), figure.enabled];
    const key = enabled ? color : `${color} disabled`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = palette.push({ color, enabled }) - 1;
      numbers.set(key, number);
    }
    looks[at] = number;
  });
  return { boxes, looks, palette };
}

const EVERYTHING = new Rule({ hidden_tags: [], hidden_states: [], state_colors: null });

export class Figures {
  constructor() {
    this.byId = new Map();
    this._rule = EVERYTHING;
    this._sorted = [];
    this._arrays = null;
  }

  /** Show those, and only those, that are neither of these tags nor of these states. */
  setRule(rule) {
    this._rule = new Rule(rule);
    this._sort();
  }

  shows(figure) {
    return this._rule.shows(figure);
  }

  colorOf(figure) {
    return this._rule.colorOf(figure);
  }

  /** How many are there, but not shown. */
  get hidden() {
    return this.byId.size - this._sorted.length;
  }

  /** Have exactly these, by their ids. */
  replace(byId) {
    this.byId = byId;
    this._sort();
  }

  put(figures) {
    if (figures.length > FEW) {
      for (const each of figures) this.byId.set(each.id, each);
      this._sort();
      return;
    }
    this._takeOut(figures.map(({ id }) => id));
    for (const each of figures) {
      this.byId.set(each.id, each);
      if (this.shows(each)) this._sorted.splice(this._placeOf(each.area), 0, each);
    }
  }

  remove(ids) {
    this._takeOut(ids);
    for (const id of ids) this.byId.delete(id);
  }

  /** All that are shown, the largest first. */
  get sorted() {
    return this._sorted;
  }

  /** Four numbers for each of `sorted`: left, top, right, bottom. */
  get boxes() {
    return this._packed().boxes;
  }

  /** For each of `sorted` which colour of the `palette` it has. */
  get looks() {
    return this._packed().looks;
  }

  /** The colours in use, each for those that are enabled and those that are not. */
  get palette() {
    return this._packed().palette;
  }

  _packed() {
    this._arrays ??= packed(this._sorted, (figure) => this.colorOf(figure));
    return this._arrays;
  }

  _sort() {
    const shown = [...this.byId.values()].filter((each) => this.shows(each));
    this._sorted = shown.sort((a, b) => b.area - a.area);
    this._arrays = null;
  }

  _takeOut(ids) {
    const gone = new Set(ids.filter((id) => this.byId.has(id)));
    if (gone.size) this._sorted = this._sorted.filter(({ id }) => !gone.has(id));
    this._arrays = null;
  }

  _placeOf(area) {
    let [low, high] = [0, this._sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this._sorted[middle].area >= area) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
