// Symbols of events (▲ entry, ▼ exit, ■ dwell, ✕ failed check, ◆ others), and the ring around a highlighted point.

import { worldX, worldY } from "../geometry/geo.js";
import { Marks } from "./marks.js";
import { copiesInView } from "./overlay.js";
import { EVENT_COLORS } from "../themes.js";

const SIZE = 7;
const HIT_RADIUS = 10;
const ARM = 0.42;

// Vertices of each symbol relative to its centre, in units of its size, to the right and down.
const SHAPES = {
  entry: [[0, -1.15], [1, 0.75], [-1, 0.75]],
  exit: [[0, 1.15], [1, -0.75], [-1, -0.75]],
  dwell: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]],
  other: [[0, -1.2], [1, 0], [0, 1.2], [-1, 0]],
  // Events that a sandbox gains (+), loses (−) and moves (→).
  gained: [
    [-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4],
    [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4],
  ],
  lost: [[-1.2, -0.4], [1.2, -0.4], [1.2, 0.4], [-1.2, 0.4]],
  moved: [[-1.2, -0.35], [0.2, -0.35], [0.2, -1], [1.3, 0], [0.2, 1], [0.2, 0.35], [-1.2, 0.35]],
  fraud: [
    [-1, -1 + ARM], [-1 + ARM, -1], [0, -ARM], [1 - ARM, -1], [1, -1 + ARM], [ARM, 0],
    [1, 1 - ARM], [1 - ARM, 1], [0, ARM], [-1 + ARM, 1], [-1, 1 - ARM], [-ARM, 0],
  ],
};

export class Events extends Marks {
  constructor() {
    super(HIT_RADIUS);
    this.selected = null;
    this.point = null;
  }

  select(id) {
    this.selected = id;
    this._redraw();
  }

  highlight(position) {
    this.point = position && { x: worldX(position[0]), y: worldY(position[1]) };
    this._redraw();
  }

  paint(context, view) {
    if (this.point) this._paintRing(context, view, this.point, view.theme.accent, 12);
    if (!this.visible) return;
    for (const event of this.byId.values()) {
      if (event.id !== this.selected) this._paintMark(context, view, event, SIZE);
    }
    const selected = this.byId.get(this.selected);
    if (selected) {
      this._paintRing(context, view, selected, EVENT_COLORS[selected.kind], 16);
      this._paintMark(context, view, selected, SIZE + 2);
    }
  }

  _paintMark(context, view, { x, y, kind }, size) {
    for (const copy of copiesInView(view, [x, y, x, y], 2 * size)) {
      const [left, top] = [view.x(x, copy), view.y(y)];
      context.beginPath();
      for (const [dx, dy] of SHAPES[kind]) context.lineTo(left + dx * size, top + dy * size);
      context.closePath();
      context.lineJoin = "round";
      context.lineWidth = 4;
      context.strokeStyle = "#ffffff";
      context.stroke();
      context.fillStyle = EVENT_COLORS[kind];
      context.fill();
    }
  }

  _paintRing(context, view, { x, y }, color, radius) {
    for (const copy of copiesInView(view, [x, y, x, y], radius + 4)) {
      context.beginPath();
      context.arc(view.x(x, copy), view.y(y), radius, 0, 2 * Math.PI);
      for (const [stroke, width] of [[view.theme.halo, 6], [color, 2.5]]) {
        context.strokeStyle = stroke;
        context.lineWidth = width;
        context.stroke();
      }
    }
  }
}
