// What is drawn of the fences, in world units: the largest first, with all their boxes in one array, so that a hundred
// thousand of them are looked through in a millisecond.

import { nearestCopy, worldX, worldY } from "../geometry/geo.js";
import { columnsOf, unpacked } from "./columns.js";

/** So many that change are put into their places; of more all are sorted again. */
const FEW = 200;

const figuresIn = (columns) => columns.ids.map((_, at) => new Figure(columns, at));

/** The fences of a portion. */
export const figuresOf = (buffer) => figuresIn(unpacked(buffer));

/** Fences that came as objects. */
export const figuresFrom = (fences) => figuresIn(columnsOf(fences));

/** A fence as it is drawn: a row of columns. Of a polygon it keeps the points of the world once they were needed. */
export class Figure {
  constructor(columns, at) {
    this._columns = columns;
    this._at = at;
    this._points = null;
    this.invalid = false;
  }

  get id() {
    return this._columns.ids[this._at];
  }

  get label() {
    return this._columns.labels[this._at];
  }

  /** How it is drawn, and what it may be hidden by: the same object for many. */
  get kind() {
    return this._columns.kindOf(this._at);
  }

  get enabled() {
    return this.kind.enabled;
  }

  get closed() {
    return this.kind.closed;
  }

  get locked() {
    return this.kind.locked;
  }

  /** Left, top, right, bottom. */
  get box() {
    const { boxes } = this._columns;
    const here = 4 * this._at;
    return [boxes[here], boxes[here + 1], boxes[here + 2], boxes[here + 3]];
  }

  /** Write its box into an array of the boxes of many. */
  putBox(all, place) {
    const { boxes } = this._columns;
    for (let from = 4 * this._at, to = 4 * place; to < 4 * place + 4; from += 1, to += 1) all[to] = boxes[from];
  }

  get area() {
    const { boxes } = this._columns;
    const here = 4 * this._at;
    return (boxes[here + 2] - boxes[here]) * (boxes[here + 3] - boxes[here + 1]);
  }

  /** The same fence with another shape. */
  reshaped(shape, invalid) {
    const { color, tag, state, enabled, closed, locked } = this.kind;
    const { id, label } = this;
    const [other] = figuresFrom([{ id, label, color, tag, state, enabled, closed, locked, shape }]);
    return Object.assign(other, { invalid });
  }

  get shape() {
    const degrees = this._columns.degreesOf(this._at);
    if (this.kind.round) return { longitude: degrees[0], latitude: degrees[1], radius_m: degrees[2] };
    const ring = [];
    for (let at = 0; at < degrees.length; at += 2) ring.push([degrees[at], degrees[at + 1]]);
    const destination = this._columns.destinationOf(this._at);
    return destination ? { ring, longitude: destination[0], latitude: destination[1] } : { ring };
  }

  /** The middle and half the sides of a circle; null for a polygon. */
  get ellipse() {
    if (!this.kind.round) return null;
    const [minX, minY, maxX, maxY] = this.box;
    return { x: (minX + maxX) / 2, y: (minY + maxY) / 2, rx: (maxX - minX) / 2, ry: (maxY - minY) / 2 };
  }

  /** The corners of a polygon, flat; null for a circle. */
  get points() {
    if (this.kind.round) return null;
    // Most are never seen from near.
    this._points ??= this._inWorld();
    return this._points;
  }

  _inWorld() {
    const degrees = this._columns.degreesOf(this._at);
    const points = new Float64Array(degrees.length);
    let longitude = degrees[0];
    for (let at = 0; at < points.length; at += 2) {
      longitude = nearestCopy(degrees[at], longitude);
      points[at] = worldX(longitude);
      points[at + 1] = worldY(degrees[at + 1]);
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

  shows({ kind: { tag, state } }) {
    return !this._tags.has(tag) && !this._states.has(state);
  }

  colorOf({ kind: { color, state } }) {
    return this._colors?.[state] ?? color;
  }
}

/** What is looked at of each figure when all are painted, in arrays. */
function packed(figures, colorOf) {
  const boxes = new Float64Array(4 * figures.length);
  const looks = new Uint32Array(figures.length);
  const palette = [];
  const numbers = new Map();
  const ofKinds = new Map();
  const numberOf = (figure) => {
    const [color, { enabled }] = [colorOf(figure), figure.kind];
    const key = enabled ? color : `${color} disabled`;
    if (!numbers.has(key)) numbers.set(key, palette.push({ color, enabled }) - 1);
    return numbers.get(key);
  };
  for (let at = 0; at < figures.length; at += 1) {
    const figure = figures[at];
    figure.putBox(boxes, at);
    const { kind } = figure;
    let number = ofKinds.get(kind);
    if (number === undefined) ofKinds.set(kind, (number = numberOf(figure)));
    looks[at] = number;
  }
  return { boxes, looks, palette };
}

/** Figures from the largest to the smallest. Numbers are compared many times as fast as objects that have them. */
function largestFirst(figures) {
  const areas = new Float64Array(figures.length);
  const order = new Uint32Array(figures.length);
  for (let at = 0; at < figures.length; at += 1) {
    areas[at] = figures[at].area;
    order[at] = at;
  }
  order.sort((one, other) => areas[other] - areas[one]);
  return Array.from(order, (at) => figures[at]);
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
    this._sorted = largestFirst([...this.byId.values()].filter((each) => this.shows(each)));
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
