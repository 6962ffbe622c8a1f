// The built-in world: land, coast, borders and countries in world units, cut into tiles on demand.

import { extent, insideRings } from "../geometry/clip.js";
import { cutTile, EMPTY_TILE, tileKey } from "../geometry/tile_parts.js";

const MAX_CACHED_TILES = 1500;

/** Reads the shapes of a packed world, which are stored consecutively in one array. */
class Reader {
  constructor(points) {
    this.points = points;
    this.offset = 0;
    this.shapes = (lengths) => lengths.map((length) => this._shape(2 * length));
  }

  _shape(size) {
    const points = this.points.subarray(this.offset, (this.offset += size));
    return { points, box: extent(points) };
  }
}

export class World {
  constructor(packed) {
    const size = new DataView(packed).getUint32(0, true);
    const index = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, size)));
    const { shapes } = new Reader(new Float32Array(packed, 4 + size));
    this.countries = index.countries.map(([name, rings]) => ({ name, rings: shapes(rings) }));
    this.baseTiles = new Map(
      index.tiles.map(([key, { land, coast, borders }]) => [
        key,
        { land: shapes(land), coast: shapes(coast), borders: shapes(borders) },
      ]),
    );
    this.level = Number(index.tiles[0][0].split("/")[0]);
    this.cache = new Map();
  }

  /** Return the parts of the world in one tile. They are cut out of the tile above, so that deep tiles are cheap. */
  tile(z, x, y) {
    const key = tileKey(z, x, y);
    if (z <= this.level) return this.baseTiles.get(key) ?? EMPTY_TILE;
    let tile = this.cache.get(key);
    if (!tile) {
      tile = cutTile(this.tile(z - 1, x >> 1, y >> 1), z, x, y);
      if (this.cache.size >= MAX_CACHED_TILES) this.cache.delete(this.cache.keys().next().value);
      this.cache.set(key, tile);
    }
    return tile;
  }

  countryAt(x, y) {
    const coversPoint = (pointX) => ({ box }) => box[0] <= pointX && pointX <= box[2] && box[1] <= y && y <= box[3];
    const isInCountry = ({ rings }, pointX) =>
      insideRings(rings.filter(coversPoint(pointX)).map(({ points }) => points), pointX, y);
    return this.countries.find((country) => [-1, 0, 1].some((copy) => isInCountry(country, x + copy)))?.name ?? null;
  }
}

/** Load an atlas, which is already cut into tiles of one zoom level. */
export async function loadWorld(detail) {
  const response = await fetch(`/world/${detail}`);
  if (!response.ok) throw new Error(`the world map (${detail}) is missing`);
  return new World(await response.arrayBuffer());
}
