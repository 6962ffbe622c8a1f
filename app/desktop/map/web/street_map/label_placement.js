// Positions of texts in areas: the point with the most space around it, measured relative to the text and not in
// metres.

// Number of cells across and down a text. It is odd, so that one cell is the centre.
const CELLS = 7;
const MIN_CLEARANCE = (CELLS + 1) / 2;
// More space than this is no better; among such cells, the one nearest to the centre of the area is chosen.
const MAX_CLEARANCE = 3 * MIN_CLEARANCE;

/** A raster over `box` in pixels. Its cells have the proportions of a text with this width and height. */
export class LabelPlacement {
  constructor([left, top, right, bottom], width, height) {
    this.left = left;
    this.top = top;
    this.cellWidth = width / CELLS;
    this.cellHeight = height / CELLS;
    this.columns = Math.ceil((right - left) / this.cellWidth);
    this.rows = Math.ceil((bottom - top) / this.cellHeight);
    this.clearance = new Uint16Array(this.columns * this.rows);
    this.limit = [right, bottom];
  }

  /** Mark the inside of rings as free. `toX` and `toY` convert their alternating x and y values to pixels. */
  fill(rings, toX, toY) {
    const crossings = Array.from({ length: this.rows }, () => []);
    for (const points of rings) this._collectCrossings(points, toX, toY, crossings);
    crossings.forEach((row, index) => this._fillRow(row.sort((a, b) => a - b), index));
  }

  /** Mark the cells that a rectangle covers as occupied. */
  block([left, top, right, bottom]) {
    const [from, to] = [Math.max(0, this._column(left)), Math.min(this.columns - 1, this._column(right))];
    const last = Math.min(this.rows - 1, this._row(bottom));
    for (let row = Math.max(0, this._row(top)); row <= last; row += 1) {
      if (from <= to) this.clearance.fill(0, row * this.columns + from, row * this.columns + to + 1);
    }
  }

  /** Return the best centre for the text, or null if it does not fit. */
  best() {
    const centre = this._centre();
    this._computeClearance();
    const max = this.clearance.reduce((a, b) => Math.max(a, Math.min(b, MAX_CLEARANCE)), 0);
    if (max < MIN_CLEARANCE) return null;
    let best = { distance: Infinity };
    for (let cell = 0; cell < this.clearance.length; cell += 1) {
      if (this.clearance[cell] < max) continue;
      const [x, y] = this._centreOf(cell);
      const distance = Math.hypot(x - centre[0], y - centre[1]);
      if (distance < best.distance) best = { x, y, distance };
    }
    return best;
  }

  /** Return whether the text also fits around a point, with a little less space. Call `best` first. */
  fits(x, y) {
    const [column, row] = [this._column(x), this._row(y)];
    const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return inside && this.clearance[row * this.columns + column] >= MIN_CLEARANCE - 1;
  }

  _column(x) {
    return Math.floor((x - this.left) / this.cellWidth);
  }

  _row(y) {
    return Math.floor((y - this.top) / this.cellHeight);
  }

  _centreOf(cell) {
    const row = Math.floor(cell / this.columns);
    return [this.left + (cell - row * this.columns + 0.5) * this.cellWidth, this.top + (row + 0.5) * this.cellHeight];
  }

  _collectCrossings(points, toX, toY, crossings) {
    for (let to = 0, from = points.length - 2; to < points.length; from = to, to += 2) {
      const [y0, y1] = [toY(points[from + 1]), toY(points[to + 1])];
      const first = Math.max(0, Math.ceil((Math.min(y0, y1) - this.top) / this.cellHeight - 0.5));
      const last = Math.min(this.rows, Math.ceil((Math.max(y0, y1) - this.top) / this.cellHeight - 0.5));
      if (first >= last) continue;
      const [x0, x1] = [toX(points[from]), toX(points[to])];
      for (let row = first; row < last; row += 1) {
        const y = this.top + (row + 0.5) * this.cellHeight;
        crossings[row].push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
      }
    }
  }

  _fillRow(crossings, row) {
    if (this.top + (row + 1) * this.cellHeight > this.limit[1]) return;
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil((crossings[i] - this.left) / this.cellWidth));
      const end = Math.min(crossings[i + 1], this.limit[0]);
      const to = Math.min(this.columns, Math.floor((end - this.left) / this.cellWidth));
      if (from < to) this.clearance.fill(1, row * this.columns + from, row * this.columns + to);
    }
  }

  _centre() {
    let [x, y, count] = [0, 0, 0];
    for (let cell = 0; cell < this.clearance.length; cell += 1) {
      if (!this.clearance[cell]) continue;
      const middle = this._centreOf(cell);
      x += middle[0];
      y += middle[1];
      count += 1;
    }
    return [x / count, y / count];
  }

  /** Compute for each cell its distance in cells to the nearest occupied one, in any of eight directions. */
  _computeClearance() {
    const { columns, rows, clearance } = this;
    const isOutside = (column, row) => column < 0 || row < 0 || column >= columns || row >= rows;
    const clearanceAt = (column, row) => (isOutside(column, row) ? 0 : clearance[row * columns + column]);
    const nearest = (column, row, step) =>
      Math.min(
        clearanceAt(column - step, row),
        clearanceAt(column - 1, row - step),
        clearanceAt(column, row - step),
        clearanceAt(column + 1, row - step),
      );
    const pass = (index, step) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      if (clearance[index]) clearance[index] = nearest(column, row, step) + 1;
    };
    for (let index = 0; index < clearance.length; index += 1) pass(index, 1);
    // The second pass runs backwards and can only reduce the distances of the first one.
    for (let index = clearance.length - 1; index >= 0; index -= 1) {
      const previous = clearance[index];
      pass(index, -1);
      clearance[index] = Math.min(previous, clearance[index]);
    }
  }
}
