// Snapping to fences and roads nearby: of those in sight, invisible copies that Geoman finds. Alt suspends it, as
// Geoman has it.

import { nearestCopy, unwrap, worldX, worldY } from "../geometry/geo.js";

const PIXELS = 14;
const AT_MOST = 250;
const VERTICES_AT_MOST = 6000;
const ON_CIRCLE = 72;

/** A circle as the ring that it is snapped to; on the sphere, as it is drawn. */
function ringOf({ ring, longitude, latitude, radius_m: radius }) {
  if (ring) return unwrap(ring).slice(0, -1);
  const arc = radius / 6371000;
  const here = (latitude * Math.PI) / 180;
  return Array.from({ length: ON_CIRCLE }, (_, step) => {
    const bearing = (2 * Math.PI * step) / ON_CIRCLE;
    const sine = Math.sin(here) * Math.cos(arc) + Math.cos(here) * Math.sin(arc) * Math.cos(bearing);
    const across = Math.atan2(Math.sin(bearing) * Math.sin(arc) * Math.cos(here), Math.cos(arc) - Math.sin(here) * sine);
    return [longitude + (across * 180) / Math.PI, (Math.asin(sine) * 180) / Math.PI];
  });
}

export class Snaps {
  constructor(map, fences, streets, renderer) {
    this.map = map;
    this.fences = fences;
    this.streets = streets;
    this.renderer = renderer;
    this.on = false;
    this.roads = false;
    this._filled = 0;
    this.group = L.layerGroup().addTo(map);
    this.except = null;
    map.on("moveend", () => {
      if (this.on && this.inUse) this._fill();
    });
  }

  /** What Geoman is to be told; `except` is the fence that is itself in hand. */
  options(except = null) {
    this.clear();
    this.except = except;
    this.inUse = true;
    if (this.on) this._fill();
    return { snappable: this.on, snapDistance: PIXELS, snapSegment: true, snapMiddle: false };
  }

  /** Nothing is in hand or drawn any more. */
  clear() {
    this.except = null;
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
    // Meanwhile the map may have moved, or nothing may be drawn any more.
    if (fill !== this._filled) return;
    let vertices = 0;
    for (const places of roads) {
      vertices += places.length;
      if (vertices > VERTICES_AT_MOST) return;
      L.polyline(places, this._options).addTo(this.group);
    }
  }

  _addFences() {
    const view = this.map.getBounds();
    const middle = view.getCenter();
    const box = [worldX(view.getWest()), worldY(view.getNorth()), worldX(view.getEast()), worldY(view.getSouth())];
    let vertices = 0;
    for (const fence of this.fences.near(box, AT_MOST)) {
      if (fence.id === this.except) continue;
      const ring = ringOf(fence.shape);
      vertices += ring.length;
      if (vertices > VERTICES_AT_MOST) return;
      const shift = nearestCopy(ring[0][0], middle.lng) - ring[0][0];
      const places = ring.map(([longitude, latitude]) => [latitude, longitude + shift]);
      L.polygon(places, this._options).addTo(this.group);
    }
  }
}
