// Where the selected fence is when it is out of sight: an arrow at the edge of the map, with how far it is. A click
// goes there; by itself the map goes nowhere.

import { clipRing, overlaps } from "../geometry/clip.js";
import { formatLength, latitudeAt } from "../geometry/geo.js";
import { tr } from "../texts.js";

/** So many pixels of the map's edge do not count: what peeps out only there is out of sight. */
const EDGE = 8;
const DOT = 16;
/** Room for what lies in the corners: hint and layers above, scale and attribution below, zoom on the right. */
const MARGIN = { left: 12, top: 44, right: 52, bottom: 44 };
const ARROW = "M8 1 L14 14 L8 10.5 L2 14 Z";
const SVG = "http://www.w3.org/2000/svg";

/** Twice the area of a ring: one that only goes around a box is cut down to lines. */
function areaOf(ring) {
  let sum = 0;
  for (let to = 0, from = ring.length - 2; to < ring.length; from = to, to += 2) {
    sum += ring[from] * ring[to + 1] - ring[to] * ring[from + 1];
  }
  return Math.abs(sum);
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** Whether at least a pixel of a fence lies in a box; all in world units, on the same copy of the world. */
function isIn({ ellipse, points, box }, around, pixel) {
  if (!overlaps(box, around)) return false;
  // What is so small is drawn as a dot.
  if (Math.max(box[2] - box[0], box[3] - box[1]) < DOT * pixel) return true;
  const [minX, minY, maxX, maxY] = around;
  if (!ellipse) {
    // Counted from the box's corner: so far from zero, what is small would be lost.
    const near = points.map((value, at) => value - around[at % 2]);
    return areaOf(clipRing(near, [0, 0, maxX - minX, maxY - minY])) > pixel * pixel;
  }
  const right = (clamp(ellipse.x, minX, maxX) - ellipse.x) / ellipse.rx;
  const down = (clamp(ellipse.y, minY, maxY) - ellipse.y) / ellipse.ry;
  return right * right + down * down <= 1;
}

/** The view in world units, without its edge. */
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
    this.node = this._make();
    map.on("move zoomend resize", () => this.update());
  }

  /** Whether some of a fence can be seen. */
  sees(fence) {
    const pixel = 1 / (256 * 2 ** this.map.getZoom());
    const view = viewBox(this.map, pixel);
    const first = Math.floor(view[0] - fence.box[2]);
    for (let copy = first; copy <= view[2] - fence.box[0]; copy += 1) {
      if (isIn(fence, [view[0] - copy, view[1], view[2] - copy, view[3]], pixel)) return true;
    }
    return false;
  }

  /** Go to a fence that cannot be seen. */
  reveal(id) {
    const fence = this.fences.get(id);
    if (fence && !this.sees(fence)) this.camera.fitBoxes([fence.box], false);
  }

  _go() {
    const fence = this.fences.inHand();
    if (fence) this.camera.fitBoxes([fence.box], true);
  }

  // As a painter it is told whenever the selection or a fence changes.
  paint() {
    this.update();
  }

  update() {
    const fence = this.fences.inHand();
    this.node.hidden = !fence || this.editor.isDrawing() || this.sees(fence);
    if (!this.node.hidden) this._point(fence);
  }

  _point({ label, box }) {
    const name = label || tr("The geofence");
    const { x: width, y: height } = this.map.getSize();
    const scale = 256 * 2 ** this.map.getZoom();
    const middle = this.map.getPixelBounds().getCenter();
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const copy = Math.round(middle.x / scale - x);
    const right = (x + copy) * scale - middle.x;
    const down = y * scale - middle.y;
    const away = formatLength(this.map.distance(this.map.getCenter(), [latitudeAt(y), (x + copy - 0.5) * 360]));
    this.name.textContent = name;
    this.away.textContent = away;
    this.node.setAttribute("aria-label", tr("Show {name} on the map, {away} away", { name, away }));
    this.arrow.style.order = right > 0 ? "1" : "-1";
    this.arrow.style.transform = `rotate(${Math.atan2(right, -down)}rad)`;
    const { offsetWidth, offsetHeight } = this.node;
    const room = {
      right: right > 0 ? width / 2 - MARGIN.right - offsetWidth / 2 : width / 2 - MARGIN.left - offsetWidth / 2,
      down: down > 0 ? height / 2 - MARGIN.bottom - offsetHeight / 2 : height / 2 - MARGIN.top - offsetHeight / 2,
    };
    const reach = Math.min(room.right / Math.abs(right), room.down / Math.abs(down));
    this.node.style.left = `${width / 2 + right * reach}px`;
    this.node.style.top = `${height / 2 + down * reach}px`;
  }

  _make() {
    const node = document.createElement("button");
    node.type = "button";
    node.className = "fw-out-of-sight";
    node.hidden = true;
    this.arrow = document.createElementNS(SVG, "svg");
    this.arrow.setAttribute("viewBox", "0 0 16 16");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", ARROW);
    this.arrow.append(path);
    // As text: a description is text, whatever is in it.
    const part = (className) => Object.assign(document.createElement("span"), { className });
    this.name = part("fw-out-of-sight-name");
    this.away = part("fw-out-of-sight-away");
    node.append(this.arrow, this.name, this.away);
    L.DomEvent.disableClickPropagation(node);
    L.DomEvent.disableScrollPropagation(node);
    node.addEventListener("click", () => this._go());
    this.map.getContainer().append(node);
    return node;
  }
}
