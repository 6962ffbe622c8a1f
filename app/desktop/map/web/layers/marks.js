// Markers at points. Each has an ID, and the one under the mouse can be found.

import { worldX, worldY } from "../geometry/geo.js";

export class Marks {
  /** Create a layer; `hitRadius` is the maximum distance of the mouse from a marker, in pixels. */
  constructor(hitRadius) {
    this.byId = new Map();
    this.visible = true;
    this._hitRadius = hitRadius;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Show markers, in addition to the existing ones unless `replace` is true. */
  show(marks, replace) {
    if (replace) this.byId.clear();
    for (const mark of marks) {
      this.byId.set(mark.id, { ...mark, x: worldX(mark.longitude), y: worldY(mark.latitude) });
    }
    this._redraw();
  }

  setVisible(visible) {
    this.visible = visible;
    this._redraw();
  }

  /** Return the marker nearest to a point in world units, or null if none is within reach of the mouse. */
  find(x, y, scale) {
    let best = null;
    let nearest = this._hitRadius / scale;
    if (!this.visible) return null;
    for (const mark of this.byId.values()) {
      const deltaX = Math.abs(mark.x - x);
      const distance = Math.hypot(Math.min(deltaX, 1 - deltaX), mark.y - y);
      if (distance <= nearest) [best, nearest] = [mark, distance];
    }
    return best;
  }
}
