// Names of countries, each in the visible part of its country. Large parts come first, and names never overlap.

import { overlaps } from "../geometry/clip.js";
import { worldX } from "../geometry/geo.js";
import { haloText } from "../layers/overlay.js";
import { LabelPlacement } from "./label_placement.js";
import { FONT } from "../themes.js";

const MAX_ZOOM = 9;
const MARGIN = 6;
const LINE_HEIGHT = 1.3;
// Share of its width by which a name may extend beyond its country on each side and still be attributed to it.
const OVERFLOW_SHARE = 0.1;
// With more geofences than this, names do not avoid them.
export const MAX_AVOIDED_BOXES = 400;

const sizeAt = (zoom) => (zoom < 4 ? 10.5 : zoom < 6 ? 12 : 14);
/** @returns {import("../geometry/clip.js").Box} */
const grow = ([left, top, right, bottom], x, y) => [left - x, top - y, right + x, bottom + y];
/** @returns {import("../geometry/clip.js").Box} */
const intersection = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

/** Return the name on one line, and also split into two if it has several words. */
function layouts(name) {
  const words = name.split(" ");
  const splits = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  const longest = (lines) => Math.max(...lines.map((line) => line.length));
  splits.sort((a, b) => longest(a) - longest(b));
  return [[name], ...splits.slice(0, 1)];
}

function setFont(context, zoom) {
  context.font = `500 ${sizeAt(zoom)}px ${FONT}`;
  context.letterSpacing = zoom < 4 ? "0.3px" : "1px";
}

/**
 * Names are placed when the camera comes to rest, and keep their positions on the map while it moves. A name that still
 * fits at its position stays there, so that a small movement of the map does not rearrange the names.
 */
export class CountryLabels {
  /**
   * Create the layer. `countriesAt` returns the countries for a zoom level, `boxes` the boxes in world units that names
   * should avoid.
   */
  constructor(map, countriesAt, boxes) {
    this.map = map;
    this.countriesAt = countriesAt;
    this.boxes = boxes;
    this.visible = true;
    this.placed = new Map();
    this.centerX = 0.5;
    this._measureContext = document.createElement("canvas").getContext("2d");
    // Registered before the canvas, which repaints after the same event.
    map.on("moveend", () => this._arrange());
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Arrange all names again, for other countries or other controls in the corners. */
  place() {
    this.placed.clear();
    this._arrange();
    this._redraw();
  }

  setVisible(visible) {
    this.visible = visible;
    this._redraw();
  }

  paint(context, view) {
    if (!this.visible || view.zoom > MAX_ZOOM) return;
    setFont(context, view.zoom);
    context.textAlign = "center";
    context.textBaseline = "middle";
    const height = sizeAt(view.zoom) * LINE_HEIGHT;
    // A long drag may jump to another copy of the world before it ends; the names move along.
    const copy = Math.round((view.box[0] + view.box[2]) / 2 - this.centerX);
    for (const { lines, x, y } of this.placed.values()) {
      const [left, top] = [view.x(x, copy), view.y(y) - ((lines.length - 1) * height) / 2];
      lines.forEach((line, index) => {
        haloText(context, line, left, top + index * height, view.theme.landHalo, view.theme.inkQuiet);
      });
    }
  }

  _arrange() {
    const previous = this.placed;
    const zoom = this.map.getZoom();
    this.placed = new Map();
    this.centerX = worldX(this.map.getCenter().lng);
    if (zoom > MAX_ZOOM) return;
    setFont(this._measureContext, zoom);
    const frame = this._frame(zoom);
    for (const part of this._parts(frame)) {
      const existing = previous.get(part.key);
      const found = this._findLabel(part, frame, existing?.zoom === zoom ? existing : null);
      if (!found) continue;
      const { lines, left, top, box } = found;
      frame.taken.push(box);
      this.placed.set(part.key, { lines, zoom, x: frame.worldX(left), y: frame.worldY(top) });
    }
  }

  /** Return the view in pixels, the conversion from world units, and the occupied boxes in it. */
  _frame(zoom) {
    const scale = 256 * 2 ** zoom;
    const { min, max } = this.map.getPixelBounds();
    const { left, top } = this.map.getContainer().getBoundingClientRect();
    const controls = [...this.map.getContainer().querySelectorAll(".leaflet-control")].map((node) => {
      const box = node.getBoundingClientRect();
      return grow([box.left - left, box.top - top, box.right - left, box.bottom - top], MARGIN, MARGIN);
    });
    const boxes = this.boxes(zoom);
    return {
      zoom,
      box: [0, 0, max.x - min.x, max.y - min.y],
      copies: [Math.floor(min.x / scale), Math.floor(max.x / scale)],
      taken: controls,
      avoided: boxes.length > MAX_AVOIDED_BOXES ? [] : boxes,
      x: (x) => x * scale - min.x,
      y: (y) => y * scale - min.y,
      worldX: (x) => (x + min.x) / scale,
      worldY: (y) => (y + min.y) / scale,
    };
  }

  /** Return the visible part of each country in pixels, large parts first. */
  _parts(frame) {
    const parts = [];
    for (const { name, rings } of this.countriesAt(frame.zoom)) {
      // One more copy on each side, since a country across ±180° may begin in the neighbouring copy of the world.
      for (let copy = frame.copies[0] - 1; copy <= frame.copies[1] + 1; copy += 1) {
        const part = this._part(frame, rings, copy);
        if (name && part) parts.push({ ...part, key: `${name} ${copy}`, name });
      }
    }
    return parts.sort((a, b) => b.area - a.area);
  }

  _part(frame, rings, copy) {
    /** @type {import("../geometry/clip.js").Box} */
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    const visible = [];
    let area = 0;
    for (const { points, box: ring } of rings) {
      const [left, right] = [frame.x(ring[0] + copy), frame.x(ring[2] + copy)];
      const [top, bottom] = [frame.y(ring[1]), frame.y(ring[3])];
      if (!overlaps([left, top, right, bottom], frame.box)) continue;
      const visibleBox = intersection([left, top, right, bottom], frame.box);
      area += (visibleBox[2] - visibleBox[0]) * (visibleBox[3] - visibleBox[1]);
      for (const side of [0, 1]) box[side] = Math.min(box[side], visibleBox[side]);
      for (const side of [2, 3]) box[side] = Math.max(box[side], visibleBox[side]);
      visible.push(points);
    }
    return visible.length ? { copy, box, area, rings: visible } : null;
  }

  /**
   * Return the first layout of a name that fits, preferably without covering geofences. The name keeps its position if
   * it still fits there.
   */
  _findLabel(part, frame, existing) {
    /** @type {import("../geometry/clip.js").Box[]} */
    const fences = frame.avoided.map(([minX, minY, maxX, maxY]) => {
      const [left, right] = [minX, maxX].map((x) => frame.x(x + part.copy));
      return [left, frame.y(minY), right, frame.y(maxY)];
    });
    const candidates = layouts(frame.zoom >= 4 ? part.name.toUpperCase() : part.name);
    for (const avoided of fences.length ? [fences, []] : [[]]) {
      for (const lines of candidates) {
        const found = this._layOut(part, frame, lines, [...frame.taken, ...avoided], existing);
        if (found) return found;
      }
    }
    return null;
  }

  _layOut(part, frame, lines, taken, existing) {
    const width = Math.max(...lines.map((line) => this._measureContext.measureText(line).width)) + MARGIN;
    const height = lines.length * sizeAt(frame.zoom) * LINE_HEIGHT;
    const overflow = width * OVERFLOW_SHARE;
    const fittedWidth = width - 2 * overflow;
    const area = intersection(part.box, grow(frame.box, -overflow - MARGIN, -MARGIN));
    if (area[2] - area[0] < fittedWidth || area[3] - area[1] < height) return null;
    const placement = new LabelPlacement(area, fittedWidth, height);
    placement.fill(part.rings, (x) => frame.x(x + part.copy), frame.y);
    for (const rect of taken) placement.block(grow(rect, overflow, 0));
    const best = placement.best();
    const current = existing?.lines.length === lines.length ? { x: frame.x(existing.x), y: frame.y(existing.y) } : null;
    const place = current && placement.fits(current.x, current.y) ? current : best;
    if (!place) return null;
    const [left, top] = [place.x, place.y];
    return { lines, left, top, box: grow([left, top, left, top], width / 2, height / 2) };
  }
}
