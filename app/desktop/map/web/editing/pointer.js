// The mouse on the map when it neither draws nor drags: what is under it, and what it clicks.

import { rounded, worldX, worldY } from "../geometry/geo.js";

/** A hand that clicks may tremble by so many pixels; one that moves farther has dragged something. */
export const STEADY = 3;

/** How long a key waits for the clicks before it. The page may never receive one of them. */
const LATE_MS = 500;

/** Counts the clicks on the page. Keys reach the page by another way than the mouse, and may overtake it. */
export class Clicks {
  constructor() {
    this.count = 0;
    this.waiting = null;
    window.addEventListener("mouseup", (event) => this._onUp(event), true);
  }

  /** Count from zero, as the window does when the page is ready. */
  reset() {
    this.count = 0;
  }

  /** Resolve after so many clicks, or when they are too late. */
  async all(count) {
    if (this.count < count) {
      await new Promise((resolve) => {
        this.waiting = { count, resolve };
        setTimeout(resolve, LATE_MS);
      });
      this.waiting = null;
    }
    this.count = Math.max(this.count, count);
  }

  _onUp({ isTrusted, button }) {
    if (!isTrusted || button !== 0) return;
    this.count += 1;
    // The click itself comes after this.
    if (this.count >= this.waiting?.count) setTimeout(this.waiting.resolve);
  }
}

/** Let the click that comes next click nothing. The answer ends that, once the button has come up. */
export function swallowClick(map) {
  const container = map.getContainer();
  const swallow = (event) => event.stopPropagation();
  container.addEventListener("click", swallow, true);
  return () => setTimeout(() => container.removeEventListener("click", swallow, true));
}

export class Pointer {
  constructor(map, { fences, beacons, events, editor, holder, post }) {
    this.map = map;
    this.fences = fences;
    this.beacons = beacons;
    this.events = events;
    this.editor = editor;
    this.holder = holder;
    this.post = post;
    this.tooltip = L.tooltip({ className: "fw-tooltip", offset: [14, 0], direction: "right", opacity: 1 });
    // Before anything under the mouse takes the press for itself.
    map.getContainer().addEventListener("mousedown", ({ clientX, clientY }) => (this.pressed = [clientX, clientY]), true);
    map.on("click", (event) => this._click(event));
    map.on("contextmenu", (event) => this._ask(event));
    map.on("mousemove", (event) => this._move(event));
    map.on("mouseout movestart", () => this._show(null));
  }

  _under({ lat, lng }) {
    const scale = 256 * 2 ** this.map.getZoom();
    const x = worldX(lng);
    const y = worldY(lat);
    const inWorld = x - Math.floor(x);
    const event = this.events.find(inWorld, y, scale);
    const beacon = event ? null : this.beacons.find(inWorld, y, scale);
    return { event, beacon, fence: event || beacon ? null : this.fences.find(inWorld, y, scale) };
  }

  /** Whether the mouse was moved while its button was down: what it is over now was dropped on, not chosen. */
  _dropped({ clientX, clientY }) {
    return this.pressed && Math.hypot(clientX - this.pressed[0], clientY - this.pressed[1]) > STEADY;
  }

  _click({ latlng, originalEvent }) {
    if (this._dropped(originalEvent)) return;
    if (this.editor.tool === "isochrone") {
      this.post({ kind: "destination_chosen", position: [rounded(latlng.lng), rounded(latlng.lat)] });
    }
    if (this.editor.tool === "beacon") {
      this.post({ kind: "beacon_placed", position: [rounded(latlng.lng), rounded(latlng.lat)] });
    }
    if (this.editor.tool === "waypoint") {
      this.post({ kind: "waypoint_chosen", position: [rounded(latlng.lng), rounded(latlng.lat)] });
    }
    if (this.editor.isDrawing()) return;
    const { event, beacon, fence } = this._under(latlng);
    if (event) this.post({ kind: "event_clicked", id: event.id });
    else if (beacon) this.post({ kind: "beacon_clicked", id: beacon.id });
    else if (fence) this.post({ kind: isExtending(originalEvent) ? "fence_toggled" : "fence_clicked", id: fence.id });
    else if (!isExtending(originalEvent)) this.post({ kind: "map_clicked", position: [rounded(latlng.lng), rounded(latlng.lat)] });
  }

  /** The other button asks what is there, unless it takes a corner away just now. */
  _ask({ latlng, containerPoint: { x, y } }) {
    if (this.editor.isDrawing() || this.editor.held || this.holder.held) return;
    this._show(null);
    const id = this._under(latlng).fence?.id ?? null;
    this.post({ kind: "context_asked", position: [rounded(latlng.lng), rounded(latlng.lat)], x, y, id });
  }

  _move({ latlng, originalEvent }) {
    const busy = this.editor.isDrawing() || this.editor.held || this.holder.held || originalEvent.buttons;
    const { event, beacon, fence } = busy ? {} : this._under(latlng);
    this._show(event ?? beacon ?? fence ?? null, latlng, fence);
  }

  _show(thing, latlng, fence = null) {
    this.fences.hover(fence?.id ?? null);
    this.map.getContainer().classList.toggle("fw-over", thing !== null);
    const state = fence && (fence.enabled ? fence.closed && "closed now" : "disabled");
    const text = thing && (state ? `${thing.label} (${state})` : thing.label);
    if (!text) {
      this.tooltip.remove();
      return;
    }
    // As a node: a description is text, whatever is in it.
    const node = document.createElement("span");
    node.textContent = text;
    this.tooltip.setLatLng(latlng).setContent(node);
    if (!this.tooltip.isOpen()) this.tooltip.addTo(this.map);
  }
}

/** Whether a click is to change what is selected, and not to select something else. */
const isExtending = ({ ctrlKey, shiftKey, metaKey }) => ctrlKey || shiftKey || metaKey;
