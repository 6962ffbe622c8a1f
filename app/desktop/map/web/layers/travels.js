// Travel between geofences: a curve for each direction, whose width grows with the number of trips.

import { nearestCopy, worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";

const MIN_WIDTH = 1.5;
const MAX_WIDTH = 9;
// Distance of the middle of a curve from the straight line, as a share of its length, so that both directions are seen.
const BEND = 0.12;
const ARROW = 10;
const OPACITY = 0.75;

export class Travels {
  constructor() {
    this.lines = [];
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Show lines of [longitude, latitude, longitude, latitude, count], the rarest first; an empty list removes them. */
  show(lines) {
    const most = Math.max(1, ...lines.map((line) => line[4]));
    this.lines = lines.map(([fromLongitude, fromLatitude, longitude, latitude, count]) => {
      const from = [worldX(fromLongitude), worldY(fromLatitude)];
      const to = [worldX(nearestCopy(longitude, fromLongitude)), worldY(latitude)];
      const along = [to[0] - from[0], to[1] - from[1]];
      const middle = [(from[0] + to[0]) / 2 + BEND * along[1], (from[1] + to[1]) / 2 - BEND * along[0]];
      const [xs, ys] = [0, 1].map((axis) => [from[axis], middle[axis], to[axis]]);
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      return { from, middle, to, box, width: MIN_WIDTH + (MAX_WIDTH - MIN_WIDTH) * Math.sqrt(count / most) };
    });
    this._redraw();
  }

  paint(context, view) {
    context.globalAlpha = OPACITY;
    context.lineCap = "round";
    for (const line of this.lines) {
      for (const copy of copiesInView(view, line.box, MAX_WIDTH + ARROW)) paintLine(context, view, copy, line);
    }
  }
}

function paintLine(context, view, copy, { from, middle, to, width }) {
  const [start, control, end] = [from, middle, to].map(([x, y]) => [view.x(x, copy), view.y(y)]);
  for (const [color, extra] of [[view.theme.halo, 2], [view.theme.accent, 0]]) {
    context.beginPath();
    context.moveTo(...start);
    context.quadraticCurveTo(...control, ...end);
    context.strokeStyle = color;
    context.lineWidth = width + extra;
    context.stroke();
  }
  paintArrow(context, view.theme, start, control, end, ARROW + width);
}

/** Paint an arrow in the middle of a curve, where other curves seldom cover it. */
function paintArrow(context, theme, start, control, end, length) {
  const angle = Math.atan2(end[1] - start[1], end[0] - start[0]);
  const [x, y] = [0, 1].map((axis) => (start[axis] + 2 * control[axis] + end[axis]) / 4);
  context.beginPath();
  context.moveTo(x + (length / 2) * Math.cos(angle), y + (length / 2) * Math.sin(angle));
  for (const side of [-0.5, 0.5]) {
    context.lineTo(x - (length / 2) * Math.cos(angle + side), y - (length / 2) * Math.sin(angle + side));
  }
  context.closePath();
  context.lineJoin = "round";
  context.strokeStyle = theme.halo;
  context.lineWidth = 4;
  context.stroke();
  context.fillStyle = theme.accent;
  context.fill();
}
