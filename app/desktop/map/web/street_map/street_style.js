// The style of streets: muted, so that geofences, fixes and tracks stand out. It is defined in look.json, which the
// endpoint's maps share, and converted to rules of the library here.

import look from "/look/look.json" with { type: "json" };
import { NamesAlong } from "./along.js";
import { FONT } from "../themes.js";

const { exp, LineSymbolizer, PolygonSymbolizer, CenteredTextSymbolizer } = protomapsL;

/** From this zoom level on, an area is drawn in full detail; below it, only its major roads and towns. */
export const DETAIL_FROM_ZOOM = look.detailFrom;

const GROWTH = 1.5;
const LINE_LABEL_LAYERS = new Set(["street_names", "waterway_names"]);

const oneOf = (kinds) => {
  const set = new Set(kinds);
  return (_, { props }) => set.has(props.kind);
};

/** Return a value that depends on the zoom level, or the value itself if it is constant. */
const byZoom = (value, base) => (Array.isArray(value) ? exp(base, value) : value);

const inTunnels = (opacity) => (_, feature) => (feature?.props.tunnel ? opacity : 1);

/** @returns {(entry: any) => object} */
function paintRuleFactory(colors) {
  return ({ layer, kinds, from = DETAIL_FROM_ZOOM, fill, edge, line, width, base = GROWTH, dash, tunnelOpacity }) => ({
    dataLayer: layer,
    minzoom: from,
    filter: kinds && oneOf(kinds),
    symbolizer: fill
      ? new PolygonSymbolizer({ fill: colors[fill], ...(edge && { stroke: colors[edge], width: 0.5 }) })
      : new LineSymbolizer({
          lineJoin: "round",
          color: colors[line],
          width: byZoom(width, base),
          ...(dash && { dash }),
          ...(tunnelOpacity && { opacity: inTunnels(tunnelOpacity) }),
        }),
  });
}

/** Return the casings of all roads followed by their fills, so that roads join where they meet. */
function streets(colors) {
  const { edges, kinds: roads, linkShare, tunnelOpacity } = look.roads;
  const widthOf = ({ width }) => {
    const baseWidth = exp(GROWTH, width);
    // With two parameters, since the width also depends on the road.
    return (zoom, feature) => baseWidth(zoom) * (feature?.props.link ? linkShare : 1);
  };
  const roadRule = ({ kinds }, minzoom, options) => ({
    dataLayer: "roads",
    minzoom,
    filter: oneOf(kinds),
    symbolizer: new LineSymbolizer({ lineJoin: "round", opacity: inTunnels(tunnelOpacity), ...options }),
  });
  const casings = roads.filter(({ edgeless }) => !edgeless).map((road) => {
    const width = widthOf(road);
    return roadRule(road, Math.max(edges.from, road.from), {
      color: colors[edges.line],
      width: (zoom, feature) => width(zoom, feature) + (zoom < edges.nearFrom ? edges.far : edges.near),
    });
  });
  const fills = roads.map((road) =>
    roadRule(road, road.from, { color: colors[road.line], width: widthOf(road), lineCap: "round" }),
  );
  return [...casings, ...fills];
}

const labelRule = (colors, label) =>
  LINE_LABEL_LAYERS.has(label.layer) ? lineLabelRule(colors, label) : centredLabelRule(colors, label);

const byPopulation = (a, b) => (b.population ?? 0) - (a.population ?? 0);

/** Return the label rule for places, or for areas from the zoom level at which they are large enough. */
function centredLabelRule(colors, { layer, kinds, from = DETAIL_FROM_ZOOM, to, size, ink: color, italic }) {
  const isKind = oneOf(kinds);
  const symbolizer = new CenteredTextSymbolizer({
    fontFamily: FONT,
    fontSize: byZoom(size, 1),
    fontWeight: 500,
    fill: colors[color],
    stroke: colors.halo,
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

function lineLabelRule(colors, { layer, kinds, from, size, ink: color, italic }) {
  return {
    dataLayer: layer,
    minzoom: from,
    filter: oneOf(kinds),
    symbolizer: new NamesAlong({
      size: byZoom(size, 1),
      fill: colors[color],
      stroke: colors.halo,
      ...(italic && { style: "italic" }),
    }),
  };
}

/** Return the paint rules in drawing order, and the label rules with the most important first, for one archive. */
function rulesOf(colors) {
  const paint = paintRuleFactory(colors);
  return {
    paintRules: [...look.ground.map(paint), ...look.paths.map(paint), ...streets(colors), ...look.rails.map(paint)],
    labelRules: look.labels.map((/** @type {any} */ label) => labelRule(colors, label)),
  };
}

/** Return the rules for several archives at once: each rule applies to all of them before the next rule does. */
export function streetRules(theme, archives) {
  const rules = rulesOf(theme.streets);
  const forAllArchives = (list) => list.flatMap((rule) => archives.map((dataSource) => ({ ...rule, dataSource })));
  return { paintRules: forAllArchives(rules.paintRules), labelRules: forAllArchives(rules.labelRules) };
}
