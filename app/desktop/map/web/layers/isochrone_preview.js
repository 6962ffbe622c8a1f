// Outlines of a preview: of an operation's result, or of isochrones, from which a destination can be reached in time, or
// why there are none.

import { extent, overlaps } from "../geometry/clip.js";
import { continuousParts, worldX, worldY } from "../geometry/geo.js";
import { partsOf } from "./columns.js";
import { copiesInView, haloText } from "./overlay.js";
import { FONT } from "../themes.js";

const PIN_RADIUS = 6;
const FILL_OPACITY = 0.16;
const LABEL_INSET = 14;
// South, followed by directions alternately to its left and right.
const DIRECTIONS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6].map((step) => (step * Math.PI) / 6);

function bandOf({ label, ...shape }) {
  const rings = ringsInWorld(shape);
  const points = rings.length > 1 ? rings.flat() : rings[0];
  return { label, rings, box: extent(points), extremes: label ? extremesOf(points) : [] };
}

/** Return the rings of a shape in world units, with parts that meet as one. */
function ringsInWorld(shape) {
  const { parts, joined } = partsOf(shape);
  const flat = (joined.length ? joined : parts).map((rings) => rings.map((ring) => ring.flat()));
  const inWorld = (value, index) => (index % 2 ? worldY(value) : worldX(value));
  return continuousParts(flat).flat().map((degrees) => Array.from(degrees, inWorld));
}

/** Return the outermost vertices in all directions, the southernmost first, each with its direction. */
function extremesOf(points) {
  return DIRECTIONS.map((angle) => {
    const [right, down] = [Math.sin(angle), Math.cos(angle)];
    let [farthest, max] = [0, -Infinity];
    for (let i = 0; i < points.length; i += 2) {
      const distance = points[i] * right + points[i + 1] * down;
      if (distance > max) [farthest, max] = [i, distance];
    }
    return { x: points[farthest], y: points[farthest + 1], right, down };
  });
}

export class IsochronePreview {
  constructor(map) {
    this.map = map;
    this.bands = [];
    this.point = null;
    this.tooltip = null;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /**
   * Show outlines around a position, the largest first. `note` is about the position, or explains why there are none.
   */
  show(preview) {
    this.bands = (preview?.bands ?? []).map(bandOf);
    const position = preview?.position;
    this.point = position ? { x: worldX(position[0]), y: worldY(position[1]) } : null;
    this._showNote(position, preview?.note);
    this._redraw();
  }

  paint(context, view) {
    for (const band of this.bands) this._paintBand(context, view, band);
    if (this.bands.length > 1) this._paintLabels(context, view);
    if (this.point) this._paintPin(context, view);
  }

  _showNote(position, note) {
    this.tooltip?.remove();
    if (!position || !note) return;
    const node = document.createElement("span");
    node.textContent = note;
    const className = this.bands.length > 0 ? "fw-tooltip fw-note" : "fw-tooltip fw-refusal";
    this.tooltip = L.tooltip({ className, permanent: true, direction: "top", offset: [0, -10] });
    this.tooltip.setLatLng([position[1], position[0]]).setContent(node).addTo(this.map);
  }

  _paintBand(context, view, { rings, box }) {
    for (const copy of copiesInView(view, box, 4)) {
      context.beginPath();
      for (const points of rings) {
        context.moveTo(view.x(points[0], copy), view.y(points[1]));
        for (let i = 2; i < points.length; i += 2) context.lineTo(view.x(points[i], copy), view.y(points[i + 1]));
        context.closePath();
      }
      context.globalAlpha = FILL_OPACITY;
      context.fillStyle = view.theme.accent;
      context.fill("evenodd");
      context.globalAlpha = 1;
      context.lineJoin = "round";
      for (const [color, width] of [[view.theme.halo, 4.5], [view.theme.accent, 2]]) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
    }
  }

  /** Label the shortest time first, since it has the least room. */
  _paintLabels(context, view) {
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const taken = [];
    for (const { label, box, extremes } of [...this.bands].reverse()) {
      if (!label) continue;
      for (const copy of copiesInView(view, box)) {
        const halfWidth = context.measureText(label).width / 2 + 3;
        const candidates = extremes.map((extreme) => {
          const x = view.x(extreme.x, copy) - extreme.right * (halfWidth + 4);
          const y = view.y(extreme.y) - extreme.down * LABEL_INSET;
          return [x, y, [x - halfWidth, y - 9, x + halfWidth, y + 9]];
        });
        const isFree = ([, , candidate]) => !taken.some((other) => overlaps(candidate, other));
        const [x, y, labelBox] = candidates.find(isFree) ?? candidates[0];
        taken.push(labelBox);
        haloText(context, label, x, y, view.theme.halo, view.theme.ink);
      }
    }
  }

  _paintPin(context, view) {
    const { x, y } = this.point;
    for (const copy of copiesInView(view, [x, y, x, y], 2 * PIN_RADIUS)) {
      context.beginPath();
      context.arc(view.x(x, copy), view.y(y), PIN_RADIUS, 0, 2 * Math.PI);
      context.fillStyle = "#ffffff";
      context.fill();
      context.strokeStyle = view.theme.accent;
      context.lineWidth = 3.5;
      context.stroke();
    }
  }
}
