// The route of the shown user's trip: a dashed line to the destination, which is marked with a ring.

import { extent } from "../geometry/clip.js";
import { unwrap, worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";

const RING = 7;

export class Route {
  constructor() {
    this.points = [];
    this.box = null;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Show positions from the device to the destination; an empty list removes the route. */
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
      for (let i = 0; i < this.points.length; i += 2) {
        context.lineTo(view.x(this.points[i], copy), view.y(this.points[i + 1]));
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
