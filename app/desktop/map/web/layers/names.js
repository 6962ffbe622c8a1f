// Names of fences: in them where there is room, below small ones, and never over one another. The largest come first,
// so that more names appear from nearer.

import { insideRings } from "../geometry/clip.js";
import { isTraced } from "../geometry/geo.js";
import { haloText } from "./overlay.js";
import { FONT } from "../themes.js";

const AT_MOST = 400;
/** Of so many of the largest in view a place is looked for. */
const TRIED_UP_TO = 1500;
const HEIGHT = 15;
const GAP = 3;
/** Below what is smaller than this, in pixels, its name is plainly its own; below what is larger it is nobody's. */
const SMALL = 72;
const WIDTHS_KEPT = 20000;

/** What is smaller than this has no name. */
export const NAMED_FROM = 14;

/** Whether a polygon is around a text on its middle: a name beside its narrow, slanting fence is nobody's. */
function around(points, x, y, width) {
  return [-0.5, 0, 0.5].every((share) => insideRings([points], x + share * width, y));
}

/** A padlock around a point. */
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

  /** Write the names of fences, given with the copy of the world they are in; round what is `reserved` for one. */
  paint(context, view, named, { selected, reserved = null }) {
    if (!this.visible) return;
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const taken = [];
    const held = reserved && this._placeOf(context, view, reserved, true);
    if (held) taken.push(held);
    const before = taken.length;
    for (const each of named.slice(0, TRIED_UP_TO)) {
      if (taken.length - before >= AT_MOST) break;
      const place = this._placeOf(context, view, each, each.fence.id === selected);
      if (!place || taken.some((other) => this._meet(place, other))) continue;
      taken.push(place);
      this._write(context, view, each.fence, place);
    }
    context.globalAlpha = 1;
  }

  _write(context, view, fence, { x, y }) {
    context.globalAlpha = fence.enabled ? 1 : 0.7;
    haloText(context, fence.label, x, y, view.theme.halo, view.theme.ink);
    if (fence.locked) paintLock(context, x, y - HEIGHT, view.theme);
  }

  /** Where a name is written, with what it takes; null where it would not be plain whose it is. */
  _placeOf(context, view, { fence, copy }, selected) {
    const [minX, minY, maxX, maxY] = fence.box;
    const [middleX, middleY] = [(minX + maxX) / 2, (minY + maxY) / 2];
    const [wide, high] = [(maxX - minX) * view.scale, (maxY - minY) * view.scale];
    const width = this._widthOf(context, fence.label);
    const x = view.x(middleX, copy);
    const fits = width <= wide && (!fence.points || around(fence.points, middleX, middleY, width / view.scale));
    if (!fits && Math.max(wide, high) > SMALL) return null;
    // The handle of a selected circle is at its centre, that of an isochrone somewhere near.
    const handle = selected && (fence.ellipse || isTraced(fence.shape)) ? 18 : 0;
    const y = view.y(middleY) + (fits ? handle : high / 2 + HEIGHT / 2 + GAP + (fence.locked ? HEIGHT : 0));
    const top = y - HEIGHT / 2 - (fence.locked ? HEIGHT : 0);
    return { x, y, left: x - width / 2, right: x + width / 2, top, bottom: y + HEIGHT / 2 };
  }

  _meet(one, other) {
    return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  }

  _widthOf(context, text) {
    let width = this._widths.get(text);
    if (width === undefined) {
      if (this._widths.size >= WIDTHS_KEPT) this._widths.clear();
      width = context.measureText(text).width + 12;
      this._widths.set(text, width);
    }
    return width;
  }
}
