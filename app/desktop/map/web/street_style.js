// How streets look: muted, so that fences, fixes and tracks lead. The layers and kinds are those of an area's tiles.

import { NamesAlong } from "./along.js";
import { FONT } from "./themes.js";

const { exp, LineSymbolizer, PolygonSymbolizer, CenteredTextSymbolizer } = protomapsL;

/** From this zoom on an area is drawn with all it has; before, only its great roads and its towns. */
export const DETAIL_FROM_ZOOM = 8;

const GREEN = ["forest", "scrub", "grass", "park", "pitch", "cemetery", "wetland"];
const BUILT = ["residential", "industrial", "commercial", "school", "hospital", "airport", "parking", "pedestrian"];

/** Kinds of roads, the least first, with their width in pixels by zoom and the colour of their body. */
const ROADS = [
  { kinds: ["service"], from: 14, width: [[14, 0.75], [16, 3], [19, 12]], body: "minor" },
  { kinds: ["pedestrian"], from: 14, width: [[14, 1], [16, 4], [19, 14]], body: "walk" },
  { kinds: ["minor"], from: 12, width: [[12, 0.6], [14, 2], [16, 6], [19, 22]], body: "minor" },
  { kinds: ["tertiary"], from: 11, width: [[11, 0.7], [14, 3], [16, 8], [19, 26]], body: "minor" },
  { kinds: ["secondary"], from: 10, width: [[10, 0.8], [14, 4], [16, 9], [19, 30]], body: "major" },
  { kinds: ["primary"], from: 8, width: [[8, 0.8], [12, 2], [14, 4.5], [16, 10], [19, 32]], body: "major" },
  { kinds: ["trunk", "motorway"], from: 5, width: [[5, 0.7], [9, 1.6], [14, 5], [16, 11], [19, 34]], body: "great" },
];
const LINK = 0.6;
const CASING_FROM_ZOOM = 12;

const oneOf = (kinds) => {
  const wanted = new Set(kinds);
  return (_, { props }) => wanted.has(props.kind);
};

const polygons = (dataLayer, kinds, fill, more = {}) => ({
  dataLayer,
  minzoom: DETAIL_FROM_ZOOM,
  filter: kinds && oneOf(kinds),
  symbolizer: new PolygonSymbolizer({ fill, ...more }),
});

const lines = (dataLayer, kinds, minzoom, options) => ({
  dataLayer,
  minzoom,
  filter: kinds && oneOf(kinds),
  symbolizer: new LineSymbolizer({ lineJoin: "round", ...options }),
});

function ground(ink) {
  return [
    polygons("land", ["residential"], ink.residential),
    polygons("land", ["farmland"], ink.farmland),
    polygons("land", GREEN, ink.green),
    polygons("land", ["sand", "rock", "glacier"], ink.bare),
    polygons("land", BUILT.slice(1), ink.built),
    polygons("water", null, ink.water),
    lines("waterways", null, DETAIL_FROM_ZOOM, { color: ink.water, width: exp(1.5, [[8, 0.5], [14, 1.5], [18, 5]]) }),
    { ...polygons("buildings", null, ink.building, { stroke: ink.buildingEdge, width: 0.5 }), minzoom: 14 },
  ];
}

function paths(ink) {
  return [
    lines("roads", ["runway", "taxiway"], 11, { color: ink.built, width: exp(1.5, [[11, 1], [16, 12]]) }),
    lines("roads", ["ferry"], DETAIL_FROM_ZOOM, { color: ink.rail, width: 1, dash: [5, 4] }),
    lines("roads", ["path", "steps", "track", "cycleway"], 14, {
      color: ink.path,
      width: exp(1.4, [[14, 0.75], [18, 2]]),
      dash: [4, 2.5],
    }),
  ];
}

/** The edges of all roads below all their bodies, so that they join where they meet. */
function streets(ink) {
  const wide = ({ width }) => {
    const full = exp(1.5, width);
    // Two parameters: the width depends on the road as well.
    return (zoom, feature) => full(zoom) * (feature?.props.link ? LINK : 1);
  };
  const opacity = (_, feature) => (feature?.props.tunnel ? 0.45 : 1);
  const edges = ROADS.filter(({ body }) => body !== "walk").map((road) => {
    const width = wide(road);
    return lines("roads", road.kinds, Math.max(CASING_FROM_ZOOM, road.from), {
      color: ink.roadEdge,
      width: (zoom, feature) => width(zoom, feature) + (zoom < 14 ? 1 : 1.8),
      opacity,
    });
  });
  const bodies = ROADS.map((road) =>
    lines("roads", road.kinds, road.from, { color: ink[road.body], width: wide(road), opacity, lineCap: "round" }),
  );
  return [...edges, ...bodies];
}

function rails(ink) {
  const heavy = ["rail", "light_rail", "subway", "narrow_gauge", "funicular", "monorail"];
  const opacity = (_, feature) => (feature?.props.tunnel ? 0.35 : 1);
  return [
    lines("railways", heavy, DETAIL_FROM_ZOOM, { color: ink.rail, width: 1, opacity }),
    lines("railways", ["tram"], 14, { color: ink.rail, width: 0.75 }),
    lines("boundaries", ["region"], DETAIL_FROM_ZOOM, { color: ink.boundary, width: 0.75, dash: [3, 4] }),
    lines("boundaries", ["country"], DETAIL_FROM_ZOOM, { color: ink.boundary, width: 1.5, dash: [6, 3] }),
  ];
}

const text = (ink, size, weight = 500) => ({
  fontFamily: FONT,
  fontSize: size,
  fontWeight: weight,
  fill: ink.text,
  stroke: ink.halo,
  width: 1.6,
  lineHeight: 1.35,
});

const byPopulation = (a, b) => (b.population ?? 0) - (a.population ?? 0);

const places = (ink, kinds, minzoom, maxzoom, size, options = {}) => ({
  dataLayer: "places",
  minzoom,
  maxzoom,
  filter: oneOf(kinds),
  sort: byPopulation,
  symbolizer: new CenteredTextSymbolizer({ ...text(ink, size), fill: ink.place, ...options }),
});

const along = (ink, dataLayer, kinds, minzoom, size, options = {}) => ({
  dataLayer,
  minzoom,
  filter: kinds && oneOf(kinds),
  symbolizer: new NamesAlong({ size, fill: ink.text, stroke: ink.halo, ...options }),
});

/** Each from the zoom at which its area is large enough. */
const within = (ink, kinds, size, options = {}) => ({
  dataLayer: "area_names",
  minzoom: DETAIL_FROM_ZOOM,
  filter: (zoom, { props }) => kinds.includes(props.kind) && zoom >= props.from,
  symbolizer: new CenteredTextSymbolizer({ ...text(ink, size), ...options }),
});

/** What is drawn, in its order, and what is written, the most important first; of one archive among several. */
function rulesOf(ink) {
  const water = { fill: ink.waterText, fontStyle: "italic" };
  const alongWater = { fill: ink.waterText, style: "italic" };
  return {
    paintRules: [...ground(ink), ...paths(ink), ...streets(ink), ...rails(ink)],
    labelRules: [
      places(ink, ["city"], 6, 13, exp(1, [[6, 11], [12, 15]])),
      places(ink, ["town"], 9, 15, exp(1, [[9, 11], [14, 14]])),
      places(ink, ["village", "island"], 11, 16, 11.5),
      places(ink, ["suburb"], 12, 16, 11.5),
      places(ink, ["quarter", "hamlet", "neighbourhood", "isolated_dwelling", "islet"], 14, 17, 11),
      within(ink, ["water"], 10.5, water),
      along(ink, "waterway_names", ["river", "canal"], 11, exp(1, [[11, 10.5], [16, 12]]), alongWater),
      along(ink, "street_names", ["main"], 12, exp(1, [[12, 10.5], [18, 12.5]])),
      along(ink, "street_names", ["secondary"], 14, exp(1, [[14, 10.5], [18, 12.5]])),
      within(ink, ["park", "forest", "cemetery", "airport", "glacier", "wetland", "sand"], 10.5, { fill: ink.greenText }),
      along(ink, "street_names", ["minor"], 15, exp(1, [[15, 10], [18, 12]])),
      along(ink, "waterway_names", ["stream", "drain", "ditch"], 14, 10, alongWater),
      along(ink, "street_names", ["path"], 17, 10),
    ],
  };
}

/** The rules for several archives at once: whatever lies below is drawn of all of them before what lies above. */
export function streetRules(theme, archives) {
  const rules = rulesOf(theme.streets);
  const ofAll = (list) => list.flatMap((rule) => archives.map((dataSource) => ({ ...rule, dataSource })));
  return { paintRules: ofAll(rules.paintRules), labelRules: ofAll(rules.labelRules) };
}
