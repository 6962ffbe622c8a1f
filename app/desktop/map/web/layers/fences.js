// The fences: kept in world units, painted large ones first, found by the smallest under the mouse. The one in hand
// and the one under the mouse are painted on another canvas, in front: ten thousand others stay as they are.

import { clipRing, contains, extent, insideRings } from "../geometry/clip.js";
import { groundCircle, isTraced, unwrap, worldX, worldY } from "../geometry/geo.js";
import { copiesInView, haloText } from "./overlay.js";
import { FONT } from "../themes.js";

const DOT = 3.5;
const SMALLEST = 5;
const REACH = 4;
const LABELS_UP_TO = 400;
const HUGE = 4096;
const HATCH = 8;
const SPRITE = 14;
const DASH = [7, 5];

function smallCanvas(size) {
  const ratio = window.devicePixelRatio || 1;
  const tile = new OffscreenCanvas(size * ratio, size * ratio);
  const ink = tile.getContext("2d");
  ink.scale(ratio, ratio);
  return { tile, ink, ratio };
}

function outline(shape) {
  if (shape.ring) {
    const points = unwrap(shape.ring).flatMap(([longitude, latitude]) => [worldX(longitude), worldY(latitude)]);
    return { points, box: extent(points) };
  }
  const ellipse = groundCircle(shape.longitude, shape.latitude, shape.radius_m);
  const { x, y, rx, ry } = ellipse;
  return { ellipse, box: [x - rx, y - ry, x + rx, y + ry] };
}

/** Whether a polygon is around a text on its middle: a name beside its narrow, slanting fence is nobody's. */
function around(points, x, y, width) {
  return [-0.5, 0, 0.5].every((share) => insideRings([points], x + share * width, y));
}

function figure(fence) {
  const drawn = outline(fence.shape);
  const [minX, minY, maxX, maxY] = drawn.box;
  return { ...fence, ...drawn, area: (maxX - minX) * (maxY - minY) };
}

export class Fences {
  constructor() {
    this.byId = new Map();
    this.staged = null;
    this.draft = null;
    this.selected = null;
    this.marked = new Set();
    this.hovered = null;
    this.visible = true;
    this._sorted = null;
    this._hatches = new Map();
    this._sprites = new Map();
    this.front = {
      attach: (redraw) => {
        this._redrawFront = redraw;
      },
      paint: (context, view) => this._paintFront(context, view),
    };
  }

  attach(redraw) {
    this._redrawBack = redraw;
  }

  begin() {
    this.staged = new Map();
  }

  stage(fences) {
    for (const fence of fences) this.staged.set(fence.id, figure(fence));
  }

  commit() {
    this.byId = this.staged ?? new Map();
    this.staged = null;
    this._changed();
  }

  put(fences) {
    for (const fence of fences) this.byId.set(fence.id, figure(fence));
    this._changed();
  }

  remove(ids) {
    for (const id of ids) this.byId.delete(id);
    this._changed();
  }

  get(id) {
    return this.byId.get(id) ?? null;
  }

  /** The selected fence as it is drawn now; null where there is none, or fences are not shown. */
  inHand() {
    const fence = this.visible ? this.byId.get(this.selected) : null;
    return fence ? this._current(fence) : null;
  }

  /** The look of a fence while the mouse still holds it; null when it lets go. */
  setDraft(draft) {
    this.draft = draft && { ...draft, ...outline(draft.shape) };
    this._redrawFront();
  }

  select(id) {
    this.selected = id;
    this._redraw();
  }

  /** Show others as selected, too, or no longer. */
  mark({ clear, added, removed }) {
    if (clear) this.marked.clear();
    for (const id of added) this.marked.add(id);
    for (const id of removed) this.marked.delete(id);
    this._redraw();
  }

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this._redrawFront();
  }

  setVisible(visible) {
    this.visible = visible;
    this._redraw();
  }

  /** The box around some fences (all without `ids`), in world units. */
  extent(ids) {
    const figures = ids ? ids.map((id) => this.byId.get(id)).filter(Boolean) : [...this.byId.values()];
    return figures.map(({ box }) => box);
  }

  /** The ids of the fences whose middle `holds(x, y)`, in world units of any copy of the world. */
  within(holds) {
    if (!this.visible) return [];
    const isIn = ({ box: [minX, minY, maxX, maxY] }) =>
      [-1, 0, 1].some((copy) => holds((minX + maxX) / 2 + copy, (minY + maxY) / 2));
    return [...this.byId.values()].filter(isIn).map(({ id }) => id);
  }

  /** The smallest fence at a point in world units. */
  find(x, y, scale) {
    if (!this.visible) return null;
    const sorted = this._bySize();
    const reach = REACH / scale;
    for (let at = sorted.length - 1; at >= 0; at -= 1) {
      if (this._covers(this._current(sorted[at]), x, y, scale, reach)) return sorted[at];
    }
    return null;
  }

  paint(context, view) {
    if (!this.visible) return;
    const labelled = [];
    // What is marked comes last, so that nothing covers it.
    for (const marked of this.marked.size ? [false, true] : [false]) {
      for (const fence of this._bySize()) {
        if (fence.id !== this.selected && this.marked.has(fence.id) === marked) {
          this._paintFence(context, view, fence, labelled);
        }
      }
    }
    if (labelled.length <= LABELS_UP_TO) this._paintLabels(context, view, labelled);
  }

  _paintFront(context, view) {
    if (!this.visible) return;
    for (const id of new Set([this.hovered, this.selected])) {
      const labelled = [];
      const fence = this.byId.get(id);
      if (fence) this._paintFence(context, view, this._current(fence), labelled);
      this._paintLabels(context, view, labelled);
    }
  }

  _changed() {
    this._sorted = null;
    this._redraw();
  }

  _redraw() {
    this._redrawBack();
    this._redrawFront();
  }

  _bySize() {
    this._sorted ??= [...this.byId.values()].sort((a, b) => b.area - a.area);
    return this._sorted;
  }

  _current(fence) {
    return this.draft?.id === fence.id ? { ...fence, ...this.draft } : fence;
  }

  _covers({ box, ellipse, points }, x, y, scale, reach) {
    const small = (box[2] - box[0]) * scale < SMALLEST;
    const grow = small ? (DOT + REACH) / scale : reach;
    for (const copy of [-1, 0, 1]) {
      const at = x - copy;
      if (at < box[0] - grow || at > box[2] + grow || y < box[1] - grow || y > box[3] + grow) continue;
      if (small) return true;
      if (!ellipse) return insideRings([points], at, y);
      const inX = (at - ellipse.x) / (ellipse.rx + reach);
      const inY = (y - ellipse.y) / (ellipse.ry + reach);
      if (inX * inX + inY * inY <= 1) return true;
    }
    return false;
  }

  _paintFence(context, view, fence, labelled) {
    const width = (fence.box[2] - fence.box[0]) * view.scale;
    const height = (fence.box[3] - fence.box[1]) * view.scale;
    for (const copy of copiesInView(view, fence.box, DOT + 4)) {
      if (Math.max(width, height) < SMALLEST) {
        this._paintDot(context, view, fence, copy);
      } else {
        this._trace(context, view, fence, copy, Math.max(width, height));
        this._fill(context, view, fence);
        if (width > 36 && fence.label) labelled.push({ fence, copy, width });
      }
    }
  }

  _paintDot(context, view, fence, copy) {
    const marked = this.marked.has(fence.id);
    const chosen = marked || fence.id === this.selected || fence.id === this.hovered;
    const [minX, minY, maxX, maxY] = fence.box;
    const half = SPRITE / 2;
    const left = Math.round(view.x((minX + maxX) / 2, copy)) - half;
    const top = Math.round(view.y((minY + maxY) / 2)) - half;
    context.drawImage(this._spriteOf(view.theme, fence, chosen, marked), left, top, SPRITE, SPRITE);
  }

  /** A dot drawn once for each look: thousands of them are copied, not drawn. */
  _spriteOf(theme, { color, enabled }, chosen, marked) {
    const key = `${color} ${enabled} ${chosen} ${marked} ${theme.halo}`;
    if (!this._sprites.has(key)) {
      const { tile, ink } = smallCanvas(SPRITE);
      ink.beginPath();
      ink.arc(SPRITE / 2, SPRITE / 2, chosen ? DOT + 2 : DOT, 0, 2 * Math.PI);
      ink.fillStyle = enabled ? color : theme.land;
      ink.fill();
      ink.strokeStyle = marked ? theme.accent : enabled ? theme.halo : color;
      ink.lineWidth = marked ? 2 : 1.25;
      ink.stroke();
      this._sprites.set(key, tile.transferToImageBitmap());
    }
    return this._sprites.get(key);
  }

  _trace(context, view, { ellipse, points }, copy, size) {
    context.beginPath();
    if (ellipse) {
      const { x, y, rx, ry } = ellipse;
      context.ellipse(view.x(x, copy), view.y(y), rx * view.scale, ry * view.scale, 0, 0, 2 * Math.PI);
      return;
    }
    let ring = points.map((value, index) => (index % 2 ? view.y(value) : view.x(value, copy)));
    // Far outside its canvas a path loses precision: what cannot be seen is cut off first.
    const room = [-HUGE / 4, -HUGE / 4, view.size.x + HUGE / 4, view.size.y + HUGE / 4];
    if (size > HUGE && !contains(room, extent(ring))) ring = clipRing(ring, room);
    for (let at = 0; at < ring.length; at += 2) context.lineTo(ring[at], ring[at + 1]);
    context.closePath();
  }

  _fill(context, view, fence) {
    const marked = this.marked.has(fence.id);
    const chosen = marked || fence.id === this.selected;
    const color = fence.invalid ? view.theme.warning : fence.color;
    context.globalAlpha = fence.id === this.hovered || chosen ? 0.3 : 0.2;
    context.fillStyle = color;
    if (fence.enabled) context.fill();
    else this._hatch(context, color);
    context.globalAlpha = 1;
    context.lineJoin = "round";
    if (chosen) {
      context.strokeStyle = marked ? view.theme.accent : view.theme.halo;
      context.lineWidth = marked ? 7 : 6;
      context.stroke();
    }
    context.globalAlpha = fence.enabled || chosen ? 1 : 0.65;
    context.strokeStyle = color;
    context.lineWidth = chosen ? 3 : fence.enabled ? 2 : 1.5;
    if (fence.closed) context.setLineDash(DASH);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  _hatch(context, color) {
    context.globalAlpha = 0.07;
    context.fill();
    context.globalAlpha = 0.55;
    context.fillStyle = this._hatchOf(context, color);
    context.fill();
  }

  _hatchOf(context, color) {
    if (!this._hatches.has(color)) {
      const { tile, ink, ratio } = smallCanvas(HATCH);
      ink.strokeStyle = color;
      ink.lineWidth = 1.25;
      ink.beginPath();
      // The stripe and its two neighbours, so that the tile joins without a gap.
      for (const shift of [-HATCH, 0, HATCH]) {
        ink.moveTo(shift - 1, HATCH + 1);
        ink.lineTo(shift + HATCH + 1, -1);
      }
      ink.stroke();
      const pattern = context.createPattern(tile, "repeat");
      pattern.setTransform(new DOMMatrix().scale(1 / ratio));
      this._hatches.set(color, pattern);
    }
    return this._hatches.get(color);
  }

  _paintLabels(context, view, labelled) {
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { fence, copy, width } of labelled) {
      const across = context.measureText(fence.label).width + 12;
      if (across > width) continue;
      const [minX, minY, maxX, maxY] = fence.box;
      const [middleX, middleY] = [(minX + maxX) / 2, (minY + maxY) / 2];
      if (fence.points && !around(fence.points, middleX, middleY, across / view.scale)) continue;
      const [x, y] = [view.x(middleX, copy), view.y(middleY)];
      // The handle of a selected circle is at its centre, that of an isochrone somewhere near.
      const below = fence.id === this.selected && (fence.ellipse || isTraced(fence.shape)) ? 18 : 0;
      context.globalAlpha = fence.enabled ? 1 : 0.7;
      haloText(context, fence.label, x, y + below, view.theme.halo, view.theme.ink);
    }
    context.globalAlpha = 1;
  }
}
