// The drawn geofences in world units, sorted by size in descending order. Their boxes are in a single array, so that
// searching a hundred thousand of them takes a millisecond.

import { nearestCopy, worldX, worldY } from "../geometry/geo.js";
import { centerInside, placesInside } from "../geometry/inside.js";
import { columnsOf, unpackColumns } from "./columns.js";

/** Maximum number of changed figures that are inserted individually. With more of them, all are sorted again. */
const MAX_INSERTED = 200;

const figuresFromColumns = (columns) => columns.ids.map((_, row) => new Figure(columns, row));

/** Return the figures of a packed portion. */
export const figuresOf = (buffer) => figuresFromColumns(unpackColumns(buffer));

/** Return the figures of geofences that arrived as objects. */
export const figuresFrom = (fences) => figuresFromColumns(columnsOf(fences));

/**
 * A geofence as it is drawn: a row of columns. The rings of a polygon in world units are computed on demand and cached.
 */
export class Figure {
  constructor(columns, row) {
    this._columns = columns;
    this._row = row;
    this._parts = null;
    this._rings = null;
    this._places = null;
    this.invalid = false;
  }

  get id() {
    return this._columns.ids[this._row];
  }

  get label() {
    return this._columns.labels[this._row];
  }

  /** How it is drawn, and the tag and state that may hide it; many figures share this object. */
  get kind() {
    return this._columns.kindOf(this._row);
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

  /** Left, top, right and bottom. */
  get box() {
    const { boxes } = this._columns;
    const offset = 4 * this._row;
    return [boxes[offset], boxes[offset + 1], boxes[offset + 2], boxes[offset + 3]];
  }

  /** Copy its box into an array of boxes. */
  copyBox(target, index) {
    const { boxes } = this._columns;
    for (let from = 4 * this._row, to = 4 * index; to < 4 * index + 4; from += 1, to += 1) target[to] = boxes[from];
  }

  get area() {
    const { boxes } = this._columns;
    const offset = 4 * this._row;
    return (boxes[offset + 2] - boxes[offset]) * (boxes[offset + 3] - boxes[offset + 1]);
  }

  /** Return the same geofence with another shape. */
  reshaped(shape, invalid) {
    const { color, tag, state, enabled, closed, locked } = this.kind;
    const { id, label } = this;
    const [figure] = figuresFrom([{ id, label, color, tag, state, enabled, closed, locked, shape }]);
    return Object.assign(figure, { invalid });
  }

  get shape() {
    const degrees = this._columns.degreesOf(this._row);
    if (this.kind.round) return { longitude: degrees[0], latitude: degrees[1], radius_m: degrees[2] };
    const parts = this._columns.partsOf(this._row);
    if (parts) {
      const shapes = parts.map(([outer, ...holes]) => ({ ring: positions(outer), holes: holes.map(positions) }));
      const [largest, ...others] = shapes;
      return { ...largest, others };
    }
    const ring = positions(degrees);
    const destination = this._columns.destinationOf(this._row);
    return destination ? { ring, longitude: destination[0], latitude: destination[1] } : { ring };
  }

  /** Centre and semi-axes of a circle, or null for a polygon. */
  get ellipse() {
    if (!this.kind.round) return null;
    const [minX, minY, maxX, maxY] = this.box;
    return { x: (minX + maxX) / 2, y: (minY + maxY) / 2, rx: (maxX - minX) / 2, ry: (maxY - minY) / 2 };
  }

  /**
   * The rings of each part of a polygon as flat arrays, its outer ring first, or null for a circle. Parts that meet are
   * one.
   */
  get parts() {
    if (this.kind.round) return null;
    // Computed on demand, since most figures are never drawn in detail.
    this._parts ??= this._inWorld();
    return this._parts;
  }

  /** The rings of all parts, or null for a circle. A position within an odd number of them is inside. */
  get rings() {
    this._rings ??= this.parts?.flat() ?? null;
    return this._rings;
  }

  /** Whether it is a polygon with holes or several parts. */
  get hasSeveralRings() {
    return this._columns.hasSeveralRings(this._row);
  }

  /** The middle of its box, or if it has several rings, a position inside its largest part. */
  get center() {
    const inside = this.hasSeveralRings ? centerInside(this.parts[0]) : null;
    if (inside) return inside;
    const [minX, minY, maxX, maxY] = this.box;
    return { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
  }

  /** Positions for its name: its centre, or if it has several rings, further positions inside its largest part. */
  get places() {
    if (this.hasSeveralRings) this._places ??= placesInside(this.parts[0]);
    return this._places?.length ? this._places : [this.center];
  }

  _inWorld() {
    const parts = this._columns.drawnPartsOf(this._row) ?? [[this._columns.degreesOf(this._row)]];
    return parts.map((rings) => rings.map(toWorld));
  }
}

function positions(degrees) {
  const ring = [];
  for (let i = 0; i < degrees.length; i += 2) ring.push([degrees[i], degrees[i + 1]]);
  return ring;
}

/** Convert a ring to world units; each step takes the shorter way around the globe. */
function toWorld(degrees) {
  const points = new Float64Array(degrees.length);
  let longitude = degrees[0];
  for (let i = 0; i < points.length; i += 2) {
    longitude = nearestCopy(degrees[i], longitude);
    points[i] = worldX(longitude);
    points[i + 1] = worldY(degrees[i + 1]);
  }
  return points;
}

/** Which geofences are shown, and in which colour. */
class Rule {
  constructor({ hidden_tags: tags, hidden_states: states, state_colors: colors }) {
    this._tags = new Set(tags);
    this._states = new Set(states);
    this._colors = colors;
  }

  isShown({ kind: { tag, state } }) {
    return !this._tags.has(tag) && !this._states.has(state);
  }

  colorOf({ kind: { color, state } }) {
    return this._colors?.[state] ?? color;
  }
}

/** Return arrays with everything that painting needs of each figure. */
function packFigures(figures, colorOf) {
  const boxes = new Float64Array(4 * figures.length);
  const colorIndices = new Uint32Array(figures.length);
  const palette = [];
  const indicesByKey = new Map();
  const indicesByKind = new Map();
  const colorIndexOf = (figure) => {
    const [color, { enabled }] = [colorOf(figure), figure.kind];
    const key = enabled ? color : `${color} disabled`;
    if (!indicesByKey.has(key)) indicesByKey.set(key, palette.push({ color, enabled }) - 1);
    return indicesByKey.get(key);
  };
  for (let index = 0; index < figures.length; index += 1) {
    const figure = figures[index];
    figure.copyBox(boxes, index);
    const { kind } = figure;
    let colorIndex = indicesByKind.get(kind);
    if (colorIndex === undefined) indicesByKind.set(kind, (colorIndex = colorIndexOf(figure)));
    colorIndices[index] = colorIndex;
  }
  return { boxes, colorIndices, palette };
}

/** Sort figures by size in descending order. Comparing numbers is many times faster than comparing objects. */
function largestFirst(figures) {
  const areas = new Float64Array(figures.length);
  const order = new Uint32Array(figures.length);
  for (let index = 0; index < figures.length; index += 1) {
    areas[index] = figures[index].area;
    order[index] = index;
  }
  order.sort((a, b) => areas[b] - areas[a]);
  return Array.from(order, (index) => figures[index]);
}

const SHOW_ALL = new Rule({ hidden_tags: [], hidden_states: [], state_colors: null });

export class Figures {
  constructor() {
    this.byId = new Map();
    this._rule = SHOW_ALL;
    this._sorted = [];
    this._arrays = null;
  }

  /** Hide the figures with certain tags or states, and show all others. */
  setRule(rule) {
    this._rule = new Rule(rule);
    this._sort();
  }

  isShown(figure) {
    return this._rule.isShown(figure);
  }

  colorOf(figure) {
    return this._rule.colorOf(figure);
  }

  /** Number of hidden figures. */
  get hidden() {
    return this.byId.size - this._sorted.length;
  }

  /** Replace all figures, given by their IDs. */
  replace(byId) {
    this.byId = byId;
    this._sort();
  }

  put(figures) {
    if (figures.length > MAX_INSERTED) {
      for (const each of figures) this.byId.set(each.id, each);
      this._sort();
      return;
    }
    this._removeSorted(figures.map(({ id }) => id));
    for (const each of figures) {
      this.byId.set(each.id, each);
      if (this.isShown(each)) this._sorted.splice(this._insertionIndex(each.area), 0, each);
    }
  }

  remove(ids) {
    this._removeSorted(ids);
    for (const id of ids) this.byId.delete(id);
  }

  /** The shown figures, the largest first. */
  get sorted() {
    return this._sorted;
  }

  /** Left, top, right and bottom of each figure in `sorted`. */
  get boxes() {
    return this._currentArrays().boxes;
  }

  /** Index in `palette` of the colour of each figure in `sorted`. */
  get colorIndices() {
    return this._currentArrays().colorIndices;
  }

  /** The colours in use, separately for enabled and disabled figures. */
  get palette() {
    return this._currentArrays().palette;
  }

  _currentArrays() {
    this._arrays ??= packFigures(this._sorted, (figure) => this.colorOf(figure));
    return this._arrays;
  }

  _sort() {
    this._sorted = largestFirst([...this.byId.values()].filter((each) => this.isShown(each)));
    this._arrays = null;
  }

  _removeSorted(ids) {
    const removed = new Set(ids.filter((id) => this.byId.has(id)));
    if (removed.size) this._sorted = this._sorted.filter(({ id }) => !removed.has(id));
    this._arrays = null;
  }

  _insertionIndex(area) {
    let [low, high] = [0, this._sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this._sorted[middle].area >= area) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
