// OpenStreetMap's tiles over the built-in map, when the user wants them and the network gives them.

import { isWaiting, OPENSTREETMAP } from "./streets.js";
import { tr } from "../texts.js";

const URL = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
const FAILURES_BEFORE_NOTE = 3;

export class OnlineTiles {
  constructor(map, note) {
    this.map = map;
    this.note = note;
    this.layer = L.tileLayer(URL, { attribution: OPENSTREETMAP, maxZoom: 20, maxNativeZoom: 19, pane: "tiles" });
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
    return Boolean(this.on && isWaiting(this.layer));
  }

  _count(failures) {
    this.failures = failures;
    this.note(failures >= FAILURES_BEFORE_NOTE ? tr("The street map cannot be reached. The built-in map is shown.") : "");
  }
}
