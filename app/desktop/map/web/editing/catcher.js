// Selecting what is within a rectangle, drawn with Shift held down, or within a lasso, drawn by hand. What has its
// middle inside is caught: so a geofence around everything does not come along with what is in it.

import { insideRings } from "../geometry/clip.js";
import { worldX, worldY } from "../geometry/geo.js";
import { STEADY, swallowClick } from "./pointer.js";

const RESTING = ["select", "edit"];
/** A lasso is drawn by so many pixels at a time. */
const STEP = 4;

export class Catcher {
  /** `tool()` is the one in use; `caught(ids, extend)` is told of what was caught, beside what was selected before. */
  constructor(map, fences, renderer, { tool, caught }) {
    this.map = map;
    this.fences = fences;
    this.renderer = renderer;
    this.tool = tool;
    this.caught = caught;
    this.color = "";
    this._rest();
    this._onMove = (event) => this._drag(event);
    this._onUp = (event) => this._letGo(event);
    // Its place is taken: with Shift, a rectangle selects and zooms no more.
    map.boxZoom.disable();
    map.on("mousedown", (event) => this._press(event));
  }

  /** Leave the mouse to the lasso, where it would move the map. */
  setLasso(on) {
    this._stop();
    this.map.dragging[on ? "disable" : "enable"]();
  }

  _press({ containerPoint, originalEvent: { button, shiftKey, ctrlKey, metaKey } }) {
    const lasso = this.tool() === "lasso";
    if (button !== 0 || !(lasso || (shiftKey && RESTING.includes(this.tool())))) return;
    this.extend = shiftKey || ctrlKey || metaKey;
    this.lasso = lasso;
    this.path = [containerPoint];
    this.moved = false;
    // The mouse may leave the map, and the button come up there.
    document.addEventListener("mousemove", this._onMove);
    document.addEventListener("mouseup", this._onUp);
  }

  _drag(event) {
    if (!(event.buttons & 1)) {
      this._stop();
      return;
    }
    const at = this.map.mouseEventToContainerPoint(event);
    if (!this.moved && at.distanceTo(this.path[0]) <= STEADY) return;
    this.moved = true;
    if (!this.lasso) this.path = [this.path[0], at];
    else if (at.distanceTo(this.path[this.path.length - 1]) >= STEP) this.path.push(at);
    this._show();
  }

  _letGo(event) {
    if (event.button !== 0) return;
    const { moved, extend } = this;
    const corners = moved ? this._corners() : [];
    // A lasso may end where it began: that is no click.
    if (moved) swallowClick(this.map)();
    this._stop();
    if (corners.length > 2) this.caught(this.fences.within((x, y) => insideRings([ringOf(corners)], x, y)), extend);
  }

  /** The outline on the earth. */
  _corners() {
    const [first, last] = [this.path[0], this.path[this.path.length - 1]];
    const points = this.lasso ? this.path : [first, L.point(last.x, first.y), last, L.point(first.x, last.y)];
    return points.map((point) => this.map.containerPointToLatLng(point));
  }

  _show() {
    const corners = this._corners();
    this.outline ??= L.polygon([], {
      color: this.color,
      weight: 1.5,
      dashArray: "5 4",
      fillOpacity: 0.1,
      interactive: false,
      renderer: this.renderer,
    }).addTo(this.map);
    this.outline.setLatLngs(corners);
  }

  _rest() {
    this.path = null;
    this.extend = this.lasso = this.moved = false;
  }

  _stop() {
    this._rest();
    this.outline?.remove();
    this.outline = null;
    document.removeEventListener("mousemove", this._onMove);
    document.removeEventListener("mouseup", this._onUp);
  }
}

const ringOf = (corners) => corners.flatMap(({ lat, lng }) => [worldX(lng), worldY(lat)]);
