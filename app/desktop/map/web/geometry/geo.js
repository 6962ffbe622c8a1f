// Degrees, world units (the Mercator square as 0..1) and metres.

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

/** The copy of a meridian that is nearest to another one. */
export function nearestCopy(longitude, reference) {
  return longitude + 360 * Math.round((reference - longitude) / 360);
}

/** Positions made continuous: every step is the short way round, also across ±180°. */
export function unwrap(positions) {
  let previous = positions[0]?.[0];
  return positions.map(([longitude, latitude]) => {
    previous = nearestCopy(longitude, previous);
    return [previous, latitude];
  });
}

/** A circle on the ground as an ellipse in world units. */
export function groundCircle(longitude, latitude, radius) {
  const arc = radius / EARTH_RADIUS;
  const top = worldY(latitude + arc / RADIANS);
  const bottom = worldY(latitude - arc / RADIANS);
  const y = (top + bottom) / 2;
  const middle = latitudeAt(y) * RADIANS;
  const here = latitude * RADIANS;
  const cosine = (Math.cos(arc) - Math.sin(here) * Math.sin(middle)) / (Math.cos(here) * Math.cos(middle));
  const halfWidth = Math.acos(Math.max(-1, Math.min(1, cosine))) / (2 * Math.PI);
  return { x: worldX(longitude), y, rx: halfWidth, ry: (bottom - top) / 2 };
}

/** The largest 1, 2 or 5 times a power of ten that is not above `limit`. */
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

/** The area within points, the last of which is joined to the first. */
export function areaOf(points) {
  const twice = points.reduce((sum, { x, y }, at) => {
    const next = points[(at + 1) % points.length];
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** A place as people read it: latitude, then longitude. */
export function placeText({ lat, lng }) {
  return `${lat.toFixed(5)}, ${nearestCopy(lng, 0).toFixed(5)}`;
}

/** Seven decimals: what the window keeps. */
export const rounded = (degrees) => Math.round(degrees * 1e7) / 1e7;

/** An isochrone is the way it is because of its destination: that can be moved, its outline cannot. */
export const isTraced = (shape) => Boolean(shape.ring) && shape.longitude !== undefined;
