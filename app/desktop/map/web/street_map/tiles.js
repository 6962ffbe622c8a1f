// OpenStreetMap's tiles above the built-in map, if the user enables them and the network is available.

import { hasPendingTiles, OPENSTREETMAP } from "./streets.js";
import { tr } from "../texts.js";

const TILE_URL = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
const FAILURES_BEFORE_NOTE = 3;

export class OnlineTiles {
  constructor(map, showNote) {
    this.map = map;
    this.showNote = showNote;
    this.layer = L.tileLayer(TILE_URL, { attribution: OPENSTREETMAP, maxZoom: 20, maxNativeZoom: 19, pane: "tiles" });
    this.failures = 0;
    this.layer.on("tileload", () => this._count(0));
    this.layer.on("tileerror", () => this._count(this.failures + 1));
  }

  set(on) {
    this.on = on;
    this._count(0);
    if (on) this.layer.addTo(this.map);
    else this.layer.remove();
  }

  isBusy() {
    return Boolean(this.on && hasPendingTiles(this.layer));
  }

  _count(failures) {
    this.failures = failures;
    this.showNote(failures >= FAILURES_BEFORE_NOTE ? tr("The street map cannot be reached. The built-in map is shown.") : "");
  }
}
