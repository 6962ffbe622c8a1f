// From where one gets to a destination in time: outlines that are being tried out, and what is wrong with the place.

import { extent } from "./clip.js";
import { unwrap, worldX, worldY } from "./geo.js";
import { copiesInView, haloText } from "./overlay.js";
import { FONT } from "./themes.js";

const PIN = 6;
const FILL = 0.16;

function bandOf({ label, ring }) {
  const points = unwrap(ring).flatMap(([longitude, latitude]) => [worldX(longitude), worldY(latitude)]);
  return { label, points, box: extent(points), foot: footOf(points) };
}

/** The southernmost corner: the labels of bands within one another are apart there. */
function footOf(points) {
  let foot = 0;
  for (let at = 2; at < points.length; at += 2) if (points[at + 1] > points[foot + 1]) foot = at;
  return [points[foot], points[foot + 1]];
}

export class Reach {
  constructor(map) {
    this.map = map;
    this.bands = [];
    this.place = null;
    this.tooltip = L.tooltip({ className: "fw-tooltip fw-refusal", permanent: true, direction: "top", offset: [0, -10] });
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Outlines, the largest first, around a place; `note` is why there are none. */
  show(preview) {
    this.bands = (preview?.bands ?? []).map(bandOf);
    const position = preview?.position;
    this.place = position ? { x: worldX(position[0]), y: worldY(position[1]) } : null;
    this._tell(position, preview?.note);
    this._redraw();
  }

  paint(context, view) {
    for (const band of this.bands) this._paintBand(context, view, band);
    if (this.bands.length > 1) for (const band of this.bands) this._paintLabel(context, view, band);
    if (this.place) this._paintPin(context, view);
  }

  _tell(position, note) {
    this.tooltip.remove();
    if (!position || !note) return;
    const node = document.createElement("span");
    node.textContent = note;
    this.tooltip.setLatLng([position[1], position[0]]).setContent(node).addTo(this.map);
  }

  _paintBand(context, view, { points, box }) {
    for (const copy of copiesInView(view, box, 4)) {
      context.beginPath();
      for (let at = 0; at < points.length; at += 2) context.lineTo(view.x(points[at], copy), view.y(points[at + 1]));
      context.closePath();
      context.globalAlpha = FILL;
      context.fillStyle = view.theme.accent;
      context.fill();
      context.globalAlpha = 1;
      context.lineJoin = "round";
      for (const [color, width] of [[view.theme.halo, 4.5], [view.theme.accent, 2]]) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
    }
  }

  _paintLabel(context, view, { label, box, foot: [x, y] }) {
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const copy of copiesInView(view, box)) {
      haloText(context, label, view.x(x, copy), view.y(y) - 14, view.theme.halo, view.theme.ink);
    }
  }

  _paintPin(context, view) {
    const { x, y } = this.place;
    for (const copy of copiesInView(view, [x, y, x, y], 2 * PIN)) {
      context.beginPath();
      context.arc(view.x(x, copy), view.y(y), PIN, 0, 2 * Math.PI);
      context.fillStyle = "#ffffff";
      context.fill();
      context.strokeStyle = view.theme.accent;
      context.lineWidth = 3.5;
      context.stroke();
    }
  }
}
