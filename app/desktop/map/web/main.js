// The page's start: make the layers, connect to the window, carry out its commands.

import { Beacons } from "./layers/beacons.js";
import { Basemap } from "./street_map/basemap.js";
import { Camera } from "./camera.js";
import { Heat } from "./layers/heat.js";
import { Hint, LayerList, Note, Scale } from "./controls.js";
import { Devices } from "./layers/devices.js";
import { Editor } from "./editing/editor.js";
import { Imagery } from "./street_map/imagery.js";
import { Holder } from "./editing/holder.js";
import { OutOfSight } from "./layers/out_of_sight.js";
import { Events } from "./layers/events.js";
import { Fences } from "./layers/fences.js";
import { AVOIDED_UP_TO, CountryLabels } from "./street_map/labels.js";
import { Overlay } from "./layers/overlay.js";
import { Pin } from "./layers/pin.js";
import { Clicks, Pointer } from "./editing/pointer.js";
import { Reach } from "./layers/reach.js";
import { THEMES } from "./themes.js";
import { Streets } from "./street_map/streets.js";
import { OnlineTiles } from "./street_map/tiles.js";
import { Track } from "./layers/track.js";
import { Way } from "./layers/way.js";
import { tr } from "./texts.js";

const ATLAS = tr("Made with {name}", { name: '<a href="https://www.naturalearthdata.com">Natural Earth</a>' });
// From below: what is painted, what the mouse holds, devices, handles. Leaflet's own tooltips are at 650.
const PANES = { basemap: 200, streets: 205, tiles: 210, imagery: 215, overlay: 400, editing: 450, devices: 500, handles: 600 };

/** folium names its map after the element it is in. */
const map = window[document.querySelector(".folium-map").id];

const connected = new Promise((resolve) => {
  new QWebChannel(qt.webChannelTransport, ({ objects }) => resolve(objects.bridge));
});
const post = (message) => connected.then((bridge) => bridge.post(JSON.stringify(message)));

// Geoman looks after the shapes it is given, not after every layer.
L.PM.setOptIn(true);
for (const [name, level] of Object.entries(PANES)) map.createPane(name).style.zIndex = level;
for (const name of ["basemap", "streets", "tiles", "imagery", "overlay", "devices"]) map.getPane(name).style.pointerEvents = "none";
map.attributionControl.setPrefix(false).addAttribution(ATLAS);

const trouble = (text) => post({ kind: "trouble", text });
const basemap = new Basemap(THEMES.light, trouble).addTo(map);
const streets = new Streets(map, basemap, THEMES.light, trouble);
const fences = new Fences();
const countriesAt = (zoom) => basemap.worldAt(zoom)?.countries ?? [];
const countries = new CountryLabels(map, countriesAt, (zoom) => [...streets.boxes(zoom), ...fences.extentOfFew(AVOIDED_UP_TO)]);
const heat = new Heat();
const track = new Track();
const way = new Way();
const beacons = new Beacons();
const events = new Events();
const reach = new Reach(map);
const trial = new Reach(map);
const pin = new Pin();
const back = new Overlay([countries, heat, fences], THEMES.light).addTo(map);
const devices = new Devices(map);
const camera = new Camera(map, post);
const scale = new Scale(map, basemap, streets);
const note = new Note(map);
const hint = new Hint(map);
const editor = new Editor(map, { fences, streets, hint, post });
const holder = new Holder(map, hint, post);
const outOfSight = new OutOfSight(map, fences, editor, camera);
const front = new Overlay([fences.front, reach, trial, way, track, beacons, events, pin, outOfSight], THEMES.light).addTo(map);
const clicks = new Clicks();
new Pointer(map, { fences, beacons, events, editor, holder, post });
const PARTS = { streets, fences, beacons, track, events };
/** A switch of a layer; the window knows what is shown, for its menu and its pictures of the map. */
const layer = (label, name) => ({
  label,
  name,
  on: true,
  toggle: (on) => {
    PARTS[name]?.setVisible(on);
    post({ kind: "layer_switched", layer: name, on });
  },
});
const layers = new LayerList(map, [
  { label: tr("Street map (online)"), name: "tiles", on: false, toggle: (on) => post({ kind: "tiles_requested", on }) },
  layer(tr("Area streets"), "streets"),
  layer(tr("Geofences"), "fences"),
  layer(tr("Geofence names"), "names"),
  layer(tr("Beacons"), "beacons"),
  layer(tr("Track"), "track"),
  layer(tr("Events"), "events"),
], {
  choose: () => post({ kind: "layers_requested" }),
  chooseImagery: () => post({ kind: "imagery_list_requested" }),
  toggleImagery: (id, on) => post({ kind: "imagery_requested", id, on }),
  count: (count) => post({ kind: "controls", count }),
});
fences.onHidden = (number) => layers.setHidden(number);
const tiles = new OnlineTiles(map, (text) => layers.setNote(text));
const imagery = new Imagery(map);
basemap.on("world", () => countries.place());

const busy = [basemap, streets, back, front, devices, camera, tiles, imagery];

/** The next frame, or soon where a hidden page gets none. */
const frame = () =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 100);
  });

async function settle(mark) {
  do await frame();
  while (!document.hidden && busy.some((part) => part.isBusy()));
  // The window knows by its colour that the frame which holds all this has arrived.
  document.body.style.setProperty("--fw-mark", mark);
}

function setTheme(name) {
  const theme = THEMES[name];
  document.documentElement.dataset.theme = name;
  basemap.setTheme(theme);
  streets.setTheme(theme);
  back.setTheme(theme);
  front.setTheme(theme);
  editor.setTheme(theme);
}

function setNames(on) {
  fences.setNamesVisible(on);
  layers.setChecked("names", on);
}

function setLayer(name, on) {
  PARTS[name].setVisible(on);
  layers.setChecked(name, on);
}

function setOnlineTiles(on) {
  tiles.set(on);
  layers.setChecked("tiles", on);
  countries.setVisible(!on);
  showGrid();
}

/** Tell the size of the grid where the grid can be seen. */
function showGrid() {
  scale.setGrid(!tiles.on && !imagery.shown);
}

function setImagery(shown, choices) {
  imagery.show(shown);
  layers.setImagery(choices);
  showGrid();
}

/** Whose data is shown, as text; what a link leads to follows its words, since a printed link cannot be clicked. */
function attributionText() {
  const copy = map.attributionControl.getContainer().cloneNode(true);
  for (const link of copy.querySelectorAll("a")) link.append(` (${link.href.replace(/^https?:\/\/|\/$/g, "")})`);
  return copy.textContent.trim();
}

const fetchBytes = (address) => fetch(address).then((answer) => answer.arrayBuffer());

const COMMANDS = {
  limits: ({ limits }) => editor.setLimits(limits),
  theme: ({ theme }) => setTheme(theme),
  online_tiles: ({ on }) => setOnlineTiles(on),
  imagery: (command) => setImagery(command.layers, command.choices),
  imagery_again: () => imagery.loadAgain(),
  imagery_note: ({ text }) => note.show(text),
  world_prepare: () => basemap.prepare(),
  areas: ({ areas }) => streets.setAreas(areas),
  names_shown: ({ on }) => setNames(on),
  layer_shown: ({ layer: name, on }) => setLayer(name, on),
  control_focus: ({ at }) => layers.focus(at),
  control_press: ({ at }) => layers.press(at),
  controls_close: () => layers.close(),
  ground_only: () => document.body.classList.add("fw-ground-only"),
  attributions: ({ query }) => post({ kind: "attributed", query, text: attributionText() }),
  tool: ({ tool }) => editor.setTool(tool),
  drawing_discard: () => editor.discard(),
  drawing_step_back: ({ clicks: count }) => clicks.all(count).then(() => editor.stepBack()),
  drawing_finish: ({ clicks: count }) => clicks.all(count).then(() => editor.finish()),
  choosing_finish: ({ clicks: count }) => clicks.all(count).then(() => post({ kind: "finish_requested" })),
  cursor_move: ({ right, down, far }) => editor.moveCursor(right, down, far),
  cursor_put: () => editor.putAtCursor(),
  reshape: ({ on }) => editor.reshape(on),
  vertex_choose: ({ by }) => editor.vertices.choose(by),
  vertex_move: ({ right, down, far }) => editor.vertices.move(right, down, far),
  vertex_add: () => editor.vertices.add(),
  vertex_remove: () => editor.vertices.remove(),
  fences_begin: ({ beside }) => fences.begin(beside),
  fences_stage: ({ content, beside }) => content.then((buffer) => fences.stage(buffer, beside)),
  fences_commit: ({ beside }) => {
    fences.commit(beside);
    editor.refresh(null);
  },
  fences_layers: (rule) => {
    fences.setLayers(rule);
    editor.refresh(null);
  },
  fences_put: (command) => {
    fences.put(command.fences);
    editor.refresh(command.fences.map(({ id }) => id));
  },
  fences_remove: ({ ids }) => {
    fences.remove(ids);
    editor.refresh(ids);
  },
  preview: ({ preview }) => reach.show(preview),
  outlines: ({ rings }) => trial.show({ bands: rings.map((ring) => ({ label: "", ring })) }),
  measure_clear: () => editor.ruler.clear(),
  snapping: ({ on, roads }) => editor.setSnapping(on, roads),
  watch: ({ on }) => editor.watch(on),
  fence_select: ({ id }) => editor.select(id),
  fences_mark: (change) => fences.mark(change),
  fence_reveal: ({ id }) => outOfSight.reveal(id),
  track: ({ points }) => track.set(points),
  way: ({ points }) => way.show(points),
  devices_move: ({ moves }) => devices.move(moves),
  device_remove: ({ device }) => devices.remove(device),
  heat: ({ points }) => heat.show(points),
  beacons: (command) => beacons.show(command.beacons, command.replace),
  beacon_hold: ({ position }) => holder.show(position),
  beacons_remove: ({ ids }) => beacons.remove(ids),
  events: (command) => events.show(command.events, command.replace),
  event_select: ({ id }) => events.select(id),
  highlight: ({ position }) => events.highlight(position),
  pin: ({ position, label }) => pin.show(position, label),
  fit: ({ bounds, max_zoom: maxZoom, animate }) => camera.fit(bounds, maxZoom, animate),
  fit_fences: ({ ids, animate }) => camera.fitBoxes(fences.extent(ids), animate),
  fit_track: ({ animate }) => camera.fitBoxes(track.box ? [track.box] : [], animate),
  pan: ({ right, down, far }) => camera.pan(right, down, far),
  zoom: ({ by }) => camera.zoomBy(by, editor.cursor.shown ? editor.cursor.point : null),
  show_point: ({ position, zoom, animate }) => camera.showPoint(position, zoom, animate),
  locate: ({ query, position }) => {
    const { x, y } = camera.locate(position);
    post({ kind: "located", query, x, y });
  },
  settle: ({ query, mark }) => settle(mark).then(() => post({ kind: "settled", query })),
};

/** Commands that are awaited: what comes after them is about what they do. */
const AWAITED = new Set(["fences_stage", "drawing_step_back", "drawing_finish", "choosing_finish"]);

async function carryOut({ seq, name, ...fields }) {
  try {
    const outcome = COMMANDS[name](fields);
    if (AWAITED.has(name)) await outcome;
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    trouble(tr("The map could not do “{name}”: {error}", { name, error: error.message }));
  } finally {
    post({ kind: "done", seq });
  }
}

let last = Promise.resolve();

/** Carry out commands in their order; what one has to fetch is fetched while those before it are carried out. */
function take(text) {
  const command = JSON.parse(text);
  if (command.address) command.content = fetchBytes(command.address);
  last = last.then(() => carryOut(command));
}

scale.setGrid(true);
connected.then((bridge) => {
  bridge.command.connect(take);
  camera.report();
  clicks.reset();
  post({ kind: "ready" });
});
