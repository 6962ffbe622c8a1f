// A pin with a label at a search result.

import { worldX, worldY } from "../geometry/geo.js";
import { copiesInView } from "./overlay.js";
import { FONT } from "../themes.js";

const HEAD = 9;
const STEM = 24;
const MAX_LENGTH = 40;
const PLATE_HEIGHT = 20;
const PLATE_MARGIN = 7;

/** Shorten a long label, counting characters instead of UTF-16 code units. */
function shortened(label) {
  const characters = [...label];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join("").trimEnd()}…` : label;
}

export class Pin {
  constructor() {
    this.point = null;
    this.label = "";
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  show(position, label) {
    this.point = position && { x: worldX(position[0]), y: worldY(position[1]) };
    this.label = shortened(label);
    this._redraw();
  }

  paint(context, view) {
    if (!this.point) return;
    const { x, y } = this.point;
    for (const copy of copiesInView(view, [x, y, x, y], 200)) {
      const [left, top] = [view.x(x, copy), view.y(y)];
      this._paintPin(context, view, left, top);
      if (this.label) this._paintLabel(context, view, left, top);
    }
  }

  _paintPin(context, { theme }, left, top) {
    const middle = top - STEM;
    context.beginPath();
    context.moveTo(left, top);
    context.quadraticCurveTo(left - 1.5, middle + HEAD + 3, left - HEAD * 0.86, middle + HEAD * 0.5);
    context.arc(left, middle, HEAD, Math.PI * 0.83, Math.PI * 0.17);
    context.quadraticCurveTo(left + 1.5, middle + HEAD + 3, left, top);
    context.closePath();
    context.lineJoin = "round";
    context.strokeStyle = theme.halo;
    context.lineWidth = 4;
    context.stroke();
    context.fillStyle = theme.accent;
    context.fill();
    context.beginPath();
    context.arc(left, middle, HEAD * 0.4, 0, 2 * Math.PI);
    context.fillStyle = "#ffffff";
    context.fill();
  }

  /** Paint the label on a plate, so that text below it, such as the name of a geofence, does not interfere with it. */
  _paintLabel(context, { theme }, left, top) {
    context.font = `600 13px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const width = context.measureText(this.label).width + 2 * PLATE_MARGIN;
    context.beginPath();
    context.roundRect(left - width / 2, top + 4, width, PLATE_HEIGHT, 4);
    context.fillStyle = theme.halo;
    context.fill();
    context.fillStyle = theme.ink;
    context.fillText(this.label, left, top + 4 + PLATE_HEIGHT / 2 + 0.5);
  }
}
