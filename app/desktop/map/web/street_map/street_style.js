// How streets look: muted, so that fences, fixes and tracks lead. What is drawn how is told by the look that the
// endpoint's maps share; here it becomes rules of the library.

import look from "/look/look.json" with { type: "json" };
import { NamesAlong } from "./along.js";
import { FONT } from "../themes.js";

const { exp, LineSymbolizer, PolygonSymbolizer, CenteredTextSymbolizer } = protomapsL;

/** From this zoom on an area is drawn with all it has; before, only its great roads and its towns. */
export const DETAIL_FROM_ZOOM = look.detailFrom;

const GROWTH = 1.5;
const ALONG = new Set(["street_names", "waterway_names"]);

const oneOf = (kinds) => {
  const wanted = new Set(kinds);
  return (_, { props }) => wanted.has(props.kind);
};

/** A value by zoom; one that stays the same is left as it is. */
const byZoom = (value, base) => (Array.isArray(value) ? exp(base, value) : value);

const inTunnels = (opacity) => (_, feature) => (feature?.props.tunnel ? opacity : 1);

/** @returns {(entry: any) => object} */
function painted(ink) {
  return ({ layer, kinds, from = DETAIL_FROM_ZOOM, fill, edge, line, width, base = GROWTH, dash, tunnelOpacity }) => ({
    dataLayer: layer,
    minzoom: from,
    filter: kinds && oneOf(kinds),
    symbolizer: fill
      ? new PolygonSymbolizer({ fill: ink[fill], ...(edge && { stroke: ink[edge], width: 0.5 }) })
      : new LineSymbolizer({
          lineJoin: "round",
          color: ink[line],
          width: byZoom(width, base),
          ...(dash && { dash }),
          ...(tunnelOpacity && { opacity: inTunnels(tunnelOpacity) }),
        }),
  });
}

/** The edges of all roads below all their bodies, so that they join where they meet. */
function streets(ink) {
  const { edges, kinds: roads, linkShare, tunnelOpacity } = look.roads;
  const wide = ({ width }) => {
    const full = exp(GROWTH, width);
    // Two parameters: the width depends on the road as well.
    return (zoom, feature) => full(zoom) * (feature?.props.link ? linkShare : 1);
  };
  const drawn = ({ kinds }, minzoom, options) => ({
    dataLayer: "roads",
    minzoom,
    filter: oneOf(kinds),
    symbolizer: new LineSymbolizer({ lineJoin: "round", opacity: inTunnels(tunnelOpacity), ...options }),
  });
  const edged = roads.filter(({ edgeless }) => !edgeless).map((road) => {
    const width = wide(road);
    return drawn(road, Math.max(edges.from, road.from), {
      color: ink[edges.line],
      width: (zoom, feature) => width(zoom, feature) + (zoom < edges.nearFrom ? edges.far : edges.near),
    });
  });
  const bodies = roads.map((road) =>
    drawn(road, road.from, { color: ink[road.line], width: wide(road), lineCap: "round" }),
  );
  return [...edged, ...bodies];
}

const byPopulation = (a, b) => (b.population ?? 0) - (a.population ?? 0);

/** The name of a place or, from the zoom at which it is large enough, of an area. */
function centred(ink, { layer, kinds, from = DETAIL_FROM_ZOOM, to, size, ink: color, italic }) {
  const isKind = oneOf(kinds);
  const symbolizer = new CenteredTextSymbolizer({
    fontFamily: FONT,
    fontSize: byZoom(size, 1),
    fontWeight: 500,
    fill: ink[color],
    stroke: ink.halo,
    width: 1.6,
    lineHeight: 1.35,
    ...(italic && { fontStyle: "italic" }),
  });
  return {
    dataLayer: layer,
    minzoom: from,
    ...(to && { maxzoom: to }),
    filter: layer === "area_names" ? (zoom, { props }) => isKind(zoom, { props }) && zoom >= props.from : isKind,
    ...(layer === "places" && { sort: byPopulation }),
    symbolizer,
  };
}

function along(ink, { layer, kinds, from, size, ink: color, italic }) {
  return {
    dataLayer: layer,
    minzoom: from,
    filter: oneOf(kinds),
    symbolizer: new NamesAlong({
      size: byZoom(size, 1),
      fill: ink[color],
      stroke: ink.halo,
      ...(italic && { style: "italic" }),
    }),
  };
}

/** The drawn features in order, and the written ones, the most important first; of one archive among several. */
function rulesOf(ink) {
  const paint = painted(ink);
  return {
    paintRules: [...look.ground.map(paint), ...look.paths.map(paint), ...streets(ink), ...look.rails.map(paint)],
    labelRules: look.labels.map((/** @type {any} */ label) => (ALONG.has(label.layer) ? along : centred)(ink, label)),
  };
}

/** The rules for several archives at once: whatever lies below is drawn of all of them before what lies above. */
export function streetRules(theme, archives) {
  const rules = rulesOf(theme.streets);
  const ofAll = (list) => list.flatMap((rule) => archives.map((dataSource) => ({ ...rule, dataSource })));
  return { paintRules: ofAll(rules.paintRules), labelRules: ofAll(rules.labelRules) };
}
