// A mark along one ring of the geofence that is being edited: the ring whose vertices the window lists.

import { ringsOf } from "./shapes.js";

export class RingMark {
  constructor(map, renderer) {
    this.map = map;
    this.renderer = renderer;
    this.color = "";
    this.number = null;
    this.line = null;
  }

  setColor(color) {
    this.color = color;
    this.line?.setStyle({ color });
  }

  /** Choose the ring by its number, or none if it is null. */
  show(number) {
    this.number = number;
  }

  /** Follow the rings of a polygon; any other layer has no mark. */
  update(layer) {
    const rings = layer instanceof L.Polygon ? ringsOf(layer) : [];
    const ring = this.number === null || rings.length < 2 ? null : rings[this.number];
    if (!ring) {
      this.line?.remove();
      this.line = null;
      return;
    }
    this.line ??= L.polyline([], {
      color: this.color,
      weight: 4,
      dashArray: "2 7",
      interactive: false,
      renderer: this.renderer,
    }).addTo(this.map);
    this.line.setLatLngs([...ring, ring[0]]);
  }
}
