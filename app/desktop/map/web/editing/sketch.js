// Drawing a circle in one go: press at its centre, drag to its edge, let go. Geoman knows only clicks; it is told of a
// centre where the button went down, and of an edge where it came up. A press that does not move stays a click.

import { STEADY, swallowClick } from "./pointer.js";

export class Sketch {
  constructor(map, givenUp) {
    this.map = map;
    this.givenUp = givenUp;
    this.start = null;
    this.drawing = false;
    this._onDown = (event) => this._press(event);
    this._onMove = (event) => this._drag(event);
    this._onUp = (event) => this._letGo(event);
  }

  /** Until `disarm` the mouse draws where it would move the map. */
  arm() {
    this.map.dragging.disable();
    this.map.on("mousedown", this._onDown);
  }

  /** The mouse moves the map again; what is half drawn is nothing any more. */
  disarm() {
    if (this.start) this._swallowClick();
    this._stop();
    this.map.off("mousedown", this._onDown);
    this.map.dragging.enable();
  }

  _press({ latlng, containerPoint, originalEvent }) {
    // With Shift the mouse draws a box to zoom into.
    if (originalEvent.button !== 0 || originalEvent.shiftKey) return;
    this.start = { latlng, containerPoint };
    // The mouse may leave the map, and the button come up there.
    document.addEventListener("mousemove", this._onMove);
    document.addEventListener("mouseup", this._onUp);
  }

  _drag(event) {
    if (!(event.buttons & 1)) {
      // It came up where nobody saw it.
      this._stop();
      this.givenUp();
      return;
    }
    this._begin(event);
    if (this.drawing) this._circle._syncHintMarker({ latlng: this.map.mouseEventToLatLng(event) });
  }

  /** Put the centre where the button went down, once the mouse is away from there. */
  _begin(event) {
    const way = this.map.mouseEventToContainerPoint(event).distanceTo(this.start.containerPoint);
    if (this.drawing || way <= STEADY) return;
    this.drawing = true;
    this._circle._placeCenterMarker({ latlng: this.start.latlng });
  }

  _letGo(event) {
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

  /** The button that is still down was for a circle: when it comes up it clicks nothing. */
  _swallowClick() {
    document.addEventListener("mouseup", swallowClick(this.map), { once: true });
  }
}
