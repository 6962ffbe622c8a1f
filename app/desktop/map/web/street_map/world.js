// The built-in world: land, coast, borders and countries in world units, cut to tiles when asked.

import { insideRings } from "../geometry/clip.js";
import { cutTile, NOTHING, tileKey } from "../geometry/parts.js";

const TILES_KEPT = 1500;

export class World {
  constructor({ points, countries, tiles }, level) {
    const shape = ({ start, end, box }) => ({ points: points.subarray(start, end), box });
    const unpack = (parts) => Object.fromEntries(Object.entries(parts).map(([kind, list]) => [kind, list.map(shape)]));
    this.level = level;
    this.countries = countries.map(({ name, rings }) => ({ name, rings: rings.map(shape) }));
    this.first = new Map(tiles.map(([key, parts]) => [key, unpack(parts)]));
    this.cut = new Map();
  }

  /** The parts of the world in one tile: cut out of the tile above, so that deep tiles stay cheap. */
  tile(z, x, y) {
    const key = tileKey(z, x, y);
    if (z <= this.level) return this.first.get(key) ?? NOTHING;
    let tile = this.cut.get(key);
    if (!tile) {
      tile = cutTile(this.tile(z - 1, x >> 1, y >> 1), z, x, y);
      if (this.cut.size >= TILES_KEPT) this.cut.delete(this.cut.keys().next().value);
      this.cut.set(key, tile);
    }
    return tile;
  }

  countryAt(x, y) {
    const around = (at) => ({ box }) => box[0] <= at && at <= box[2] && box[1] <= y && y <= box[3];
    const covers = ({ rings }, at) => insideRings(rings.filter(around(at)).map(({ points }) => points), at, y);
    return this.countries.find((country) => [-1, 0, 1].some((copy) => covers(country, x + copy)))?.name ?? null;
  }
}

/** Read an atlas in a worker; its tiles begin at `level`. */
export function loadWorld(detail, level) {
  const worker = new Worker(new URL("atlas.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.world ? resolve(new World(data.world, level)) : reject(new Error(data.error)));
    worker.onerror = ({ message }) => reject(new Error(message || "its reader could not be started"));
    worker.postMessage({ detail, level });
  }).finally(() => worker.terminate());
}
