// The view of the map: moving it, and reporting its changes to the window.

import { latitudeAt, nearestCopy, rounded } from "./geometry/geo.js";

/** @type {[number, number]} */
const PADDING = [32, 32];
const FLIGHT_SECONDS = 0.6;
/** Shares of the map's width or height by which a key moves the map. */
const PAN_STEP = 0.1;
const PAN_FAR_STEP = 0.5;
const MAX_FLIGHT_SCREENS = 3;
const MAX_FLIGHT_ZOOMS = 4;

export class Camera {
  constructor(map, post) {
    this.map = map;
    this.post = post;
    this.moving = false;
    map.on("movestart zoomstart", () => {
      this.moving = true;
    });
    map.on("moveend", () => {
      this.moving = false;
      this.report();
    });
    map.on("resize", () => this.report());
  }

  isBusy() {
    return this.moving;
  }

  report() {
    const { lat, lng } = this.map.getCenter();
    const bounds = this.map.getBounds();
    const sides = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
    this.post({ kind: "camera", center: [lng, lat], zoom: this.map.getZoom(), bounds: sides.map(rounded) });
  }

  fit([west, south, east, north], maxZoom, animate) {
    const unwrappedEast = east < west ? east + 360 : east;
    const box = L.latLngBounds([south, west], [north, unwrappedEast]);
    if (!animate) {
      this.map.fitBounds(box, { padding: PADDING, maxZoom, animate });
      return;
    }
    const zoom = Math.min(maxZoom, this.map.getBoundsZoom(box, false, L.point(PADDING).multiplyBy(2)));
    this._fly(box.getCenter(), zoom);
  }

  /** Fit boxes in world units. Boxes across ±180° are shifted next to the first one. */
  fitBoxes(boxes, animate) {
    if (!boxes.length) return;
    const [[first]] = boxes;
    const union = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [minX, minY, maxX, maxY] of boxes) {
      const shift = Math.round(first - minX);
      union[0] = Math.min(union[0], minX + shift);
      union[1] = Math.min(union[1], minY);
      union[2] = Math.max(union[2], maxX + shift);
      union[3] = Math.max(union[3], maxY);
    }
    const degrees = (x) => (x - 0.5) * 360;
    this.fit([degrees(union[0]), latitudeAt(union[3]), degrees(union[2]), latitudeAt(union[1])], 17, animate);
  }

  showPoint([longitude, latitude], zoom, animate) {
    const wrapped = nearestCopy(longitude, this.map.getCenter().lng);
    const target = L.latLng(latitude, wrapped);
    if (animate) this._fly(target, zoom ?? this.map.getZoom());
    else this.map.setView(target, zoom ?? this.map.getZoom(), { animate });
  }

  /**
   * Fly to a position if the flight is short enough to follow with the eyes. Otherwise, or if the user prefers reduced
   * motion, jump there.
   */
  _fly(target, zoom) {
    const currentZoom = this.map.getZoom();
    const lowerZoom = Math.min(currentZoom, zoom);
    const distance = this.map.project(target, lowerZoom).distanceTo(this.map.project(this.map.getCenter(), lowerZoom));
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const isShort =
      distance <= MAX_FLIGHT_SCREENS * this.map.getSize().x &&
      Math.abs(zoom - currentZoom) <= MAX_FLIGHT_ZOOMS;
    this.map.stop();
    if (isShort && !reducedMotion && !document.hidden) this.map.flyTo(target, zoom, { duration: FLIGHT_SECONDS });
    else this.map.setView(target, zoom, { animate: false });
  }

  /** Move the view with a key: to the right and down, by a small or a large step. */
  pan(right, down, far) {
    const { x, y } = this.map.getSize();
    const offset = L.point(right * x, down * y).multiplyBy(far ? PAN_FAR_STEP : PAN_STEP).round();
    const { maxBounds } = this.map.options;
    this.map.panBy(maxBounds ? this.map._limitOffset(offset, L.latLngBounds(maxBounds)) : offset, { animate: false });
  }

  /** Zoom with a key, around a pixel of the map or its centre. */
  zoomBy(delta, around) {
    const zoom = Math.max(this.map.getMinZoom(), Math.min(this.map.getMaxZoom(), this.map.getZoom() + delta));
    this.map.setZoomAround(around ?? this.map.getSize().divideBy(2), zoom, { animate: false });
  }

  locate([longitude, latitude]) {
    const wrapped = nearestCopy(longitude, this.map.getCenter().lng);
    return this.map.latLngToContainerPoint([latitude, wrapped]);
  }
}
