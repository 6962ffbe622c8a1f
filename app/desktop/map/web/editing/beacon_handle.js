// The handle of a beacon. Dragging it reports its new position, and the window responds with the beacon's actual one.

import { nearestCopy, rounded } from "../geometry/geo.js";
import { tr } from "../texts.js";

const HINT = tr("Release to move the beacon");

export class BeaconHandle {
  constructor(map, hint, post) {
    this.map = map;
    this.hint = hint;
    this.post = post;
    this.held = false;
    this.marker = null;
    this.position = null;
    // Keep the handle in the visible copy of the world.
    map.on("moveend", () => {
      if (!this.held) this._updatePosition();
    });
  }

  /**
   * Show the handle at a position, or remove it if it is null. A handle that is being dragged stays under the mouse.
   */
  show(position) {
    this.position = position;
    if (this.held && position) return;
    if (!position) this._remove();
    else if (this.marker) this._updatePosition();
    else this._create();
  }

  _create() {
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
    this._updatePosition();
    this.marker.addTo(this.map);
  }

  _updatePosition() {
    if (!this.marker || !this.position) return;
    const [longitude, latitude] = this.position;
    this.marker.setLatLng([latitude, nearestCopy(longitude, this.map.getCenter().lng)]);
  }

  _remove() {
    this.held = false;
    this.marker?.remove();
    this.marker = null;
  }
}
