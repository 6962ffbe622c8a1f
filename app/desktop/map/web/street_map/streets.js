// The streets of the areas in use, drawn from vector tiles on this machine.

import look from "/look/look.json" with { type: "json" };
import { overlaps } from "../geometry/clip.js";
import { worldX, worldY } from "../geometry/geo.js";
import { tileBox } from "../geometry/parts.js";
import { DETAIL_FROM_ZOOM, streetRules } from "./street_style.js";
import { tr } from "../texts.js";

export const OPENSTREETMAP = look.attribution.streets;

const FROM_ZOOM = 5;
const DATA_ZOOM = 14;
/** The kinds of roads that are drawn, the greatest first. */
const ROADS = look.roads.kinds.flatMap(({ kinds }) => kinds).reverse();
/** From this zoom on the tiles have all of them. */
const ROADS_FROM_ZOOM = 14;
// Of fewer than a large window shows the library would forget names that are half on its screen.
const LABELED_TILES = 64;
// By how much of a tile the name of a place may stand out of its area.
const NAMES_BEYOND = 0.4;
// So many tiles are painted between two frames, so that the map goes on moving while new ones come into view.
const TILES_A_FRAME = 1;

/** Whether tiles in view are not there yet. Leaflet's `isLoading` stays true when the last one goes out of view. */
export const isWaiting = (layer) => Object.values(layer._tiles ?? {}).some(({ current, loaded }) => current && !loaded);

/** Reads pieces of a file of tiles, as the library's own source does by Range. */
const pieces = (url) => ({
  getKey: () => url,
  async getBytes(offset, length) {
    const answer = await fetch(`${url}/${offset}-${length}`);
    if (!answer.ok) throw new Error(answer.statusText || String(answer.status));
    return { data: await answer.arrayBuffer() };
  },
});

/** The tiles of one area. What is wrong with its file is told once; its part of the map stays empty. */
function archiveOf({ name, url, box }, complain) {
  // The library keeps the class of its archives to itself.
  const Archive = new protomapsL.PmtilesSource(url, false).p.constructor;
  const file = new Archive(pieces(url));
  let told = false;
  return {
    // No abort signal: an answer that somebody else waits for too must not be called off.
    async getZxy(z, x, y) {
      if (!overlaps(box, tileBox(z, x, y))) return undefined;
      try {
        return await file.getZxy(z, x, y);
      } catch (error) {
        if (!told) complain(tr("The streets of {name} could not be read: {error}.", { name, error: error.message }));
        told = true;
        return undefined;
      }
    },
  };
}

/** The roads of a tile that may be in view, in its own units, and how great they are. */
function roadsOf({ data, origin, scale }, { minX, minY, maxX, maxY }) {
  const seen = [(minX - origin.x) / scale, (minY - origin.y) / scale, (maxX - origin.x) / scale, (maxY - origin.y) / scale];
  const lines = [];
  for (const { props, bbox, geom } of data?.get("roads") ?? []) {
    const rank = ROADS.indexOf(props.kind);
    if (rank < 0 || !overlaps([bbox.minX, bbox.minY, bbox.maxX, bbox.maxY], seen)) continue;
    lines.push(...geom.map((line) => ({ rank, line })));
  }
  return lines;
}

/** Lets so many through in a frame; a hidden page has no frames, but it has time. */
class Turnstile {
  constructor() {
    this._counting = false;
    this._waiting = [];
  }

  pass() {
    return new Promise((resolve) => {
      this._waiting.push(resolve);
      if (this._waiting.length === 1 && !this._counting) this._open();
    });
  }

  _open() {
    for (const resolve of this._waiting.splice(0, TILES_A_FRAME)) resolve();
    this._counting = true;
    const next = () => {
      this._counting = false;
      if (this._waiting.length) this._open();
    };
    if (document.hidden) setTimeout(next);
    else requestAnimationFrame(next);
  }
}

export class Streets {
  constructor(map, basemap, theme, trouble) {
    this.map = map;
    this.basemap = basemap;
    this.theme = theme;
    this.trouble = trouble;
    this.areas = [];
    this.visible = true;
    this.layer = null;
    this._former = [];
    this._painting = 0;
  }

  setAreas(areas) {
    this.areas = areas.map(({ bounds: [west, south, east, north], ...area }) => ({
      ...area,
      box: [worldX(west), worldY(north), worldX(east), worldY(south)],
    }));
    this._renew();
  }

  setTheme(theme) {
    this.theme = theme;
    this._renew();
  }

  setVisible(visible) {
    this.visible = visible;
    this._renew();
  }

  /** The areas as boxes in world units: those that are drawn with all they have at a zoom. */
  boxes(zoom) {
    return this.visible && zoom >= DETAIL_FROM_ZOOM ? this.areas.map(({ box }) => box) : [];
  }

  /** The roads in view as lists of places, the greatest first; none from farther away than where all are drawn. */
  async roadsInView() {
    const zoom = this.map.getZoom();
    if (!this.layer || zoom < ROADS_FROM_ZOOM) return [];
    const { min, max } = this.map.getPixelBounds();
    const views = [...this.layer.views.values()];
    const view = { minX: min.x, minY: min.y, maxX: max.x, maxY: max.y };
    const tiles = (await Promise.all(views.map((each) => each.getBbox(zoom, view)))).flat();
    const found = tiles.flatMap((tile) => roadsOf(tile, view).map((road) => ({ tile, ...road })));
    found.sort((one, other) => one.rank - other.rank);
    return found.map(({ tile, line }) =>
      line.map(({ x, y }) => this.map.unproject([tile.origin.x + x * tile.scale, tile.origin.y + y * tile.scale], zoom)),
    );
  }

  isBusy() {
    return this._painting > 0 || this._former.length > 0 || (this.layer !== null && isWaiting(this.layer));
  }

  /** The new layer lies over the one before until it is painted, so that nothing flickers. */
  _renew() {
    if (this.layer) this._former.push(this.layer);
    this.layer = this.visible && this.areas.length ? this._make().addTo(this.map) : null;
    this.basemap.setAreas(this.boxes(DETAIL_FROM_ZOOM));
    this._dropFormer();
  }

  _dropFormer() {
    L.Util.cancelAnimFrame(this._dropping);
    if (this.layer && isWaiting(this.layer)) {
      this._dropping = L.Util.requestAnimFrame(() => this._dropFormer());
    } else {
      for (const layer of this._former.splice(0)) layer.remove();
    }
  }

  _make() {
    const areas = this.areas;
    const complain = (text) => {
      // A file that has gone with its area is nobody's trouble.
      if (this.areas === areas) this.trouble(text);
    };
    const sources = areas.map((area) => [area.name, { url: archiveOf(area, complain), maxDataZoom: DATA_ZOOM }]);
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
    layer.labelers.maxLabeledTiles = LABELED_TILES;
    // What the library waits for when it has the data of a tile, before it finds places for names and paints.
    const turnstile = new Turnstile();
    layer.tasks = { map: () => [turnstile.pass()] };
    this._followPainting(layer);
    this._leaveOut(layer, (z, x, y) => !areas.some(({ box }) => overlaps(box, tileBox(z, x, y, NAMES_BEYOND))));
    return layer;
  }

  /** A tile is painted again when a neighbour's label reaches into it, which Leaflet does not hear of. */
  _followPainting(layer) {
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
      if (!painted) this._takeAway(layer, element);
    };
  }

  /** The library leaves a tile empty when the zoom changes before it is painted: Leaflet may ask for it again. */
  _takeAway(layer, element) {
    const key = Object.keys(layer._tiles ?? {}).find((each) => layer._tiles[each].el === element);
    if (!key || layer._tiles[key].loaded) return;
    const { current } = layer._tiles[key];
    layer._removeTile(key);
    if (current && layer._map) layer._update();
  }

  /** Where there is no area a tile needs no canvas. */
  _leaveOut(layer, isEmpty) {
    const create = layer.createTile;
    layer.createTile = (coords, done) => {
      if (!isEmpty(coords.z, coords.x, coords.y)) return create.call(layer, coords, done);
      const empty = document.createElement("div");
      setTimeout(() => done(undefined, empty));
      return empty;
    };
  }
}
