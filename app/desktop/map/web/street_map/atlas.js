// A worker that reads an atlas: unpacks it into world units and cuts it to tiles, while the page goes on drawing.

import "/assets/topojson-client/topojson-client.min.js";
import { clipLine, clipRing, contains, extent } from "../geometry/clip.js";
import { unwrap, worldX, worldY } from "../geometry/geo.js";
import { cutTile, MARGIN, shaped, tileKey } from "../geometry/parts.js";

const WORLD = [0, -Infinity, 1, Infinity];
const EVERYWHERE = [-MARGIN, -Infinity, 1 + MARGIN, Infinity];

function flat(positions) {
  const points = new Float64Array(2 * positions.length);
  positions.forEach(([longitude, latitude], index) => {
    points[2 * index] = worldX(longitude);
    points[2 * index + 1] = worldY(latitude);
  });
  return points;
}

const polygonsOf = (geometry) =>
  geometry.type === "Polygon" ? [geometry.coordinates] : geometry.type === "MultiPolygon" ? geometry.coordinates : [];

/** A ring made continuous across ±180°; one that goes round a pole is closed along it. */
function ringOf(positions) {
  const ring = unwrap(positions);
  const [first, last] = [ring[0], ring.at(-1)];
  if (Math.abs(last[0] - first[0]) < 180) return flat(ring);
  const pole = Math.sign(first[1]) * 90;
  return flat([...ring, [last[0], pole], [first[0], pole]]);
}

/** The part of a shape that shows in the one world of the tiles: also its other end, across ±180°. */
function inWorld(points, clip) {
  if (contains(WORLD, extent(points))) return [points];
  return [-1, 0, 1].flatMap((copy) => clip(points.map((value, index) => (index % 2 ? value : value + copy)), EVERYWHERE));
}

/** The atlas closes some coasts along ±180° and the pole; that is a cut and not a coast. */
function withoutCut(positions) {
  const onCut = ([longitude, latitude]) => Math.abs(longitude) > 179.99 || latitude < -89.9;
  const lines = [[]];
  positions.forEach((position, index) => {
    if (index > 0 && onCut(position) && onCut(positions[index - 1])) lines.push([]);
    lines.at(-1).push(position);
  });
  return lines.filter((line) => line.length > 1);
}

const ringPieces = (points) => inWorld(points, (ring, box) => [clipRing(ring, box)].filter((part) => part.length));
const linePieces = (positions) => inWorld(flat(unwrap(positions)), clipLine);

const countryOf = ({ properties, geometry }) => ({
  name: properties.name,
  rings: polygonsOf(geometry).flat().map(ringOf).map(shaped),
});

function wholeWorld(atlas) {
  const { countries, land } = atlas.objects;
  const lines = (filter) => topojson.mesh(atlas, countries, filter).coordinates;
  const landParts = topojson.feature(atlas, land);
  const geometries = landParts.features ? landParts.features.map((part) => part.geometry) : [landParts.geometry];
  return {
    land: geometries.flatMap(polygonsOf).flat().map(ringOf).flatMap(ringPieces).map(shaped),
    coast: lines((a, b) => a === b).flatMap(withoutCut).flatMap(linePieces).map(shaped),
    borders: lines((a, b) => a !== b).flatMap(linePieces).map(shaped),
  };
}

/** @returns {[number, number, number, any]} */
function tileOf(parts, z, x, y) {
  return [z, x, y, cutTile(parts, z, x, y)];
}

/** The tiles of a level, in [z, x, y, parts]; the ones that are all sea are left out. */
function tilesAt(level, root) {
  /** @type {[number, number, number, any][]} */
  let tiles = [[0, 0, 0, root]];
  for (let z = 1; z <= level; z += 1) {
    tiles = tiles.flatMap(([, x, y, parts]) =>
      [[0, 0], [1, 0], [0, 1], [1, 1]]
        .map(([right, down]) => tileOf(parts, z, 2 * x + right, 2 * y + down))
        .filter(([, , , { land, coast }]) => land.length || coast.length),
    );
  }
  return tiles;
}

/** All points in one array, which goes to the page without being copied. */
class Packer {
  constructor() {
    this.size = 0;
    this.starts = new Map();
    this.pack = this.pack.bind(this);
  }

  pack({ points, box }) {
    if (!this.starts.has(points)) {
      this.starts.set(points, this.size);
      this.size += points.length;
    }
    const start = this.starts.get(points);
    return { start, end: start + points.length, box };
  }

  packed() {
    const all = new Float64Array(this.size);
    for (const [points, start] of this.starts) all.set(points, start);
    return all;
  }
}

async function read({ detail, level }) {
  const answer = await fetch(`/assets/world-atlas/countries-${detail}.json`);
  if (!answer.ok) throw new Error(`the world map (${detail}) is missing`);
  const atlas = await answer.json();
  const packer = new Packer();
  const packAll = ({ land, coast, borders }) => ({
    land: land.map(packer.pack),
    coast: coast.map(packer.pack),
    borders: borders.map(packer.pack),
  });
  const countries = topojson.feature(atlas, atlas.objects.countries).features.map(countryOf);
  const named = countries.map(({ name, rings }) => ({ name, rings: rings.map(packer.pack) }));
  const tiles = tilesAt(level, wholeWorld(atlas)).map(([z, x, y, parts]) => [tileKey(z, x, y), packAll(parts)]);
  return { points: packer.packed(), countries: named, tiles };
}

onmessage = async ({ data }) => {
  try {
    const world = await read(data);
    postMessage({ world }, { transfer: [world.points.buffer] });
  } catch (error) {
    postMessage({ error: error.message });
  }
};
