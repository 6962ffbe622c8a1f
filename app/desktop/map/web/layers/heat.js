// Where many fixes or events are: their density in the view, in colours that grow warmer.

import { extent } from "../geometry/clip.js";
import { worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";

// A cell is so many pixels wide; the density is smoothed over some cells.
const CELL = 4;
const REACH = 3;
const PASSES = 2;
// The share of the warmest colour, so that one place does not leave all others pale.
const WARMEST = 0.985;
const OPACITY = 0.85;
// From few to many; told apart in grey as well.
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
    const share = step / (STEPS - 1);
    const next = Math.max(1, RAMP.findIndex(({ at }) => at >= share));
    const [from, to] = [RAMP[next - 1], RAMP[next]];
    const part = (share - from.at) / (to.at - from.at);
    for (let channel = 0; channel < 4; channel += 1) {
      colors[4 * step + channel] = from.color[channel] + part * (to.color[channel] - from.color[channel]);
    }
  }
  return colors;
}

/** Each cell as the mean of its neighbours in a line; `step` leads to the next cell, `next` to the next line. */
function smooth(from, to, lines, cells, next, step) {
  for (let line = 0; line < lines; line += 1) {
    let sum = 0;
    const begin = line * next;
    for (let at = -REACH; at < cells; at += 1) {
      if (at + REACH < cells) sum += from[begin + (at + REACH) * step];
      if (at - REACH - 1 >= 0) sum -= from[begin + (at - REACH - 1) * step];
      if (at >= 0) to[begin + at * step] = sum;
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

  /** Longitudes and latitudes by turns, in Base64; an empty text shows nothing. */
  show(text) {
    const degrees = new Float64Array(Uint8Array.fromBase64(text).buffer);
    this.points = new Float64Array(degrees.length);
    for (let at = 0; at < degrees.length; at += 2) {
      this.points[at] = worldX(degrees[at]);
      this.points[at + 1] = worldY(degrees[at + 1]);
    }
    this.box = degrees.length ? extent(this.points) : null;
    this._redraw();
  }

  paint(context, view) {
    if (!this.box) return;
    const columns = Math.ceil(view.size.x / CELL);
    const rows = Math.ceil(view.size.y / CELL);
    const counts = this._count(view, columns, rows);
    if (!counts) return;
    const canvas = new OffscreenCanvas(columns, rows);
    canvas.getContext("2d").putImageData(imageOf(counts, columns, rows), 0, 0);
    context.imageSmoothingEnabled = true;
    context.globalAlpha = OPACITY;
    context.drawImage(canvas, 0, 0, columns * CELL, rows * CELL);
  }

  /** How many points are around each cell; null where there is none in view. */
  _count(view, columns, rows) {
    const counts = new Float32Array(columns * rows);
    let any = false;
    for (const copy of copiesInView(view, this.box)) {
      for (let at = 0; at < this.points.length; at += 2) {
        const column = Math.floor(view.x(this.points[at], copy) / CELL);
        const row = Math.floor(view.y(this.points[at + 1]) / CELL);
        if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
        counts[row * columns + column] += 1;
        any = true;
      }
    }
    if (!any) return null;
    const other = new Float32Array(counts.length);
    for (let pass = 0; pass < PASSES; pass += 1) {
      smooth(counts, other, rows, columns, columns, 1);
      smooth(other, counts, columns, rows, 1, columns);
    }
    return counts;
  }
}

function imageOf(counts, columns, rows) {
  const filled = counts.filter((each) => each > 0).sort();
  const most = filled[Math.floor(WARMEST * (filled.length - 1))];
  const image = new ImageData(columns, rows);
  for (let at = 0; at < counts.length; at += 1) {
    if (counts[at] <= 0) continue;
    const step = Math.round((STEPS - 1) * Math.min(1, Math.sqrt(counts[at] / most)));
    for (let channel = 0; channel < 4; channel += 1) image.data[4 * at + channel] = COLORS[4 * step + channel];
  }
  return image;
}
