// The way of the shown user's trip: a dashed line to the destination, which has a ring.

import { extent } from "../geometry/clip.js";
import { unwrap, worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";

const RING = 7;

export class Way {
  constructor() {
    this.points = [];
    this.box = null;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Positions from the device to the destination; none takes the way off the map. */
  show(positions) {
    this.points = unwrap(positions).flatMap(([longitude, latitude]) => [worldX(longitude), worldY(latitude)]);
    this.box = positions.length ? extent(this.points) : null;
    this._redraw();
  }

  paint(context, view) {
    if (!this.box) return;
    for (const copy of copiesInView(view, this.box, RING + 2)) {
      context.lineJoin = context.lineCap = "round";
      context.beginPath();
      for (let at = 0; at < this.points.length; at += 2) {
        context.lineTo(view.x(this.points[at], copy), view.y(this.points[at + 1]));
      }
      for (const [color, width, dashes] of [[view.theme.halo, 7, []], [view.theme.accent, 3.5, [2, 7]]]) {
        context.setLineDash(dashes);
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
      context.setLineDash([]);
      this._paintEnd(context, view, copy);
    }
  }

  _paintEnd(context, view, copy) {
    const last = this.points.length - 2;
    context.beginPath();
    context.arc(view.x(this.points[last], copy), view.y(this.points[last + 1]), RING, 0, 2 * Math.PI);
    context.fillStyle = view.theme.halo;
    context.fill();
    context.strokeStyle = view.theme.accent;
    context.lineWidth = 3;
    context.stroke();
  }
}
