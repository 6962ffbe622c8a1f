// Reshaping with the keyboard: the arrow keys move the selected vertex of the geofence with handles, of any of its
// rings. A circle has its centre and its radius instead of vertices, and an isochrone its destination. With the tools
// that move, the keys move the whole shape, or the selected part.

import { formatLength, formatPosition } from "../geometry/geo.js";
import { latlngsOf, mapLatLngs, ringName, ringsOf, vertexCountOf, withRing } from "./shapes.js";
import { tr } from "../texts.js";

const STEP_PIXELS = 1;
const FAR_STEP_PIXELS = 10;
/** Key presses within this time of each other form a single change for undo. */
const BURST_MS = 600;
export const VERTEX_KEYS = tr("Tab: next. Arrows: move. Ins: add. Del: remove. Esc: done.");
export const RING_KEYS = tr("Tab: next. Page Down: next ring. Arrows: move. Ins: add. Del: remove. Esc: done.");
const MIN_VERTICES = 3;

export class Vertices {
  /**
   * Create the keyboard editing. `callbacks` are functions of the editor: `layer()`, `moves()` (what the keys move:
   * "vertex", "part" or "whole"), `limits()`, `onBegin()`, `onChange()` (which returns the fault of the shape, or null),
   * `onEnd()`, `onRing(ring)` (called when a vertex of a ring is selected), `showHint()`, `announce(text)` and
   * `onStop()`.
   */
  constructor(map, callbacks) {
    this.map = map;
    this.callbacks = callbacks;
    this.on = false;
    /** Number of the selected vertex among those of all rings, or of the selected part. */
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
    this.callbacks.announce(this._moves === "vertex" ? `${this._text()}. ${this.keys}` : this._text());
    this._reportRing();
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

  /** The hint about the keys. */
  get keys() {
    return this._isPolygon && ringsOf(this.callbacks.layer()).length > 1 ? RING_KEYS : VERTEX_KEYS;
  }

  /** Keep the same vertex selected after the shape was redrawn. The window may have sorted its parts in another way. */
  refresh() {
    if (!this.on) return;
    if (!this.callbacks.layer()) {
      this.stop();
      return;
    }
    if (this._isPolygon && this._moves === "vertex" && this.position) {
      const same = (vertex) => vertex.equals(this.position, 1e-7);
      const vertices = ringsOf(this.callbacks.layer()).flat();
      if (!vertices[this.selected] || !same(vertices[this.selected])) {
        const found = vertices.findIndex(same);
        if (found >= 0) this.selected = found;
      }
    }
    this.selected = Math.min(this.selected, this._count - 1);
    this._show();
  }

  choose(step) {
    this._select((this.selected + step + this._count) % this._count);
  }

  /** Select the first vertex of the next ring, or of the previous one. */
  chooseRing(step) {
    if (!this._isPolygon || this._moves !== "vertex") return;
    const rings = ringsOf(this.callbacks.layer());
    const { ring } = this._place();
    const next = (ring + step + rings.length) % rings.length;
    this._select(rings.slice(0, next).reduce((count, { length }) => count + length, 0));
  }

  _select(number) {
    this.flush();
    if (!this.callbacks.layer()) return;
    // With the tool that moves a part, the first key takes up the parts.
    if (!this.on) this.start();
    else {
      this.selected = number;
      this._show();
      this.callbacks.announce(this._text());
      this._reportRing();
    }
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
    const fault = this.callbacks.onChange();
    if (fault) {
      undo();
      this.callbacks.onChange();
      this.callbacks.announce(fault.text);
      return;
    }
    this._show();
    this.callbacks.announce(this._text());
  }

  /** Add a vertex halfway between the selected one and the next. */
  add() {
    this._edit((vertices, index) => {
      const next = vertices[(index + 1) % vertices.length];
      const middle = this.map.project(vertices[index]).add(this.map.project(next)).divideBy(2);
      this.selected += 1;
      return vertices.toSpliced(index + 1, 0, this.map.unproject(middle));
    }, () => tr("Added. {vertex}", { vertex: this._text() }));
  }

  /** Remove the selected vertex. A hole of three vertices is removed with it. */
  remove() {
    if (!this._isPolygon || this._moves !== "vertex") return;
    const { ring, vertices, isHole } = this._place();
    if (vertices.length <= MIN_VERTICES && !isHole) {
      this.callbacks.announce(tr("A polygon needs at least {min_count} vertices", { min_count: MIN_VERTICES }));
      return;
    }
    const name = ringName(latlngsOf(this.callbacks.layer()), ring);
    const removed = vertices.length <= MIN_VERTICES ? () => tr("Removed {ring}. {vertex}", { ring: name, vertex: this._text() })
      : () => tr("Removed. {vertex}", { vertex: this._text() });
    this._edit((all, index) => (all.length <= MIN_VERTICES ? null : all.toSpliced(index, 1)), removed);
  }

  /** Report the pending change now. */
  flush() {
    if (!this.moving) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.callbacks.onEnd();
  }

  /** Replace the ring of the selected vertex by the result of `edit(vertices, index)`, or remove it if that is null. */
  _edit(edit, message) {
    this.flush();
    const layer = this.callbacks.layer();
    if (!this.on || !this._isPolygon) return;
    const [before, selected] = [latlngsOf(layer), this.selected];
    const { ring, vertices, index } = this._place();
    this.callbacks.onBegin();
    layer.setLatLngs(withRing(before, ring, edit(vertices, index)));
    const fault = this.callbacks.onChange();
    if (fault) {
      layer.setLatLngs(before);
      this.selected = selected;
      this.callbacks.onChange();
      this.callbacks.onEnd();
      this.callbacks.announce(fault.text);
      return;
    }
    this.selected %= this._count;
    this._show();
    this.callbacks.onEnd();
    this.callbacks.announce(message());
    this._reportRing();
  }

  /** Move what is selected by an offset in pixels, and return a function that undoes this. */
  _shift(layer, offset) {
    const shifted = (point) => this.map.unproject(this.map.project(point).add(offset));
    if (this._isPolygon) {
      const before = latlngsOf(layer);
      if (this._moves === "vertex") {
        const { ring, vertices, index } = this._place();
        layer.setLatLngs(withRing(before, ring, vertices.with(index, shifted(vertices[index]))));
      } else {
        const isMoved = (part) => this._moves === "whole" || part === this.selected;
        layer.setLatLngs(mapLatLngs(before, (vertex, part) => (isMoved(part) ? shifted(vertex) : vertex)));
      }
      return () => layer.setLatLngs(before);
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
    return this.callbacks.layer() instanceof L.Circle && this._moves === "vertex" && this.selected === 1;
  }

  get _moves() {
    return this.callbacks.moves();
  }

  /** Return the ring of the selected vertex with its vertices, and the index of the vertex among them. */
  _place() {
    let index = this.selected;
    let ring = 0;
    for (const part of latlngsOf(this.callbacks.layer())) {
      for (const [place, vertices] of part.entries()) {
        if (index < vertices.length) return { ring, vertices, index, isHole: place > 0 };
        index -= vertices.length;
        ring += 1;
      }
    }
    throw new RangeError(`there is no vertex ${this.selected}`);
  }

  get _count() {
    const layer = this.callbacks.layer();
    if (this._moves === "whole") return 1;
    if (this._isPolygon) return this._moves === "part" ? latlngsOf(layer).length : vertexCountOf(layer);
    return layer instanceof L.Circle && this._moves === "vertex" ? 2 : 1;
  }

  _reportRing() {
    if (this._isPolygon && this._moves === "vertex") this.callbacks.onRing(this._place().ring);
  }

  _text() {
    const layer = this.callbacks.layer();
    if (this._isRadius) return tr("Radius {length}", { length: formatLength(layer.getRadius()) });
    if (this._isPolygon) return this._polygonText(latlngsOf(layer));
    const coordinates = formatPosition(layer.getLatLng());
    if (layer instanceof L.Circle) return tr("Centre at {coordinates}", { coordinates });
    return tr("Destination at {coordinates}", { coordinates });
  }

  _polygonText(latlngs) {
    if (this._moves !== "vertex") {
      const part = this._moves === "part" && latlngs.length > 1 ? tr("Part {number}", { number: this.selected + 1 }) : "";
      const [[first]] = latlngs[part ? this.selected : 0];
      const text = tr("First vertex at {coordinates}", { coordinates: formatPosition(first) });
      return part ? `${part}: ${text}` : text;
    }
    const { ring, vertices, index } = this._place();
    const coordinates = formatPosition(vertices[index]);
    const [number, count] = [index + 1, vertices.length];
    const text = tr("Vertex {number} of {count} at {coordinates}", { number, count, coordinates });
    const name = ringName(latlngs, ring);
    return name ? `${name}: ${text}` : text;
  }

  /** Return the point of a circle's outline to the right of its centre. */
  _edge(circle) {
    const { lat } = circle.getLatLng();
    return L.latLng(lat, circle.getBounds().getEast());
  }

  _show() {
    const layer = this.callbacks.layer();
    const latlng = this._moves === "whole" ? null : this._latlng(layer);
    this.position = latlng;
    if (!latlng) {
      this._hide();
      return;
    }
    if (!this.marker) {
      const icon = L.divIcon({ className: "fw-selected-vertex" });
      this.marker = L.marker(latlng, { icon, interactive: false, keyboard: false, pane: "handles", zIndexOffset: 1000 });
      this.marker.addTo(this.map);
    }
    this.marker.setLatLng(latlng);
    if (!this.map.getBounds().contains(latlng)) this.map.panInside(latlng, { padding: [60, 60], animate: false });
  }

  /** Return the position of the selected vertex, or of the first one of the selected part. */
  _latlng(layer) {
    if (this._isRadius) return this._edge(layer);
    if (!this._isPolygon) return this._moves === "vertex" ? layer.getLatLng() : null;
    if (this._moves === "vertex") return this._place().vertices[this._place().index];
    const latlngs = latlngsOf(layer);
    return latlngs.length > 1 ? latlngs[this.selected][0][0] : null;
  }

  _hide() {
    this.marker?.remove();
    this.marker = null;
  }
}
