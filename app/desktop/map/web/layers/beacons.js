// Beacons: a disc that emits waves, grey if the beacon is disabled, and only a dot at low zoom levels.

import { Marks } from "./marks.js";
import { copiesInView } from "./overlay.js";

const SIZE = 9;
const DOT_SIZE = 4;
const HIT_RADIUS = 11;
const CLOSE_ZOOM = 13;
const WAVES = [0.42, 0.72];
const SPREAD = Math.PI * 0.24;

export class Beacons extends Marks {
  constructor() {
    super(HIT_RADIUS);
  }

  remove(ids) {
    for (const id of ids) this.byId.delete(id);
    this._redraw();
  }

  paint(context, view) {
    if (!this.visible) return;
    const close = view.zoom >= CLOSE_ZOOM;
    for (const beacon of this.byId.values()) this._paint(context, view, beacon, close);
  }

  _paint(context, view, { x, y, enabled }, close) {
    const size = close ? SIZE : DOT_SIZE;
    for (const copy of copiesInView(view, [x, y, x, y], 2 * size)) {
      const [left, top] = [view.x(x, copy), view.y(y)];
      context.beginPath();
      context.arc(left, top, size, 0, 2 * Math.PI);
      context.lineWidth = 3;
      context.strokeStyle = view.theme.halo;
      context.stroke();
      context.fillStyle = enabled ? view.theme.beacon : view.theme.inkQuiet;
      context.fill();
      if (close) this._paintWaves(context, left, top);
    }
  }

  _paintWaves(context, left, top) {
    context.fillStyle = "#ffffff";
    context.beginPath();
    context.arc(left, top, SIZE * 0.16, 0, 2 * Math.PI);
    context.fill();
    context.strokeStyle = "#ffffff";
    context.lineWidth = 1.4;
    context.lineCap = "round";
    for (const wave of WAVES) {
      for (const side of [0, Math.PI]) {
        context.beginPath();
        context.arc(left, top, SIZE * wave, side - SPREAD, side + SPREAD);
        context.stroke();
      }
    }
  }
}
