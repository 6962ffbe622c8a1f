// Conversions between degrees, world units (the Mercator square as 0..1) and metres.

import { quantity } from "../texts.js";

export const EARTH_RADIUS = 6371000;
const MAX_LATITUDE = 85.0511287798;
const RADIANS = Math.PI / 180;

export const worldX = (longitude) => longitude / 360 + 0.5;

export function worldY(latitude) {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sine = Math.sin(clamped * RADIANS);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export const latitudeAt = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / RADIANS;

export function metresPerPixel(latitude, zoom) {
  return (2 * Math.PI * EARTH_RADIUS * Math.cos(latitude * RADIANS)) / (256 * 2 ** zoom);
}

/** Return a longitude shifted by full turns to be as near to another one as possible. */
export function nearestCopy(longitude, reference) {
  return longitude + 360 * Math.round((reference - longitude) / 360);
}

/** Return continuous positions: each step takes the shorter way around the globe, also across ±180°. */
export function unwrap(positions) {
  let previous = positions[0]?.[0];
  return positions.map(([longitude, latitude]) => {
    previous = nearestCopy(longitude, previous);
    return [previous, latitude];
  });
}

/** Return alternating longitudes and latitudes with continuous longitudes. */
function continuous(degrees) {
  const ring = Float64Array.from(degrees);
  for (let i = 2; i < ring.length; i += 2) ring[i] = nearestCopy(ring[i], ring[i - 2]);
  return ring;
}

/** Return the western and the eastern end of a ring. */
function endsOf(ring) {
  let [west, east] = [Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    west = Math.min(west, ring[i]);
    east = Math.max(east, ring[i]);
  }
  return [west, east];
}

function shift(ring, degrees) {
  if (degrees) for (let i = 0; i < ring.length; i += 2) ring[i] += degrees;
  return ring;
}

/** Shift a hole by full turns so that its middle is as near as possible to that of its outer ring. */
function shiftInto(outer, hole) {
  const [[west, east], [holeWest, holeEast]] = [endsOf(outer), endsOf(hole)];
  const middle = (holeWest + holeEast) / 2;
  return shift(hole, nearestCopy(middle, (west + east) / 2) - middle);
}

/**
 * Return the full turns, in degrees, by which parts are shifted so that they are together as narrow as possible. The
 * first part keeps its place.
 */
function turnsOf(ends) {
  const turns = ends.map(([west]) => -360 * Math.floor(west / 360));
  const order = ends.map((_, part) => part).sort((a, b) => ends[a][0] + turns[a] - ends[b][0] - turns[b]);
  const [starts, reached] = [0, 1].map((side) => order.map((part) => ends[part][side] + turns[part]));
  // How far the parts before reach, which include those that cross the meridian where the order begins.
  let reach = Math.max(...reached) - 360;
  let [widest, last] = [-Infinity, 0];
  order.forEach((_, at) => {
    reach = Math.max(reach, reached[at]);
    const gap = (at + 1 < order.length ? starts[at + 1] : starts[0] + 360) - reach;
    if (gap > widest) [widest, last] = [gap, at];
  });
  for (const part of order.slice(0, last + 1)) turns[part] += 360;
  return turns.map((turn) => turn - turns[0]);
}

/**
 * Return the rings of each part of a polygon with continuous longitudes: holes near their outer ring, and parts near
 * each other. All rings are alternating longitudes and latitudes, and the first ring of a part is its outer ring.
 */
export function continuousParts(parts) {
  const outers = parts.map(([outer]) => continuous(outer));
  const turns = parts.length > 1 ? turnsOf(outers.map(endsOf)) : [0];
  return parts.map(([, ...holes], part) => {
    const outer = shift(outers[part], turns[part]);
    return [outer, ...holes.map((hole) => shiftInto(outer, continuous(hole)))];
  });
}

/** Return a circle on the ground as an ellipse in world units. */
export function groundCircle(longitude, latitude, radius) {
  const angle = radius / EARTH_RADIUS;
  const top = worldY(latitude + angle / RADIANS);
  const bottom = worldY(latitude - angle / RADIANS);
  const y = (top + bottom) / 2;
  const phiMiddle = latitudeAt(y) * RADIANS;
  const phi = latitude * RADIANS;
  const cosine = (Math.cos(angle) - Math.sin(phi) * Math.sin(phiMiddle)) / (Math.cos(phi) * Math.cos(phiMiddle));
  const halfWidth = Math.acos(Math.max(-1, Math.min(1, cosine))) / (2 * Math.PI);
  return { x: worldX(longitude), y, rx: halfWidth, ry: (bottom - top) / 2 };
}

/** Return the largest 1, 2 or 5 times a power of ten that does not exceed `limit`. */
export function niceLength(limit) {
  const power = 10 ** Math.floor(Math.log10(limit));
  const digit = limit / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

export function formatLength(metres) {
  if (metres < 10) return `${quantity(metres, 1)} m`;
  if (metres < 10000) return `${quantity(Math.round(metres))} m`;
  return `${quantity(Math.round(metres / 1000))} km`;
}

/** Return the area within points; the last one is connected to the first. */
export function areaOf(points) {
  const doubleArea = points.reduce((sum, { x, y }, index) => {
    const next = points[(index + 1) % points.length];
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(doubleArea) / 2;
}

/** Format a position in the usual order: latitude, then longitude. */
export function formatPosition({ lat, lng }) {
  return `${lat.toFixed(5)}, ${nearestCopy(lng, 0).toFixed(5)}`;
}

/** Round to seven decimals, the precision of the window. */
export const rounded = (degrees) => Math.round(degrees * 1e7) / 1e7;

/** Whether a shape is an isochrone. Its destination can be moved, but its outline cannot be edited. */
export const isIsochrone = (shape) => Boolean(shape.ring) && shape.longitude !== undefined;
