// From where one gets to a destination in time: outlines that are being tried out, and what is wrong with the place.

import { extent, overlaps } from "../geometry/clip.js";
import { unwrap, worldX, worldY } from "../geometry/geo.js";
import { copiesInView, haloText } from "./overlay.js";
import { FONT } from "../themes.js";

const PIN = 6;
const FILL = 0.16;
const INSIDE = 14;
// South, then in turns to its left and right.
const DIRECTIONS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6].map((step) => (step * Math.PI) / 6);

function bandOf({ label, ring }) {
  const points = unwrap(ring).flatMap(([longitude, latitude]) => [worldX(longitude), worldY(latitude)]);
  return { label, points, box: extent(points), rim: label ? rimOf(points) : [] };
}

/** The outermost corners all around, the southernmost first, each with the direction in which it is. */
function rimOf(points) {
  return DIRECTIONS.map((angle) => {
    const [right, down] = [Math.sin(angle), Math.cos(angle)];
    let [far, most] = [0, -Infinity];
    for (let at = 0; at < points.length; at += 2) {
      const reach = points[at] * right + points[at + 1] * down;
      if (reach > most) [far, most] = [at, reach];
    }
    return { x: points[far], y: points[far + 1], right, down };
  });
}

export class Reach {
  constructor(map) {
    this.map = map;
    this.bands = [];
    this.place = null;
    this.tooltip = null;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Outlines, the largest first, around a place; `note` is on the place, or why there are none. */
  show(preview) {
    this.bands = (preview?.bands ?? []).map(bandOf);
    const position = preview?.position;
    this.place = position ? { x: worldX(position[0]), y: worldY(position[1]) } : null;
    this._tell(position, preview?.note);
    this._redraw();
  }

  paint(context, view) {
    for (const band of this.bands) this._paintBand(context, view, band);
    if (this.bands.length > 1) this._paintLabels(context, view);
    if (this.place) this._paintPin(context, view);
  }

  _tell(position, note) {
    this.tooltip?.remove();
    if (!position || !note) return;
    const node = document.createElement("span");
    node.textContent = note;
    const className = this.bands.length > 0 ? "fw-tooltip fw-note" : "fw-tooltip fw-refusal";
    this.tooltip = L.tooltip({ className, permanent: true, direction: "top", offset: [0, -10] });
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

  /** The shortest time first: it has the least room. */
  _paintLabels(context, view) {
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const taken = [];
    for (const { label, box, rim } of [...this.bands].reverse()) {
      if (!label) continue;
      for (const copy of copiesInView(view, box)) {
        const half = context.measureText(label).width / 2 + 3;
        const places = rim.map((corner) => {
          const x = view.x(corner.x, copy) - corner.right * (half + 4);
          const y = view.y(corner.y) - corner.down * INSIDE;
          return [x, y, [x - half, y - 9, x + half, y + 9]];
        });
        const [x, y, room] = places.find(([, , place]) => !taken.some((other) => overlaps(place, other))) ?? places[0];
        taken.push(room);
        haloText(context, label, x, y, view.theme.halo, view.theme.ink);
      }
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
