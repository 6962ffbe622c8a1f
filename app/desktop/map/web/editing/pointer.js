// The mouse on the map while it neither draws nor drags: finding the object under it, and reporting clicks.

import { rounded, worldX, worldY } from "../geometry/geo.js";

/** Maximum movement of the mouse during a click, in pixels. A longer movement is a drag. */
export const CLICK_TOLERANCE = 3;

/** How long a key waits for earlier clicks, which may never reach the page. */
const CLICK_TIMEOUT_MS = 500;

/** Counts the clicks on the page. Keys reach the page by a different route than the mouse and may overtake it. */
export class Clicks {
  constructor() {
    this.count = 0;
    this.waiting = null;
    window.addEventListener("mouseup", (event) => this._onUp(event), true);
  }

  /** Start counting at zero, as the window does when the page is ready. */
  reset() {
    this.count = 0;
  }

  /** Resolve after this many clicks, or after a timeout. */
  async waitFor(count) {
    if (this.count < count) {
      await new Promise((resolve) => {
        this.waiting = { count, resolve };
        setTimeout(resolve, CLICK_TIMEOUT_MS);
      });
      this.waiting = null;
    }
    this.count = Math.max(this.count, count);
  }

  _onUp({ isTrusted, button }) {
    if (!isTrusted || button !== 0) return;
    this.count += 1;
    // The click event follows this one.
    if (this.count >= this.waiting?.count) setTimeout(this.waiting.resolve);
  }
}

/** Suppress the next click. The returned function ends this after the button has been released. */
export function swallowClick(map) {
  const container = map.getContainer();
  const swallow = (event) => event.stopPropagation();
  container.addEventListener("click", swallow, true);
  return () => setTimeout(() => container.removeEventListener("click", swallow, true));
}

export class Pointer {
  constructor(map, { fences, beacons, events, editor, beaconHandle, post }) {
    this.map = map;
    this.fences = fences;
    this.beacons = beacons;
    this.events = events;
    this.editor = editor;
    this.beaconHandle = beaconHandle;
    this.post = post;
    this.tooltip = L.tooltip({ className: "fw-tooltip", offset: [14, 0], direction: "right", opacity: 1 });
    // Listen before any object under the mouse handles the press.
    map.getContainer().addEventListener("mousedown", ({ clientX, clientY }) => (this.pressed = [clientX, clientY]), true);
    map.on("click", (event) => this._onClick(event));
    map.on("contextmenu", (event) => this._onContextMenu(event));
    map.on("mousemove", (event) => this._onMove(event));
    map.on("mouseout movestart", () => this._showHover(null));
  }

  _hitTest({ lat, lng }) {
    const scale = 256 * 2 ** this.map.getZoom();
    const x = worldX(lng);
    const y = worldY(lat);
    const inWorld = x - Math.floor(x);
    const event = this.events.find(inWorld, y, scale);
    const beacon = event ? null : this.beacons.find(inWorld, y, scale);
    return { event, beacon, fence: event || beacon ? null : this.fences.find(inWorld, y, scale) };
  }

  /** Return whether the mouse was moved while its button was down, so that the object under it was not clicked. */
  _wasDragged({ clientX, clientY }) {
    return this.pressed && Math.hypot(clientX - this.pressed[0], clientY - this.pressed[1]) > CLICK_TOLERANCE;
  }

  _onClick({ latlng, originalEvent }) {
    if (this._wasDragged(originalEvent)) return;
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
    const { event, beacon, fence } = this._hitTest(latlng);
    if (event) this.post({ kind: "event_clicked", id: event.id });
    else if (beacon) this.post({ kind: "beacon_clicked", id: beacon.id });
    else if (fence) this.post({ kind: isExtending(originalEvent) ? "fence_toggled" : "fence_clicked", id: fence.id });
    else if (!isExtending(originalEvent)) this.post({ kind: "map_clicked", position: [rounded(latlng.lng), rounded(latlng.lat)] });
  }

  /** Report a right click, unless it removes a vertex. */
  _onContextMenu({ latlng, containerPoint: { x, y } }) {
    if (this.editor.isDrawing() || this.editor.held || this.beaconHandle.held) return;
    this._showHover(null);
    const id = this._hitTest(latlng).fence?.id ?? null;
    this.post({ kind: "context_asked", position: [rounded(latlng.lng), rounded(latlng.lat)], x, y, id });
  }

  _onMove({ latlng, originalEvent }) {
    const busy = this.editor.isDrawing() || this.editor.held || this.beaconHandle.held || originalEvent.buttons;
    const { event, beacon, fence } = busy ? {} : this._hitTest(latlng);
    this._showHover(event ?? beacon ?? fence ?? null, latlng, fence);
  }

  _showHover(target, latlng, fence = null) {
    this.fences.hover(fence?.id ?? null);
    this.map.getContainer().classList.toggle("fw-over", target !== null);
    const state = fence && (fence.enabled ? fence.closed && "closed now" : "disabled");
    const text = target && (state ? `${target.label} (${state})` : target.label);
    if (!text) {
      this.tooltip.remove();
      return;
    }
    // As a node, since a description is plain text and may contain markup.
    const node = document.createElement("span");
    node.textContent = text;
    this.tooltip.setLatLng(latlng).setContent(node);
    if (!this.tooltip.isOpen()) this.tooltip.addTo(this.map);
  }
}

/** Whether a click extends the selection instead of replacing it. */
const isExtending = ({ ctrlKey, shiftKey, metaKey }) => ctrlKey || shiftKey || metaKey;
