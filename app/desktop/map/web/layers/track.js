// The recorded track: a line with marked ends, and its fixes as dots if they are far enough apart.

import { extent } from "../geometry/clip.js";
import { unwrap, worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";

const DOTS_FROM_PIXELS = 9;
const ENDS_FROM_PIXELS = 32;

export class Track {
  constructor() {
    this.points = [];
    this.box = null;
    this.visible = true;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  set(positions) {
    this.points = unwrap(positions).flatMap(([longitude, latitude]) => [worldX(longitude), worldY(latitude)]);
    this.box = positions.length ? extent(this.points) : null;
    this.length = 0;
    for (let i = 2; i < this.points.length; i += 2) {
      this.length += Math.hypot(this.points[i] - this.points[i - 2], this.points[i + 1] - this.points[i - 1]);
    }
    this._redraw();
  }

  setVisible(visible) {
    this.visible = visible;
    this._redraw();
  }

  paint(context, view) {
    if (!this.visible || !this.box) return;
    for (const copy of copiesInView(view, this.box, 8)) {
      this._paintLine(context, view, copy);
      const spacing = (this.length * view.scale) / (this.points.length / 2);
      if (spacing >= DOTS_FROM_PIXELS) this._paintDots(context, view, copy);
      const size = Math.max(this.box[2] - this.box[0], this.box[3] - this.box[1]) * view.scale;
      if (size >= ENDS_FROM_PIXELS) this._paintEnds(context, view, copy);
    }
  }

  _paintLine(context, view, copy) {
    context.lineJoin = context.lineCap = "round";
    context.beginPath();
    for (let i = 0; i < this.points.length; i += 2) {
      context.lineTo(view.x(this.points[i], copy), view.y(this.points[i + 1]));
    }
    for (const [color, width] of [[view.theme.halo, 5.5], [view.theme.track, 2.5]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke();
    }
  }

  _paintDots(context, view, copy) {
    context.fillStyle = view.theme.halo;
    context.strokeStyle = view.theme.track;
    context.lineWidth = 1.5;
    context.beginPath();
    for (let i = 0; i < this.points.length; i += 2) {
      const [x, y] = [view.x(this.points[i], copy), view.y(this.points[i + 1])];
      if (x < -4 || y < -4 || x > view.size.x + 4 || y > view.size.y + 4) continue;
      context.moveTo(x + 2.75, y);
      context.arc(x, y, 2.75, 0, 2 * Math.PI);
    }
    context.fill();
    context.stroke();
  }

  _paintEnds(context, view, copy) {
    const last = this.points.length - 2;
    context.strokeStyle = view.theme.track;
    context.lineWidth = 2.5;
    context.fillStyle = view.theme.halo;
    context.beginPath();
    context.arc(view.x(this.points[0], copy), view.y(this.points[1]), 5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.fillStyle = view.theme.track;
    context.strokeStyle = view.theme.halo;
    context.lineWidth = 1.5;
    context.beginPath();
    context.rect(view.x(this.points[last], copy) - 4.5, view.y(this.points[last + 1]) - 4.5, 9, 9);
    context.fill();
    context.stroke();
  }
}
