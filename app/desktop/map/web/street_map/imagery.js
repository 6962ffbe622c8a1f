// The user's own imagery over the ground. The window loads its tiles: the page has no address but the window's own.

import { isWaiting } from "./streets.js";

const PLAIN_TILE = 256;
/** From how many pixels of the screen for each of the map on tiles for fine screens are asked for. */
const FINE_FROM = 1.5;

/** A text as HTML that shows it as it is. */
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

  /** Show exactly these, the topmost first; what is there already keeps its tiles. */
  show(wanted) {
    const keys = new Set(wanted.map(keyOf));
    for (const [key, layer] of this.layers) {
      if (keys.has(key)) continue;
      layer.remove();
      this.layers.delete(key);
    }
    wanted.forEach((each, at) => {
      const key = keyOf(each);
      const layer = this.layers.get(key) ?? this._add(key, each);
      layer.setOpacity(each.opacity).setZIndex(wanted.length - at);
    });
  }

  get shown() {
    return this.layers.size > 0;
  }

  isBusy() {
    return [...this.layers.values()].some(isWaiting);
  }

  /** Load the tiles that could not be loaded. */
  loadAgain() {
    const failed = [...this.failed];
    this.failed.clear();
    // The same address once more makes an image load again.
    for (const tile of failed) tile.setAttribute("src", tile.getAttribute("src"));
  }

  _add(key, { url, attribution, min_zoom: minZoom, max_zoom: maxZoom, tile_size: tileSize }) {
    // Of tiles that cover twice the width, those of the zoom before are as large on the map.
    const before = Math.log2(tileSize / PLAIN_TILE);
    const options = {
      attribution: escaped(attribution),
      minZoom: Math.max(minZoom, before),
      maxZoom: 20,
      maxNativeZoom: maxZoom + before,
      tileSize,
      zoomOffset: -before,
      pane: "imagery",
      // Asked for each tile: a window may be moved to another screen.
      fine: () => (window.devicePixelRatio >= FINE_FROM ? "@2x" : ""),
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

/** What a layer cannot change once it is made. */
const keyOf = ({ url, attribution, min_zoom: minZoom, max_zoom: maxZoom, tile_size: tileSize }) =>
  JSON.stringify([url, attribution, minZoom, maxZoom, tileSize]);
