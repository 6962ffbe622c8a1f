// Names along lines that follow gentle bends and are never upside down.

import { FONT } from "../themes.js";

const REPEAT_DISTANCE = 320;
const MARGIN = 3;
const MAX_NAME_LENGTH = 40;
const CENTRE_OFFSETS = [0, 0.17, -0.17, 0.34, -0.34];
// Maximum turn of a name in total and at a single point, in radians.
const MAX_TOTAL_TURN = 1.2;
const MAX_TURN = 0.55;
// Below this turn, a name is drawn in one piece.
const STRAIGHT_TURN = 0.06;
// Letters of other scripts join or have a writing order of their own, so these names are only drawn in one piece.
const UNSPLITTABLE = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{N}\p{P}\p{S}\p{Z}]/u;

const angleBetween = (a, b) => Math.abs(Math.atan2(Math.sin(b - a), Math.cos(b - a)));

/** A line as points with their distances from its start. */
class Path {
  constructor(points) {
    this.points = points;
    this.distances = [0];
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1], points[i]];
      this.distances.push(this.distances[i - 1] + Math.hypot(b.x - a.x, b.y - a.y));
    }
    this.length = this.distances[this.distances.length - 1];
  }

  /** Return the index of the segment at a distance. */
  _segmentAt(distance) {
    let [low, high] = [0, this.points.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.distances[middle] <= distance) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  pointAt(distance) {
    const from = this._segmentAt(distance);
    const [a, b] = [this.points[from], this.points[from + 1]];
    const fraction = (distance - this.distances[from]) / (this.distances[from + 1] - this.distances[from] || 1);
    return { x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction };
  }

  /**
   * Return how much the line turns between two distances, or Infinity if it turns too sharply for a name at one point.
   */
  bend(start, end) {
    let total = 0;
    let previous = null;
    for (let i = this._segmentAt(start); i < this.points.length - 1 && this.distances[i] < end; i += 1) {
      const [a, b] = [this.points[i], this.points[i + 1]];
      if (a.x === b.x && a.y === b.y) continue;
      const angle = Math.atan2(b.y - a.y, b.x - a.x);
      const angleChange = previous === null ? 0 : angleBetween(previous, angle);
      if (angleChange > MAX_TURN) return Infinity;
      total += angleChange;
      previous = angle;
    }
    return total;
  }
}

/** Return the possible centres of a name along a line, the best first. */
function candidateCentres(length, width) {
  const space = length - width - 2 * MARGIN;
  if (space < 0) return [];
  const count = Math.max(1, Math.floor(length / REPEAT_DISTANCE));
  const section = length / count;
  const [first, last] = [MARGIN + width / 2, length - MARGIN - width / 2];
  const all = CENTRE_OFFSETS.flatMap((step) =>
    Array.from({ length: count }, (_, index) => Math.min(last, Math.max(first, (index + 0.5 + step) * section))),
  );
  return all.filter((centre, index) => all.indexOf(centre) === index);
}

/** A symbolizer for the library. The positions of its labels are in pixels at the layout's zoom level. */
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
    if (!name || name.length > MAX_NAME_LENGTH) return undefined;
    const size = typeof this.size === "function" ? this.size(layout.zoom) : this.size;
    const font = `${this.style} ${this.weight} ${size}px ${FONT}`;
    layout.scratch.font = font;
    const text = { name, font, size, width: layout.scratch.measureText(name).width };
    const paths = lines.filter((points) => points.length > 1).map((points) => new Path(points));
    const labels = paths.flatMap((path) => this._labelsOn(path, text, layout));
    return labels.length ? labels : undefined;
  }

  _labelsOn(path, text, { scratch }) {
    const maxTurn = UNSPLITTABLE.test(text.name) ? STRAIGHT_TURN * 2 : MAX_TOTAL_TURN;
    const labels = [];
    for (const centre of candidateCentres(path.length, text.width)) {
      const [start, end] = [centre - text.width / 2, centre + text.width / 2];
      const bend = path.bend(start, end);
      if (bend > maxTurn) continue;
      const curved = maxTurn === MAX_TOTAL_TURN && bend > STRAIGHT_TURN;
      labels.push(this._label(path, text, start, end, curved, scratch));
    }
    return labels;
  }

  _label(path, text, start, end, curved, scratch) {
    const { x, y } = path.pointAt((start + end) / 2);
    const anchor = { x, y, dist: (other) => Math.hypot(other.x - x, other.y - y) };
    const pieces = curved ? letters(path, text, start, end, scratch) : [piece(path, text.name, start, end)];
    return {
      anchor,
      bboxes: boxes(path, start, end, text.size),
      draw: (context) => this._draw(context, text, pieces, anchor),
      deduplicationKey: text.name,
      deduplicationDistance: REPEAT_DISTANCE,
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
    for (const method of ["strokeText", "fillText"]) {
      for (const { text, x, y, angle } of pieces) {
        context.save();
        context.translate(x - anchor.x, y - anchor.y);
        context.rotate(angle);
        context[method](text, 0, 0);
        context.restore();
      }
    }
  }
}

/** Return a piece of text centred between two distances, in the direction of the line from one to the other. */
function piece(path, text, start, end) {
  const [from, to] = [path.pointAt(start), path.pointAt(end)];
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const readableAngle = to.x < from.x ? angle + Math.PI : angle;
  return { text, x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, angle: readableAngle };
}

function letters(path, { name }, start, end, scratch) {
  const reversed = path.pointAt(end).x < path.pointAt(start).x;
  let prefix = "";
  let previousWidth = 0;
  return [...name].map((letter) => {
    prefix += letter;
    const currentWidth = scratch.measureText(prefix).width;
    const [left, right] = [previousWidth, currentWidth];
    previousWidth = currentWidth;
    const [from, to] = reversed ? [end - left, end - right] : [start + left, start + right];
    const [a, b] = [path.pointAt(from), path.pointAt(to)];
    return { text: letter, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, angle: Math.atan2(b.y - a.y, b.x - a.x) };
  });
}

function boxes(path, start, end, size) {
  const count = Math.max(1, Math.ceil((end - start) / size));
  return Array.from({ length: count + 1 }, (_, index) => {
    const { x, y } = path.pointAt(start + ((end - start) * index) / count);
    const half = size * 0.7;
    return { minX: x - half, minY: y - half, maxX: x + half, maxY: y + half };
  });
}
