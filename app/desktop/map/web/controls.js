// Controls in the corners of the map: the scale, the layers, the hint for the tool in hand.

import { overlaps } from "./geometry/clip.js";
import { formatLength, metresPerPixel, niceLength, worldX, worldY } from "./geometry/geo.js";
import { gridAt } from "./street_map/basemap.js";
import { number, tr } from "./texts.js";

const SCALE_PIXELS = 110;
const GRID_FROM_ZOOM = 10;
const COUNTRY_FROM_ZOOM = 6;

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function action(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** A control from a DOM element, deaf to what the map does with the mouse. */
function control(node, position) {
  L.DomEvent.disableClickPropagation(node);
  L.DomEvent.disableScrollPropagation(node);
  const made = new L.Control({ position });
  made.onAdd = () => node;
  return made;
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

/** A quiet word about the map in its corner. */
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
 * A list of switches behind a button; `layers` is [{ label, name, on, toggle }]. Of `told`, `choose` opens the choice
 * of geofences, `chooseImagery` and `toggleImagery` are for the user's own imagery, and `count` is told how many
 * switches are seen: the window, which has all keys, says which of them has the keyboard.
 */
export class LayerList {
  constructor(map, layers, told) {
    this.root = element("details", "fw-layers");
    this.root.setAttribute("aria-label", tr("Layers"));
    this.told = told;
    this.summary = element("summary", "", tr("Layers"));
    this.hidden = 0;
    this.root.append(this.summary);
    this.inputs = new Map(layers.map((each) => [each.name, this._addSwitch(each)]));
    this.choices = element("div", "");
    this.root.querySelector("label").after(this.choices);
    this.note = element("p", "");
    this.note.setAttribute("role", "status");
    const buttons = [action(tr("Imagery…"), told.chooseImagery), action(tr("Geofences by tag and state…"), told.choose)];
    this.root.append(...buttons, this.note);
    control(this.root, "topright").addTo(map);
    map.on("click", () => this.root.removeAttribute("open"));
    this.root.addEventListener("toggle", () => this._tellCount());
    this._tellCount();
  }

  /** Give the keyboard to the switch with this number, or take it back. */
  focus(at) {
    const stop = at === null ? undefined : this._stops()[at];
    this.root.classList.toggle("fw-by-keys", stop !== undefined);
    if (stop) stop.focus();
    else this.root.querySelector(":focus")?.blur();
  }

  /** Do what a click on the switch with this number does. */
  press(at) {
    this._stops()[at]?.click();
  }

  close() {
    this.root.removeAttribute("open");
    this.focus(null);
  }

  /** Offer imagery. The window says what is on: it may have to ask first. */
  setImagery(choices) {
    const had = this._stops().indexOf(document.activeElement);
    const rows = choices.map(({ id, name, on }) => {
      const row = element("label", "");
      const input = element("input", "");
      input.type = "checkbox";
      input.checked = on;
      input.addEventListener("change", () => {
        const wanted = input.checked;
        input.checked = on;
        this.told.toggleImagery(id, wanted);
      });
      row.append(input, element("span", "fw-name", name));
      return row;
    });
    this.choices.replaceChildren(...rows);
    if (had >= 0) this._stops()[had]?.focus();
    this._tellCount();
  }

  setChecked(name, on) {
    this.inputs.get(name).checked = on;
  }

  /** Say how many geofences are of layers that are not shown. */
  setHidden(hidden) {
    if (hidden === this.hidden) return;
    this.hidden = hidden;
    this.summary.textContent = hidden ? tr("Layers ({number} hidden)", { number: number(hidden) }) : tr("Layers");
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

  _stops() {
    return this.root.open ? [this.summary, ...this.root.querySelectorAll("input, button")] : [this.summary];
  }

  _tellCount() {
    this.told.count(this._stops().length);
  }
}
