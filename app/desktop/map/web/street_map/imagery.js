// The user's own imagery above the base map. The window loads its tiles, since the page may only access the window's
// own addresses.

import { hasPendingTiles } from "./streets.js";

const BASE_TILE_SIZE = 256;
/** Minimum number of screen pixels per map pixel at which high-resolution tiles are requested. */
const HIGH_RESOLUTION_RATIO = 1.5;

/** Escape a text, so that it appears unchanged in HTML. */
function escaped(text) {
  const node = document.createElement("span");
  node.textContent = text;
  return node.innerHTML;
}

export class Imagery {
  constructor(map) {
    this.map = map;
    this.layers = new Map();
    this.failed = new Set();
  }

  /** Show exactly these layers, the topmost first. Existing layers keep their tiles. */
  show(requested) {
    const keys = new Set(requested.map(keyOf));
    for (const [key, layer] of this.layers) {
      if (keys.has(key)) continue;
      layer.remove();
      this.layers.delete(key);
    }
    requested.forEach((each, index) => {
      const key = keyOf(each);
      const layer = this.layers.get(key) ?? this._add(key, each);
      layer.setOpacity(each.opacity).setZIndex(requested.length - index);
    });
  }

  get shown() {
    return this.layers.size > 0;
  }

  isBusy() {
    return [...this.layers.values()].some(hasPendingTiles);
  }

  /** Retry the tiles that could not be loaded. */
  retryFailed() {
    const failed = [...this.failed];
    this.failed.clear();
    // Setting the same address again makes an image reload.
    for (const tile of failed) tile.setAttribute("src", tile.getAttribute("src"));
  }

  _add(key, { url, attribution, min_zoom: minZoom, max_zoom: maxZoom, tile_size: tileSize }) {
    // Tiles of twice the width are as large on the map as those of the previous zoom level.
    const zoomLevels = Math.log2(tileSize / BASE_TILE_SIZE);
    const options = {
      attribution: escaped(attribution),
      minZoom: Math.max(minZoom, zoomLevels),
      maxZoom: 20,
      maxNativeZoom: maxZoom + zoomLevels,
      tileSize,
      zoomOffset: -zoomLevels,
      pane: "imagery",
      // Evaluated for each tile, since the window may be moved to another screen.
      fine: () => (window.devicePixelRatio >= HIGH_RESOLUTION_RATIO ? "@2x" : ""),
    };
    const layer = L.tileLayer(`${url}/{z}/{x}/{y}{fine}`, options);
    layer.on("tileerror", ({ tile }) => this.failed.add(tile));
    layer.on("tileload", ({ tile }) => this.failed.delete(tile));
    layer.on("tileunload", ({ tile }) => this.failed.delete(tile));
    layer.addTo(this.map);
    this.layers.set(key, layer);
    return layer;
  }
}

/** Return the options of a layer that cannot be changed after its creation. */
const keyOf = ({ url, attribution, min_zoom: minZoom, max_zoom: maxZoom, tile_size: tileSize }) =>
  JSON.stringify([url, attribution, minZoom, maxZoom, tileSize]);
