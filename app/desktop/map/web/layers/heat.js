// A heat map of fixes or events in the view.

import { extent } from "../geometry/clip.js";
import { worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";

// Width of a cell in pixels, and radius and number of passes of the smoothing in cells.
const CELL_PIXELS = 4;
const KERNEL_RADIUS = 3;
const PASSES = 2;
// The quantile that gets the warmest colour, so that a single hot spot does not make all others pale.
const MAX_QUANTILE = 0.985;
const OPACITY = 0.85;
// Colours from low to high density, distinguishable in greyscale, too.
const RAMP = [
  { at: 0, color: [43, 131, 186, 0] },
  { at: 0.12, color: [43, 131, 186, 120] },
  { at: 0.4, color: [94, 201, 98, 190] },
  { at: 0.7, color: [253, 200, 60, 225] },
  { at: 1, color: [215, 38, 30, 245] },
];
const STEPS = 256;
const COLORS = ramp();

function ramp() {
  const colors = new Uint8ClampedArray(4 * STEPS);
  for (let step = 0; step < STEPS; step += 1) {
    const fraction = step / (STEPS - 1);
    const next = Math.max(1, RAMP.findIndex(({ at }) => at >= fraction));
    const [from, to] = [RAMP[next - 1], RAMP[next]];
    const blend = (fraction - from.at) / (to.at - from.at);
    for (let channel = 0; channel < 4; channel += 1) {
      colors[4 * step + channel] = from.color[channel] + blend * (to.color[channel] - from.color[channel]);
    }
  }
  return colors;
}

/** Sum each cell with its neighbours in a line. `cellStride` leads to the next cell, `lineStride` to the next line. */
function boxBlur(from, to, lines, cells, lineStride, cellStride) {
  for (let line = 0; line < lines; line += 1) {
    let sum = 0;
    const begin = line * lineStride;
    for (let i = -KERNEL_RADIUS; i < cells; i += 1) {
      if (i + KERNEL_RADIUS < cells) sum += from[begin + (i + KERNEL_RADIUS) * cellStride];
      if (i - KERNEL_RADIUS - 1 >= 0) sum -= from[begin + (i - KERNEL_RADIUS - 1) * cellStride];
      if (i >= 0) to[begin + i * cellStride] = sum;
    }
  }
}

export class Heat {
  constructor() {
    this.points = new Float64Array();
    this.box = null;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Show points, given as alternating longitudes and latitudes in Base64; an empty text clears the layer. */
  show(text) {
    const degrees = new Float64Array(Uint8Array.fromBase64(text).buffer);
    this.points = new Float64Array(degrees.length);
    for (let i = 0; i < degrees.length; i += 2) {
      this.points[i] = worldX(degrees[i]);
      this.points[i + 1] = worldY(degrees[i + 1]);
    }
    this.box = degrees.length ? extent(this.points) : null;
    this._redraw();
  }

  paint(context, view) {
    if (!this.box) return;
    const columns = Math.ceil(view.size.x / CELL_PIXELS);
    const rows = Math.ceil(view.size.y / CELL_PIXELS);
    const counts = this._count(view, columns, rows);
    if (!counts) return;
    const canvas = new OffscreenCanvas(columns, rows);
    canvas.getContext("2d").putImageData(imageOf(counts, columns, rows), 0, 0);
    context.imageSmoothingEnabled = true;
    context.globalAlpha = OPACITY;
    context.drawImage(canvas, 0, 0, columns * CELL_PIXELS, rows * CELL_PIXELS);
  }

  /** Return the smoothed number of points in each cell, or null if none is in view. */
  _count(view, columns, rows) {
    const counts = new Float32Array(columns * rows);
    let hasPoints = false;
    for (const copy of copiesInView(view, this.box)) {
      for (let i = 0; i < this.points.length; i += 2) {
        const column = Math.floor(view.x(this.points[i], copy) / CELL_PIXELS);
        const row = Math.floor(view.y(this.points[i + 1]) / CELL_PIXELS);
        if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
        counts[row * columns + column] += 1;
        hasPoints = true;
      }
    }
    if (!hasPoints) return null;
    const buffer = new Float32Array(counts.length);
    for (let pass = 0; pass < PASSES; pass += 1) {
      boxBlur(counts, buffer, rows, columns, columns, 1);
      boxBlur(buffer, counts, columns, rows, 1, columns);
    }
    return counts;
  }
}

function imageOf(counts, columns, rows) {
  const filled = counts.filter((each) => each > 0).sort();
  const max = filled[Math.floor(MAX_QUANTILE * (filled.length - 1))];
  const image = new ImageData(columns, rows);
  for (let i = 0; i < counts.length; i += 1) {
    if (counts[i] <= 0) continue;
    const step = Math.round((STEPS - 1) * Math.min(1, Math.sqrt(counts[i] / max)));
    for (let channel = 0; channel < 4; channel += 1) image.data[4 * i + channel] = COLORS[4 * step + channel];
  }
  return image;
}
