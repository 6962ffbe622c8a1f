// Reshaping with the keyboard: of the geofence that has handles one vertex is chosen, which arrows move. What a circle
// has instead are its centre and its radius; an isochrone has its destination, and the move tool takes the whole shape.

import { formatLength, placeText } from "../geometry/geo.js";
import { tr } from "../texts.js";

const STEP = 1;
const FAR = 10;
/** Keys that come no later than this after one another move the shape once, as far as undo is concerned. */
const BURST_MS = 600;
export const VERTEX_KEYS = tr("Tab: next. Arrows: move. Ins: add. Del: remove. Esc: done.");
const FEWEST = 3;

export class Vertices {
  /**
   * `hand` is what the editor lets them do: `layer()`, `whole()` (whether the shape moves as one), `limits()`, `begin()`,
   * `changed()` (which returns whether the outline crosses itself), `end()`, `rest()`, `say(text)` and `ended()`.
   */
  constructor(map, hand) {
    this.map = map;
    this.hand = hand;
    this.on = false;
    this.chosen = 0;
    this.timer = null;
  }

  /** Whether keys have moved something of which nobody has been told. */
  get moving() {
    return this.timer !== null;
  }

  start() {
    if (!this.hand.layer()) {
      this.hand.ended();
      return;
    }
    this.on = true;
    this.chosen = Math.min(this.chosen, this._count - 1);
    this._show();
    this.hand.rest();
    this.hand.say(this.hand.whole() ? this._text() : `${this._text()}. ${VERTEX_KEYS}`);
  }

  stop() {
    this.flush();
    this._hide();
    this.chosen = 0;
    if (!this.on) return;
    this.on = false;
    this.hand.rest();
    this.hand.say("");
    this.hand.ended();
  }

  /** The shape has been drawn anew: the same vertex of it stays chosen. */
  follow() {
    if (!this.on) return;
    if (!this.hand.layer()) this.stop();
    else this._show();
  }

  choose(by) {
    this.flush();
    if (!this.on || !this.hand.layer()) return;
    this.chosen = (this.chosen + by + this._count) % this._count;
    this._show();
    this.hand.say(this._text());
  }

  move(right, down, far) {
    if (!this.on) this.start();
    const layer = this.hand.layer();
    if (!layer) return;
    const by = L.point(right, down).multiplyBy(far ? FAR : STEP);
    if (!this.moving) this.hand.begin();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), BURST_MS);
    const undo = this._shift(layer, by);
    if (this.hand.changed()) {
      undo();
      this.hand.changed();
      this.hand.say(tr("The outline must not cross itself"));
      return;
    }
    this._show();
    this.hand.say(this._text());
  }

  /** Put a vertex in the middle between the chosen one and the next. */
  add() {
    this._change((corners) => {
      const next = corners[(this.chosen + 1) % corners.length];
      const middle = this.map.project(corners[this.chosen]).add(this.map.project(next)).divideBy(2);
      this.chosen += 1;
      return corners.toSpliced(this.chosen, 0, this.map.unproject(middle));
    }, () => tr("Added. {what}", { what: this._text() }));
  }

  remove() {
    if (this._isPolygon && this._count <= FEWEST) {
      this.hand.say(tr("A polygon needs at least {fewest} vertices", { fewest: FEWEST }));
      return;
    }
    this._change((corners) => corners.toSpliced(this.chosen, 1), () => tr("Removed. {what}", { what: this._text() }));
  }

  /** Tell of what was moved, now. */
  flush() {
    if (!this.moving) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.hand.end();
  }

  _change(changed, said) {
    this.flush();
    const layer = this.hand.layer();
    if (!this.on || !this._isPolygon) return;
    const [before, chosen] = [this._corners, this.chosen];
    this.hand.begin();
    layer.setLatLngs([changed(before)]);
    if (this.hand.changed()) {
      layer.setLatLngs([before]);
      this.chosen = chosen;
      this.hand.changed();
      this.hand.end();
      this.hand.say(tr("The outline must not cross itself"));
      return;
    }
    this.chosen %= this._count;
    this._show();
    this.hand.end();
    this.hand.say(said());
  }

  /** Move what is chosen by so many pixels; what is returned takes it back. */
  _shift(layer, by) {
    const shifted = (place) => this.map.unproject(this.map.project(place).add(by));
    if (this._isPolygon) {
      const corners = this._corners;
      const whole = this.hand.whole();
      layer.setLatLngs([corners.map((corner, at) => (whole || at === this.chosen ? shifted(corner) : corner))]);
      return () => layer.setLatLngs([corners]);
    }
    if (this._isRadius) {
      const radius = layer.getRadius();
      const edge = this.map.project(this._edge(layer)).add([by.x - by.y, 0]);
      const { smallest_m: min, largest_m: max } = this.hand.limits();
      const right = edge.x - this.map.project(layer.getLatLng()).x;
      const wanted = right > 0 ? this.map.distance(layer.getLatLng(), this.map.unproject(edge)) : 0;
      layer.setRadius(Math.max(min, Math.min(max, wanted)));
      return () => layer.setRadius(radius);
    }
    const place = layer.getLatLng();
    layer.setLatLng(shifted(place));
    return () => layer.setLatLng(place);
  }

  get _isPolygon() {
    return this.hand.layer() instanceof L.Polygon;
  }

  get _isRadius() {
    return this.hand.layer() instanceof L.Circle && !this.hand.whole() && this.chosen === 1;
  }

  get _corners() {
    return this.hand.layer().getLatLngs()[0];
  }

  get _count() {
    if (this.hand.whole()) return 1;
    if (this._isPolygon) return this._corners.length;
    return this.hand.layer() instanceof L.Circle ? 2 : 1;
  }

  _text() {
    const layer = this.hand.layer();
    if (this._isRadius) return tr("Radius {length}", { length: formatLength(layer.getRadius()) });
    const place = placeText(this._isPolygon ? this._corners[this.chosen] : layer.getLatLng());
    if (this._isPolygon && this.hand.whole()) return tr("First vertex at {place}", { place });
    if (this._isPolygon) {
      return tr("Vertex {number} of {count} at {place}", { number: this.chosen + 1, count: this._count, place });
    }
    return layer instanceof L.Circle ? tr("Centre at {place}", { place }) : tr("Destination at {place}", { place });
  }

  /** The point of a circle's outline that is right of its centre. */
  _edge(circle) {
    const { lat } = circle.getLatLng();
    return L.latLng(lat, circle.getBounds().getEast());
  }

  _show() {
    const layer = this.hand.layer();
    if (this.hand.whole()) {
      this._hide();
      return;
    }
    const place = this._isRadius ? this._edge(layer) : this._isPolygon ? this._corners[this.chosen] : layer.getLatLng();
    if (!this.marker) {
      const icon = L.divIcon({ className: "fw-chosen-vertex" });
      this.marker = L.marker(place, { icon, interactive: false, keyboard: false, pane: "handles", zIndexOffset: 1000 });
      this.marker.addTo(this.map);
    }
    this.marker.setLatLng(place);
    if (!this.map.getBounds().contains(place)) this.map.panInside(place, { padding: [60, 60], animate: false });
  }

  _hide() {
    this.marker?.remove();
    this.marker = null;
  }
}
