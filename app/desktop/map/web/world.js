// The built-in world: land, coast, borders and countries in world units, cut to tiles when asked.

import { unwrap, worldX, worldY } from "./geo.js";
import { clipLine, clipRing, contains, extent, insideRings, overlaps } from "./clip.js";

const TILES_KEPT = 1500;
const MARGIN = 8 / 256;

const WORLD = [0, -Infinity, 1, Infinity];
const EVERYWHERE = [-MARGIN, -Infinity, 1 + MARGIN, Infinity];

const flat = (positions) => positions.flatMap(([longitude, latitude]) => [worldX(longitude), worldY(latitude)]);

const shaped = (points) => ({ points, box: extent(points) });

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

/** What a shape shows of itself in the one world of the tiles: also its other end, across ±180°. */
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

function countryOf(feature) {
  const rings = polygonsOf(feature.geometry).flat().map(ringOf);
  const boxes = rings.map(extent);
  const side = (index, pick) => pick(...boxes.map((box) => box[index]));
  const box = [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
  return { name: feature.properties.name, rings, box };
}

function pieces(parent, box) {
  const cut = (clip) => (shape) => {
    if (!overlaps(shape.box, box)) return [];
    return contains(box, shape.box) ? [shape] : clip(shape);
  };
  const ring = cut((shape) => {
    const points = clipRing(shape.points, box);
    return points.length ? [shaped(points)] : [];
  });
  const line = cut((shape) => clipLine(shape.points, box).map(shaped));
  return { land: parent.land.flatMap(ring), coast: parent.coast.flatMap(line), borders: parent.borders.flatMap(line) };
}

export class World {
  constructor(atlas) {
    const { countries, land } = atlas.objects;
    const lines = (filter) => topojson.mesh(atlas, countries, filter).coordinates;
    const landParts = topojson.feature(atlas, land);
    const geometries = landParts.features ? landParts.features.map((part) => part.geometry) : [landParts.geometry];
    this.root = {
      land: geometries.flatMap(polygonsOf).flat().map(ringOf).flatMap(ringPieces).map(shaped),
      coast: lines((a, b) => a === b).flatMap(withoutCut).flatMap(linePieces).map(shaped),
      borders: lines((a, b) => a !== b).flatMap(linePieces).map(shaped),
    };
    this.countries = topojson.feature(atlas, countries).features.map(countryOf);
    this.tiles = new Map();
  }

  /** The parts of the world in one tile: cut out of the tile above, so that deep tiles stay cheap. */
  tile(z, x, y) {
    if (z === 0) return this.root;
    const key = `${z}/${x}/${y}`;
    let tile = this.tiles.get(key);
    if (!tile) {
      const size = 2 ** -z;
      const box = [(x - MARGIN) * size, (y - MARGIN) * size, (x + 1 + MARGIN) * size, (y + 1 + MARGIN) * size];
      tile = pieces(this.tile(z - 1, x >> 1, y >> 1), box);
      if (this.tiles.size >= TILES_KEPT) this.tiles.delete(this.tiles.keys().next().value);
      this.tiles.set(key, tile);
    }
    return tile;
  }

  countryAt(x, y) {
    const covers = ({ box, rings }, at) => overlaps(box, [at, y, at, y]) && insideRings(rings, at, y);
    return this.countries.find((country) => [-1, 0, 1].some((copy) => covers(country, x + copy)))?.name ?? null;
  }
}

/** The finest atlas is worth loading only when the user comes near; without it the middle one stays. */
export async function loadWorld(detail) {
  const answer = await fetch(`/assets/world-atlas/countries-${detail}.json`);
  if (!answer.ok) throw new Error(`the world map (${detail}) is missing`);
  return new World(await answer.json());
}
