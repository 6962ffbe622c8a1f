// Drawing a circle with a single drag: press at its centre, move to its edge, and release. Geoman only supports clicks,
// so it receives a centre where the button was pressed and an edge where it was released. A press without movement
// remains a click.

import { CLICK_TOLERANCE, swallowClick } from "./pointer.js";

export class CircleDrag {
  constructor(map, onCancel) {
    this.map = map;
    this.onCancel = onCancel;
    this.start = null;
    this.drawing = false;
    this._onDown = (event) => this._press(event);
    this._onMove = (event) => this._drag(event);
    this._onUp = (event) => this._release(event);
  }

  /** Let the mouse draw instead of moving the map, until `disarm` is called. */
  arm() {
    this.map.dragging.disable();
    this.map.on("mousedown", this._onDown);
  }

  /** Let the mouse move the map again, and discard an unfinished circle. */
  disarm() {
    if (this.start) this._swallowClick();
    this._stop();
    this.map.off("mousedown", this._onDown);
    this.map.dragging.enable();
  }

  _press({ latlng, containerPoint, originalEvent }) {
    // Shift is reserved for selecting geofences within a rectangle.
    if (originalEvent.button !== 0 || originalEvent.shiftKey) return;
    this.start = { latlng, containerPoint };
    // The mouse may leave the map, and the button may be released there.
    document.addEventListener("mousemove", this._onMove);
    document.addEventListener("mouseup", this._onUp);
  }

  _drag(event) {
    if (!(event.buttons & 1)) {
      // The button was released outside the page.
      this._stop();
      this.onCancel();
      return;
    }
    this._begin(event);
    if (this.drawing) this._circle._syncHintMarker({ latlng: this.map.mouseEventToLatLng(event) });
  }

  /** Place the centre where the button was pressed, once the mouse has moved away from there. */
  _begin(event) {
    const distance = this.map.mouseEventToContainerPoint(event).distanceTo(this.start.containerPoint);
    if (this.drawing || distance <= CLICK_TOLERANCE) return;
    this.drawing = true;
    this._circle._placeCenterMarker({ latlng: this.start.latlng });
  }

  _release(event) {
    if (event.button !== 0) return;
    this._begin(event);
    const { drawing } = this;
    this._stop();
    if (drawing) this._circle._finishShape({ latlng: this.map.mouseEventToLatLng(event) });
  }

  get _circle() {
    return this.map.pm.Draw.Circle;
  }

  _stop() {
    this.start = null;
    this.drawing = false;
    document.removeEventListener("mousemove", this._onMove);
    document.removeEventListener("mouseup", this._onUp);
  }

  /** Suppress the click that follows when the button of a discarded circle is released. */
  _swallowClick() {
    document.addEventListener("mouseup", swallowClick(this.map), { once: true });
  }
}
