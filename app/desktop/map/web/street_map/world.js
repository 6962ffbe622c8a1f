// The built-in world: land, coast, borders and countries in world units, cut to tiles when asked.

import { extent, insideRings } from "../geometry/clip.js";
import { cutTile, NOTHING, tileKey } from "../geometry/parts.js";

const TILES_KEPT = 1500;

/** Reads the shapes of a packed world, which follow one another in one array. */
class Reader {
  constructor(points) {
    this.points = points;
    this.at = 0;
    this.shapes = (lengths) => lengths.map((length) => this._shape(2 * length));
  }

  _shape(size) {
    const points = this.points.subarray(this.at, (this.at += size));
    return { points, box: extent(points) };
  }
}

export class World {
  constructor(packed) {
    const size = new DataView(packed).getUint32(0, true);
    const index = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, size)));
    const { shapes } = new Reader(new Float32Array(packed, 4 + size));
    this.countries = index.countries.map(([name, rings]) => ({ name, rings: shapes(rings) }));
    this.first = new Map(
      index.tiles.map(([key, { land, coast, borders }]) => [
        key,
        { land: shapes(land), coast: shapes(coast), borders: shapes(borders) },
      ]),
    );
    this.level = Number(index.tiles[0][0].split("/")[0]);
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

/** Load an atlas, which has been cut to tiles of some level. */
export async function loadWorld(detail) {
  const answer = await fetch(`/world/${detail}`);
  if (!answer.ok) throw new Error(`the world map (${detail}) is missing`);
  return new World(await answer.arrayBuffer());
}
