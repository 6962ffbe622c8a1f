// The handle of an isochrone: its destination, which the mouse can drag. The outline follows from it.

import { nearestCopy } from "../geometry/geo.js";
import { positionOf } from "./shapes.js";
import { tr } from "../texts.js";

const HINT = tr("Release to update the isochrone");

export class Destination {
  /** Create no handle yet. `setHeld(held)` is called when a drag begins and ends. */
  constructor(map, { hint, setHeld, post }) {
    this.map = map;
    this.hint = hint;
    this.setHeld = setHeld;
    this.post = post;
    this.id = null;
  }

  /** Add the handle of an isochrone, and return it. */
  attach({ id, shape: { longitude, latitude } }) {
    const wrapped = nearestCopy(longitude, this.map.getCenter().lng);
    const icon = L.divIcon({ className: "marker-icon fw-destination" });
    const marker = L.marker([latitude, wrapped], { icon, draggable: true, keyboard: false, pane: "handles" });
    this.id = id;
    this.marker = marker;
    this.held = false;
    marker.on("dragstart", () => {
      this.held = true;
      this.setHeld(true);
      this.hint.show(HINT);
    });
    marker.on("drag", () => this.onDragged());
    marker.on("dragend", () => this.onDropped());
    return marker.addTo(this.map);
  }

  detach() {
    this.id = null;
    this.held = false;
  }

  /** Report the position at most once per frame, since the mouse moves faster than isochrones are computed. */
  onDragged() {
    this._frame ??= requestAnimationFrame(() => {
      this._frame = null;
      if (this.held) this._report(false);
    });
  }

  onDropped() {
    this.held = false;
    this.setHeld(false);
    this._report(true);
  }

  _report(done) {
    if (this.id === null) return;
    this.post({ kind: "destination_moved", id: this.id, position: positionOf(this.marker.getLatLng()), done });
  }
}
