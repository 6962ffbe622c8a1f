// Cutting rings and lines at a box. Points are flat: [x0, y0, x1, y1, …].

const SIDES = [
  { axis: 0, sign: 1, edge: 0 },
  { axis: 0, sign: -1, edge: 2 },
  { axis: 1, sign: 1, edge: 1 },
  { axis: 1, sign: -1, edge: 3 },
];

function crossing(points, from, to, axis, limit) {
  const share = (limit - points[from + axis]) / (points[to + axis] - points[from + axis]);
  return [
    points[from] + share * (points[to] - points[from]),
    points[from + 1] + share * (points[to + 1] - points[from + 1]),
  ];
}

function clipRingAtSide(ring, { axis, sign, edge }, box) {
  const limit = box[edge];
  const kept = [];
  for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
    const fromInside = sign * (ring[from + axis] - limit) >= 0;
    const toInside = sign * (ring[to + axis] - limit) >= 0;
    if (fromInside !== toInside) kept.push(...crossing(ring, from, to, axis, limit));
    if (toInside) kept.push(ring[to], ring[to + 1]);
  }
  return kept;
}

/** The sides of `box` that something with the extent `around` crosses: at the others there is nothing to cut. */
const crossed = (around, box) => SIDES.filter(({ sign, edge }) => sign * (around[edge] - box[edge]) < 0);

/** The part of a ring inside `box` = [minX, minY, maxX, maxY]; empty where there is none. */
export function clipRing(ring, box, around = extent(ring)) {
  return crossed(around, box).reduce((rest, side) => (rest.length ? clipRingAtSide(rest, side, box) : rest), ring);
}

function clipLineAtSide(line, { axis, sign, edge }, box) {
  const limit = box[edge];
  const pieces = [];
  let piece = [];
  for (let at = 0; at < line.length; at += 2) {
    const inside = sign * (line[at + axis] - limit) >= 0;
    if (at > 0) {
      const wasInside = sign * (line[at - 2 + axis] - limit) >= 0;
      if (inside !== wasInside) piece.push(...crossing(line, at - 2, at, axis, limit));
      if (wasInside && !inside) {
        pieces.push(piece);
        piece = [];
      }
    }
    if (inside) piece.push(line[at], line[at + 1]);
  }
  if (piece.length > 2) pieces.push(piece);
  return pieces;
}

/** The pieces of a line inside `box`. */
export function clipLine(line, box, around = extent(line)) {
  const cut = (pieces, side) => pieces.flatMap((piece) => clipLineAtSide(piece, side, box));
  return crossed(around, box).reduce(cut, [line]);
}

/** @typedef {[number, number, number, number]} Box [minX, minY, maxX, maxY] */

export function extent(points) {
  /** @type {Box} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    box[0] = Math.min(box[0], points[at]);
    box[1] = Math.min(box[1], points[at + 1]);
    box[2] = Math.max(box[2], points[at]);
    box[3] = Math.max(box[3], points[at + 1]);
  }
  return box;
}

export const overlaps = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

export const contains = (outer, inner) =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** Whether a point is inside the rings, by the even-odd rule. */
export function insideRings(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
      const above = ring[to + 1] > y;
      if (above === ring[from + 1] > y) continue;
      const share = (y - ring[to + 1]) / (ring[from + 1] - ring[to + 1]);
      if (x < ring[to] + share * (ring[from] - ring[to])) inside = !inside;
    }
  }
  return inside;
}
