// Dragging a whole shape, or one of its parts. Geoman cannot drag and reshape a shape at the same time; here the handles
// are only hidden during a drag.

import { placeOf } from "../geometry/rings.js";
import { CLICK_TOLERANCE } from "./pointer.js";
import { latlngsOf, mapLatLngs } from "./shapes.js";

export class Mover {
  /**
   * Create a mover. `callbacks` are functions of the editor: `onePart()` (whether only the part under the mouse moves),
   * `start()`, `move()` and `end()`.
   */
  constructor(map, callbacks) {
    this.map = map;
    this.callbacks = callbacks;
    this._onDown = (event) => this._begin(event);
    this._onMove = (event) => this._drag(event);
    this._onUp = () => this._finish();
  }

  attach(layer) {
    this.layer = layer;
    layer.getElement().classList.add("fw-movable");
    layer.on("mousedown", this._onDown);
  }

  detach() {
    if (!this.layer) return;
    this._stopListening();
    this.layer.off("mousedown", this._onDown);
    this.layer = null;
  }

  _begin(event) {
    const { button, ctrlKey, metaKey } = event.originalEvent;
    if (button !== 0) return;
    L.DomEvent.stop(event);
    this.start = this.map.project(event.latlng);
    this.startCenter = this.layer instanceof L.Circle ? this.layer.getLatLng() : null;
    this.startLatLngs = this.startCenter ? [] : latlngsOf(this.layer);
    this.part = this.callbacks.onePart() || ctrlKey || metaKey ? this._partAt(event.latlng) : null;
    this.dragging = false;
    this.map.dragging.disable();
    this.map.on("mousemove", this._onMove);
    // The button may be released outside the map.
    document.addEventListener("mouseup", this._onUp);
  }

  /** Return the number of the part at a position, or null if there is only one or none there. */
  _partAt({ lng, lat }) {
    if (this.startLatLngs.length < 2) return null;
    const place = (ring) => placeOf([lng, lat], ring.map((vertex) => [vertex.lng, vertex.lat]));
    const covers = ([outer, ...holes]) => place(outer) >= 0 && holes.every((hole) => place(hole) <= 0);
    const number = this.startLatLngs.findIndex(covers);
    return number < 0 ? null : number;
  }

  _drag(event) {
    if (!this.dragging) {
      if (this.map.project(event.latlng).distanceTo(this.start) <= CLICK_TOLERANCE) return;
      this.dragging = true;
      this.layer.pm.disable();
      this.callbacks.start();
    }
    const shift = this.map.project(event.latlng).subtract(this.start);
    const shifted = (latlng) => this.map.unproject(this.map.project(latlng).add(shift));
    if (this.startCenter) this.layer.setLatLng(shifted(this.startCenter));
    else {
      const moves = (number) => this.part === null || number === this.part;
      this.layer.setLatLngs(mapLatLngs(this.startLatLngs, (latlng, number) => (moves(number) ? shifted(latlng) : latlng)));
    }
    this.callbacks.move();
  }

  _finish() {
    this._stopListening();
    if (this.dragging) this.callbacks.end();
    this.dragging = false;
  }

  _stopListening() {
    this.map.dragging.enable();
    this.map.off("mousemove", this._onMove);
    document.removeEventListener("mouseup", this._onUp);
  }
}
