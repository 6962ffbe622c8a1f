// Controls in the corners of the map: the scale, the layer list, and the hint for the active tool.

import { overlaps } from "./geometry/clip.js";
import { formatLength, metresPerPixel, niceLength, worldX, worldY } from "./geometry/geo.js";
import { gridAt } from "./street_map/basemap.js";
import { number, tr } from "./texts.js";

const SCALE_PIXELS = 110;
const GRID_FROM_ZOOM = 10;
const COUNTRY_FROM_ZOOM = 6;

function element(tag, className, text = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

function button(text, onClick) {
  const node = element("button", "", text);
  node.type = "button";
  node.addEventListener("click", onClick);
  return node;
}

/** Return a control with a DOM element that keeps its mouse events from the map. */
function control(node, position) {
  L.DomEvent.disableClickPropagation(node);
  L.DomEvent.disableScrollPropagation(node);
  const leafletControl = new L.Control({ position });
  leafletControl.onAdd = () => node;
  return leafletControl;
}

export class Scale {
  constructor(map, basemap, streets) {
    this.map = map;
    this.basemap = basemap;
    this.streets = streets;
    this.node = element("div", "fw-scale");
    this.bar = element("div", "fw-scale-bar");
    this.text = element("div", "fw-scale-text");
    this.node.append(this.bar, this.text);
    control(this.node, "bottomleft").addTo(map);
    map.on("move zoomend", () => this._update());
    basemap.on("world", () => this._update());
    this._update();
  }

  setGrid(shown) {
    this.grid = shown;
    this._update();
  }

  _update() {
    const zoom = this.map.getZoom();
    const { lat, lng } = this.map.getCenter();
    const perPixel = metresPerPixel(lat, zoom);
    const metres = niceLength(SCALE_PIXELS * perPixel);
    this.bar.style.width = `${metres / perPixel}px`;
    this.bar.textContent = formatLength(metres);
    const notes = [];
    const y = worldY(lat);
    const x = worldX(lng);
    const covered = this.streets.boxes(zoom).some((box) => overlaps(box, [x, y, x, y]));
    if (zoom >= GRID_FROM_ZOOM && this.grid && !covered) notes.push(tr("grid {length}", { length: formatLength(gridAt(zoom, y).metres) }));
    const country = zoom >= COUNTRY_FROM_ZOOM && this.basemap.worldAt(zoom)?.countryAt(x - Math.floor(x), y);
    if (country) notes.push(country);
    this.text.textContent = notes.join(" · ");
  }
}

export class Hint {
  constructor(map) {
    this.node = element("div", "fw-hint");
    this.node.setAttribute("role", "status");
    map.getContainer().append(this.node);
  }

  show(text, { warning = false } = {}) {
    this.node.textContent = text;
    this.node.classList.toggle("fw-shown", text !== "");
    this.node.classList.toggle("fw-warning", warning);
  }
}

/** A short message in the corner of the map. */
export class Note {
  constructor(map) {
    this.node = element("div", "fw-note");
    this.node.setAttribute("role", "status");
    control(this.node, "bottomleft").addTo(map);
  }

  show(text) {
    this.node.textContent = text;
  }
}

/**
 * A list of layer switches behind a button. `layers` is [{ label, name, on, toggle }]. Of the `callbacks`, `choose`
 * opens the filter of geofences, `chooseImagery` and `toggleImagery` are for the user's own imagery, and `reportCount`
 * receives the number of visible controls: the window handles all keys and decides which of the controls has the focus.
 */
export class LayerList {
  constructor(map, layers, callbacks) {
    this.root = element("details", "fw-layers");
    this.root.setAttribute("aria-label", tr("Layers"));
    this.callbacks = callbacks;
    this.summary = element("summary", "", tr("Layers"));
    this.hidden = 0;
    this.root.append(this.summary);
    this.inputs = new Map(layers.map((each) => [each.name, this._addSwitch(each)]));
    this.choices = element("div", "");
    this.root.querySelector("label").after(this.choices);
    this.note = element("p", "");
    this.note.setAttribute("role", "status");
    const imageryButton = button(tr("Imagery…"), callbacks.chooseImagery);
    const filterButton = button(tr("Geofences by tag and state…"), callbacks.choose);
    this.root.append(imageryButton, filterButton, this.note);
    control(this.root, "topright").addTo(map);
    map.on("click", () => this.root.removeAttribute("open"));
    this.root.addEventListener("toggle", () => this._reportCount());
    this._reportCount();
  }

  /** Focus the control with this index, or remove the focus if it is null. */
  focus(index) {
    const target = index === null ? undefined : this._focusable()[index];
    this.root.classList.toggle("fw-keyboard-focus", target !== undefined);
    if (target) target.focus();
    else this.root.querySelector(":focus")?.blur();
  }

  /** Click the control with this index. */
  press(index) {
    this._focusable()[index]?.click();
  }

  close() {
    this.root.removeAttribute("open");
    this.focus(null);
  }

  /** Show the available imagery. The window decides whether a layer is on, since it may have to ask the user first. */
  setImagery(choices) {
    const focused = this._focusable().indexOf(document.activeElement);
    const rows = choices.map(({ id, name, on }) => {
      const row = element("label", "");
      const input = element("input", "");
      input.type = "checkbox";
      input.checked = on;
      input.addEventListener("change", () => {
        const checked = input.checked;
        input.checked = on;
        this.callbacks.toggleImagery(id, checked);
      });
      row.append(input, element("span", "fw-name", name));
      return row;
    });
    this.choices.replaceChildren(...rows);
    if (focused >= 0) this._focusable()[focused]?.focus();
    this._reportCount();
  }

  setChecked(name, on) {
    this.inputs.get(name).checked = on;
  }

  /** Show how many geofences belong to hidden layers. */
  setHidden(hidden) {
    if (hidden === this.hidden) return;
    this.hidden = hidden;
    this.summary.textContent = hidden ? tr("Layers ({count} hidden)", { count: number(hidden) }) : tr("Layers");
  }

  setNote(text) {
    this.note.textContent = text;
  }

  _addSwitch({ label, on, toggle }) {
    const row = element("label", "");
    const input = element("input", "");
    input.type = "checkbox";
    input.checked = on;
    input.addEventListener("change", () => toggle(input.checked));
    row.append(input, label);
    this.root.append(row);
    return input;
  }

  _focusable() {
    return this.root.open ? [this.summary, ...this.root.querySelectorAll("input, button")] : [this.summary];
  }

  _reportCount() {
    this.callbacks.reportCount(this._focusable().length);
  }
}
