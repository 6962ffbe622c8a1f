// Snapping to geofences and roads nearby, by means of invisible copies of the visible ones, which Geoman finds. Geoman
// suspends snapping while Alt is held down.

import { nearestCopy, worldX, worldY } from "../geometry/geo.js";
import { openParts } from "../geometry/rings.js";

const SNAP_DISTANCE = 14;
const MAX_FENCES = 250;
const MAX_VERTICES = 6000;
const CIRCLE_VERTICES = 72;

/** Return the rings to which a shape snaps, in the copy of the world that is nearest to a longitude. */
const ringsOf = (shape, reference) => (shape.ring ? openParts(shape, reference).flat() : [circleRing(shape, reference)]);

/** Return an approximation of a circle on the sphere, as it is drawn. */
function circleRing({ longitude: center, latitude, radius_m: radius }, reference) {
  const longitude = nearestCopy(center, reference);
  const angle = radius / 6371000;
  const phi = (latitude * Math.PI) / 180;
  return Array.from({ length: CIRCLE_VERTICES }, (_, step) => {
    const bearing = (2 * Math.PI * step) / CIRCLE_VERTICES;
    const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing);
    const deltaLongitude = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(phi),
      Math.cos(angle) - Math.sin(phi) * sine,
    );
    return [longitude + (deltaLongitude * 180) / Math.PI, (Math.asin(sine) * 180) / Math.PI];
  });
}

export class Snapping {
  constructor(map, fences, streets, renderer) {
    this.map = map;
    this.fences = fences;
    this.streets = streets;
    this.renderer = renderer;
    this.on = false;
    this.roads = false;
    this._filled = 0;
    this.group = L.layerGroup().addTo(map);
    this.excluded = null;
    map.on("moveend", () => {
      if (this.on && this.inUse) this._fill();
    });
  }

  /** Return the snapping options for Geoman; `excluded` is the ID of the geofence that is being edited. */
  options(excluded = null) {
    this.clear();
    this.excluded = excluded;
    this.inUse = true;
    if (this.on) this._fill();
    return { snappable: this.on, snapDistance: SNAP_DISTANCE, snapSegment: true, snapMiddle: false };
  }

  /** Remove all snapping targets after drawing or editing has ended. */
  clear() {
    this.excluded = null;
    this.inUse = false;
    this._empty();
  }

  _empty() {
    this._filled += 1;
    this.group.clearLayers();
  }

  get _options() {
    return { pmIgnore: false, interactive: false, renderer: this.renderer, opacity: 0, fillOpacity: 0 };
  }

  _fill() {
    this._empty();
    this._addFences();
    if (this.roads) this._addRoads();
  }

  async _addRoads() {
    const fill = this._filled;
    const roads = await this.streets.roadsInView();
    // The map may have moved in the meantime, or drawing may have ended.
    if (fill !== this._filled) return;
    let vertices = 0;
    for (const latlngs of roads) {
      vertices += latlngs.length;
      if (vertices > MAX_VERTICES) return;
      L.polyline(latlngs, this._options).addTo(this.group);
    }
  }

  _addFences() {
    const view = this.map.getBounds();
    const middle = view.getCenter();
    const box = [worldX(view.getWest()), worldY(view.getNorth()), worldX(view.getEast()), worldY(view.getSouth())];
    let vertices = 0;
    for (const fence of this.fences.nearest(box, MAX_FENCES)) {
      if (fence.id === this.excluded) continue;
      const rings = ringsOf(fence.shape, middle.lng);
      vertices += rings.reduce((count, { length }) => count + length, 0);
      if (vertices > MAX_VERTICES) return;
      for (const ring of rings) {
        const latlngs = ring.map(([longitude, latitude]) => L.latLng(latitude, longitude));
        L.polygon(latlngs, this._options).addTo(this.group);
      }
    }
  }
}
