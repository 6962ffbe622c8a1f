// Where the map looks, and telling the window about it.

import { latitudeAt, nearestCopy, rounded } from "./geometry/geo.js";

/** @type {[number, number]} */
const PADDING = [32, 32];
const FLIGHT = 0.6;
/** By so much of the map's width or height a key moves it. */
const PAN = 0.1;
const PAN_FAR = 0.5;
const FOLLOWED_SCREENS = 3;
const FOLLOWED_ZOOMS = 4;

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
    const right = east < west ? east + 360 : east;
    const box = L.latLngBounds([south, west], [north, right]);
    if (!animate) {
      this.map.fitBounds(box, { padding: PADDING, maxZoom, animate });
      return;
    }
    const zoom = Math.min(maxZoom, this.map.getBoundsZoom(box, false, L.point(PADDING).multiplyBy(2)));
    this._fly(box.getCenter(), zoom);
  }

  /** Boxes in world units; what lies across ±180° from the first is counted from its side. */
  fitBoxes(boxes, animate) {
    if (!boxes.length) return;
    const [[first]] = boxes;
    const all = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [minX, minY, maxX, maxY] of boxes) {
      const shift = Math.round(first - minX);
      all[0] = Math.min(all[0], minX + shift);
      all[1] = Math.min(all[1], minY);
      all[2] = Math.max(all[2], maxX + shift);
      all[3] = Math.max(all[3], maxY);
    }
    const degrees = (x) => (x - 0.5) * 360;
    this.fit([degrees(all[0]), latitudeAt(all[3]), degrees(all[2]), latitudeAt(all[1])], 17, animate);
  }

  showPoint([longitude, latitude], zoom, animate) {
    const near = nearestCopy(longitude, this.map.getCenter().lng);
    const at = L.latLng(latitude, near);
    if (animate) this._fly(at, zoom ?? this.map.getZoom());
    else this.map.setView(at, zoom ?? this.map.getZoom(), { animate });
  }

  /** Fly where the way can be followed with the eyes; go there at once where it cannot, or where that is wished. */
  _fly(at, zoom) {
    const from = this.map.getZoom();
    const lower = Math.min(from, zoom);
    const way = this.map.project(at, lower).distanceTo(this.map.project(this.map.getCenter(), lower));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const followed = way <= FOLLOWED_SCREENS * this.map.getSize().x && Math.abs(zoom - from) <= FOLLOWED_ZOOMS;
    this.map.stop();
    if (followed && !still && !document.hidden) this.map.flyTo(at, zoom, { duration: FLIGHT });
    else this.map.setView(at, zoom, { animate: false });
  }

  /** Move the view by a key: to the right and down, by a step or far. */
  pan(right, down, far) {
    const { x, y } = this.map.getSize();
    const by = L.point(right * x, down * y).multiplyBy(far ? PAN_FAR : PAN).round();
    const { maxBounds } = this.map.options;
    this.map.panBy(maxBounds ? this.map._limitOffset(by, L.latLngBounds(maxBounds)) : by, { animate: false });
  }

  /** Zoom by a key, around a pixel of the map or its middle. */
  zoomBy(by, around) {
    const zoom = Math.max(this.map.getMinZoom(), Math.min(this.map.getMaxZoom(), this.map.getZoom() + by));
    this.map.setZoomAround(around ?? this.map.getSize().divideBy(2), zoom, { animate: false });
  }

  locate([longitude, latitude]) {
    const near = nearestCopy(longitude, this.map.getCenter().lng);
    return this.map.latLngToContainerPoint([latitude, near]);
  }
}
