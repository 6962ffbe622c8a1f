// The map that needs no network: sea, land, coast, borders, a graticule from afar and a metric grid from near.

import look from "/look/look.json" with { type: "json" };
import { contains, overlaps } from "../geometry/clip.js";
import { latitudeAt, metresPerPixel, niceLength, worldX, worldY } from "../geometry/geo.js";
import { tileBox } from "../geometry/parts.js";
import { DETAIL_FROM_ZOOM } from "./street_style.js";
import { loadWorld } from "./world.js";
import { tr } from "../texts.js";

const TILE = 256;
const FINE_FROM_ZOOM = 7;
const PREPARED_WITHIN_MS = 2000;
const GRID_FROM_ZOOM = 10;
const GRID_PIXELS = 110;
// Below this the grid takes its latitude from a tile this many levels up, so that neighbours agree on it.
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

/** The grid's latitude and line distance at one place: the same in a tile and in the scale bar. */
export function gridAt(z, y) {
  const level = Math.max(0, z - GRID_LEVELS);
  const latitude = latitudeAt((Math.floor(y * 2 ** level) + 0.5) / 2 ** level);
  return { latitude, metres: niceLength(GRID_PIXELS * metresPerPixel(latitude, z)) };
}

function trace(context, shapes, toX, toY, closed) {
  context.beginPath();
  for (const { points } of shapes) {
    context.moveTo(toX(points[0]), toY(points[1]));
    for (let at = 2; at < points.length; at += 2) context.lineTo(toX(points[at]), toY(points[at + 1]));
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
  options: { tileSize: TILE, updateWhenZooming: false, keepBuffer: 3, pane: "basemap" },

  initialize(theme, onTrouble) {
    L.GridLayer.prototype.initialize.call(this);
    this.theme = theme;
    this._onTrouble = onTrouble;
    this._pending = 0;
    this._areas = [];
    this._load("50m").then((world) => this._take("middle", world), (error) => this._complain(error));
  },

  /** Have the fine world at hand before it is seen, since most maps begin near geofences or an area. */
  prepare() {
    requestIdleCallback(() => this._loadFine(), { timeout: PREPARED_WITHIN_MS });
  },

  onAdd(map) {
    L.GridLayer.prototype.onAdd.call(this, map);
    this.on("tileunload", this._release);
    map.on("zoomend", this._wantDetail, this);
    this._wantDetail();
  },

  setTheme(theme) {
    this.theme = theme;
    this._repaint();
  },

  /** Where streets are drawn (boxes in world units): their own coast is finer than the world's, and no grid is needed. */
  setAreas(boxes) {
    this._areas = boxes;
    this._repaint(DETAIL_FROM_ZOOM);
  },

  /** The world to show at a zoom: the fine one from near, when it is there. */
  worldAt(zoom) {
    return (zoom >= FINE_FROM_ZOOM && this.fine) || this.middle;
  },

  isBusy() {
    return this._pending > 0 || Boolean(this._loading);
  },

  createTile(coords) {
    const tile = L.DomUtil.create("canvas");
    const ratio = window.devicePixelRatio || 1;
    tile.width = tile.height = TILE * ratio;
    const context = tile.getContext("2d", { alpha: false });
    context.scale(ratio, ratio);
    this._paint(context, coords);
    return tile;
  },

  // Its picture goes at once; the canvas itself would keep it until garbage is collected, which may be never.
  _release({ tile }) {
    tile.width = tile.height = 0;
  },

  _paint(context, coords) {
    const size = 2 ** coords.z * TILE;
    const toX = (x) => x * size - coords.x * TILE;
    const toY = (y) => y * size - coords.y * TILE;
    if (coords.z >= DETAIL_FROM_ZOOM && this._areas.some((box) => contains(box, tileBox(coords.z, coords.x, coords.y)))) {
      context.fillStyle = this.theme.land;
      context.fillRect(0, 0, TILE, TILE);
      return;
    }
    context.fillStyle = this.theme.sea;
    context.fillRect(0, 0, TILE, TILE);
    const parts = this.worldAt(coords.z)?.tile(coords.z, coords.x, coords.y);
    if (parts) this._paintWorld(context, parts, toX, toY, coords.z);
    if (coords.z >= GRID_FROM_ZOOM) this._paintGrid(context, coords, toX, toY);
    else this._paintGraticule(context, coords, toX, toY);
    if (coords.z >= DETAIL_FROM_ZOOM) this._paintAreas(context, coords, toX, toY);
  },

  _paintAreas(context, { z, x, y }, toX, toY) {
    const tile = tileBox(z, x, y);
    const corners = ([left, top, right, bottom]) => [toX(left), toY(top), toX(right) - toX(left), toY(bottom) - toY(top)];
    const near = this._areas.filter((box) => overlaps(box, tile)).map(corners);
    context.strokeStyle = this.theme.areaEdge;
    context.lineWidth = 1;
    context.setLineDash(look.world.areaDash);
    for (const corner of near) context.strokeRect(...corner);
    context.setLineDash([]);
    context.fillStyle = this.theme.land;
    for (const corner of near) context.fillRect(...corner);
  },

  _paintWorld(context, parts, toX, toY, zoom) {
    const { nearFrom, width, borderDash } = look.world;
    const [wide, dash] = zoom < nearFrom ? [width.far, []] : [width.near, borderDash];
    context.lineJoin = "round";
    trace(context, parts.land, toX, toY, true);
    context.fillStyle = this.theme.land;
    context.fill("evenodd");
    trace(context, parts.coast, toX, toY, false);
    stroke(context, this.theme.coast, wide);
    trace(context, parts.borders, toX, toY, false);
    context.setLineDash(dash);
    stroke(context, this.theme.border, wide);
    context.setLineDash([]);
  },

  _paintGraticule(context, { z, x, y }, toX, toY) {
    const step = GRATICULE.find(([from]) => z >= from)[1];
    const tiles = 2 ** z;
    context.beginPath();
    const west = (x / tiles - 0.5) * 360;
    for (let line = Math.ceil(west / step) * step; line <= west + 360 / tiles; line += step) {
      this._line(context, toX(worldX(line)), true);
    }
    const south = latitudeAt((y + 1) / tiles);
    for (let line = Math.ceil(south / step) * step; line <= latitudeAt(y / tiles); line += step) {
      this._line(context, toY(worldY(line)), false);
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
      lines[kind].forEach(([at, upright]) => this._line(context, at, upright));
      stroke(context, color, 1);
    }
  },

  // Half pixels keep a line one pixel wide.
  _line(context, at, upright) {
    const sharp = Math.floor(at) + 0.5;
    context.moveTo(upright ? sharp : 0, upright ? 0 : sharp);
    context.lineTo(upright ? sharp : TILE, upright ? TILE : sharp);
  },

  _wantDetail() {
    if (this._map.getZoom() >= FINE_FROM_ZOOM) this._loadFine();
  },

  _loadFine() {
    if (this._wanted) return;
    this._wanted = true;
    // The fine atlas is an extra: where it is missing the middle one stays.
    this._load("10m").then((world) => this._take("fine", world), console.debug);
  },

  async _load(detail) {
    this._pending += 1;
    try {
      return await loadWorld(detail);
    } finally {
      this._pending -= 1;
    }
  },

  _take(name, world) {
    this[name] = world;
    this._repaint();
    this.fire("world");
  },

  _complain(error) {
    this._onTrouble(tr("The built-in map could not be loaded: {error}.", { error: error.message }));
  },

  // In place: tiles that are made anew are not seen for a frame.
  _repaint(fromZoom = 0) {
    for (const { el, coords } of Object.values(this._tiles ?? {})) {
      if (coords.z < fromZoom) continue;
      this._paint(el.getContext("2d", { alpha: false }), this._wrapCoords(coords));
    }
  },
});
