// The rings of a polygon: its parts as arrays of rings, the outer ring first, and the first fault among them. The window
// validates shapes completely; the faults found here are those that a mouse can cause.

import { extent, overlaps } from "./clip.js";
import { nearestCopy, unwrap } from "./geo.js";
import { tr } from "../texts.js";

/** @typedef {{ text: string, at: [number, number] }} Fault A reason why a shape is invalid, and a position. */

const CROSSING = tr("The outline must not cross itself");
const HOLE_CROSSES = tr("A hole must not cross the outline or another hole");
const HOLE_OUTSIDE = tr("A hole must be inside the outline");
const HOLES_OVERLAP = tr("Holes must not overlap");
const PARTS_OVERLAP = tr("Parts must not overlap");
const HOLE_OUTSIDE_SHAPE = tr("A hole must be inside the geofence");
const HOLE_IN_HOLE = tr("There is already a hole");
/** Distance in degrees below which a point is on an edge: rounding errors of positions are smaller. */
const ON_EDGE = 1e-11;

/** Return the closed rings of each part of a shape, its outer ring first. */
export const partsOf = ({ ring, holes = [], others = [] }) =>
  [{ ring, holes }, ...others].map((part) => [part.ring, ...(part.holes ?? [])]);

/** Return the shape with these closed rings. */
export function shapeOfParts(parts) {
  const [[ring, ...holes], ...others] = parts;
  const rest = others.map(([outer, ...inner]) => ({ ring: outer, holes: inner }));
  return { ring, ...(holes.length && { holes }), ...(rest.length && { others: rest }) };
}

/**
 * Return the parts of a shape as open rings with continuous longitudes, near a reference longitude. Holes are inside
 * their outer ring and all parts near the first, also across ±180°.
 */
export function openParts(shape, reference) {
  let middle = null;
  return partsOf(shape).map((rings) => {
    const [outer, ...holes] = rings.map((ring) => unwrap(ring).slice(0, -1));
    const near = middle ?? middleOf(outer) + nearestCopy(outer[0][0], reference) - outer[0][0];
    const placed = nearTo(outer, near);
    middle ??= middleOf(placed);
    return [placed, ...holes.map((hole) => nearTo(hole, middleOf(placed)))];
  });
}

/** Return parts with open rings in the copy of the world that is nearest to a ring. */
export function placedNear(parts, ring) {
  const middle = middleOf(parts[0][0]);
  const shift = nearestCopy(middle, middleOf(ring)) - middle;
  return shift ? parts.map((rings) => rings.map((each) => each.map(([x, y]) => [x + shift, y]))) : parts;
}

function middleOf(ring) {
  const longitudes = ring.map(([longitude]) => longitude);
  return (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
}

function nearTo(ring, reference) {
  const middle = middleOf(ring);
  const shift = nearestCopy(middle, reference) - middle;
  return shift ? ring.map(([longitude, latitude]) => [longitude + shift, latitude]) : ring;
}

/**
 * Return the first fault of parts with open rings, or null. Rings may touch each other here, as the window decides
 * about that.
 * @returns {Fault | null}
 */
export function faultOf(parts) {
  const rings = parts.flatMap((part, number) => part.map((ring, index) => ({ ring: distinct(ring), part: number, isHole: index > 0 })));
  return crossingOf(rings) ?? parts.reduce((fault, part) => fault ?? holeFault(part), null) ?? overlapOf(parts);
}

/**
 * Return the first fault of a hole that is added to parts with open rings, or null. It may overlap existing holes,
 * which become one with it, and lie across parts that meet. Unless it is `done`, only its vertices are checked.
 * @returns {Fault | null}
 */
export function holeFaultOf(parts, hole, done) {
  const isOutside = (point) => parts.every(([outer]) => placeOf(point, outer) < 0);
  const points = done ? [...hole, ...middlesOf(hole, parts.map(([outer]) => outer))] : hole;
  const outside = points.find(isOutside);
  if (outside) return { text: HOLE_OUTSIDE_SHAPE, at: outside };
  const isInside = (other) => [...hole, ...middlesOf(hole, [other])].every((point) => placeOf(point, other) >= 0);
  const isTaken = done && parts.some(([, ...holes]) => holes.some(isInside));
  return isTaken ? { text: HOLE_IN_HOLE, at: hole[0] } : null;
}

/** Return the middle of each piece of a ring between its vertices and its crossings with other rings. */
function middlesOf(ring, others) {
  const edges = others.flatMap((other) => other.map((from, index) => edgeOf({ ring: other }, index, from)));
  return ring.flatMap((from, index) => {
    const edge = edgeOf({ ring }, index, from);
    const shares = edges.filter((other) => cross(edge, other)).map((other) => shareOf(edge, other));
    const stops = [0, ...shares.sort((a, b) => a - b), 1];
    return stops.slice(1).map((stop, place) => pointOn(edge, (stops[place] + stop) / 2));
  });
}

/** Leave out vertices that repeat the previous one, as the window does. */
const distinct = (ring) =>
  ring.filter(([x, y], index) => {
    const [previousX, previousY] = ring.at(index - 1);
    return x !== previousX || y !== previousY;
  });

/**
 * Return a fault where two edges cross, or where two edges of one ring touch.
 * @returns {Fault | null}
 */
function crossingOf(rings) {
  const edges = rings.flatMap((owner) => owner.ring.map((from, index) => edgeOf(owner, index, from)));
  edges.sort((a, b) => a.left - b.left);
  for (let i = 0; i < edges.length; i += 1) {
    const edge = edges[i];
    for (let j = i + 1; j < edges.length && edges[j].left <= edge.right; j += 1) {
      const other = edges[j];
      if (other.bottom > edge.top || other.top < edge.bottom) continue;
      const isOwn = edge.owner === other.owner;
      if (isOwn ? areNeighbours(edge, other) || !meet(edge, other) : !cross(edge, other)) continue;
      return { text: isOwn ? CROSSING : crossingText(edge.owner, other.owner), at: intersection(edge, other) };
    }
  }
  return null;
}

const crossingText = (one, other) => (one.part === other.part ? HOLE_CROSSES : PARTS_OVERLAP);

function edgeOf(owner, index, from) {
  const to = owner.ring[(index + 1) % owner.ring.length];
  return {
    owner,
    index,
    from,
    to,
    left: Math.min(from[0], to[0]),
    right: Math.max(from[0], to[0]),
    bottom: Math.min(from[1], to[1]),
    top: Math.max(from[1], to[1]),
  };
}

function areNeighbours(edge, other) {
  const step = Math.abs(edge.index - other.index);
  return step === 1 || step === edge.owner.ring.length - 1;
}

/** Return 1 or -1 for a point to the left or right of an edge, and 0 for one on its line. */
function sideOf({ from, to }, [x, y]) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const distance = (dx * (y - from[1]) - dy * (x - from[0])) / Math.hypot(dx, dy);
  return Math.abs(distance) <= ON_EDGE ? 0 : Math.sign(distance);
}

const cross = (one, other) =>
  sideOf(one, other.from) * sideOf(one, other.to) < 0 && sideOf(other, one.from) * sideOf(other, one.to) < 0;

const meet = (one, other) =>
  sideOf(one, other.from) * sideOf(one, other.to) <= 0 && sideOf(other, one.from) * sideOf(other, one.to) <= 0;

const intersection = (edge, other) => pointOn(edge, shareOf(edge, other));

/** @returns {[number, number]} */
const pointOn = ({ from, to }, share) => [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];

/** Return the position of the crossing with another edge, as a share of an edge's length. */
function shareOf({ from, to }, other) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [ex, ey] = [other.to[0] - other.from[0], other.to[1] - other.from[1]];
  const area = dx * ey - dy * ex;
  return area ? ((other.from[0] - from[0]) * ey - (other.from[1] - from[1]) * ex) / area : 0.5;
}

function holeFault([outer, ...holes]) {
  const outside = holes.find((hole) => relationOf(hole, outer) < 0);
  if (outside) return { text: HOLE_OUTSIDE, at: outside[0] };
  const overlapping = holes.find((hole, index) =>
    holes.some((other, place) => place !== index && relationOf(hole, other) >= 0),
  );
  return overlapping ? { text: HOLES_OVERLAP, at: overlapping[0] } : null;
}

function overlapOf(parts) {
  const covers = ([outer, ...holes], [inner]) =>
    relationOf(inner, outer) > 0 && !holes.some((hole) => relationOf(inner, hole) >= 0);
  const part = parts.find((inner) => parts.some((outer) => outer !== inner && covers(outer, inner)));
  return part ? { text: PARTS_OVERLAP, at: part[0][0] } : null;
}

/** Boxes of rings, since each is compared with many others. */
const boxes = new WeakMap();

function boxOf(ring) {
  if (!boxes.has(ring)) boxes.set(ring, extent(ring.flat()));
  return boxes.get(ring);
}

/** Return 1 if a ring that does not cross another is inside it, -1 if it is outside, and 0 if all of it is on it. */
function relationOf(ring, other) {
  if (!overlaps(boxOf(ring), boxOf(other))) return -1;
  for (let index = 0; index < ring.length; index += 1) {
    const [from, to] = [ring[index], ring[(index + 1) % ring.length]];
    const side = placeOf(from, other) || placeOf([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], other);
    if (side) return side;
  }
  return 0;
}

/** Return 1 for a point inside a ring, -1 for one outside, and 0 for one on it. */
export function placeOf(point, ring) {
  const [x, y] = point;
  let inside = false;
  for (let to = 0, from = ring.length - 1; to < ring.length; from = to, to += 1) {
    const [a, b] = [ring[from], ring[to]];
    if (isOn(point, a, b)) return 0;
    if (a[1] > y !== b[1] > y && x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
  }
  return inside ? 1 : -1;
}

function isOn([x, y], a, b) {
  if (x < Math.min(a[0], b[0]) - ON_EDGE || x > Math.max(a[0], b[0]) + ON_EDGE) return false;
  if (y < Math.min(a[1], b[1]) - ON_EDGE || y > Math.max(a[1], b[1]) + ON_EDGE) return false;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  if (length === 0) return true;
  return Math.abs(dx * (y - a[1]) - dy * (x - a[0])) / length <= ON_EDGE;
}
