// Conversion between shapes and the layers that Geoman edits. A polygon's positions are nested: those of each part, and
// of each ring in it.

import { nearestCopy, rounded } from "../geometry/geo.js";
import { faultOf, openParts, shapeOfParts } from "../geometry/rings.js";
import { tr } from "../texts.js";

export const positionOf = ({ lng, lat }) => [rounded(lng), rounded(lat)];

/** @returns {L.LatLng[][][]} */
export const latlngsOf = (polygon) => polygon.getLatLngs();

/** Return all rings of a polygon, each outer ring followed by its holes. */
export const ringsOf = (polygon) => latlngsOf(polygon).flat();

export const vertexCountOf = (polygon) => ringsOf(polygon).reduce((count, ring) => count + ring.length, 0);

/** Return the same nested positions with each replaced. */
export const mapLatLngs = (latlngs, change) =>
  latlngs.map((part, number) => part.map((ring) => ring.map((latlng) => change(latlng, number))));

/** Return the nested positions with one ring replaced, or without it if `ring` is null. */
export function withRing(latlngs, index, ring) {
  let count = 0;
  return latlngs.map((part) => part.flatMap((each) => (count++ === index ? (ring ? [ring] : []) : [each])));
}

export function shapeOf(layer) {
  if (layer instanceof L.Circle) {
    const [longitude, latitude] = positionOf(layer.getLatLng());
    return { longitude, latitude, radius_m: Math.round(layer.getRadius() * 100) / 100 };
  }
  return shapeOfParts(latlngsOf(layer).map((part) => part.map(closedRing)));
}

/** Return the closed ring of some vertices. */
export function closedRing(latlngs) {
  const vertices = latlngs.map(positionOf);
  return [...vertices, vertices[0]];
}

/** Return the first fault of a polygon, or null. */
export function faultOfLayer(layer) {
  if (!(layer instanceof L.Polygon)) return null;
  return faultOf(latlngsOf(layer).map((part) => part.map((ring) => ring.map(({ lng, lat }) => [lng, lat]))));
}

/** Return the nested positions of a polygon's shape, in the copy of the world that is nearest to a longitude. */
export const latlngsOfShape = (shape, longitude) =>
  openParts(shape, longitude).map((rings) => rings.map((ring) => ring.map(([lng, lat]) => L.latLng(lat, lng))));

export function layerOf(shape, longitude, options) {
  if (shape.ring) return L.polygon(latlngsOfShape(shape, longitude), options);
  /** @type {[number, number]} */
  const center = [shape.latitude, nearestCopy(shape.longitude, longitude)];
  return L.circle(center, { ...options, radius: shape.radius_m });
}

/** Return the name of a ring, or "" if it is the only one. */
export function ringName(latlngs, index) {
  const several = latlngs.length > 1;
  let count = 0;
  for (const [number, part] of latlngs.entries()) {
    const place = index - count;
    count += part.length;
    if (place >= part.length) continue;
    if (place > 0) return several ? tr("Part {number}, hole {hole}", { number: number + 1, hole: place }) : tr("Hole {number}", { number: place });
    if (several) return tr("Part {number}", { number: number + 1 });
    return part.length > 1 ? tr("Outer ring") : "";
  }
  return "";
}
