// Names of countries, each in the part of its country that is in view: large parts first, none over another.

import { overlaps } from "../geometry/clip.js";
import { worldX } from "../geometry/geo.js";
import { haloText } from "../layers/overlay.js";
import { LabelPlacement } from "./label_placement.js";
import { FONT } from "../themes.js";

const UP_TO_ZOOM = 9;
const MARGIN = 6;
const LINE = 1.3;
// A name may stand out of its country by this share of its width at each side: it is still read as its name.
const SPILL = 0.1;
// Among more fences than this a name cannot avoid them.
export const AVOIDED_UP_TO = 400;

const sizeAt = (zoom) => (zoom < 4 ? 10.5 : zoom < 6 ? 12 : 14);
/** @returns {import("../geometry/clip.js").Box} */
const grown = ([left, top, right, bottom], x, y) => [left - x, top - y, right + x, bottom + y];
/** @returns {import("../geometry/clip.js").Box} */
const common = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

/** The name on one line, and on two where it has words to part. */
function layouts(name) {
  const words = name.split(" ");
  const parted = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  const longest = (lines) => Math.max(...lines.map((line) => line.length));
  parted.sort((a, b) => longest(a) - longest(b));
  return [[name], ...parted.slice(0, 1)];
}

function setFont(context, zoom) {
  context.font = `500 ${sizeAt(zoom)}px ${FONT}`;
  context.letterSpacing = zoom < 4 ? "0.3px" : "1px";
}

/**
 * Names are placed when the camera has come to rest and stay on their places on the earth while it moves. A name that
 * still fits where it is stays there, so that a small move of the map moves no names over it.
 */
export class CountryLabels {
  /** `countriesAt` gives the countries for a zoom; `boxes` what names had better not lie under, in world units. */
  constructor(map, countriesAt, boxes) {
    this.map = map;
    this.countriesAt = countriesAt;
    this.boxes = boxes;
    this.visible = true;
    this.placed = new Map();
    this.middle = 0.5;
    this._ruler = document.createElement("canvas").getContext("2d");
    // Before the canvas draws after the same event.
    map.on("moveend", () => this._arrange());
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Find places anew, for other countries or other corners. */
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
    if (!this.visible || view.zoom > UP_TO_ZOOM) return;
    setFont(context, view.zoom);
    context.textAlign = "center";
    context.textBaseline = "middle";
    const height = sizeAt(view.zoom) * LINE;
    // A long drag jumps to another copy of the world before it ends; names go along.
    const copy = Math.round((view.box[0] + view.box[2]) / 2 - this.middle);
    for (const { lines, x, y } of this.placed.values()) {
      const [left, top] = [view.x(x, copy), view.y(y) - ((lines.length - 1) * height) / 2];
      lines.forEach((line, at) => {
        haloText(context, line, left, top + at * height, view.theme.landHalo, view.theme.inkQuiet);
      });
    }
  }

  _arrange() {
    const before = this.placed;
    const zoom = this.map.getZoom();
    this.placed = new Map();
    this.middle = worldX(this.map.getCenter().lng);
    if (zoom > UP_TO_ZOOM) return;
    setFont(this._ruler, zoom);
    const frame = this._frame(zoom);
    for (const part of this._parts(frame)) {
      const old = before.get(part.key);
      const found = this._find(part, frame, old?.zoom === zoom ? old : null);
      if (!found) continue;
      const { lines, left, top, box } = found;
      frame.taken.push(box);
      this.placed.set(part.key, { lines, zoom, x: frame.worldX(left), y: frame.worldY(top) });
    }
  }

  /** The view in pixels, how world units become them, and what is taken in it. */
  _frame(zoom) {
    const scale = 256 * 2 ** zoom;
    const { min, max } = this.map.getPixelBounds();
    const { left, top } = this.map.getContainer().getBoundingClientRect();
    const controls = [...this.map.getContainer().querySelectorAll(".leaflet-control")].map((node) => {
      const box = node.getBoundingClientRect();
      return grown([box.left - left, box.top - top, box.right - left, box.bottom - top], MARGIN, MARGIN);
    });
    const boxes = this.boxes(zoom);
    return {
      zoom,
      box: [0, 0, max.x - min.x, max.y - min.y],
      copies: [Math.floor(min.x / scale), Math.floor(max.x / scale)],
      taken: controls,
      avoided: boxes.length > AVOIDED_UP_TO ? [] : boxes,
      x: (x) => x * scale - min.x,
      y: (y) => y * scale - min.y,
      worldX: (x) => (x + min.x) / scale,
      worldY: (y) => (y + min.y) / scale,
    };
  }

  /** The visible part of each country, in pixels, large parts first. */
  _parts(frame) {
    const parts = [];
    for (const { name, rings } of this.countriesAt(frame.zoom)) {
      // One copy more at each side: a country across ±180° may begin in the world beside.
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
    const seen = [];
    let area = 0;
    for (const { points, box: ring } of rings) {
      const [left, right] = [frame.x(ring[0] + copy), frame.x(ring[2] + copy)];
      const [top, bottom] = [frame.y(ring[1]), frame.y(ring[3])];
      if (!overlaps([left, top, right, bottom], frame.box)) continue;
      const shown = common([left, top, right, bottom], frame.box);
      area += (shown[2] - shown[0]) * (shown[3] - shown[1]);
      for (const side of [0, 1]) box[side] = Math.min(box[side], shown[side]);
      for (const side of [2, 3]) box[side] = Math.max(box[side], shown[side]);
      seen.push(points);
    }
    return seen.length ? { copy, box, area, rings: seen } : null;
  }

  /**
   * The first layout of a name that finds room, clear of fences before over them; where the name already is, when it
   * still fits there.
   */
  _find(part, frame, old) {
    /** @type {import("../geometry/clip.js").Box[]} */
    const fences = frame.avoided.map(([minX, minY, maxX, maxY]) => {
      const [left, right] = [minX, maxX].map((x) => frame.x(x + part.copy));
      return [left, frame.y(minY), right, frame.y(maxY)];
    });
    const all = layouts(frame.zoom >= 4 ? part.name.toUpperCase() : part.name);
    for (const avoided of fences.length ? [fences, []] : [[]]) {
      for (const lines of all) {
        const found = this._layOut(part, frame, lines, [...frame.taken, ...avoided], old);
        if (found) return found;
      }
    }
    return null;
  }

  _layOut(part, frame, lines, taken, old) {
    const width = Math.max(...lines.map((line) => this._ruler.measureText(line).width)) + MARGIN;
    const height = lines.length * sizeAt(frame.zoom) * LINE;
    const spill = width * SPILL;
    const inner = width - 2 * spill;
    const area = common(part.box, grown(frame.box, -spill - MARGIN, -MARGIN));
    if (area[2] - area[0] < inner || area[3] - area[1] < height) return null;
    const placement = new LabelPlacement(area, inner, height);
    placement.fill(part.rings, (x) => frame.x(x + part.copy), frame.y);
    for (const each of taken) placement.block(grown(each, spill, 0));
    const best = placement.best();
    const held = old?.lines.length === lines.length ? { x: frame.x(old.x), y: frame.y(old.y) } : null;
    const place = held && placement.fits(held.x, held.y) ? held : best;
    if (!place) return null;
    const [left, top] = [place.x, place.y];
    return { lines, left, top, box: grown([left, top, left, top], width / 2, height / 2) };
  }
}
