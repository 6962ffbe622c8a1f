// The handle of a beacon: it is dragged, and reports where it was dropped. The window answers with the place it has then.

import { nearestCopy, rounded } from "../geometry/geo.js";
import { tr } from "../texts.js";

const HINT = tr("Release to move the beacon");

export class Holder {
  constructor(map, hint, post) {
    this.map = map;
    this.hint = hint;
    this.post = post;
    this.held = false;
    this.marker = null;
    this.place = null;
    // Of the copies of the world, the handle is in the one that is looked at.
    map.on("moveend", () => {
      if (!this.held) this._lie();
    });
  }

  /** Have a handle at a position, or none; one that the mouse holds stays in its hand. */
  show(position) {
    this.place = position;
    if (this.held && position) return;
    if (!position) this._drop();
    else if (this.marker) this._lie();
    else this._make();
  }

  _make() {
    const icon = L.divIcon({ className: "marker-icon fw-beacon-handle" });
    this.marker = L.marker([0, 0], { icon, draggable: true, keyboard: false, pane: "handles" });
    this.marker.on("dragstart", () => {
      this.held = true;
      this.hint.show(HINT);
    });
    this.marker.on("dragend", () => {
      this.held = false;
      this.hint.show("");
      const { lng, lat } = this.marker.getLatLng();
      this.post({ kind: "beacon_moved", position: [rounded(lng), rounded(lat)] });
    });
    this._lie();
    this.marker.addTo(this.map);
  }

  _lie() {
    if (!this.marker || !this.place) return;
    const [longitude, latitude] = this.place;
    this.marker.setLatLng([latitude, nearestCopy(longitude, this.map.getCenter().lng)]);
  }

  _drop() {
    this.held = false;
    this.marker?.remove();
    this.marker = null;
  }
}
