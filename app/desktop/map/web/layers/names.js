// Names of geofences: inside those with enough room, below small ones, and never overlapping. The largest geofences
// come first, so that more names appear at higher zoom levels.

import { insideRings } from "../geometry/clip.js";
import { isIsochrone } from "../geometry/geo.js";
import { haloText } from "./overlay.js";
import { FONT } from "../themes.js";

const MAX_NAMES = 400;
/** Maximum number of geofences, the largest in view, for whose names a position is searched. */
const MAX_CANDIDATES = 1500;
const HEIGHT = 15;
const GAP = 3;
/**
 * Maximum size in pixels of a geofence with its name below it. Below a larger one, the name could not be attributed to
 * it.
 */
const MAX_SIZE_FOR_NAME_BELOW = 72;
const MAX_CACHED_WIDTHS = 20000;

/** Minimum size in pixels of a geofence with a name. */
export const MIN_NAMED_SIZE = 14;

/**
 * Return whether a polygon contains a text around a position. Next to a narrow, slanting geofence, the name could not
 * be attributed to it.
 */
function surrounds({ rings, hasSeveralRings }, { x, y }, width, height) {
  const isInside = (right, down) => insideRings(rings, x + right * width, y + down * height);
  if (!hasSeveralRings) return [-0.5, 0, 0.5].every((right) => isInside(right, 0));
  return [-0.5, -0.25, 0, 0.25, 0.5].every((right) => [-0.5, 0, 0.5].every((down) => isInside(right, down)));
}

/** Paint a padlock around a point. */
function paintLock(context, x, y, { halo, ink }) {
  for (const [color, width] of [[halo, 4], [ink, 1.5]]) {
    context.beginPath();
    context.rect(x - 4.5, y - 1, 9, 6.5);
    context.arc(x, y - 1, 3, Math.PI, 0);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
}

export class Names {
  constructor() {
    this.visible = true;
    this._widths = new Map();
  }

  /**
   * Paint the names of geofences, each given with its copy of the world, and keep the position of the `reserved` name
   * free.
   */
  paint(context, view, candidates, { selected, reserved = null }) {
    if (!this.visible) return;
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const taken = [];
    const reservedPlace = reserved && this._placement(context, view, reserved, true);
    if (reservedPlace) taken.push(reservedPlace);
    const reservedCount = taken.length;
    for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
      if (taken.length - reservedCount >= MAX_NAMES) break;
      const place = this._placement(context, view, candidate, candidate.fence.id === selected);
      if (!place || taken.some((other) => this._overlap(place, other))) continue;
      taken.push(place);
      this._write(context, view, candidate.fence, place);
    }
    context.globalAlpha = 1;
  }

  _write(context, view, fence, { x, y }) {
    context.globalAlpha = fence.enabled ? 1 : 0.7;
    haloText(context, fence.label, x, y, view.theme.halo, view.theme.ink);
    if (fence.locked) paintLock(context, x, y - HEIGHT, view.theme);
  }

  /** Return the position of a name and its box, or null if the name could not be attributed to its geofence there. */
  _placement(context, view, { fence, copy }, selected) {
    const [minX, minY, maxX, maxY] = fence.box;
    const [boxWidth, boxHeight] = [(maxX - minX) * view.scale, (maxY - minY) * view.scale];
    const width = this._widthOf(context, fence.label);
    const place = width <= boxWidth && this._placeInside(fence, width / view.scale, HEIGHT / view.scale);
    if (!place && Math.max(boxWidth, boxHeight) > MAX_SIZE_FOR_NAME_BELOW) return null;
    const x = view.x(place ? place.x : (minX + maxX) / 2, copy);
    // A selected circle has its handle at its centre, an isochrone somewhere near it.
    const handle = selected && (fence.ellipse || isIsochrone(fence.shape)) ? 18 : 0;
    const below = GAP + (fence.locked ? HEIGHT : 0);
    const y = place ? view.y(place.y) + handle : view.y(maxY) + HEIGHT / 2 + below;
    const top = y - HEIGHT / 2 - (fence.locked ? HEIGHT : 0);
    return { x, y, left: x - width / 2, right: x + width / 2, top, bottom: y + HEIGHT / 2 };
  }

  /** Return the first place of a geofence at which it contains a text of a size in world units. */
  _placeInside(fence, width, height) {
    if (fence.ellipse) return fence.places[0];
    return fence.places.find((place) => surrounds(fence, place, width, height)) ?? null;
  }

  _overlap(a, b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }

  _widthOf(context, text) {
    let width = this._widths.get(text);
    if (width === undefined) {
      if (this._widths.size >= MAX_CACHED_WIDTHS) this._widths.clear();
      width = context.measureText(text).width + 12;
      this._widths.set(text, width);
    }
    return width;
  }
}
