// Drawing a hole or a further part of the selected geofence. A hole that is not inside the geofence cannot be finished:
// its vertices stay, so that they can be corrected.

import { holeFaultOf, openParts, placedNear } from "../geometry/rings.js";

export class RingDrawing {
  /**
   * Create the check of drawn rings. `tool()` returns the active tool, `shape()` the shape of the selected geofence;
   * `onFault(fault)` is called when a ring cannot be finished.
   */
  constructor(map, { tool, shape, onFault }) {
    this.map = map;
    this.tool = tool;
    this.shape = shape;
    const drawing = map.pm.Draw.Polygon;
    const finish = drawing._finishShape;
    drawing._finishShape = (...values) => {
      const fault = this.faultOf(drawing._layer.getLatLngs(), true);
      if (fault) onFault(fault);
      else finish.apply(drawing, values);
    };
  }

  /** Return the first fault of the vertices of a ring, or null. `done` means that the last is connected to the first. */
  faultOf(latlngs, done) {
    const shape = this.tool() === "hole" ? this.shape() : null;
    if (!shape?.ring || latlngs.length === 0) return null;
    const ring = latlngs.map(({ lng, lat }) => [lng, lat]);
    return holeFaultOf(placedNear(openParts(shape, this.map.getCenter().lng), ring), ring, done);
  }
}
