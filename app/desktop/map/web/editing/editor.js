// Drawing and reshaping with Geoman. The shape that the mouse holds is an invisible shape of Geoman; the user sees the
// geofence's own drawing, which follows it. The page never stores a change itself: it reports the change and waits for
// the response.

import { areaOf, formatLength, isIsochrone } from "../geometry/geo.js";
import { AreaSelector } from "./area_selector.js";
import { Cursor } from "./cursor.js";
import { Destination } from "./destination.js";
import { Drafts } from "./drafts.js";
import { FaultMark } from "./fault_mark.js";
import { HINTS, KEY_HINTS } from "./hints.js";
import { Mover } from "./mover.js";
import { CLICK_TOLERANCE } from "./pointer.js";
import { RingDrawing } from "./ring_drawing.js";
import { RingMark } from "./ring_mark.js";
import { Ruler } from "./ruler.js";
import { closedRing, faultOfLayer, latlngsOfShape, layerOf, positionOf, shapeOf, vertexCountOf } from "./shapes.js";
import { CircleDrag } from "./circle_drag.js";
import { Snapping } from "./snapping.js";
import { CLICK_TOOLS, GEOMAN_SHAPES, MOVE_TOOLS, RING_TOOLS, VERTEX_TOOLS } from "./tools.js";
import { Vertices } from "./vertices.js";
import { tr } from "../texts.js";

const MAX_HANDLES = 150;
const HANDLES_NEAR_MOUSE = 60;
const CROSSING_ERROR = tr("The outline must not cross itself");
/** How long the page says why it undid a change. */
const EXPLAINED_MS = 5000;

/** Minimum area of an outline in square pixels, below which it is ignored. */
const MIN_AREA_PIXELS = 20;

const radiusText = (circle) => tr("Radius {length}", { length: formatLength(circle.getRadius()) });

export class Editor {
  constructor(map, { fences, streets, hint, post }) {
    this.map = map;
    this.fences = fences;
    this.hint = hint;
    this.post = post;
    this.tool = "select";
    this.faultIsSaid = false;
    this.limits = { smallest_m: 0, largest_m: Infinity };
    this.renderer = L.svg({ pane: "editing", padding: 0.5 });
    this.mover = new Mover(map, {
      onePart: () => this.tool === "edit_part",
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
      moves: () => ({ edit: "whole", edit_part: "part" })[this.tool] ?? "vertex",
      limits: () => this.limits,
      onBegin: () => this._beginKeyboardEdit(),
      onChange: () => this._onChange(),
      onEnd: () => this._endKeyboardEdit(),
      showHint: () => this._showHint(),
      onRing: (ring) => this._onRingChosen(ring),
      announce,
      onStop: () => post({ kind: "reshaping_ended" }),
    });
    this.destination = new Destination(map, { hint, setHeld: (held) => this._setHeld(held), post });
    this.faultMark = new FaultMark(map);
    this.ringMark = new RingMark(map, this.renderer);
    this.ringDrawing = new RingDrawing(map, {
      tool: () => this.tool,
      shape: () => this.fences.get(this.fences.selected)?.shape,
      onFault: (fault) => this._showFault(fault),
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
    this.ringMark.setColor(theme.accent);
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
    this.ringMark.show(null);
    this.fences.select(id);
    this._attach();
  }

  /** Mark a ring of the geofence with handles, or none if it is null. */
  markRing(id, ring) {
    if (id !== this.fences.selected) return;
    this.ringMark.show(ring);
    this.ringMark.update(this.layer);
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
    if (GEOMAN_SHAPES[this.tool] !== "Polygon") {
      this._showHint();
      return;
    }
    const fault = this.ringDrawing.faultOf(layer.getLatLngs(), false);
    this.faultMark.show(fault);
    const crosses = this.map.pm.Draw.Polygon._doesSelfIntersect;
    if (!crosses) this.drafts.report(() => this._draftPolygon());
    if (crosses || fault) this.hint.show(crosses ? CROSSING_ERROR : fault.text, { warning: true });
    else this._showHint();
  }

  _showFault(fault) {
    this.faultMark.show(fault);
    this.hint.show(fault.text, { warning: true });
    this._sayFault(fault.text);
  }

  _sayFault(text) {
    this.faultIsSaid = true;
    this.post({ kind: "said", text });
  }

  /** End the text about a fault, which no longer applies to what is done next. */
  _endFaultText() {
    if (!this.faultIsSaid) return;
    this.faultIsSaid = false;
    this.post({ kind: "said", text: "" });
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
    const { tool } = this;
    // Geoman draws polygons without parts.
    const shape = layer instanceof L.Polygon ? { ring: closedRing(layer.getLatLngs()[0]) } : shapeOf(layer);
    const id = this.fences.selected;
    this.setTool("select");
    if (RING_TOOLS.includes(tool)) this.post({ kind: "ring_drawn", id, tool, shape });
    else this.post({ kind: "drawn", shape });
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
      this.layer = this.destination.attach(fence);
      return;
    }
    const options = { pmIgnore: false, renderer: this.renderer, opacity: 0, fillOpacity: 0, className: "fw-held" };
    this.layer = layerOf(fence.shape, this.map.getCenter().lng, options).addTo(this.map);
    this.known = shapeOf(this.layer);
    this.layer.on("pm:change", () => this._onChange());
    this.layer.on("pm:edit", () => this._scheduleReport());
    this.layer.on("pm:markerdragstart", () => this._setHeld(true));
    this.layer.on("pm:markerdragend", () => {
      this._setHeld(false);
      this._scheduleReport();
    });
    this._showHandles();
    this.ringMark.update(this.layer);
    if (MOVE_TOOLS.includes(this.tool)) this.mover.attach(this.layer);
  }

  _release() {
    this.held = false;
    this._endFaultText();
    this.drafts.end();
    this.mover.detach();
    this.snapping.clear();
    this.fences.setDraft(null);
    this.faultMark.show(null);
    this.ringMark.update(null);
    this.layer?.remove();
    this.layer = null;
    this.known = null;
    this.destination.detach();
  }

  _showHandles() {
    const count = this.layer instanceof L.Polygon ? vertexCountOf(this.layer) : 0;
    this.layer.pm.enable({
      ...this.snapping.options(this.fences.selected),
      // Rings of a polygon may touch each other, which Geoman would refuse. Faults are found after each change instead.
      allowSelfIntersection: true,
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
    if (held) this._endFaultText();
    else this._showHint();
  }

  /** Show the hint for the active tool or for the keyboard. */
  _showHint() {
    const keyHint = this.vertices.on && !MOVE_TOOLS.includes(this.tool) ? this.vertices.keys : this.cursor.shown && KEY_HINTS[this.tool];
    this.hint.show(keyHint || (HINTS[this.tool] ?? ""));
  }

  /** Prepare for keys that move or reshape the shape. Its handles are hidden, since they would not move along. */
  _beginKeyboardEdit() {
    if (!(this.layer instanceof L.Marker)) this.layer.pm.disable();
    this._setHeld(true);
  }

  _endKeyboardEdit() {
    if (this.layer instanceof L.Marker) this.destination.onDropped();
    else this._onMoved();
  }

  /** Show the changed shape, and return its fault or null. */
  _onChange() {
    if (this.layer instanceof L.Marker) {
      this.destination.onDragged();
      return null;
    }
    const fault = faultOfLayer(this.layer);
    if (!fault) this.drafts.report(() => shapeOf(this.layer));
    this.fences.setDraft({ id: this.fences.selected, shape: shapeOf(this.layer), invalid: fault !== null });
    this.faultMark.show(fault);
    this.ringMark.update(this.layer);
    if (fault) this.hint.show(fault.text, { warning: true });
    else if (this.layer instanceof L.Circle) this.hint.show(radiusText(this.layer));
    else this._showHint();
    return fault;
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
    const fault = faultOfLayer(this.layer);
    if (fault) this._revert(fault);
    const shape = shapeOf(this.layer);
    const id = this.fences.selected;
    this.fences.setDraft({ id, shape });
    if (JSON.stringify(shape) === JSON.stringify(this.known)) return;
    this.known = shape;
    this.post({ kind: "fence_edited", id, shape });
  }

  /** Return to the last shape without a fault, and say what the fault was. */
  _revert({ text }) {
    const polygon = /** @type {L.Polygon} */ (this.layer);
    polygon.setLatLngs(latlngsOfShape(this.known, this.map.getCenter().lng));
    this._showHandles();
    this.faultMark.show(null);
    this.ringMark.update(this.layer);
    this.vertices.refresh();
    this.hint.show(text, { warning: true });
    clearTimeout(this._explaining);
    this._explaining = setTimeout(() => this.held || this._showHint(), EXPLAINED_MS);
    this._sayFault(text);
  }

  _onRingChosen(ring) {
    this.ringMark.show(ring);
    this.ringMark.update(this.layer);
    this.post({ kind: "ring_chosen", id: this.fences.selected, ring });
  }
}
