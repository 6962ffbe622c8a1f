// The mouse on the map when it neither draws nor drags: what is under it, and what it clicks.

import { rounded, worldX, worldY } from "./geo.js";

export class Pointer {
  constructor(map, { fences, events, editor, post }) {
    Object.assign(this, { map, fences, events, editor, post });
    this.tooltip = L.tooltip({ className: "fw-tooltip", offset: [14, 0], direction: "right", opacity: 1 });
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
    return { event, fence: event ? null : this.fences.find(inWorld, y, scale) };
  }

  _click({ latlng }) {
    if (this.editor.tool === "isochrone") {
      this.post({ kind: "destination_chosen", position: [rounded(latlng.lng), rounded(latlng.lat)] });
    }
    if (this.editor.isDrawing()) return;
    const { event, fence } = this._under(latlng);
    if (event) this.post({ kind: "event_clicked", id: event.id });
    else if (fence) this.post({ kind: "fence_clicked", id: fence.id });
    else this.post({ kind: "map_clicked", position: [rounded(latlng.lng), rounded(latlng.lat)] });
  }

  /** The other button asks what is there, unless it takes a corner away just now. */
  _ask({ latlng, containerPoint: { x, y } }) {
    if (this.editor.isDrawing() || this.editor.held) return;
    this._show(null);
    this.post({ kind: "context_asked", position: [rounded(latlng.lng), rounded(latlng.lat)], x, y });
  }

  _move({ latlng, originalEvent }) {
    const busy = this.editor.isDrawing() || this.editor.held || originalEvent.buttons;
    const { event, fence } = busy ? {} : this._under(latlng);
    this._show(event ?? fence ?? null, latlng, event ? null : fence);
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
