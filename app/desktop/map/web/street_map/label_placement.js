// Where a text finds room in an area: the place with the most space around it, measured in texts and not in metres.

// Cells across a text and down it. Odd, so that one of them is its middle.
const CELLS = 7;
const NEEDED = (CELLS + 1) / 2;
// Beyond this more space is not better, and the middle of the area decides.
const ENOUGH = 3 * NEEDED;

/** A raster over `box` in pixels, with cells in the proportions of a text of this width and height. */
export class LabelPlacement {
  constructor([left, top, right, bottom], width, height) {
    this.left = left;
    this.top = top;
    this.across = width / CELLS;
    this.down = height / CELLS;
    this.columns = Math.ceil((right - left) / this.across);
    this.rows = Math.ceil((bottom - top) / this.down);
    this.space = new Uint16Array(this.columns * this.rows);
    this.limit = [right, bottom];
  }

  /** Make free what is inside the rings: each is a function of an index that gives x and y by turns. */
  fill(rings, toX, toY) {
    const cuts = Array.from({ length: this.rows }, () => []);
    for (const points of rings) this._cut(points, toX, toY, cuts);
    cuts.forEach((row, at) => this._fillRow(row.sort((a, b) => a - b), at));
  }

  /** Take away what a rectangle covers. */
  block([left, top, right, bottom]) {
    const [from, to] = [Math.max(0, this._column(left)), Math.min(this.columns - 1, this._column(right))];
    const last = Math.min(this.rows - 1, this._row(bottom));
    for (let row = Math.max(0, this._row(top)); row <= last; row += 1) {
      if (from <= to) this.space.fill(0, row * this.columns + from, row * this.columns + to + 1);
    }
  }

  /** The best middle for the text, or null where it does not fit. */
  best() {
    const centre = this._centre();
    this._measure();
    const most = this.space.reduce((a, b) => Math.max(a, Math.min(b, ENOUGH)), 0);
    if (most < NEEDED) return null;
    let best = { distance: Infinity };
    for (let at = 0; at < this.space.length; at += 1) {
      if (this.space[at] < most) continue;
      const [x, y] = this._middle(at);
      const distance = Math.hypot(x - centre[0], y - centre[1]);
      if (distance < best.distance) best = { x, y, distance };
    }
    return best;
  }

  /** Whether the text still fits around a point, if a little less well; to be asked after `best`. */
  fits(x, y) {
    const [column, row] = [this._column(x), this._row(y)];
    const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return inside && this.space[row * this.columns + column] >= NEEDED - 1;
  }

  _column(x) {
    return Math.floor((x - this.left) / this.across);
  }

  _row(y) {
    return Math.floor((y - this.top) / this.down);
  }

  _middle(at) {
    const row = Math.floor(at / this.columns);
    return [this.left + (at - row * this.columns + 0.5) * this.across, this.top + (row + 0.5) * this.down];
  }

  _cut(points, toX, toY, cuts) {
    for (let to = 0, from = points.length - 2; to < points.length; from = to, to += 2) {
      const [y0, y1] = [toY(points[from + 1]), toY(points[to + 1])];
      const first = Math.max(0, Math.ceil((Math.min(y0, y1) - this.top) / this.down - 0.5));
      const last = Math.min(this.rows, Math.ceil((Math.max(y0, y1) - this.top) / this.down - 0.5));
      if (first >= last) continue;
      const [x0, x1] = [toX(points[from]), toX(points[to])];
      for (let row = first; row < last; row += 1) {
        const y = this.top + (row + 0.5) * this.down;
        cuts[row].push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
      }
    }
  }

  _fillRow(cuts, row) {
    if (this.top + (row + 1) * this.down > this.limit[1]) return;
    for (let at = 0; at + 1 < cuts.length; at += 2) {
      const from = Math.max(0, Math.ceil((cuts[at] - this.left) / this.across));
      const to = Math.min(this.columns, Math.floor((Math.min(cuts[at + 1], this.limit[0]) - this.left) / this.across));
      if (from < to) this.space.fill(1, row * this.columns + from, row * this.columns + to);
    }
  }

  _centre() {
    let [x, y, count] = [0, 0, 0];
    for (let at = 0; at < this.space.length; at += 1) {
      if (!this.space[at]) continue;
      const middle = this._middle(at);
      x += middle[0];
      y += middle[1];
      count += 1;
    }
    return [x / count, y / count];
  }

  /** For each cell the number of cells to the nearest one that is not free, in any of eight directions. */
  _measure() {
    const { columns, rows, space } = this;
    const at = (column, row) => (column < 0 || row < 0 || column >= columns || row >= rows ? 0 : space[row * columns + column]);
    const nearest = (column, row, step) =>
      Math.min(
        at(column - step, row),
        at(column - 1, row - step),
        at(column, row - step),
        at(column + 1, row - step),
      );
    const pass = (index, step) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      if (space[index]) space[index] = nearest(column, row, step) + 1;
    };
    for (let index = 0; index < space.length; index += 1) pass(index, 1);
    // The way back only lowers: what the first pass found holds as well.
    for (let index = space.length - 1; index >= 0; index -= 1) {
      const before = space[index];
      pass(index, -1);
      space[index] = Math.min(before, space[index]);
    }
  }
}
