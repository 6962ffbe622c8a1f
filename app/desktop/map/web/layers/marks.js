// Marks at points, each with an ID, of which the one under the mouse can be found.

import { worldX, worldY } from "../geometry/geo.js";

export class Marks {
  /** `reach` is how near to a mark the mouse has to be, in pixels. */
  constructor(reach) {
    this.byId = new Map();
    this.visible = true;
    this._reach = reach;
  }

  attach(redraw) {
    this._redraw = redraw;
  }

  /** Show these, and no others where they replace what is shown. */
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

  /** The mark that is nearest to a point in world units, within reach of the mouse. */
  find(x, y, scale) {
    let best = null;
    let nearest = this._reach / scale;
    if (!this.visible) return null;
    for (const mark of this.byId.values()) {
      const across = Math.abs(mark.x - x);
      const distance = Math.hypot(Math.min(across, 1 - across), mark.y - y);
      if (distance <= nearest) [best, nearest] = [mark, distance];
    }
    return best;
  }
}
