// Selecting geofences within a rectangle, drawn with Shift held down, or within a lasso, drawn freehand. A geofence is
// selected if its centre is inside, so that one that surrounds the whole area is not.

import { insideRings } from "../geometry/clip.js";
import { worldX, worldY } from "../geometry/geo.js";
import { CLICK_TOLERANCE, swallowClick } from "./pointer.js";

const SHIFT_SELECT_TOOLS = ["select", "edit"];
/** Minimum distance between two points of a lasso, in pixels. */
const STEP = 4;

export class AreaSelector {
  /**
   * Create a selector. `tool()` returns the active tool; `onSelect(ids, extend)` receives the selected geofences, and
   * whether they extend the previous selection.
   */
  constructor(map, fences, renderer, { tool, onSelect }) {
    this.map = map;
    this.fences = fences;
    this.renderer = renderer;
    this.tool = tool;
    this.onSelect = onSelect;
    this.color = "";
    this._reset();
    this._onMove = (event) => this._drag(event);
    this._onUp = (event) => this._release(event);
    // With Shift, a rectangle selects geofences instead of zooming.
    map.boxZoom.disable();
    map.on("mousedown", (event) => this._press(event));
  }

  /** Let the mouse draw a lasso instead of moving the map. */
  setLasso(on) {
    this._stop();
    this.map.dragging[on ? "disable" : "enable"]();
  }

  _press({ containerPoint, originalEvent: { button, shiftKey, ctrlKey, metaKey } }) {
    const lasso = this.tool() === "lasso";
    if (button !== 0 || !(lasso || (shiftKey && SHIFT_SELECT_TOOLS.includes(this.tool())))) return;
    this.extend = shiftKey || ctrlKey || metaKey;
    this.lasso = lasso;
    this.path = [containerPoint];
    this.moved = false;
    // The mouse may leave the map, and the button may be released there.
    document.addEventListener("mousemove", this._onMove);
    document.addEventListener("mouseup", this._onUp);
  }

  _drag(event) {
    if (!(event.buttons & 1)) {
      this._stop();
      return;
    }
    const point = this.map.mouseEventToContainerPoint(event);
    if (!this.moved && point.distanceTo(this.path[0]) <= CLICK_TOLERANCE) return;
    this.moved = true;
    if (!this.lasso) this.path = [this.path[0], point];
    else if (point.distanceTo(this.path[this.path.length - 1]) >= STEP) this.path.push(point);
    this._show();
  }

  _release(event) {
    if (event.button !== 0) return;
    const { moved, extend } = this;
    const vertices = moved ? this._vertices() : [];
    // A lasso may end where it began, which must not count as a click.
    if (moved) swallowClick(this.map)();
    this._stop();
    if (vertices.length <= 2) return;
    this.onSelect(this.fences.idsWithCenter((x, y) => insideRings([ringOf(vertices)], x, y)), extend);
  }

  /** Return the outline as positions on the map. */
  _vertices() {
    const [first, last] = [this.path[0], this.path[this.path.length - 1]];
    const points = this.lasso ? this.path : [first, L.point(last.x, first.y), last, L.point(first.x, last.y)];
    return points.map((point) => this.map.containerPointToLatLng(point));
  }

  _show() {
    const vertices = this._vertices();
    this.outline ??= L.polygon([], {
      color: this.color,
      weight: 1.5,
      dashArray: "5 4",
      fillOpacity: 0.1,
      interactive: false,
      renderer: this.renderer,
    }).addTo(this.map);
    this.outline.setLatLngs(vertices);
  }

  _reset() {
    this.path = null;
    this.extend = this.lasso = this.moved = false;
  }

  _stop() {
    this._reset();
    this.outline?.remove();
    this.outline = null;
    document.removeEventListener("mousemove", this._onMove);
    document.removeEventListener("mouseup", this._onUp);
  }
}

const ringOf = (vertices) => vertices.flatMap(({ lat, lng }) => [worldX(lng), worldY(lat)]);
