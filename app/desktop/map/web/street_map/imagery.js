// The user's own imagery over the ground. The window loads its tiles: the page has no address but the window's own.

import { isWaiting } from "./streets.js";

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

  _add(key, { url, attribution, min_zoom: minZoom, max_zoom: maxNativeZoom }) {
    const options = { attribution: escaped(attribution), minZoom, maxZoom: 20, maxNativeZoom, pane: "imagery" };
    const layer = L.tileLayer(`${url}/{z}/{x}/{y}`, options).addTo(this.map);
    this.layers.set(key, layer);
    return layer;
  }
}

/** What a layer cannot change once it is made. */
const keyOf = ({ url, attribution, min_zoom: minZoom, max_zoom: maxZoom }) =>
  JSON.stringify([url, attribution, minZoom, maxZoom]);
