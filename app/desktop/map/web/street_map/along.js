// Names written along lines, following gentle bends, never upside down.

import { FONT } from "../themes.js";

const REPEAT = 320;
const MARGIN = 3;
const LONGEST = 40;
const STEPS = [0, 0.17, -0.17, 0.34, -0.34];
// A name turns by no more than this in all, and at one place, in radians.
const BEND = 1.2;
const CORNER = 0.55;
// Below this it is written in one piece.
const STRAIGHT = 0.06;
// Letters of other scripts join or have an order of their own: these names are written in one piece only.
const WHOLE = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{N}\p{P}\p{S}\p{Z}]/u;

const turn = (a, b) => Math.abs(Math.atan2(Math.sin(b - a), Math.cos(b - a)));

/** A line as places with their distance from its start. */
class Path {
  constructor(points) {
    this.points = points;
    this.along = [0];
    for (let at = 1; at < points.length; at += 1) {
      const [a, b] = [points[at - 1], points[at]];
      this.along.push(this.along[at - 1] + Math.hypot(b.x - a.x, b.y - a.y));
    }
    this.length = this.along[this.along.length - 1];
  }

  /** The last point that is not beyond a distance. */
  _before(distance) {
    let [low, high] = [0, this.points.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.along[middle] <= distance) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  at(distance) {
    const from = this._before(distance);
    const [a, b] = [this.points[from], this.points[from + 1]];
    const share = (distance - this.along[from]) / (this.along[from + 1] - this.along[from] || 1);
    return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
  }

  /** How much the line turns between two distances; Infinity where it does at one place what no name can follow. */
  bend(start, end) {
    let total = 0;
    let before = null;
    for (let at = this._before(start); at < this.points.length - 1 && this.along[at] < end; at += 1) {
      const [a, b] = [this.points[at], this.points[at + 1]];
      if (a.x === b.x && a.y === b.y) continue;
      const angle = Math.atan2(b.y - a.y, b.x - a.x);
      const by = before === null ? 0 : turn(before, angle);
      if (by > CORNER) return Infinity;
      total += by;
      before = angle;
    }
    return total;
  }
}

/** Where the middle of a name may be along a line, the best first. */
function middles(length, width) {
  const room = length - width - 2 * MARGIN;
  if (room < 0) return [];
  const count = Math.max(1, Math.floor(length / REPEAT));
  const part = length / count;
  const [first, last] = [MARGIN + width / 2, length - MARGIN - width / 2];
  const all = STEPS.flatMap((step) =>
    Array.from({ length: count }, (_, at) => Math.min(last, Math.max(first, (at + 0.5 + step) * part))),
  );
  return all.filter((middle, at) => all.indexOf(middle) === at);
}

/** For the library: a label's places are in pixels of the zoom it is made for. */
export class NamesAlong {
  constructor({ size, fill, stroke, weight = 500, style = "normal" }) {
    this.size = size;
    this.fill = fill;
    this.stroke = stroke;
    this.weight = weight;
    this.style = style;
  }

  place(layout, lines, { props }) {
    const { name } = props;
    if (!name || name.length > LONGEST) return undefined;
    const size = typeof this.size === "function" ? this.size(layout.zoom) : this.size;
    const font = `${this.style} ${this.weight} ${size}px ${FONT}`;
    layout.scratch.font = font;
    const text = { name, font, size, width: layout.scratch.measureText(name).width };
    const labels = lines.filter((points) => points.length > 1).flatMap((points) => this._on(new Path(points), text, layout));
    return labels.length ? labels : undefined;
  }

  _on(path, text, { scratch }) {
    const most = WHOLE.test(text.name) ? STRAIGHT * 2 : BEND;
    const labels = [];
    for (const middle of middles(path.length, text.width)) {
      const [start, end] = [middle - text.width / 2, middle + text.width / 2];
      const bend = path.bend(start, end);
      if (bend <= most) labels.push(this._label(path, text, start, end, most === BEND && bend > STRAIGHT, scratch));
    }
    return labels;
  }

  _label(path, text, start, end, curved, scratch) {
    const { x, y } = path.at((start + end) / 2);
    const anchor = { x, y, dist: (other) => Math.hypot(other.x - x, other.y - y) };
    const pieces = curved ? letters(path, text, start, end, scratch) : [piece(path, text.name, start, end)];
    return {
      anchor,
      bboxes: boxes(path, start, end, text.size),
      draw: (context) => this._draw(context, text, pieces, anchor),
      deduplicationKey: text.name,
      deduplicationDistance: REPEAT,
    };
  }

  _draw(context, { font }, pieces, anchor) {
    context.globalAlpha = 1;
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = this.stroke;
    context.fillStyle = this.fill;
    for (const write of ["strokeText", "fillText"]) {
      for (const { text, x, y, angle } of pieces) {
        context.save();
        context.translate(x - anchor.x, y - anchor.y);
        context.rotate(angle);
        context[write](text, 0, 0);
        context.restore();
      }
    }
  }
}

/** A piece of text in the middle between two distances, as the line goes from the one to the other. */
function piece(path, text, start, end) {
  const [from, to] = [path.at(start), path.at(end)];
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const upright = to.x < from.x ? angle + Math.PI : angle;
  return { text, x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, angle: upright };
}

function letters(path, { name }, start, end, scratch) {
  const reversed = path.at(end).x < path.at(start).x;
  let written = "";
  let before = 0;
  return [...name].map((letter) => {
    written += letter;
    const after = scratch.measureText(written).width;
    const [left, right] = [before, after];
    before = after;
    const [from, to] = reversed ? [end - left, end - right] : [start + left, start + right];
    const [a, b] = [path.at(from), path.at(to)];
    return { text: letter, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, angle: Math.atan2(b.y - a.y, b.x - a.x) };
  });
}

function boxes(path, start, end, size) {
  const count = Math.max(1, Math.ceil((end - start) / size));
  return Array.from({ length: count + 1 }, (_, at) => {
    const { x, y } = path.at(start + ((end - start) * at) / count);
    const half = size * 0.7;
    return { minX: x - half, minY: y - half, maxX: x + half, maxY: y + half };
  });
}
