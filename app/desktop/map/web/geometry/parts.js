// Land, coast and borders of one tile of the world, and cutting them out of a larger one.

import { clipLine, clipRing, contains, extent, overlaps } from "./clip.js";

/** How much of its neighbours a tile has too, so that no line ends at its edge. */
export const MARGIN = 8 / 256;

export const NOTHING = { land: [], coast: [], borders: [] };

export const shaped = (points) => ({ points, box: extent(points) });

export const tileKey = (z, x, y) => `${z}/${x}/${y}`;

/** The box of a tile in world units, made larger on all sides by a share of its size. */
export function tileBox(z, x, y, more = 0) {
  const size = 2 ** -z;
  return [(x - more) * size, (y - more) * size, (x + 1 + more) * size, (y + 1 + more) * size];
}

function cutter(clip, box) {
  return (shape) => {
    if (!overlaps(shape.box, box)) return [];
    return contains(box, shape.box) ? [shape] : clip(shape.points, box, shape.box).map(shaped);
  };
}

const ringPieces = (points, box, around) => [clipRing(points, box, around)].filter((ring) => ring.length);

/** The parts of one tile, cut out of those of a tile around it. */
export function cutTile(parent, z, x, y) {
  const box = tileBox(z, x, y, MARGIN);
  const line = cutter(clipLine, box);
  return {
    land: parent.land.flatMap(cutter(ringPieces, box)),
    coast: parent.coast.flatMap(line),
    borders: parent.borders.flatMap(line),
  };
}
