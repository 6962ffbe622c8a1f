// An arrow at the edge of the map towards the selected geofence if it is out of view, with its distance. Clicking it
// moves the map there, which never moves there by itself.

import { clipRing, overlaps } from "../geometry/clip.js";
import { areaOfPart } from "../geometry/inside.js";
import { formatLength, latitudeAt } from "../geometry/geo.js";
import { tr } from "../texts.js";

/** Width of the map's edge in pixels. A geofence that is only visible there counts as out of sight. */
const EDGE = 8;
const DOT_SIZE = 16;
/**
 * Space for the controls in the corners: hint and layers at the top, scale and attribution at the bottom, zoom on the
 * right.
 */
const MARGIN = { left: 12, top: 44, right: 52, bottom: 44 };
const ARROW = "M8 1 L14 14 L8 10.5 L2 14 Z";
const SVG = "http://www.w3.org/2000/svg";

const clamp = (value, min, max) => Math.max(min, Math.min(max, value));

/**
 * Return whether at least a pixel of a geofence lies in a box. All are in world units, in the same copy of the world.
 */
function isVisibleIn({ ellipse, parts, box }, bounds, pixel) {
  if (!overlaps(box, bounds)) return false;
  // A geofence of this size is drawn as a dot.
  if (Math.max(box[2] - box[0], box[3] - box[1]) < DOT_SIZE * pixel) return true;
  const [minX, minY, maxX, maxY] = bounds;
  if (!ellipse) {
    // Relative to the corner of the box, since far from zero small differences would be lost to rounding.
    const clipped = (ring) => {
      const local = ring.map((value, index) => value - bounds[index % 2]);
      return clipRing(local, [0, 0, maxX - minX, maxY - minY]);
    };
    // A ring that only surrounds the box is clipped to lines without area.
    const areas = parts.map((rings) => areaOfPart(rings.map(clipped)));
    return areas.reduce((sum, area) => sum + area, 0) > (pixel * pixel) / 2;
  }
  const dx = (clamp(ellipse.x, minX, maxX) - ellipse.x) / ellipse.rx;
  const dy = (clamp(ellipse.y, minY, maxY) - ellipse.y) / ellipse.ry;
  return dx * dx + dy * dy <= 1;
}

/** Return the view in world units, without its edge. */
function viewBox(map, pixel) {
  const { min, max } = map.getPixelBounds();
  return [min.x + EDGE, min.y + EDGE, max.x - EDGE, max.y - EDGE].map((side) => side * pixel);
}

export class OutOfSight {
  constructor(map, fences, editor, camera) {
    this.map = map;
    this.fences = fences;
    this.editor = editor;
    this.camera = camera;
    this.node = this._create();
    map.on("move zoomend resize", () => this.update());
  }

  /** Return whether any part of a geofence is visible. */
  isInView(fence) {
    const pixel = 1 / (256 * 2 ** this.map.getZoom());
    const view = viewBox(this.map, pixel);
    const first = Math.floor(view[0] - fence.box[2]);
    for (let copy = first; copy <= view[2] - fence.box[0]; copy += 1) {
      if (isVisibleIn(fence, [view[0] - copy, view[1], view[2] - copy, view[3]], pixel)) return true;
    }
    return false;
  }

  /** Move the map to a geofence if it is out of view. */
  reveal(id) {
    const fence = this.fences.get(id);
    if (fence && !this.isInView(fence)) this.camera.fitBoxes([fence.box], false);
  }

  _showFence() {
    const fence = this.fences.selectedFence();
    if (fence) this.camera.fitBoxes([fence.box], true);
  }

  // As a painter, it is notified whenever the selection or a geofence changes.
  paint() {
    this.update();
  }

  update() {
    const fence = this.fences.selectedFence();
    this.node.hidden = !fence || this.editor.isDrawing() || this.isInView(fence);
    if (!this.node.hidden) this._pointTo(fence);
  }

  _pointTo({ label, center: { x, y } }) {
    const name = label || tr("The geofence");
    const { x: width, y: height } = this.map.getSize();
    const scale = 256 * 2 ** this.map.getZoom();
    const middle = this.map.getPixelBounds().getCenter();
    const copy = Math.round(middle.x / scale - x);
    const dx = (x + copy) * scale - middle.x;
    const dy = y * scale - middle.y;
    const distance = formatLength(this.map.distance(this.map.getCenter(), [latitudeAt(y), (x + copy - 0.5) * 360]));
    this.name.textContent = name;
    this.distance.textContent = distance;
    const description = tr("Show {geofence_name} on the map, {distance} away", { geofence_name: name, distance });
    this.node.setAttribute("aria-label", description);
    this.arrow.style.order = dx > 0 ? "1" : "-1";
    this.arrow.style.transform = `rotate(${Math.atan2(dx, -dy)}rad)`;
    const { offsetWidth, offsetHeight } = this.node;
    const space = {
      right: dx > 0 ? width / 2 - MARGIN.right - offsetWidth / 2 : width / 2 - MARGIN.left - offsetWidth / 2,
      down: dy > 0 ? height / 2 - MARGIN.bottom - offsetHeight / 2 : height / 2 - MARGIN.top - offsetHeight / 2,
    };
    const factor = Math.min(space.right / Math.abs(dx), space.down / Math.abs(dy));
    this.node.style.left = `${width / 2 + dx * factor}px`;
    this.node.style.top = `${height / 2 + dy * factor}px`;
  }

  _create() {
    const node = document.createElement("button");
    node.type = "button";
    node.className = "fw-out-of-sight";
    node.hidden = true;
    this.arrow = document.createElementNS(SVG, "svg");
    this.arrow.setAttribute("viewBox", "0 0 16 16");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", ARROW);
    this.arrow.append(path);
    // As text, since a description is plain text and may contain markup.
    const part = (className) => Object.assign(document.createElement("span"), { className });
    this.name = part("fw-out-of-sight-name");
    this.distance = part("fw-out-of-sight-distance");
    node.append(this.arrow, this.name, this.distance);
    L.DomEvent.disableClickPropagation(node);
    L.DomEvent.disableScrollPropagation(node);
    node.addEventListener("click", () => this._showFence());
    this.map.getContainer().append(node);
    return node;
  }
}
