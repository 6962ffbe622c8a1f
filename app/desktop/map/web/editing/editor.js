// Drawing and reshaping with Geoman. The shape that the mouse holds is an invisible shape of Geoman; the user sees the
// geofence's own drawing, which follows it. The page never stores a change itself: it reports the change and waits for
// the response.

import { areaOf, formatLength, isIsochrone, nearestCopy, rounded, unwrap } from "../geometry/geo.js";
import { AreaSelector } from "./area_selector.js";
import { Cursor } from "./cursor.js";
import { Drafts } from "./drafts.js";
import { HINTS, KEY_HINTS } from "./hints.js";
import { Mover } from "./mover.js";
import { CLICK_TOLERANCE } from "./pointer.js";
import { Ruler } from "./ruler.js";
import { CircleDrag } from "./circle_drag.js";
import { Snapping } from "./snapping.js";
import { VERTEX_KEYS, Vertices } from "./vertices.js";
import { tr } from "../texts.js";

const MAX_HANDLES = 150;
const HANDLES_NEAR_MOUSE = 60;
const CROSSING_ERROR = tr("The outline must not cross itself");
const GEOMAN_SHAPES = { circle: "Circle", polygon: "Polygon", track: "Line", split: "Line", measure: "Line" };
const VERTEX_TOOLS = ["polygon", "track", "split", "measure"];
/** Tools that only need one click. */
const CLICK_TOOLS = ["isochrone", "beacon", "waypoint"];
const DESTINATION_HINT = tr("Release to update the isochrone");

/** Minimum area of an outline in square pixels, below which it is ignored. */
const MIN_AREA_PIXELS = 20;

const radiusText = (circle) => tr("Radius {length}", { length: formatLength(circle.getRadius()) });

const positionOf = ({ lng, lat }) => [rounded(lng), rounded(lat)];

/** @returns {L.LatLng[]} */
const verticesOf = (polygon) => polygon.getLatLngs()[0];

function shapeOf(layer) {
  if (layer instanceof L.Circle) {
    const [longitude, latitude] = positionOf(layer.getLatLng());
    return { longitude, latitude, radius_m: Math.round(layer.getRadius() * 100) / 100 };
  }
  const vertices = verticesOf(layer).map(positionOf);
  return { ring: [...vertices, vertices[0]] };
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
      start: () => this._setHeld(true),
      move: () => this._onChange(),
      end: () => this._onMoved(),
    });
    this.circleDrag = new CircleDrag(map, () => this.setTool("circle"));
    this.areaSelector = new AreaSelector(map, fences, this.renderer, {
      tool: () => this.tool,
      onSelect: (ids, extend) => this._onAreaSelected(ids, extend),
    });
    const announce = (text) => post({ kind: "said", text });
    this.cursor = new Cursor(map, { announce, onShow: () => this._showHint() });
    this.vertices = new Vertices(map, {
      layer: () => this.layer,
      movesWhole: () => this.tool === "edit",
      limits: () => this.limits,
      onBegin: () => this._beginKeyboardEdit(),
      onChange: () => this._onChange(),
      onEnd: () => this._endKeyboardEdit(),
      showHint: () => this._showHint(),
      announce,
      onStop: () => post({ kind: "reshaping_ended" }),
    });
    this.ruler = new Ruler(map, post);
    this.drafts = new Drafts(post);
    this.snapping = new Snapping(map, fences, streets, this.renderer);
    map.pm.setGlobalOptions({
      snappable: false,
      tooltips: false,
      allowSelfIntersection: false,
      continueDrawing: false,
      panes: { layerPane: "editing", vertexPane: "handles", markerPane: "handles" },
    });
    map.on("pm:drawstart", ({ workingLayer }) => this._onDrawStart(workingLayer));
    map.on("mousemove", () => {
      if (this.tool === "polygon") this.drafts.report(() => this._draftPolygon());
    });
    map.on("pm:create", ({ layer }) => this._onDrawn(layer));
  }

  isDrawing() {
    return CLICK_TOOLS.includes(this.tool) || this.tool === "lasso" || this.tool in GEOMAN_SHAPES;
  }

  setTheme(theme) {
    this.theme = theme;
    this.areaSelector.color = theme.accent;
    if (!this.held) this._attach();
  }

  setLimits(limits) {
    this.limits = limits;
  }

  setTool(tool) {
    this.vertices.stop();
    this.cursor.hide();
    this.map.pm.disableDraw();
    this.circleDrag.disarm();
    this.areaSelector.setLasso(tool === "lasso");
    this.ruler.stop();
    this.drafts.end();
    this.tool = tool;
    this.map.getContainer().dataset.tool = tool;
    this._showHint();
    if (this.isDrawing()) {
      this.discard();
      this._release();
      this.ruler.clear();
      if (tool in GEOMAN_SHAPES) this._draw(GEOMAN_SHAPES[tool]);
    } else {
      this._attach();
    }
  }

  /** Set whether drawn or dragged shapes snap to geofences nearby, and also to roads. */
  setSnapping(on, roads) {
    this.snapping.on = on;
    this.snapping.roads = roads;
    if (!this.held && !this.isDrawing()) this._attach();
  }

  /** Set whether the shape being drawn or dragged is reported. */
  watch(on) {
    this.drafts.watched = on;
  }

  /** Give the geofence with this ID handles, or remove them if it is null. */
  select(id) {
    if (id === this.fences.selected && this.layer) return;
    this.vertices.stop();
    this.fences.select(id);
    this._attach();
  }

  /**
   * Update the handles after the window has processed a change of some geofences (all if `ids` is null). Its result
   * replaces the shape that the mouse left behind.
   */
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
    if (!VERTEX_TOOLS.includes(this.tool)) return;
    const drawing = this._drawing;
    if (drawing._markers.length > 1) drawing._removeLastVertex();
    else this.setTool(this.tool);
  }

  /** Set whether keys move the vertices of the geofence with handles. */
  reshape(on) {
    if (on) this.vertices.start();
    else this.vertices.stop();
  }

  /** Click at the crosshair of the keyboard. */
  clickAtCursor() {
    if (this.isDrawing()) this.cursor.click(this.tool === "lasso");
  }

  moveCursor(right, down, far) {
    if (this.isDrawing()) this.cursor.move(right, down, far);
  }

  finish() {
    if (VERTEX_TOOLS.includes(this.tool)) this._drawing._finishShape();
  }

  get _drawing() {
    return this.map.pm.Draw[GEOMAN_SHAPES[this.tool]];
  }

  _draw(kind) {
    const style = { color: this.theme.accent, weight: 2, fillOpacity: 0.15, renderer: this.renderer };
    this.map.pm.enableDraw(kind, {
      ...this.snapping.options(),
      templineStyle: style,
      hintlineStyle: { ...style, dashArray: "5 5" },
      pathOptions: { ...style, className: "fw-drawn" },
      minRadiusCircle: this.limits.smallest_m,
      maxRadiusCircle: this.limits.largest_m,
      finishOn: kind === GEOMAN_SHAPES.circle ? null : "dblclick",
      // A track may cross itself; an outline may not.
      allowSelfIntersection: kind === GEOMAN_SHAPES.track,
    });
    if (kind === GEOMAN_SHAPES.circle) this.circleDrag.arm();
  }

  _onDrawStart(layer) {
    layer.on("pm:change", () => this._onDrawChange(layer));
    layer.on("pm:vertexadded", () => this._onDrawChange(layer));
    if (this.tool === "measure") this.ruler.start(layer);
    // After a click on the centre, the map can be moved until the edge is set.
    layer.on("pm:centerplaced", () => {
      if (!this.circleDrag.drawing) this.circleDrag.disarm();
    });
  }

  _onDrawChange(layer) {
    if (this.tool === "circle") {
      this.hint.show(radiusText(layer));
      this.drafts.report(() => shapeOf(layer));
      return;
    }
    if (this.tool !== "polygon") {
      this._showHint();
      return;
    }
    const crosses = this.map.pm.Draw.Polygon._doesSelfIntersect;
    if (!crosses) this.drafts.report(() => this._draftPolygon());
    if (crosses) this.hint.show(CROSSING_ERROR, { warning: true });
    else this._showHint();
  }

  /** Return the polygon with the mouse position as its next vertex, or null if it has no area yet. */
  _draftPolygon() {
    const { _layer: layer, _hintMarker: hintMarker, _doesSelfIntersect: crosses } = this.map.pm.Draw.Polygon;
    if (this.tool !== "polygon" || !layer || crosses) return null;
    const vertices = layer.getLatLngs();
    const pixel = (latlng) => this.map.latLngToContainerPoint(latlng);
    const next = hintMarker?.getLatLng();
    const isDistinct = next && vertices.every((vertex) => pixel(vertex).distanceTo(pixel(next)) > CLICK_TOLERANCE);
    const ring = isDistinct ? [...vertices, next] : vertices;
    return areaOf(ring.map(pixel)) < MIN_AREA_PIXELS ? null : { ring: [...ring, ring[0]].map(positionOf) };
  }

  _onDrawn(layer) {
    if (this.tool === "measure") this.ruler.keep(layer);
    else this.drawn = layer;
    if (this.tool === "split" || this.tool === "measure") {
      const { tool } = this;
      const positions = layer.getLatLngs().map(positionOf);
      this.setTool("select");
      if (tool === "split") this.discard();
      this.post({ kind: "line_drawn", tool, positions, done: true });
      return;
    }
    if (this.tool === "track") {
      const positions = layer.getLatLngs().map(positionOf);
      this.setTool("select");
      this.post({ kind: "track_drawn", positions });
      return;
    }
    const shape = shapeOf(layer);
    this.setTool("select");
    this.post({ kind: "drawn", shape });
  }

  _onAreaSelected(ids, extend) {
    if (this.tool === "lasso") this.setTool("select");
    this.post({ kind: "fences_caught", ids, extend });
  }

  _attach() {
    this._release();
    this._addHandles();
    this.vertices.refresh();
  }

  _addHandles() {
    const fence = this.fences.get(this.fences.selected);
    if (!fence || fence.locked || this.isDrawing()) return;
    if (isIsochrone(fence.shape)) {
      this._attachDestination(fence);
      return;
    }
    this.layer = this._layerOf(fence.shape).addTo(this.map);
    this.known = shapeOf(this.layer);
    this.layer.on("pm:change", () => this._onChange());
    this.layer.on("pm:edit", () => this._scheduleReport());
    this.layer.on("pm:markerdragstart", () => this._setHeld(true));
    this.layer.on("pm:markerdragend", () => {
      this._setHeld(false);
      this._scheduleReport();
    });
    this._showHandles();
    if (this.tool === "edit") this.mover.attach(this.layer);
  }

  _attachDestination({ id, shape: { longitude, latitude } }) {
    const wrapped = nearestCopy(longitude, this.map.getCenter().lng);
    const icon = L.divIcon({ className: "marker-icon fw-destination" });
    const marker = L.marker([latitude, wrapped], { icon, draggable: true, keyboard: false, pane: "handles" });
    this.destination = { id, marker };
    marker.on("dragstart", () => {
      this._setHeld(true);
      this.hint.show(DESTINATION_HINT);
    });
    marker.on("drag", () => this._onDestinationDragged());
    marker.on("dragend", () => this._onDestinationDropped());
    this.layer = marker.addTo(this.map);
  }

  /**
   * Report the position of the destination at most once per frame, since the mouse moves faster than isochrones are
   * computed.
   */
  _onDestinationDragged() {
    this._destinationFrame ??= requestAnimationFrame(() => {
      this._destinationFrame = null;
      if (this.held) this._reportDestination(false);
    });
  }

  _onDestinationDropped() {
    this._setHeld(false);
    this._reportDestination(true);
  }

  _reportDestination(done) {
    if (!this.destination) return;
    const { id, marker } = this.destination;
    this.post({ kind: "destination_moved", id, position: positionOf(marker.getLatLng()), done });
  }

  _release() {
    this.held = false;
    this.drafts.end();
    this.mover.detach();
    this.snapping.clear();
    this.fences.setDraft(null);
    this.layer?.remove();
    this.layer = null;
    this.known = null;
    this.destination = null;
  }

  _layerOf(shape) {
    const options = { pmIgnore: false, renderer: this.renderer, opacity: 0, fillOpacity: 0, className: "fw-held" };
    const centerLongitude = this.map.getCenter().lng;
    if (!shape.ring) {
      /** @type {[number, number]} */
      const center = [shape.latitude, nearestCopy(shape.longitude, centerLongitude)];
      return L.circle(center, { ...options, radius: shape.radius_m });
    }
    const ring = unwrap(shape.ring);
    const shift = nearestCopy(ring[0][0], centerLongitude) - ring[0][0];
    return L.polygon(ring.slice(0, -1).map(([longitude, latitude]) => [latitude, longitude + shift]), options);
  }

  _showHandles() {
    const count = this.layer instanceof L.Polygon ? verticesOf(this.layer).length : 0;
    this.layer.pm.enable({
      ...this.snapping.options(this.fences.selected),
      allowSelfIntersection: false,
      minRadiusCircle: this.limits.smallest_m,
      maxRadiusCircle: this.limits.largest_m,
      hintlineStyle: { color: this.theme.accent, weight: 1.5, dashArray: "4 4" },
      limitMarkersToCount: count > MAX_HANDLES ? HANDLES_NEAR_MOUSE : -1,
      // A polygon keeps at least three vertices; removing one more would remove the whole shape.
      removeLayerBelowMinVertexCount: false,
    });
  }

  _setHeld(held) {
    this.held = held;
    if (!held) this._showHint();
  }

  /** Show the hint for the active tool or for the keyboard. */
  _showHint() {
    const keyHint = this.vertices.on && this.tool !== "edit" ? VERTEX_KEYS : this.cursor.shown && KEY_HINTS[this.tool];
    this.hint.show(keyHint || (HINTS[this.tool] ?? ""));
  }

  /** Prepare for keys that move or reshape the shape. Its handles are hidden, since they would not move along. */
  _beginKeyboardEdit() {
    if (!(this.layer instanceof L.Marker)) this.layer.pm.disable();
    this._setHeld(true);
  }

  _endKeyboardEdit() {
    if (this.layer instanceof L.Marker) this._onDestinationDropped();
    else this._onMoved();
  }

  /** Show the changed shape, and return whether its outline crosses itself. */
  _onChange() {
    if (this.layer instanceof L.Marker) {
      this._onDestinationDragged();
      return false;
    }
    const crosses = this.layer.pm.hasSelfIntersection?.() ?? false;
    if (!crosses) this.drafts.report(() => shapeOf(this.layer));
    this.fences.setDraft({ id: this.fences.selected, shape: shapeOf(this.layer), invalid: crosses });
    if (crosses) this.hint.show(CROSSING_ERROR, { warning: true });
    else if (this.layer instanceof L.Circle) this.hint.show(radiusText(this.layer));
    else this._showHint();
    return crosses;
  }

  _onMoved() {
    this._showHandles();
    this._setHeld(false);
    this._report();
  }

  /**
   * Geoman reports a new vertex before it reports that the mouse holds it, so wait until all of its events have been
   * handled.
   */
  _scheduleReport() {
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
