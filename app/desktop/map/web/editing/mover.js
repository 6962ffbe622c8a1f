// Dragging a whole shape. Geoman cannot drag and reshape a shape at the same time; here the handles are only hidden
// during a drag.

import { CLICK_TOLERANCE } from "./pointer.js";

export class Mover {
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
    if (event.originalEvent.button !== 0) return;
    L.DomEvent.stop(event);
    this.start = this.map.project(event.latlng);
    this.startPoints = this._points();
    this.dragging = false;
    this.map.dragging.disable();
    this.map.on("mousemove", this._onMove);
    // The button may be released outside the map.
    document.addEventListener("mouseup", this._onUp);
  }

  _drag(event) {
    if (!this.dragging) {
      if (this.map.project(event.latlng).distanceTo(this.start) <= CLICK_TOLERANCE) return;
      this.dragging = true;
      this.layer.pm.disable();
      this.callbacks.start();
    }
    const shift = this.map.project(event.latlng).subtract(this.start);
    this._setPoints(this.startPoints.map((point) => this.map.unproject(point.add(shift))));
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

  _points() {
    const latlngs = this.layer instanceof L.Circle ? [this.layer.getLatLng()] : this.layer.getLatLngs()[0];
    return latlngs.map((latlng) => this.map.project(latlng));
  }

  _setPoints(latlngs) {
    if (this.layer instanceof L.Circle) this.layer.setLatLng(latlngs[0]);
    else this.layer.setLatLngs([latlngs]);
  }
}
