// Drawing with the keyboard: a crosshair that arrows move and that clicks as a mouse would. So all that the mouse has
// while it draws, such as snapping, the keyboard has too. A mouse that moves takes over.

import { placeText } from "../geometry/geo.js";
import { tr } from "../texts.js";

const STEP = 10;
const FAR = 60;
/** The crosshair stays so many pixels away from the edge; there the map moves instead. */
const EDGE = 30;
const PANEL = ".leaflet-control, .fw-out-of-sight";

export class Cursor {
  /** `say(text)` tells people where it is; `shown()` is told when it appears. */
  constructor(map, { say, shown }) {
    this.map = map;
    this.say = say;
    this.appeared = shown;
    this.at = null;
    this.pressed = false;
    this.node = document.createElement("div");
    this.node.className = "fw-cursor";
    this.node.hidden = true;
    map.getContainer().append(this.node);
    map.getContainer().addEventListener("mousemove", (event) => this._onMouse(event), true);
    map.on("move zoomend resize", () => this._place());
  }

  get shown() {
    return this.at !== null;
  }

  /** The pixel of the map where it is. */
  get point() {
    return this.map.latLngToContainerPoint(this.at);
  }

  hide() {
    if (!this.shown) return;
    this.at = null;
    this.pressed = false;
    this.node.hidden = true;
    this.say("");
  }

  move(right, down, far) {
    this._show();
    const by = far ? FAR : STEP;
    const size = this.map.getSize();
    const wanted = this.point.add([right * by, down * by]);
    const inside = L.point(
      Math.max(EDGE, Math.min(size.x - EDGE, wanted.x)),
      Math.max(EDGE, Math.min(size.y - EDGE, wanted.y)),
    );
    this.at = this.map.containerPointToLatLng(wanted);
    if (!inside.equals(wanted)) this.map.panBy(wanted.subtract(inside), { animate: false });
    this._place();
    this._tell("mousemove", this.pressed ? 1 : 0);
    this.say(placeText(this.at));
  }

  /** Click; or, where the tool draws with the button held, press it or let it go. */
  put(holds) {
    if (!this.shown) {
      this._show();
      this._tell("mousemove", 0);
      this.say(placeText(this.at));
      return;
    }
    const place = placeText(this.at);
    if (!this.pressed) this._tell("mousedown", 1);
    this.pressed = holds && !this.pressed;
    if (this.pressed) {
      this.say(tr("Drawing from {place}", { place }));
      return;
    }
    this._tell("mouseup", 0);
    if (!holds) this._tell("click", 0);
    // What was finished by that has its own words.
    if (this.shown) this.say(tr("Placed at {place}", { place }));
  }

  /** Appear, in the middle where it was nowhere to be seen. */
  _show() {
    if (this.at && this.map.getBounds().contains(this.at)) return;
    this.at = this.map.getCenter();
    this.node.hidden = false;
    this._place();
    this.appeared();
  }

  _place() {
    if (this.at) L.DomUtil.setPosition(this.node, this.point.round());
  }

  /** A page that moves under a mouse at rest is told of it, too: only one that goes elsewhere takes over. */
  _onMouse({ isTrusted, movementX, movementY }) {
    if (isTrusted && (movementX || movementY) && !this.pressed) this.hide();
  }

  /** What a mouse at the crosshair would tell the page. */
  _tell(type, buttons) {
    const container = this.map.getContainer();
    const { left, top } = container.getBoundingClientRect();
    const { x, y } = this.point;
    const [clientX, clientY] = [left + x, top + y];
    const under = document.elementFromPoint(clientX, clientY);
    const target = under && container.contains(under) && !under.closest(PANEL) ? under : container;
    target.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX, clientY, buttons, view: window }));
  }
}
