// The map that needs no network: sea, land, coast and borders, with a graticule at low and a metric grid at high zoom
// levels.

import look from "/look/look.json" with { type: "json" };
import { contains, overlaps } from "../geometry/clip.js";
import { latitudeAt, metresPerPixel, niceLength, worldX, worldY } from "../geometry/geo.js";
import { tileBox } from "../geometry/tile_parts.js";
import { DETAIL_FROM_ZOOM } from "./street_style.js";
import { loadWorld } from "./world.js";
import { tr } from "../texts.js";

const TILE_SIZE = 256;
const FINE_FROM_ZOOM = 7;
const PREPARE_TIMEOUT_MS = 2000;
const GRID_FROM_ZOOM = 10;
const GRID_PIXELS = 110;
// The grid takes its latitude from a tile this many levels above, so that neighbouring tiles agree on it.
const GRID_LEVELS = 4;
const METRES_PER_DEGREE = 111194.93;
const GRATICULE = [
  [8, 0.5],
  [7, 1],
  [6, 2],
  [5, 5],
  [3, 10],
  [0, 30],
];

/** Return the latitude and line distance of the grid at a position; a tile and the scale bar use the same values. */
export function gridAt(z, y) {
  const level = Math.max(0, z - GRID_LEVELS);
  const latitude = latitudeAt((Math.floor(y * 2 ** level) + 0.5) / 2 ** level);
  return { latitude, metres: niceLength(GRID_PIXELS * metresPerPixel(latitude, z)) };
}

function trace(context, shapes, toX, toY, closed) {
  context.beginPath();
  for (const { points } of shapes) {
    context.moveTo(toX(points[0]), toY(points[1]));
    for (let i = 2; i < points.length; i += 2) context.lineTo(toX(points[i]), toY(points[i + 1]));
    if (closed) context.closePath();
  }
}

function stroke(context, color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

/** @type {new (theme: object, onTrouble: (text: string) => void) => any} */
export const Basemap = L.GridLayer.extend({
  options: { tileSize: TILE_SIZE, updateWhenZooming: false, keepBuffer: 3, pane: "basemap" },

  initialize(theme, onError) {
    L.GridLayer.prototype.initialize.call(this);
    this.theme = theme;
    this._onError = onError;
    this._pending = 0;
    this._areas = [];
    this._load("50m").then((world) => this._setWorld("coarse", world), (error) => this._reportError(error));
  },

  /** Load the fine world before it is needed, since most maps start near geofences or an area. */
  prepare() {
    requestIdleCallback(() => this._loadFine(), { timeout: PREPARE_TIMEOUT_MS });
  },

  onAdd(map) {
    L.GridLayer.prototype.onAdd.call(this, map);
    this.on("tileunload", this._releaseTile);
    map.on("zoomend", this._loadFineIfNeeded, this);
    this._loadFineIfNeeded();
  },

  setTheme(theme) {
    this.theme = theme;
    this._repaint();
  },

  /**
   * Set where streets are drawn (boxes in world units). Their own coast is finer than the world's, and they need no
   * grid.
   */
  setAreas(boxes) {
    this._areas = boxes;
    this._repaint(DETAIL_FROM_ZOOM);
  },

  /** Return the world for a zoom level: the fine one at high levels once it is loaded. */
  worldAt(zoom) {
    return (zoom >= FINE_FROM_ZOOM && this.fine) || this.coarse;
  },

  isBusy() {
    return this._pending > 0 || Boolean(this._loading);
  },

  createTile(coords) {
    const tile = L.DomUtil.create("canvas");
    const ratio = window.devicePixelRatio || 1;
    tile.width = tile.height = TILE_SIZE * ratio;
    const context = tile.getContext("2d", { alpha: false });
    context.scale(ratio, ratio);
    this._paint(context, coords);
    return tile;
  },

  // Free the pixels immediately; otherwise the canvas would keep them until it is garbage-collected, which may be
  // never.
  _releaseTile({ tile }) {
    tile.width = tile.height = 0;
  },

  _paint(context, coords) {
    const size = 2 ** coords.z * TILE_SIZE;
    const toX = (x) => x * size - coords.x * TILE_SIZE;
    const toY = (y) => y * size - coords.y * TILE_SIZE;
    if (coords.z >= DETAIL_FROM_ZOOM && this._areas.some((box) => contains(box, tileBox(coords.z, coords.x, coords.y)))) {
      context.fillStyle = this.theme.land;
      context.fillRect(0, 0, TILE_SIZE, TILE_SIZE);
      return;
    }
    context.fillStyle = this.theme.sea;
    context.fillRect(0, 0, TILE_SIZE, TILE_SIZE);
    const parts = this.worldAt(coords.z)?.tile(coords.z, coords.x, coords.y);
    if (parts) this._paintWorld(context, parts, toX, toY, coords.z);
    if (coords.z >= GRID_FROM_ZOOM) this._paintGrid(context, coords, toX, toY);
    else this._paintGraticule(context, coords, toX, toY);
    if (coords.z >= DETAIL_FROM_ZOOM) this._paintAreas(context, coords, toX, toY);
  },

  _paintAreas(context, { z, x, y }, toX, toY) {
    const tile = tileBox(z, x, y);
    const toRect = ([left, top, right, bottom]) =>
      [toX(left), toY(top), toX(right) - toX(left), toY(bottom) - toY(top)];
    const visibleRects = this._areas.filter((box) => overlaps(box, tile)).map(toRect);
    context.strokeStyle = this.theme.areaEdge;
    context.lineWidth = 1;
    context.setLineDash(look.world.areaDash);
    for (const rect of visibleRects) context.strokeRect(...rect);
    context.setLineDash([]);
    context.fillStyle = this.theme.land;
    for (const rect of visibleRects) context.fillRect(...rect);
  },

  _paintWorld(context, parts, toX, toY, zoom) {
    const { nearFrom, width, borderDash } = look.world;
    const [lineWidth, dash] = zoom < nearFrom ? [width.far, []] : [width.near, borderDash];
    context.lineJoin = "round";
    trace(context, parts.land, toX, toY, true);
    context.fillStyle = this.theme.land;
    context.fill("evenodd");
    trace(context, parts.coast, toX, toY, false);
    stroke(context, this.theme.coast, lineWidth);
    trace(context, parts.borders, toX, toY, false);
    context.setLineDash(dash);
    stroke(context, this.theme.border, lineWidth);
    context.setLineDash([]);
  },

  _paintGraticule(context, { z, x, y }, toX, toY) {
    const step = GRATICULE.find(([from]) => z >= from)[1];
    const tiles = 2 ** z;
    context.beginPath();
    const west = (x / tiles - 0.5) * 360;
    for (let degree = Math.ceil(west / step) * step; degree <= west + 360 / tiles; degree += step) {
      this._line(context, toX(worldX(degree)), true);
    }
    const south = latitudeAt((y + 1) / tiles);
    for (let degree = Math.ceil(south / step) * step; degree <= latitudeAt(y / tiles); degree += step) {
      this._line(context, toY(worldY(degree)), false);
    }
    stroke(context, this.theme.graticule, 1);
  },

  _paintGrid(context, { z, x, y }, toX, toY) {
    const tiles = 2 ** z;
    const { latitude, metres } = gridAt(z, (y + 0.5) / tiles);
    const stepY = metres / METRES_PER_DEGREE;
    const stepX = stepY / Math.cos((latitude * Math.PI) / 180);
    const west = (x / tiles - 0.5) * 360;
    const south = latitudeAt((y + 1) / tiles);
    const lines = { thin: [], strong: [] };
    for (let n = Math.ceil(west / stepX); n * stepX <= west + 360 / tiles; n += 1) {
      lines[n % 5 ? "thin" : "strong"].push([toX(worldX(n * stepX)), true]);
    }
    for (let n = Math.ceil(south / stepY); n * stepY <= latitudeAt(y / tiles); n += 1) {
      lines[n % 5 ? "thin" : "strong"].push([toY(worldY(n * stepY)), false]);
    }
    for (const [kind, color] of [["thin", this.theme.grid], ["strong", this.theme.gridStrong]]) {
      context.beginPath();
      lines[kind].forEach(([position, vertical]) => this._line(context, position, vertical));
      stroke(context, color, 1);
    }
  },

  // Half pixels make lines exactly one pixel wide.
  _line(context, position, vertical) {
    const sharp = Math.floor(position) + 0.5;
    context.moveTo(vertical ? sharp : 0, vertical ? 0 : sharp);
    context.lineTo(vertical ? sharp : TILE_SIZE, vertical ? TILE_SIZE : sharp);
  },

  _loadFineIfNeeded() {
    if (this._map.getZoom() >= FINE_FROM_ZOOM) this._loadFine();
  },

  _loadFine() {
    if (this._fineRequested) return;
    this._fineRequested = true;
    // The fine atlas is optional; without it, the coarse one is used.
    this._load("10m").then((world) => this._setWorld("fine", world), console.debug);
  },

  async _load(detail) {
    this._pending += 1;
    try {
      return await loadWorld(detail);
    } finally {
      this._pending -= 1;
    }
  },

  _setWorld(name, world) {
    this[name] = world;
    this._repaint();
    this.fire("world");
  },

  _reportError(error) {
    this._onError(tr("The built-in map could not be loaded: {error}.", { error: error.message }));
  },

  // Repaint in place, since new tiles would be missing for a frame.
  _repaint(fromZoom = 0) {
    for (const { el, coords } of Object.values(this._tiles ?? {})) {
      if (coords.z < fromZoom) continue;
      this._paint(el.getContext("2d", { alpha: false }), this._wrapCoords(coords));
    }
  },
});
