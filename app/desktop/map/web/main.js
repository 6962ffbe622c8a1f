// The start of the page: create the layers, connect to the window, and execute its commands.

import { Beacons } from "./layers/beacons.js";
import { Basemap } from "./street_map/basemap.js";
import { Camera } from "./camera.js";
import { Heat } from "./layers/heat.js";
import { Hint, LayerList, Note, Scale } from "./controls.js";
import { Devices } from "./layers/devices.js";
import { Editor } from "./editing/editor.js";
import { Imagery } from "./street_map/imagery.js";
import { BeaconHandle } from "./editing/beacon_handle.js";
import { OutOfSight } from "./layers/out_of_sight.js";
import { Events } from "./layers/events.js";
import { Fences } from "./layers/fences.js";
import { MAX_AVOIDED_BOXES, CountryLabels } from "./street_map/labels.js";
import { Overlay } from "./layers/overlay.js";
import { Pin } from "./layers/pin.js";
import { Clicks, Pointer } from "./editing/pointer.js";
import { IsochronePreview } from "./layers/isochrone_preview.js";
import { THEMES } from "./themes.js";
import { Streets } from "./street_map/streets.js";
import { OnlineTiles } from "./street_map/tiles.js";
import { Track } from "./layers/track.js";
import { Travels } from "./layers/travels.js";
import { Route } from "./layers/route.js";
import { tr } from "./texts.js";

const ATLAS = tr("Made with {data_source}", { data_source: '<a href="https://www.naturalearthdata.com">Natural Earth</a>' });
// Panes from bottom to top: painted layers, shapes being edited, devices, handles. Leaflet's own tooltips are at 650.
const PANES = { basemap: 200, streets: 205, tiles: 210, imagery: 215, overlay: 400, editing: 450, devices: 500, handles: 600 };

/** folium names its map after its HTML element. */
const map = window[document.querySelector(".folium-map").id];

const connected = new Promise((resolve) => {
  new QWebChannel(qt.webChannelTransport, ({ objects }) => resolve(objects.bridge));
});
const post = (message) => connected.then((bridge) => bridge.post(JSON.stringify(message)));

// Geoman should only handle the shapes that are passed to it, not every layer.
L.PM.setOptIn(true);
for (const [name, level] of Object.entries(PANES)) map.createPane(name).style.zIndex = level;
for (const name of ["basemap", "streets", "tiles", "imagery", "overlay", "devices"]) map.getPane(name).style.pointerEvents = "none";
map.attributionControl.setPrefix(false).addAttribution(ATLAS);

const reportError = (text) => post({ kind: "trouble", text });
const basemap = new Basemap(THEMES.light, reportError).addTo(map);
const streets = new Streets(map, basemap, THEMES.light, reportError);
const fences = new Fences();
const countriesAt = (zoom) => basemap.worldAt(zoom)?.countries ?? [];
const avoidedBoxes = (zoom) => [...streets.boxes(zoom), ...fences.boxesIfFew(MAX_AVOIDED_BOXES)];
const countries = new CountryLabels(map, countriesAt, avoidedBoxes);
const heat = new Heat();
const track = new Track();
const route = new Route();
const travels = new Travels();
const beacons = new Beacons();
const events = new Events();
const isochronePreview = new IsochronePreview(map);
const outlines = new IsochronePreview(map);
const pin = new Pin();
const backOverlay = new Overlay([countries, heat, travels, fences], THEMES.light).addTo(map);
const devices = new Devices(map);
const camera = new Camera(map, post);
const scale = new Scale(map, basemap, streets);
const note = new Note(map);
const hint = new Hint(map);
const editor = new Editor(map, { fences, streets, hint, post });
const beaconHandle = new BeaconHandle(map, hint, post);
const outOfSight = new OutOfSight(map, fences, editor, camera);
const frontPainters = [fences.front, isochronePreview, outlines, route, track, beacons, events, pin, outOfSight];
const frontOverlay = new Overlay(frontPainters, THEMES.light).addTo(map);
const clicks = new Clicks();
new Pointer(map, { fences, beacons, events, editor, beaconHandle, post });
const SWITCHABLE_LAYERS = { streets, fences, beacons, track, events };
/** Return the switch of a layer. The window is informed of its state for its menu and its map exports. */
const layerSwitch = (label, name) => ({
  label,
  name,
  on: true,
  toggle: (on) => {
    SWITCHABLE_LAYERS[name]?.setVisible(on);
    post({ kind: "layer_switched", layer: name, on });
  },
});
const layerList = new LayerList(map, [
  { label: tr("Street map (online)"), name: "tiles", on: false, toggle: (on) => post({ kind: "tiles_requested", on }) },
  layerSwitch(tr("Area streets"), "streets"),
  layerSwitch(tr("Geofences"), "fences"),
  layerSwitch(tr("Geofence names"), "names"),
  layerSwitch(tr("Beacons"), "beacons"),
  layerSwitch(tr("Track"), "track"),
  layerSwitch(tr("Events"), "events"),
], {
  choose: () => post({ kind: "layers_requested" }),
  chooseImagery: () => post({ kind: "imagery_list_requested" }),
  toggleImagery: (id, on) => post({ kind: "imagery_requested", id, on }),
  reportCount: (count) => post({ kind: "controls", count }),
});
fences.onHidden = (number) => layerList.setHidden(number);
const tiles = new OnlineTiles(map, (text) => layerList.setNote(text));
const imagery = new Imagery(map);
basemap.on("world", () => countries.place());

const busyParts = [basemap, streets, backOverlay, frontOverlay, devices, camera, tiles, imagery];

/** Resolve in the next frame, or after a short time, since a hidden page has no frames. */
const nextFrame = () =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 100);
  });

async function settle(mark) {
  do await nextFrame();
  while (!document.hidden && busyParts.some((part) => part.isBusy()));
  // The window recognizes the frame that shows all of this by its colour.
  document.body.style.setProperty("--fw-mark", mark);
}

function setTheme(name) {
  const theme = THEMES[name];
  document.documentElement.dataset.theme = name;
  basemap.setTheme(theme);
  streets.setTheme(theme);
  backOverlay.setTheme(theme);
  frontOverlay.setTheme(theme);
  editor.setTheme(theme);
}

function setNames(on) {
  fences.setNamesVisible(on);
  layerList.setChecked("names", on);
}

function setLayer(name, on) {
  SWITCHABLE_LAYERS[name].setVisible(on);
  layerList.setChecked(name, on);
}

function setOnlineTiles(on) {
  tiles.set(on);
  layerList.setChecked("tiles", on);
  countries.setVisible(!on);
  showGrid();
}

/** Show the size of the grid if the grid is visible. */
function showGrid() {
  scale.setGrid(!tiles.on && !imagery.shown);
}

function setImagery(shown, choices) {
  imagery.show(shown);
  layerList.setImagery(choices);
  showGrid();
}

/**
 * Return the attribution of the shown data as text. The address of a link follows its text, since a printed link cannot
 * be clicked.
 */
function attributionText() {
  const copy = map.attributionControl.getContainer().cloneNode(true);
  for (const link of copy.querySelectorAll("a")) link.append(` (${link.href.replace(/^https?:\/\/|\/$/g, "")})`);
  return copy.textContent.trim();
}

const fetchBytes = (address) => fetch(address).then((response) => response.arrayBuffer());

const COMMANDS = {
  limits: ({ limits }) => editor.setLimits(limits),
  theme: ({ theme }) => setTheme(theme),
  online_tiles: ({ on }) => setOnlineTiles(on),
  imagery: (command) => setImagery(command.layers, command.choices),
  imagery_again: () => imagery.retryFailed(),
  imagery_note: ({ text }) => note.show(text),
  world_prepare: () => basemap.prepare(),
  areas: ({ areas }) => streets.setAreas(areas),
  names_shown: ({ on }) => setNames(on),
  layer_shown: ({ layer: name, on }) => setLayer(name, on),
  control_focus: ({ at }) => layerList.focus(at),
  control_press: ({ at }) => layerList.press(at),
  controls_close: () => layerList.close(),
  ground_only: () => document.body.classList.add("fw-ground-only"),
  attributions: ({ query }) => post({ kind: "attributed", query, text: attributionText() }),
  tool: ({ tool }) => editor.setTool(tool),
  drawing_discard: () => editor.discard(),
  drawing_step_back: ({ clicks: count }) => clicks.waitFor(count).then(() => editor.stepBack()),
  drawing_finish: ({ clicks: count }) => clicks.waitFor(count).then(() => editor.finish()),
  choosing_finish: ({ clicks: count }) => clicks.waitFor(count).then(() => post({ kind: "finish_requested" })),
  cursor_move: ({ right, down, far }) => editor.moveCursor(right, down, far),
  cursor_put: () => editor.clickAtCursor(),
  reshape: ({ on }) => editor.reshape(on),
  vertex_choose: ({ by }) => editor.vertices.choose(by),
  ring_choose: ({ by }) => editor.vertices.chooseRing(by),
  ring_mark: ({ id, ring }) => editor.markRing(id, ring),
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
  preview: ({ preview }) => isochronePreview.show(preview),
  outlines: ({ polygons }) => outlines.show({ bands: polygons.map((polygon) => ({ label: "", ...polygon })) }),
  measure_clear: () => editor.ruler.clear(),
  snapping: ({ on, roads }) => editor.setSnapping(on, roads),
  watch: ({ on }) => editor.watch(on),
  fence_select: ({ id }) => editor.select(id),
  fences_mark: (change) => fences.mark(change),
  fence_reveal: ({ id }) => outOfSight.reveal(id),
  track: ({ points }) => track.set(points),
  way: ({ points }) => route.show(points),
  devices_move: ({ moves }) => devices.move(moves),
  device_remove: ({ device }) => devices.remove(device),
  heat: ({ points }) => heat.show(points),
  travels: ({ lines }) => travels.show(lines),
  beacons: (command) => beacons.show(command.beacons, command.replace),
  beacon_hold: ({ position }) => beaconHandle.show(position),
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

/** Commands that must complete before the next one starts. */
const AWAITED = new Set(["fences_stage", "drawing_step_back", "drawing_finish", "choosing_finish"]);

async function execute({ seq, name, ...fields }) {
  try {
    const result = COMMANDS[name](fields);
    if (AWAITED.has(name)) await result;
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    reportError(tr("The map could not do “{command}”: {error}", { command: name, error: error.message }));
  } finally {
    post({ kind: "done", seq });
  }
}

let queue = Promise.resolve();

/** Queue a command. Content that it needs is fetched while earlier commands are still being executed. */
function receive(text) {
  const command = JSON.parse(text);
  if (command.address) command.content = fetchBytes(command.address);
  queue = queue.then(() => execute(command));
}

scale.setGrid(true);
connected.then((bridge) => {
  bridge.command.connect(receive);
  camera.report();
  clicks.reset();
  post({ kind: "ready" });
});
