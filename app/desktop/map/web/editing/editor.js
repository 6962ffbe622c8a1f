// Drawing and reshaping with Geoman. The shape the mouse holds is Geoman's and invisible; what is seen is the
// fence's own drawing, which follows it. The page never keeps a change: it reports it and waits for an answer.

import { areaOf, formatLength, isTraced, nearestCopy, rounded, unwrap } from "../geometry/geo.js";
import { Catcher } from "./catcher.js";
import { Cursor } from "./cursor.js";
import { Drafts } from "./drafts.js";
import { HINTS, KEY_HINTS } from "./hints.js";
import { Mover } from "./mover.js";
import { STEADY } from "./pointer.js";
import { Ruler } from "./ruler.js";
import { Sketch } from "./sketch.js";
import { Snaps } from "./snaps.js";
import { VERTEX_KEYS, Vertices } from "./vertices.js";
import { tr } from "../texts.js";

const HANDLES_UP_TO = 150;
const HANDLES_NEAR_MOUSE = 60;
const CROSSING = tr("The outline must not cross itself");
const DRAWN_WITH = { circle: "Circle", polygon: "Polygon", track: "Line", split: "Line", measure: "Line" };
const CORNERED = ["polygon", "track", "split", "measure"];
/** Tools of which a click is all. */
const CLICKED = ["isochrone", "beacon", "waypoint"];
const DESTINATION = tr("Release to update the isochrone");

/** An outline of fewer square pixels is none yet. */
const SMALLEST = 20;

const radiusText = (circle) => tr("Radius {length}", { length: formatLength(circle.getRadius()) });

const position = ({ lng, lat }) => [rounded(lng), rounded(lat)];

/** @returns {L.LatLng[]} */
const cornersOf = (polygon) => polygon.getLatLngs()[0];

function shapeOf(layer) {
  if (layer instanceof L.Circle) {
    const [longitude, latitude] = position(layer.getLatLng());
    return { longitude, latitude, radius_m: Math.round(layer.getRadius() * 100) / 100 };
  }
  const corners = cornersOf(layer).map(position);
  return { ring: [...corners, corners[0]] };
}

export class Editor {
  constructor(map, { fences, streets, hint, post }) {
    this.map = map;
    this.fences = fences;
    this.hint = hint;
    this.post = post;
    this.tool = "select";
    this.limits = { smallest_m: 0, largest_m: Infinity };
    this.renderer = L.svg({ pane: "editing", padding: 0.5 });
    this.mover = new Mover(map, {
      start: () => this._hold(true),
      move: () => this._onChange(),
      end: () => this._onMoved(),
    });
    this.sketch = new Sketch(map, () => this.setTool("circle"));
    this.catcher = new Catcher(map, fences, this.renderer, {
      tool: () => this.tool,
      caught: (ids, extend) => this._onCaught(ids, extend),
    });
    const say = (text) => post({ kind: "said", text });
    this.cursor = new Cursor(map, { say, shown: () => this._rest() });
    this.vertices = new Vertices(map, {
      layer: () => this.layer,
      whole: () => this.tool === "edit",
      limits: () => this.limits,
      begin: () => this._takeUp(),
      changed: () => this._onChange(),
      end: () => this._onNudged(),
      rest: () => this._rest(),
      say,
      ended: () => post({ kind: "reshaping_ended" }),
    });
    this.ruler = new Ruler(map, post);
    this.drafts = new Drafts(post);
    this.snaps = new Snaps(map, fences, streets, this.renderer);
    map.pm.setGlobalOptions({
      snappable: false,
      tooltips: false,
      allowSelfIntersection: false,
      continueDrawing: false,
      panes: { layerPane: "editing", vertexPane: "handles", markerPane: "handles" },
    });
    map.on("pm:drawstart", ({ workingLayer }) => this._onDrawingBegins(workingLayer));
    map.on("mousemove", () => {
      if (this.tool === "polygon") this.drafts.tell(() => this._polygonInHand());
    });
    map.on("pm:create", ({ layer }) => this._onDrawn(layer));
  }

  isDrawing() {
    return CLICKED.includes(this.tool) || this.tool === "lasso" || this.tool in DRAWN_WITH;
  }

  setTheme(theme) {
    this.theme = theme;
    this.catcher.color = theme.accent;
    if (!this.held) this._attach();
  }

  setLimits(limits) {
    this.limits = limits;
  }

  setTool(tool) {
    this.vertices.stop();
    this.cursor.hide();
    this.map.pm.disableDraw();
    this.sketch.disarm();
    this.catcher.setLasso(tool === "lasso");
    this.ruler.stop();
    this.drafts.end();
    this.tool = tool;
    this.map.getContainer().dataset.tool = tool;
    this._rest();
    if (this.isDrawing()) {
      this.discard();
      this._release();
      this.ruler.clear();
      if (tool in DRAWN_WITH) this._draw(DRAWN_WITH[tool]);
    } else {
      this._attach();
    }
  }

  /** Let what is drawn or dragged snap to fences nearby, and to roads if wanted, or not. */
  setSnapping(on, roads) {
    this.snaps.on = on;
    this.snaps.roads = roads;
    if (!this.held && !this.isDrawing()) this._attach();
  }

  /** Tell of what is in hand, or no more. */
  watch(on) {
    this.drafts.watched = on;
  }

  /** Give the fence with this id handles; null takes them away. */
  select(id) {
    if (id === this.fences.selected && this.layer) return;
    this.vertices.stop();
    this.fences.select(id);
    this._attach();
  }

  /** Some fences (all without `ids`) have been answered: the window's word replaces what the mouse left behind. */
  refresh(ids) {
    this.discard();
    const selected = this.fences.selected;
    if (selected !== null && !this.held && (!ids || ids.includes(selected))) this._attach();
  }

  discard() {
    this.drawn?.remove();
    this.drawn = null;
  }

  stepBack() {
    if (!CORNERED.includes(this.tool)) return;
    const drawing = this._drawing;
    if (drawing._markers.length > 1) drawing._removeLastVertex();
    else this.setTool(this.tool);
  }

  /** Let keys move the vertices of the geofence that has handles, or no more. */
  reshape(on) {
    if (on) this.vertices.start();
    else this.vertices.stop();
  }

  /** Click at the crosshair of the keyboard. */
  putAtCursor() {
    if (this.isDrawing()) this.cursor.put(this.tool === "lasso");
  }

  moveCursor(right, down, far) {
    if (this.isDrawing()) this.cursor.move(right, down, far);
  }

  finish() {
    if (CORNERED.includes(this.tool)) this._drawing._finishShape();
  }

  get _drawing() {
    return this.map.pm.Draw[DRAWN_WITH[this.tool]];
  }

  _draw(kind) {
    const style = { color: this.theme.accent, weight: 2, fillOpacity: 0.15, renderer: this.renderer };
    this.map.pm.enableDraw(kind, {
      ...this.snaps.options(),
      templineStyle: style,
      hintlineStyle: { ...style, dashArray: "5 5" },
      pathOptions: { ...style, className: "fw-drawn" },
      minRadiusCircle: this.limits.smallest_m,
      maxRadiusCircle: this.limits.largest_m,
      finishOn: kind === DRAWN_WITH.circle ? null : "dblclick",
      // A way may cross itself; an outline may not.
      allowSelfIntersection: kind === DRAWN_WITH.track,
    });
    if (kind === DRAWN_WITH.circle) this.sketch.arm();
  }

  _onDrawingBegins(layer) {
    layer.on("pm:change", () => this._onDrawing(layer));
    layer.on("pm:vertexadded", () => this._onDrawing(layer));
    if (this.tool === "measure") this.ruler.start(layer);
    // A centre that was clicked waits for its edge, and meanwhile the map can be moved.
    layer.on("pm:centerplaced", () => {
      if (!this.sketch.drawing) this.sketch.disarm();
    });
  }

  _onDrawing(layer) {
    if (this.tool === "circle") {
      this.hint.show(radiusText(layer));
      this.drafts.tell(() => shapeOf(layer));
      return;
    }
    if (this.tool !== "polygon") {
      this._rest();
      return;
    }
    const crosses = this.map.pm.Draw.Polygon._doesSelfIntersect;
    if (!crosses) this.drafts.tell(() => this._polygonInHand());
    if (crosses) this.hint.show(CROSSING, { warning: true });
    else this._rest();
  }

  /** The polygon as it would be with its next vertex where the mouse is; null while it has no area. */
  _polygonInHand() {
    const { _layer: layer, _hintMarker: mouse, _doesSelfIntersect: crosses } = this.map.pm.Draw.Polygon;
    if (this.tool !== "polygon" || !layer || crosses) return null;
    const corners = layer.getLatLngs();
    const pixel = (place) => this.map.latLngToContainerPoint(place);
    const next = mouse?.getLatLng();
    const apart = next && corners.every((corner) => pixel(corner).distanceTo(pixel(next)) > STEADY);
    const ring = apart ? [...corners, next] : corners;
    return areaOf(ring.map(pixel)) < SMALLEST ? null : { ring: [...ring, ring[0]].map(position) };
  }

  _onDrawn(layer) {
    if (this.tool === "measure") this.ruler.keep(layer);
    else this.drawn = layer;
    if (this.tool === "split" || this.tool === "measure") {
      const { tool } = this;
      const positions = layer.getLatLngs().map(position);
      this.setTool("select");
      if (tool === "split") this.discard();
      this.post({ kind: "line_drawn", tool, positions, done: true });
      return;
    }
    if (this.tool === "track") {
      const positions = layer.getLatLngs().map(position);
      this.setTool("select");
      this.post({ kind: "track_drawn", positions });
      return;
    }
    const shape = shapeOf(layer);
    this.setTool("select");
    this.post({ kind: "drawn", shape });
  }

  _onCaught(ids, extend) {
    if (this.tool === "lasso") this.setTool("select");
    this.post({ kind: "fences_caught", ids, extend });
  }

  _attach() {
    this._release();
    this._giveHandles();
    this.vertices.follow();
  }

  _giveHandles() {
    const fence = this.fences.get(this.fences.selected);
    if (!fence || fence.locked || this.isDrawing()) return;
    if (isTraced(fence.shape)) {
      this._attachDestination(fence);
      return;
    }
    this.layer = this._layerOf(fence.shape).addTo(this.map);
    this.known = shapeOf(this.layer);
    this.layer.on("pm:change", () => this._onChange());
    this.layer.on("pm:edit", () => this._reportSoon());
    this.layer.on("pm:markerdragstart", () => this._hold(true));
    this.layer.on("pm:markerdragend", () => {
      this._hold(false);
      this._reportSoon();
    });
    this._showHandles();
    if (this.tool === "edit") this.mover.attach(this.layer);
  }

  _attachDestination({ id, shape: { longitude, latitude } }) {
    const near = nearestCopy(longitude, this.map.getCenter().lng);
    const icon = L.divIcon({ className: "marker-icon fw-destination" });
    const marker = L.marker([latitude, near], { icon, draggable: true, keyboard: false, pane: "handles" });
    this.destination = { id, marker };
    marker.on("dragstart", () => {
      this._hold(true);
      this.hint.show(DESTINATION);
    });
    marker.on("drag", () => this._onDestination());
    marker.on("dragend", () => this._onDestinationDropped());
    this.layer = marker.addTo(this.map);
  }

  /** Tell where the destination is, at most once a frame: the mouse is quicker than what comes of it. */
  _onDestination() {
    this._telling ??= requestAnimationFrame(() => {
      this._telling = null;
      if (this.held) this._tellDestination(false);
    });
  }

  _onDestinationDropped() {
    this._hold(false);
    this._tellDestination(true);
  }

  _tellDestination(done) {
    if (!this.destination) return;
    const { id, marker } = this.destination;
    this.post({ kind: "destination_moved", id, position: position(marker.getLatLng()), done });
  }

  _release() {
    this.held = false;
    this.drafts.end();
    this.mover.detach();
    this.snaps.clear();
    this.fences.setDraft(null);
    this.layer?.remove();
    this.layer = null;
    this.known = null;
    this.destination = null;
  }

  _layerOf(shape) {
    const options = { pmIgnore: false, renderer: this.renderer, opacity: 0, fillOpacity: 0, className: "fw-held" };
    const near = this.map.getCenter().lng;
    if (!shape.ring) {
      /** @type {[number, number]} */
      const center = [shape.latitude, nearestCopy(shape.longitude, near)];
      return L.circle(center, { ...options, radius: shape.radius_m });
    }
    const ring = unwrap(shape.ring);
    const shift = nearestCopy(ring[0][0], near) - ring[0][0];
    return L.polygon(ring.slice(0, -1).map(([longitude, latitude]) => [latitude, longitude + shift]), options);
  }

  _showHandles() {
    const corners = this.layer instanceof L.Polygon ? cornersOf(this.layer).length : 0;
    this.layer.pm.enable({
      ...this.snaps.options(this.fences.selected),
      allowSelfIntersection: false,
      minRadiusCircle: this.limits.smallest_m,
      maxRadiusCircle: this.limits.largest_m,
      hintlineStyle: { color: this.theme.accent, weight: 1.5, dashArray: "4 4" },
      limitMarkersToCount: corners > HANDLES_UP_TO ? HANDLES_NEAR_MOUSE : -1,
      // A polygon keeps three corners; taking one more away would remove the whole.
      removeLayerBelowMinVertexCount: false,
    });
  }

  _hold(held) {
    this.held = held;
    if (!held) this._rest();
  }

  /** Say what the tool in hand, or the keyboard, can do. */
  _rest() {
    const keys = this.vertices.on && this.tool !== "edit" ? VERTEX_KEYS : this.cursor.shown && KEY_HINTS[this.tool];
    this.hint.show(keys || (HINTS[this.tool] ?? ""));
  }

  /** Keys are about to move or reshape the shape: handles would stay where they are. */
  _takeUp() {
    if (!(this.layer instanceof L.Marker)) this.layer.pm.disable();
    this._hold(true);
  }

  _onNudged() {
    if (this.layer instanceof L.Marker) this._onDestinationDropped();
    else this._onMoved();
  }

  /** Show what the shape has become; return whether its outline crosses itself. */
  _onChange() {
    if (this.layer instanceof L.Marker) {
      this._onDestination();
      return false;
    }
    const crosses = this.layer.pm.hasSelfIntersection?.() ?? false;
    if (!crosses) this.drafts.tell(() => shapeOf(this.layer));
    this.fences.setDraft({ id: this.fences.selected, shape: shapeOf(this.layer), invalid: crosses });
    if (crosses) this.hint.show(CROSSING, { warning: true });
    else if (this.layer instanceof L.Circle) this.hint.show(radiusText(this.layer));
    else this._rest();
    return crosses;
  }

  _onMoved() {
    this._showHandles();
    this._hold(false);
    this._report();
  }

  /** Geoman reports a new corner before it says that the mouse holds it: look when it has said everything. */
  _reportSoon() {
    const { layer } = this;
    queueMicrotask(() => {
      if (layer === this.layer && !this.held) this._report();
    });
  }

  _report() {
    const shape = shapeOf(this.layer);
    const id = this.fences.selected;
    this.fences.setDraft({ id, shape });
    if (JSON.stringify(shape) === JSON.stringify(this.known)) return;
    this.known = shape;
    this.post({ kind: "fence_edited", id, shape });
  }
}
