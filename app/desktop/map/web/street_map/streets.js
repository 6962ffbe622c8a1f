// The streets of the areas in use, drawn from local vector tiles.

import look from "/look/look.json" with { type: "json" };
import { overlaps } from "../geometry/clip.js";
import { worldX, worldY } from "../geometry/geo.js";
import { tileBox } from "../geometry/tile_parts.js";
import { DETAIL_FROM_ZOOM, streetRules } from "./street_style.js";
import { tr } from "../texts.js";

export const OPENSTREETMAP = look.attribution.streets;

const FROM_ZOOM = 5;
const DATA_ZOOM = 14;
/** The kinds of roads that are drawn, the most important first. */
const ROADS = look.roads.kinds.flatMap(({ kinds }) => kinds).reverse();
/** From this zoom level on, the tiles contain all of them. */
const ROADS_FROM_ZOOM = 14;
// With fewer tiles than a large window shows, the library would drop names that are partly visible.
const MAX_LABELED_TILES = 64;
// Share of a tile by which the name of a place may extend beyond its area.
const LABEL_OVERHANG = 0.4;
// Maximum number of tiles painted between two frames, so that the map keeps moving while new tiles come into view.
const TILES_PER_FRAME = 1;

/**
 * Return whether visible tiles are still loading. Leaflet's `isLoading` stays true if the last one moves out of view.
 */
export const hasPendingTiles = (layer) =>
  Object.values(layer._tiles ?? {}).some(({ current, loaded }) => current && !loaded);

const overlapsAny = (boxes, other) => boxes.some((box) => overlaps(box, other));

/** Reads ranges of a tile archive, like the library's own source does with Range requests. */
const rangeSource = (url) => ({
  getKey: () => url,
  async getBytes(offset, length) {
    const response = await fetch(`${url}/${offset}-${length}`);
    if (!response.ok) throw new Error(response.statusText || String(response.status));
    return { data: await response.arrayBuffer() };
  },
});

/** Return the tiles of one area. The first error of its file is reported, and its part of the map stays empty. */
function createArchive({ name, url, boxes }, reportError) {
  // The library does not export the class of its archives.
  const Archive = new protomapsL.PmtilesSource(url, false).p.constructor;
  const file = new Archive(rangeSource(url));
  let reported = false;
  return {
    // Without an abort signal, since others may be waiting for the same response.
    async getZxy(z, x, y) {
      if (!overlapsAny(boxes, tileBox(z, x, y))) return undefined;
      try {
        return await file.getZxy(z, x, y);
      } catch (error) {
        const values = { area_name: name, error: error.message };
        if (!reported) reportError(tr("The streets of {area_name} could not be read: {error}.", values));
        reported = true;
        return undefined;
      }
    },
  };
}

/** Return the roads of a tile that may be in view, in the tile's units, with their rank. */
function roadsOf({ data, origin, scale }, { minX, minY, maxX, maxY }) {
  const box = [(minX - origin.x) / scale, (minY - origin.y) / scale, (maxX - origin.x) / scale, (maxY - origin.y) / scale];
  const lines = [];
  for (const { props, bbox, geom } of data?.get("roads") ?? []) {
    const rank = ROADS.indexOf(props.kind);
    if (rank < 0 || !overlaps([bbox.minX, bbox.minY, bbox.maxX, bbox.maxY], box)) continue;
    lines.push(...geom.map((line) => ({ rank, line })));
  }
  return lines;
}

/** Limits the number of tiles per frame. On a hidden page, which has no frames, timers are used. */
class FrameThrottle {
  constructor() {
    this._isFramePending = false;
    this._waiting = [];
  }

  wait() {
    return new Promise((resolve) => {
      this._waiting.push(resolve);
      if (this._waiting.length === 1 && !this._isFramePending) this._release();
    });
  }

  _release() {
    for (const resolve of this._waiting.splice(0, TILES_PER_FRAME)) resolve();
    this._isFramePending = true;
    const next = () => {
      this._isFramePending = false;
      if (this._waiting.length) this._release();
    };
    if (document.hidden) setTimeout(next);
    else requestAnimationFrame(next);
  }
}

export class Streets {
  constructor(map, basemap, theme, onError) {
    this.map = map;
    this.basemap = basemap;
    this.theme = theme;
    this.onError = onError;
    this.areas = [];
    this.visible = true;
    this.layer = null;
    this._previous = [];
    this._painting = 0;
  }

  setAreas(areas) {
    this.areas = areas.map(({ boxes, ...area }) => ({
      ...area,
      boxes: boxes.map(([west, south, east, north]) => [worldX(west), worldY(north), worldX(east), worldY(south)]),
    }));
    this._rebuild();
  }

  setTheme(theme) {
    this.theme = theme;
    this._rebuild();
  }

  setVisible(visible) {
    this.visible = visible;
    this._rebuild();
  }

  /** Return the boxes of the areas, in world units, that are drawn in full detail at a zoom level. */
  boxes(zoom) {
    return this.visible && zoom >= DETAIL_FROM_ZOOM ? this.areas.flatMap(({ boxes }) => boxes) : [];
  }

  /**
   * Return the roads in view as lists of positions, the most important first. At zoom levels without all roads, return
   * none.
   */
  async roadsInView() {
    const zoom = this.map.getZoom();
    if (!this.layer || zoom < ROADS_FROM_ZOOM) return [];
    const { min, max } = this.map.getPixelBounds();
    const views = [...this.layer.views.values()];
    const view = { minX: min.x, minY: min.y, maxX: max.x, maxY: max.y };
    const tiles = (await Promise.all(views.map((each) => each.getBbox(zoom, view)))).flat();
    const found = tiles.flatMap((tile) => roadsOf(tile, view).map((road) => ({ tile, ...road })));
    found.sort((a, b) => a.rank - b.rank);
    return found.map(({ tile, line }) =>
      line.map(({ x, y }) => this.map.unproject([tile.origin.x + x * tile.scale, tile.origin.y + y * tile.scale], zoom)),
    );
  }

  isBusy() {
    return this._painting > 0 || this._previous.length > 0 || (this.layer !== null && hasPendingTiles(this.layer));
  }

  /**
   * Replace the layer. The new one is shown on top of the previous one until it is painted, so that nothing flickers.
   */
  _rebuild() {
    if (this.layer) this._previous.push(this.layer);
    this.layer = this.visible && this.areas.length ? this._createLayer().addTo(this.map) : null;
    this.basemap.setAreas(this.boxes(DETAIL_FROM_ZOOM));
    this._removePrevious();
  }

  _removePrevious() {
    L.Util.cancelAnimFrame(this._removalFrame);
    if (this.layer && hasPendingTiles(this.layer)) {
      this._removalFrame = L.Util.requestAnimFrame(() => this._removePrevious());
    } else {
      for (const layer of this._previous.splice(0)) layer.remove();
    }
  }

  _createLayer() {
    const areas = this.areas;
    const reportError = (text) => {
      // Ignore errors of files that were removed together with their area.
      if (this.areas === areas) this.onError(text);
    };
    const sources = areas.map((area) => [area.name, { url: createArchive(area, reportError), maxDataZoom: DATA_ZOOM }]);
    const layer = protomapsL.leafletLayer({
      sources: Object.fromEntries(sources),
      ...streetRules(this.theme, areas.map(({ name }) => name)),
      attribution: OPENSTREETMAP,
      pane: "streets",
      minZoom: FROM_ZOOM,
      updateWhenZooming: false,
      updateInterval: 60,
      keepBuffer: 3,
    });
    layer.labelers.maxLabeledTiles = MAX_LABELED_TILES;
    // The library awaits these tasks after loading the data of a tile, before it places names and paints.
    const throttle = new FrameThrottle();
    layer.tasks = { map: () => [throttle.wait()] };
    this._trackPainting(layer);
    this._skipEmptyTiles(layer, (z, x, y) => !overlapsAny(areas.flatMap(({ boxes }) => boxes), tileBox(z, x, y, LABEL_OVERHANG)));
    return layer;
  }

  /**
   * Count running paintings. A tile is also repainted if a neighbour's label extends into it, about which Leaflet is
   * not informed.
   */
  _trackPainting(layer) {
    const render = layer.renderTile;
    layer.renderTile = async (coords, element, key, done) => {
      let painted = false;
      this._painting += 1;
      try {
        await render.call(layer, coords, element, key, () => {
          painted = true;
          done?.();
        });
      } finally {
        this._painting -= 1;
      }
      if (!painted) this._retryTile(layer, element);
    };
  }

  /** Reload a tile that the library left empty because the zoom level changed before it was painted. */
  _retryTile(layer, element) {
    const key = Object.keys(layer._tiles ?? {}).find((each) => layer._tiles[each].el === element);
    if (!key || layer._tiles[key].loaded) return;
    const { current } = layer._tiles[key];
    layer._removeTile(key);
    if (current && layer._map) layer._update();
  }

  /** Use an empty element instead of a canvas for tiles without an area. */
  _skipEmptyTiles(layer, isEmpty) {
    const create = layer.createTile;
    layer.createTile = (coords, done) => {
      if (!isEmpty(coords.z, coords.x, coords.y)) return create.call(layer, coords, done);
      const empty = document.createElement("div");
      setTimeout(() => done(undefined, empty));
      return empty;
    };
  }
}
