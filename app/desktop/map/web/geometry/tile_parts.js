// Land, coast and borders of one tile of the world, and cutting them out of a larger tile.

import { clipLine, clipRing, contains, extent, overlaps } from "./clip.js";

/** How far a tile extends into its neighbours, so that no line ends at its edge. */
export const MARGIN = 8 / 256;

export const EMPTY_TILE = { land: [], coast: [], borders: [] };

export const toShape = (points) => ({ points, box: extent(points) });

export const tileKey = (z, x, y) => `${z}/${x}/${y}`;

/** Return the box of a tile in world units, extended on all sides by a share of its size. */
export function tileBox(z, x, y, margin = 0) {
  const size = 2 ** -z;
  return [(x - margin) * size, (y - margin) * size, (x + 1 + margin) * size, (y + 1 + margin) * size];
}

function cutter(clip, box) {
  return (shape) => {
    if (!overlaps(shape.box, box)) return [];
    return contains(box, shape.box) ? [shape] : clip(shape.points, box, shape.box).map(toShape);
  };
}

const ringPieces = (points, box, bounds) => [clipRing(points, box, bounds)].filter((ring) => ring.length);

/** Return the parts of one tile, cut out of those of a tile that contains it. */
export function cutTile(parent, z, x, y) {
  const box = tileBox(z, x, y, MARGIN);
  const line = cutter(clipLine, box);
  return {
    land: parent.land.flatMap(cutter(ringPieces, box)),
    coast: parent.coast.flatMap(line),
    borders: parent.borders.flatMap(line),
  };
}
