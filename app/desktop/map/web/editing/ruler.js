// The line of the measuring tool, reported while it is drawn with the mouse as its end, and kept until it is cleared.

import { rounded } from "../geometry/geo.js";

const positionOf = ({ lng, lat }) => [rounded(lng), rounded(lat)];

export class Ruler {
  constructor(map, post) {
    this.map = map;
    this.post = post;
    this.layer = null;
    this.kept = null;
    this._onMove = ({ latlng }) => this._scheduleReport(latlng);
  }

  /** Measure a line while it is drawn. */
  start(layer) {
    this.layer = layer;
    this.map.on("mousemove", this._onMove);
  }

  stop() {
    this.layer = null;
    this.map.off("mousemove", this._onMove);
  }

  keep(layer) {
    this.kept = layer;
  }

  clear() {
    this.kept?.remove();
    this.kept = null;
  }

  _scheduleReport(end) {
    const isScheduled = this.end;
    this.end = end;
    if (isScheduled) return;
    requestAnimationFrame(() => {
      const positions = [...(this.layer?.getLatLngs() ?? []), this.end].map(positionOf);
      this.end = null;
      if (this.layer && positions.length > 1) this.post({ kind: "line_drawn", tool: "measure", positions, done: false });
    });
  }
}
