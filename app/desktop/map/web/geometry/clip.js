// Clipping of rings and lines. Points are flat arrays: [x0, y0, x1, y1, …].

const SIDES = [
  { axis: 0, sign: 1, edge: 0 },
  { axis: 0, sign: -1, edge: 2 },
  { axis: 1, sign: 1, edge: 1 },
  { axis: 1, sign: -1, edge: 3 },
];

function crossing(points, from, to, axis, limit) {
  const fraction = (limit - points[from + axis]) / (points[to + axis] - points[from + axis]);
  return [
    points[from] + fraction * (points[to] - points[from]),
    points[from + 1] + fraction * (points[to + 1] - points[from + 1]),
  ];
}

function clipRingAtSide(ring, { axis, sign, edge }, box) {
  const limit = box[edge];
  const clipped = [];
  for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
    const fromInside = sign * (ring[from + axis] - limit) >= 0;
    const toInside = sign * (ring[to + axis] - limit) >= 0;
    if (fromInside !== toInside) clipped.push(...crossing(ring, from, to, axis, limit));
    if (toInside) clipped.push(ring[to], ring[to + 1]);
  }
  return clipped;
}

/** Return the sides of `box` that a shape with the extent `bounds` crosses; the other sides need no clipping. */
const crossed = (bounds, box) => SIDES.filter(({ sign, edge }) => sign * (bounds[edge] - box[edge]) < 0);

/** Return the part of a ring inside `box` = [minX, minY, maxX, maxY], which may be empty. */
export function clipRing(ring, box, bounds = extent(ring)) {
  return crossed(bounds, box).reduce((part, side) => (part.length ? clipRingAtSide(part, side, box) : part), ring);
}

function clipLineAtSide(line, { axis, sign, edge }, box) {
  const limit = box[edge];
  const pieces = [];
  let piece = [];
  for (let i = 0; i < line.length; i += 2) {
    const inside = sign * (line[i + axis] - limit) >= 0;
    if (i > 0) {
      const wasInside = sign * (line[i - 2 + axis] - limit) >= 0;
      if (inside !== wasInside) piece.push(...crossing(line, i - 2, i, axis, limit));
      if (wasInside && !inside) {
        pieces.push(piece);
        piece = [];
      }
    }
    if (inside) piece.push(line[i], line[i + 1]);
  }
  if (piece.length > 2) pieces.push(piece);
  return pieces;
}

/** Return the pieces of a line inside `box`. */
export function clipLine(line, box, bounds = extent(line)) {
  const cut = (pieces, side) => pieces.flatMap((piece) => clipLineAtSide(piece, side, box));
  return crossed(bounds, box).reduce(cut, [line]);
}

/** @typedef {[number, number, number, number]} Box [minX, minY, maxX, maxY] */

export function extent(points) {
  /** @type {Box} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]);
    box[1] = Math.min(box[1], points[i + 1]);
    box[2] = Math.max(box[2], points[i]);
    box[3] = Math.max(box[3], points[i + 1]);
  }
  return box;
}

export const overlaps = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

export const contains = (outer, inner) =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** Return whether a point is inside the rings, by the even-odd rule. */
export function insideRings(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
      const above = ring[to + 1] > y;
      if (above === ring[from + 1] > y) continue;
      const fraction = (y - ring[to + 1]) / (ring[from + 1] - ring[to + 1]);
      if (x < ring[to] + fraction * (ring[from] - ring[to])) inside = !inside;
    }
  }
  return inside;
}
