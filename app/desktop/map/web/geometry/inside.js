// Positions inside a polygon with several rings. Each ring is a flat array: [x0, y0, x1, y1, …].

import { extent, insideRings } from "./clip.js";

const SCAN_LINES = 15;

/** @typedef {{ x: number, y: number, width: number }} Place A position with the width of the interior around it. */

/** Return twice the signed area of a ring and its moments, all relative to a point. */
function momentsOf(ring, x, y) {
  let [area, momentX, momentY] = [0, 0, 0];
  for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
    const [x0, y0, x1, y1] = [ring[from] - x, ring[from + 1] - y, ring[to] - x, ring[to + 1] - y];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    momentX += (x0 + x1) * cross;
    momentY += (y0 + y1) * cross;
  }
  return [area, momentX, momentY];
}

/** Return the area of a part of a polygon: an outer ring and its holes. */
export function areaOfPart([outer, ...holes]) {
  const areaOf = (ring) => Math.abs(momentsOf(ring, outer[0], outer[1])[0]) / 2;
  return holes.reduce((area, hole) => area - areaOf(hole), areaOf(outer));
}

/** Return the centroid of a part, which may be in a hole or outside. */
function centroidOf([outer, ...holes]) {
  const [x, y] = outer;
  const sums = [0, 0, 0];
  for (const ring of [outer, ...holes]) {
    const moments = momentsOf(ring, x, y);
    // Rings run in any direction.
    const sign = Math.sign(moments[0]) * (ring === outer ? 1 : -1);
    moments.forEach((moment, index) => (sums[index] += sign * moment));
  }
  return { x: x + sums[1] / (3 * sums[0]), y: y + sums[2] / (3 * sums[0]) };
}

/** Return the middle of the widest piece of the interior at a height, or null if there is none. */
function widestAt(rings, y) {
  const crossings = [];
  for (const ring of rings) {
    for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
      if (ring[to + 1] > y === ring[from + 1] > y) continue;
      crossings.push(ring[to] + ((y - ring[to + 1]) / (ring[from + 1] - ring[to + 1])) * (ring[from] - ring[to]));
    }
  }
  crossings.sort((a, b) => a - b);
  /** @type {Place | null} */
  let widest = null;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = crossings[i + 1] - crossings[i];
    if (width > (widest?.width ?? 0)) widest = { x: crossings[i] + width / 2, y, width };
  }
  return widest;
}

/**
 * Return positions inside a part of a polygon: its centroid if that is inside, then others, those with most room first.
 */
export function placesInside(rings) {
  const centroid = centroidInside(rings);
  return centroid ? [centroid, ...roomyPlaces(rings)] : roomyPlaces(rings);
}

/** Return a position inside a part of a polygon: its centroid if that is inside. */
export const centerInside = (rings) => centroidInside(rings) ?? roomyPlaces(rings)[0];

function centroidInside(rings) {
  const centroid = centroidOf(rings);
  return insideRings(rings, centroid.x, centroid.y) ? centroid : null;
}

/** Return positions inside a part of a polygon at several heights, those with most room first. */
function roomyPlaces(rings) {
  const [, top, , bottom] = extent(rings[0]);
  const lines = Array.from({ length: SCAN_LINES }, (_, line) => top + ((line + 0.5) * (bottom - top)) / SCAN_LINES);
  const places = lines.map((y) => widestAt(rings, y)).filter((place) => place !== null);
  return places.sort((a, b) => b.width - a.width);
}
