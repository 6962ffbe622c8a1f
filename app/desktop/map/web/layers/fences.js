// The fences: painted large ones first, found by the smallest under the mouse. The one in hand and the one under the
// mouse are painted on another canvas, in front: a hundred thousand others stay as they are.

import { clipRing, contains, extent, insideRings } from "../geometry/clip.js";
import { Dots, DOT_REACH, smallCanvas } from "./dots.js";
import { Figures, figuresFrom, figuresOf } from "./figures.js";
import { NAMED_FROM, Names } from "./names.js";
import { copiesInView } from "./overlay.js";
import { Seen } from "./seen.js";

/** What is smaller is a dot; where there is too much to trace, what is smaller than the most that can be is one, too. */
const SMALLEST = 5;
const TRACED_UP_TO = 3000;
/** Of more than so many, painting gives way after so many dots or shapes. */
const HEAVY = 5000;
const DOTS_AT_ONCE = 2048;
const SHAPES_AT_ONCE = 64;
const REACH = 4;
const HUGE = 4096;
const HATCH = 8;
const DASH = [7, 5];
/** Corners nearer to one another than this, in pixels, are left out. */
const FINE = 1.5;

export class Fences {
  constructor() {
    this.figures = new Figures();
    this.names = new Names();
    this._staged = new Map();
    this.draft = null;
    this.selected = null;
    this.marked = new Set();
    this.hovered = null;
    this.visible = true;
    /** Is told how many are not shown. */
    this.onHidden = Function.prototype;
    this._smallest = SMALLEST;
    this._hatches = new Map();
    this._dots = new Dots();
    /** Of their own: what is in front is painted while the others are on their way. */
    this._dotsInFront = new Dots();
    this._seen = new Seen();
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

  /** Show only some of the fences, and colour them by their states or not. */
  setLayers(rule) {
    this.figures.setRule(rule);
    this._redraw();
  }

  /** Gather fences that appear together: beside those that are there, or in their place. */
  begin(beside) {
    this._staged.set(beside, new Map());
  }

  /** Take a packed portion of them. */
  stage(buffer, beside) {
    const staged = this._staged.get(beside);
    for (const figure of figuresOf(buffer)) staged.set(figure.id, figure);
  }

  commit(beside) {
    const staged = this._staged.get(beside);
    this._staged.delete(beside);
    if (beside) this.figures.put([...staged.values()]);
    else this.figures.replace(staged);
    this._redraw();
  }

  put(fences) {
    this.figures.put(figuresFrom(fences));
    this._redraw();
  }

  remove(ids) {
    for (const staged of this._staged.values()) for (const id of ids) staged.delete(id);
    this.figures.remove(ids);
    this._redraw();
  }

  /** At most so many fences that are within a box of the world, those nearest to its middle first. */
  near([west, north, east, south], most) {
    const [x, y] = [(west + east) / 2, (north + south) / 2];
    const found = [];
    for (const fence of this.figures.sorted) {
      const [minX, minY, maxX, maxY] = fence.box;
      const across = (minX + maxX) / 2 - x;
      const here = across - Math.round(across);
      const down = (minY + maxY) / 2 - y;
      if (Math.abs(here) > (east - west + maxX - minX) / 2 || Math.abs(down) > (south - north + maxY - minY) / 2) continue;
      found.push({ fence, away: here * here + down * down });
    }
    return found.sort((a, b) => a.away - b.away).slice(0, most).map(({ fence }) => fence);
  }

  get(id) {
    return this.figures.byId.get(id) ?? null;
  }

  /** The selected fence as it is drawn now; null where there is none, or fences are not shown. */
  inHand() {
    const fence = this.visible ? this.get(this.selected) : null;
    return fence ? this._current(fence) : null;
  }

  /** The look of a fence while the mouse still holds it; null when it lets go. */
  setDraft(draft) {
    this.draft = (draft && this.get(draft.id)?.reshaped(draft.shape, draft.invalid ?? false)) ?? null;
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

  setNamesVisible(visible) {
    this.names.visible = visible;
    this._redraw();
  }

  /** The boxes around some fences (all without `ids`), in world units. */
  extent(ids) {
    const figures = ids ? ids.map((id) => this.get(id)).filter(Boolean) : this.figures.sorted;
    return figures.map(({ box }) => box);
  }

  /** The boxes around all fences, if they are so few; else none. */
  extentOfFew(most) {
    return this.figures.sorted.length <= most ? this.extent() : [];
  }

  /** The ids of the fences whose middle `holds(x, y)`, in world units of any copy of the world. */
  within(holds) {
    if (!this.visible) return [];
    const isIn = ({ box: [minX, minY, maxX, maxY] }) =>
      [-1, 0, 1].some((copy) => holds((minX + maxX) / 2 + copy, (minY + maxY) / 2));
    return this.figures.sorted.filter(isIn).map(({ id }) => id);
  }

  /** The smallest fence at a point in world units. */
  find(x, y, scale) {
    if (!this.visible) return null;
    const { sorted, boxes } = this.figures;
    const [reach, far] = [REACH / scale, DOT_REACH / scale];
    if (this.draft && this._covers(this.draft, x, y, scale, reach, far)) return this.get(this.draft.id);
    const held = this._heldAt(x, y, scale, reach, far);
    if (held) return held;
    for (let at = sorted.length - 1, here = 4 * at; at >= 0; at -= 1, here -= 4) {
      const grow = (boxes[here + 2] - boxes[here]) * scale < this._smallest ? far : reach;
      if (y < boxes[here + 1] - grow || y > boxes[here + 3] + grow) continue;
      for (let copy = -1; copy <= 1; copy += 1) {
        const there = x - copy;
        if (there < boxes[here] - grow || there > boxes[here + 2] + grow) continue;
        const fence = sorted[at];
        if (fence.id !== this.draft?.id && this._covers(fence, there, y, scale, reach, far)) return fence;
      }
    }
    return null;
  }

  /** The selected fence, where it is at a point of any copy of the world and of a layer that is not shown. */
  _heldAt(x, y, scale, reach, far) {
    const held = this.get(this.selected);
    if (!held || this.figures.shows(held)) return null;
    return [-1, 0, 1].some((copy) => this._covers(held, x - copy, y, scale, reach, far)) ? held : null;
  }

  isHeavy() {
    return this.visible && this.figures.sorted.length > HEAVY;
  }

  *paint(context, view) {
    if (!this.visible) return;
    // As they are now: others may come and go before the painting goes on.
    const { sorted, boxes, looks, palette } = this.figures;
    const seen = this._look(view);
    const labelled = [];
    let painted = 0;
    // What is marked comes last, so that nothing covers it.
    for (const marked of this.marked.size ? [false, true] : [false]) {
      for (let at = 0; at < seen.length; at += 1) {
        const size = seen.sizes[at];
        if (size < this._smallest) continue;
        const fence = sorted[seen.places[at]];
        if (!this._isPainted(fence, marked)) continue;
        this._paintShape(context, view, fence, seen.copies[at], size, labelled);
        if ((painted += 1) % SHAPES_AT_ONCE === 0) yield;
      }
      yield* this._paintDots(context, view, { sorted, boxes, looks, palette, seen }, marked);
    }
    // What is marked comes first: its names are the last to go.
    labelled.sort((one, other) => this._isMarked(other) - this._isMarked(one));
    this.names.paint(context, view, labelled, { selected: null, reserved: this._namedInFront(view) });
  }

  /** The selected fence where its name is written in front, so that no other name is there. */
  _namedInFront(view) {
    const held = this.inHand();
    const size = held ? Math.max(held.box[2] - held.box[0], held.box[3] - held.box[1]) * view.scale : 0;
    if (!held?.label || size < Math.max(NAMED_FROM, this._smallest)) return null;
    const [copy = null] = copiesInView(view, held.box);
    return copy === null ? null : { fence: held, copy };
  }

  _isMarked({ fence }) {
    return Number(this.marked.has(fence.id));
  }

  _isPainted({ id }, marked) {
    return id !== this.selected && (this.marked.size === 0 || this.marked.has(id) === marked);
  }

  /** Look which copies of fences are in view, and how large they are in pixels; sets what is a dot. */
  _look(view) {
    const { boxes } = this.figures;
    const grow = DOT_REACH / view.scale;
    const [left, top, right, bottom] = view.box;
    const seen = this._seen;
    let traced = 0;
    seen.length = 0;
    for (let at = 0, here = 0; here < boxes.length; at += 1, here += 4) {
      if (boxes[here + 1] - grow > bottom || boxes[here + 3] + grow < top) continue;
      for (const copy of view.copies) {
        if (boxes[here] + copy - grow > right || boxes[here + 2] + copy + grow < left) continue;
        const size = Math.max(boxes[here + 2] - boxes[here], boxes[here + 3] - boxes[here + 1]) * view.scale;
        seen.add(at, copy, size);
        if (size >= SMALLEST) traced += 1;
      }
    }
    this._smallest = traced > TRACED_UP_TO ? seen.sizeOf(TRACED_UP_TO) : SMALLEST;
    return seen;
  }

  *_paintDots(context, view, { sorted, boxes, looks, palette, seen }, marked) {
    const smallest = this._smallest;
    const held = sorted.indexOf(this.get(this.selected));
    const isPainted = this.marked.size ? (place) => this._isPainted(sorted[place], marked) : (place) => place !== held;
    this._dots.begin(context, view.theme, seen.length);
    const { topFirst } = this._dots;
    for (let number = 0; number < seen.length; number += 1) {
      if (number % DOTS_AT_ONCE === DOTS_AT_ONCE - 1) yield;
      const at = topFirst ? seen.length - 1 - number : number;
      const place = seen.places[at];
      if (seen.sizes[at] >= smallest || !isPainted(place)) continue;
      const x = view.x((boxes[4 * place] + boxes[4 * place + 2]) / 2, seen.copies[at]);
      const y = view.y((boxes[4 * place + 1] + boxes[4 * place + 3]) / 2);
      const { enabled, color } = palette[looks[place]];
      this._dots.put(enabled, color, x, y, marked, marked);
    }
    this._dots.end();
  }

  _paintFront(context, view) {
    if (!this.visible) return;
    for (const id of new Set([this.hovered, this.selected])) {
      const labelled = [];
      const found = this.get(id);
      const shown = found && (id === this.selected || this.figures.shows(found));
      if (shown) this._paintInFront(context, view, this._current(found), labelled);
      this.names.paint(context, view, labelled, { selected: this.selected });
    }
  }

  _paintInFront(context, view, fence, labelled) {
    const [minX, minY, maxX, maxY] = fence.box;
    const size = Math.max(maxX - minX, maxY - minY) * view.scale;
    this._dotsInFront.begin(context, view.theme, 1);
    for (const copy of copiesInView(view, fence.box, DOT_REACH)) {
      if (size >= this._smallest) this._paintShape(context, view, fence, copy, size, labelled);
      else this._paintDot(fence, view.x((minX + maxX) / 2, copy), view.y((minY + maxY) / 2));
    }
    this._dotsInFront.end();
  }

  _paintDot(fence, x, y) {
    this._dotsInFront.put(fence.enabled, this.figures.colorOf(fence), x, y, true, this.marked.has(fence.id));
  }

  _redraw() {
    this.onHidden(this.figures.hidden);
    this._redrawBack();
    this._redrawFront();
  }

  _current(fence) {
    return this.draft?.id === fence.id ? this.draft : fence;
  }

  _covers(fence, x, y, scale, reach, far) {
    const [minX, minY, maxX, maxY] = fence.box;
    const small = Math.max(maxX - minX, maxY - minY) * scale < this._smallest;
    const grow = small ? far : reach;
    if (x < minX - grow || x > maxX + grow || y < minY - grow || y > maxY + grow) return false;
    if (small) return true;
    const { ellipse, points } = fence;
    if (!ellipse) return insideRings([points], x, y);
    const inX = (x - ellipse.x) / (ellipse.rx + reach);
    const inY = (y - ellipse.y) / (ellipse.ry + reach);
    return inX * inX + inY * inY <= 1;
  }

  _paintShape(context, view, fence, copy, size, labelled) {
    this._trace(context, view, fence, copy, size);
    this._fill(context, view, fence);
    if (size >= NAMED_FROM && fence.label) labelled.push({ fence, copy });
  }

  _trace(context, view, { ellipse, points }, copy, size) {
    context.beginPath();
    if (ellipse) {
      const { x, y, rx, ry } = ellipse;
      context.ellipse(view.x(x, copy), view.y(y), rx * view.scale, ry * view.scale, 0, 0, 2 * Math.PI);
      return;
    }
    // Of a small shape with many corners some are enough.
    const step = 2 * Math.max(1, Math.floor(points.length / 2 / Math.max(8, (4 * size) / FINE)));
    let ring = [];
    for (let at = 0; at < points.length; at += step) ring.push(view.x(points[at], copy), view.y(points[at + 1]));
    // Far outside its canvas a path loses precision: what cannot be seen is cut off first.
    const room = [-HUGE / 4, -HUGE / 4, view.size.x + HUGE / 4, view.size.y + HUGE / 4];
    if (size > HUGE && !contains(room, extent(ring))) ring = clipRing(ring, room);
    for (let at = 0; at < ring.length; at += 2) context.lineTo(ring[at], ring[at + 1]);
    context.closePath();
  }

  _fill(context, view, fence) {
    const marked = this.marked.has(fence.id);
    const chosen = marked || fence.id === this.selected;
    const color = fence.invalid ? view.theme.warning : this.figures.colorOf(fence);
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
}
