// Names of countries, where there is room for them: large countries first, none over another.

import { overlaps } from "./clip.js";
import { haloText } from "./overlay.js";
import { FONT } from "./themes.js";

const SCAN_LINES = 24;

/** The longest run of a horizontal line inside the rings, and its middle. */
function widestRun({ rings, box }) {
  let best = { width: 0 };
  for (let line = 1; line < SCAN_LINES; line += 1) {
    const y = box[1] + ((box[3] - box[1]) * line) / SCAN_LINES;
    const cuts = [];
    for (const ring of rings) {
      for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
        if (ring[to + 1] > y === ring[from + 1] > y) continue;
        const share = (y - ring[to + 1]) / (ring[from + 1] - ring[to + 1]);
        cuts.push(ring[to] + share * (ring[from] - ring[to]));
      }
    }
    cuts.sort((a, b) => a - b);
    for (let cut = 0; cut + 1 < cuts.length; cut += 2) {
      // A name in the middle of a country reads better than one at its widest end.
      const centred = 1 - 0.5 * Math.abs(line / SCAN_LINES - 0.5);
      const width = cuts[cut + 1] - cuts[cut];
      if (width * centred > best.width) best = { width: width * centred, x: (cuts[cut] + cuts[cut + 1]) / 2, y };
    }
  }
  return best;
}

export class CountryLabels {
  constructor() {
    this.places = [];
    this.visible = true;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  setCountries(countries) {
    this.places = countries
      .map((country) => ({ name: country.name, ...widestRun(country) }))
      .filter(({ width, name }) => width > 0 && name)
      .sort((a, b) => b.width - a.width);
    this._redraw();
  }

  setVisible(visible) {
    this.visible = visible;
    this._redraw();
  }

  paint(context, view) {
    if (!this.visible || view.zoom > 9) return;
    const size = view.zoom < 4 ? 10.5 : view.zoom < 6 ? 12 : 14;
    context.font = `500 ${size}px ${FONT}`;
    context.letterSpacing = view.zoom < 4 ? "0.3px" : "1px";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const taken = [];
    for (const place of this.places) {
      for (const copy of view.copies) this._paintOne(context, view, place, copy, size, taken);
    }
  }

  _paintOne(context, view, { name, x, y, width }, copy, size, taken) {
    const room = width * view.scale;
    if (room < 18) return;
    const text = view.zoom >= 4 ? name.toUpperCase() : name;
    const half = context.measureText(text).width / 2;
    if (half * 2 > room * 1.25) return;
    const [left, top] = [view.x(x, copy), view.y(y)];
    const box = [left - half - 3, top - size, left + half + 3, top + size];
    if (!overlaps(box, [0, 0, view.size.x, view.size.y]) || taken.some((other) => overlaps(box, other))) return;
    taken.push(box);
    haloText(context, text, left, top, view.theme.landHalo, view.theme.inkQuiet);
  }
}
