// Drawing with the keyboard: a crosshair that the arrow keys move, and that clicks as a mouse would. The keyboard
// therefore supports everything that the mouse does while drawing, such as snapping. Moving the mouse takes over.

import { formatPosition } from "../geometry/geo.js";
import { tr } from "../texts.js";

const STEP_PIXELS = 10;
const FAR_STEP_PIXELS = 60;
/** Minimum distance of the crosshair from the edge of the map. Beyond it, the map moves instead. */
const EDGE_PIXELS = 30;
const CONTROLS = ".leaflet-control, .fw-out-of-sight";

export class Cursor {
  /** Create a crosshair. `announce(text)` describes its position to the user; `onShow()` is called when it appears. */
  constructor(map, { announce, onShow }) {
    this.map = map;
    this.announce = announce;
    this.onShow = onShow;
    this.latlng = null;
    this.pressed = false;
    this.node = document.createElement("div");
    this.node.className = "fw-cursor";
    this.node.hidden = true;
    map.getContainer().append(this.node);
    map.getContainer().addEventListener("mousemove", (event) => this._onMouse(event), true);
    map.on("move zoomend resize", () => this._updatePosition());
  }

  get shown() {
    return this.latlng !== null;
  }

  /** The pixel of the map at the crosshair. */
  get point() {
    return this.map.latLngToContainerPoint(this.latlng);
  }

  hide() {
    if (!this.shown) return;
    this.latlng = null;
    this.pressed = false;
    this.node.hidden = true;
    this.announce("");
  }

  move(right, down, far) {
    this._show();
    const step = far ? FAR_STEP_PIXELS : STEP_PIXELS;
    const size = this.map.getSize();
    const target = this.point.add([right * step, down * step]);
    const clamped = L.point(
      Math.max(EDGE_PIXELS, Math.min(size.x - EDGE_PIXELS, target.x)),
      Math.max(EDGE_PIXELS, Math.min(size.y - EDGE_PIXELS, target.y)),
    );
    this.latlng = this.map.containerPointToLatLng(target);
    if (!clamped.equals(target)) this.map.panBy(target.subtract(clamped), { animate: false });
    this._updatePosition();
    this._dispatch("mousemove", this.pressed ? 1 : 0);
    this.announce(formatPosition(this.latlng));
  }

  /** Click; with a tool that draws while the button is held, press or release it instead. */
  click(holds) {
    if (!this.shown) {
      this._show();
      this._dispatch("mousemove", 0);
      this.announce(formatPosition(this.latlng));
      return;
    }
    const coordinates = formatPosition(this.latlng);
    if (!this.pressed) this._dispatch("mousedown", 1);
    this.pressed = holds && !this.pressed;
    if (this.pressed) {
      this.announce(tr("Drawing from {coordinates}", { coordinates }));
      return;
    }
    this._dispatch("mouseup", 0);
    if (!holds) this._dispatch("click", 0);
    // A click that finished the drawing is announced separately.
    if (this.shown) this.announce(tr("Placed at {coordinates}", { coordinates }));
  }

  /** Show the crosshair, in the centre of the map if it was not in view. */
  _show() {
    if (this.latlng && this.map.getBounds().contains(this.latlng)) return;
    this.latlng = this.map.getCenter();
    this.node.hidden = false;
    this._updatePosition();
    this.onShow();
  }

  _updatePosition() {
    if (this.latlng) L.DomUtil.setPosition(this.node, this.point.round());
  }

  /**
   * The browser also sends mouse events if the page moves under a resting mouse. Only an actual movement takes over.
   */
  _onMouse({ isTrusted, movementX, movementY }) {
    if (isTrusted && (movementX || movementY) && !this.pressed) this.hide();
  }

  /** Send the event that a mouse at the crosshair would cause. */
  _dispatch(type, buttons) {
    const container = this.map.getContainer();
    const { left, top } = container.getBoundingClientRect();
    const { x, y } = this.point;
    const [clientX, clientY] = [left + x, top + y];
    const hit = document.elementFromPoint(clientX, clientY);
    const target = hit && container.contains(hit) && !hit.closest(CONTROLS) ? hit : container;
    target.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX, clientY, buttons, view: window }));
  }
}
