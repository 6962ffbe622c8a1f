// Reshaping with the keyboard: the arrow keys move the selected vertex of the geofence with handles. A circle has its
// centre and its radius instead of vertices, and an isochrone its destination. With the edit tool, the keys move the
// whole shape.

import { formatLength, formatPosition } from "../geometry/geo.js";
import { tr } from "../texts.js";

const STEP_PIXELS = 1;
const FAR_STEP_PIXELS = 10;
/** Key presses within this time of each other form a single change for undo. */
const BURST_MS = 600;
export const VERTEX_KEYS = tr("Tab: next. Arrows: move. Ins: add. Del: remove. Esc: done.");
const MIN_VERTICES = 3;

export class Vertices {
  /**
   * Create the keyboard editing. `callbacks` are functions of the editor: `layer()`, `movesWhole()` (whether the shape
   * moves as a whole), `limits()`, `onBegin()`, `onChange()` (which returns whether the outline crosses itself),
   * `onEnd()`, `showHint()`, `announce(text)` and `onStop()`.
   */
  constructor(map, callbacks) {
    this.map = map;
    this.callbacks = callbacks;
    this.on = false;
    this.selected = 0;
    this.timer = null;
  }

  /** Whether keys have made a change that has not been reported yet. */
  get moving() {
    return this.timer !== null;
  }

  start() {
    if (!this.callbacks.layer()) {
      this.callbacks.onStop();
      return;
    }
    this.on = true;
    this.selected = Math.min(this.selected, this._count - 1);
    this._show();
    this.callbacks.showHint();
    this.callbacks.announce(this.callbacks.movesWhole() ? this._text() : `${this._text()}. ${VERTEX_KEYS}`);
  }

  stop() {
    this.flush();
    this._hide();
    this.selected = 0;
    if (!this.on) return;
    this.on = false;
    this.callbacks.showHint();
    this.callbacks.announce("");
    this.callbacks.onStop();
  }

  /** Keep the same vertex selected after the shape was redrawn. */
  refresh() {
    if (!this.on) return;
    if (!this.callbacks.layer()) this.stop();
    else this._show();
  }

  choose(step) {
    this.flush();
    if (!this.on || !this.callbacks.layer()) return;
    this.selected = (this.selected + step + this._count) % this._count;
    this._show();
    this.callbacks.announce(this._text());
  }

  move(right, down, far) {
    if (!this.on) this.start();
    const layer = this.callbacks.layer();
    if (!layer) return;
    const offset = L.point(right, down).multiplyBy(far ? FAR_STEP_PIXELS : STEP_PIXELS);
    if (!this.moving) this.callbacks.onBegin();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), BURST_MS);
    const undo = this._shift(layer, offset);
    if (this.callbacks.onChange()) {
      undo();
      this.callbacks.onChange();
      this.callbacks.announce(tr("The outline must not cross itself"));
      return;
    }
    this._show();
    this.callbacks.announce(this._text());
  }

  /** Add a vertex halfway between the selected one and the next. */
  add() {
    this._edit((vertices) => {
      const next = vertices[(this.selected + 1) % vertices.length];
      const middle = this.map.project(vertices[this.selected]).add(this.map.project(next)).divideBy(2);
      this.selected += 1;
      return vertices.toSpliced(this.selected, 0, this.map.unproject(middle));
    }, () => tr("Added. {vertex}", { vertex: this._text() }));
  }

  remove() {
    if (this._isPolygon && this._count <= MIN_VERTICES) {
      this.callbacks.announce(tr("A polygon needs at least {min_count} vertices", { min_count: MIN_VERTICES }));
      return;
    }
    this._edit((vertices) => vertices.toSpliced(this.selected, 1), () => tr("Removed. {vertex}", { vertex: this._text() }));
  }

  /** Report the pending change now. */
  flush() {
    if (!this.moving) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.callbacks.onEnd();
  }

  _edit(edit, message) {
    this.flush();
    const layer = this.callbacks.layer();
    if (!this.on || !this._isPolygon) return;
    const [before, selected] = [this._vertices, this.selected];
    this.callbacks.onBegin();
    layer.setLatLngs([edit(before)]);
    if (this.callbacks.onChange()) {
      layer.setLatLngs([before]);
      this.selected = selected;
      this.callbacks.onChange();
      this.callbacks.onEnd();
      this.callbacks.announce(tr("The outline must not cross itself"));
      return;
    }
    this.selected %= this._count;
    this._show();
    this.callbacks.onEnd();
    this.callbacks.announce(message());
  }

  /** Move the selected vertex by an offset in pixels, and return a function that undoes this. */
  _shift(layer, offset) {
    const shifted = (point) => this.map.unproject(this.map.project(point).add(offset));
    if (this._isPolygon) {
      const vertices = this._vertices;
      const movesWhole = this.callbacks.movesWhole();
      const isMoved = (index) => movesWhole || index === this.selected;
      layer.setLatLngs([vertices.map((vertex, index) => (isMoved(index) ? shifted(vertex) : vertex))]);
      return () => layer.setLatLngs([vertices]);
    }
    if (this._isRadius) {
      const radius = layer.getRadius();
      const edge = this.map.project(this._edge(layer)).add([offset.x - offset.y, 0]);
      const { smallest_m: min, largest_m: max } = this.callbacks.limits();
      const width = edge.x - this.map.project(layer.getLatLng()).x;
      const radiusAtEdge = width > 0 ? this.map.distance(layer.getLatLng(), this.map.unproject(edge)) : 0;
      layer.setRadius(Math.max(min, Math.min(max, radiusAtEdge)));
      return () => layer.setRadius(radius);
    }
    const latlng = layer.getLatLng();
    layer.setLatLng(shifted(latlng));
    return () => layer.setLatLng(latlng);
  }

  get _isPolygon() {
    return this.callbacks.layer() instanceof L.Polygon;
  }

  get _isRadius() {
    return this.callbacks.layer() instanceof L.Circle && !this.callbacks.movesWhole() && this.selected === 1;
  }

  get _vertices() {
    return this.callbacks.layer().getLatLngs()[0];
  }

  get _count() {
    if (this.callbacks.movesWhole()) return 1;
    if (this._isPolygon) return this._vertices.length;
    return this.callbacks.layer() instanceof L.Circle ? 2 : 1;
  }

  _text() {
    const layer = this.callbacks.layer();
    if (this._isRadius) return tr("Radius {length}", { length: formatLength(layer.getRadius()) });
    const coordinates = formatPosition(this._isPolygon ? this._vertices[this.selected] : layer.getLatLng());
    if (this._isPolygon && this.callbacks.movesWhole()) return tr("First vertex at {coordinates}", { coordinates });
    if (this._isPolygon) {
      const number = this.selected + 1;
      return tr("Vertex {number} of {count} at {coordinates}", { number, count: this._count, coordinates });
    }
    if (layer instanceof L.Circle) return tr("Centre at {coordinates}", { coordinates });
    return tr("Destination at {coordinates}", { coordinates });
  }

  /** Return the point of a circle's outline to the right of its centre. */
  _edge(circle) {
    const { lat } = circle.getLatLng();
    return L.latLng(lat, circle.getBounds().getEast());
  }

  _show() {
    const layer = this.callbacks.layer();
    if (this.callbacks.movesWhole()) {
      this._hide();
      return;
    }
    const ownLatLng = () => (this._isPolygon ? this._vertices[this.selected] : layer.getLatLng());
    const latlng = this._isRadius ? this._edge(layer) : ownLatLng();
    if (!this.marker) {
      const icon = L.divIcon({ className: "fw-selected-vertex" });
      this.marker = L.marker(latlng, { icon, interactive: false, keyboard: false, pane: "handles", zIndexOffset: 1000 });
      this.marker.addTo(this.map);
    }
    this.marker.setLatLng(latlng);
    if (!this.map.getBounds().contains(latlng)) this.map.panInside(latlng, { padding: [60, 60], animate: false });
  }

  _hide() {
    this.marker?.remove();
    this.marker = null;
  }
}
