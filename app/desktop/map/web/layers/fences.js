// The geofences: large ones are painted first, and the smallest one under the mouse is found first. The selected one
// and the one under the mouse are painted on another canvas in front, so that the others, possibly a hundred thousand,
// need no repainting.

import { clipRing, contains, extent, insideRings } from "../geometry/clip.js";
import { Dots, DOT_EXTENT, smallCanvas } from "./dots.js";
import { Figures, figuresFrom, figuresOf } from "./figures.js";
import { MIN_NAMED_SIZE, Names } from "./names.js";
import { copiesInView } from "./overlay.js";
import { VisibleFences } from "./visible_fences.js";

/**
 * Minimum size in pixels at which a geofence is drawn as a shape instead of a dot. It grows if more than this many
 * shapes would be in view.
 */
const MIN_SHAPE_SIZE = 5;
const MAX_SHAPES = 3000;
/** With more geofences than this, painting pauses after each step of this many dots or shapes. */
const MANY_FENCES = 5000;
const DOTS_PER_STEP = 2048;
const SHAPES_PER_STEP = 64;
const HIT_MARGIN = 4;
const HUGE_SIZE = 4096;
const HATCH = 8;
const DASH = [7, 5];
/** Vertices closer together than this, in pixels, are skipped. */
const MIN_VERTEX_SPACING = 1.5;

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
    /** Listener that receives the number of hidden geofences. */
    this.onHidden = Function.prototype;
    this._minShapeSize = MIN_SHAPE_SIZE;
    this._hatches = new Map();
    this._dots = new Dots();
    /** Separate dots for the front canvas, which may be painted while the painting of the others is paused. */
    this._dotsInFront = new Dots();
    this._visibleFences = new VisibleFences();
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

  /** Set which geofences are shown, and whether their state determines their colour. */
  setLayers(rule) {
    this.figures.setRule(rule);
    this._redraw();
  }

  /** Start collecting geofences that appear together, either in addition to the existing ones or instead of them. */
  begin(merge) {
    this._staged.set(merge, new Map());
  }

  /** Collect a packed portion of them. */
  stage(buffer, merge) {
    const staged = this._staged.get(merge);
    for (const figure of figuresOf(buffer)) staged.set(figure.id, figure);
  }

  commit(merge) {
    const staged = this._staged.get(merge);
    this._staged.delete(merge);
    if (merge) this.figures.put([...staged.values()]);
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

  /** Return the geofences within a box of the world, at most `limit`, those nearest to its centre first. */
  nearest([west, north, east, south], limit) {
    const [x, y] = [(west + east) / 2, (north + south) / 2];
    const found = [];
    for (const fence of this.figures.sorted) {
      const [minX, minY, maxX, maxY] = fence.box;
      const rawDx = (minX + maxX) / 2 - x;
      const dx = rawDx - Math.round(rawDx);
      const dy = (minY + maxY) / 2 - y;
      if (Math.abs(dx) > (east - west + maxX - minX) / 2 || Math.abs(dy) > (south - north + maxY - minY) / 2) continue;
      found.push({ fence, distance: dx * dx + dy * dy });
    }
    return found.sort((a, b) => a.distance - b.distance).slice(0, limit).map(({ fence }) => fence);
  }

  get(id) {
    return this.figures.byId.get(id) ?? null;
  }

  /** Return the selected geofence as it is currently drawn, or null if none is selected or shown. */
  selectedFence() {
    const fence = this.visible ? this.get(this.selected) : null;
    return fence ? this._current(fence) : null;
  }

  /** Set the shape of a geofence while it is being edited, or null when editing has ended. */
  setDraft(draft) {
    this.draft = (draft && this.get(draft.id)?.reshaped(draft.shape, draft.invalid ?? false)) ?? null;
    this._redrawFront();
  }

  select(id) {
    this.selected = id;
    this._redraw();
  }

  /** Mark further geofences as selected, or remove their marks. */
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

  /** Return the boxes around some geofences (all without `ids`), in world units. */
  extent(ids) {
    const figures = ids ? ids.map((id) => this.get(id)).filter(Boolean) : this.figures.sorted;
    return figures.map(({ box }) => box);
  }

  /** Return the boxes around all geofences, or none if there are more than `limit`. */
  boxesIfFew(limit) {
    return this.figures.sorted.length <= limit ? this.extent() : [];
  }

  /**
   * Return the IDs of the geofences for whose centre `isInside(x, y)` is true, in world units of any copy of the world.
   */
  idsWithCenter(isInside) {
    if (!this.visible) return [];
    const hasCenterInside = ({ center: { x, y } }) => [-1, 0, 1].some((copy) => isInside(x + copy, y));
    return this.figures.sorted.filter(hasCenterInside).map(({ id }) => id);
  }

  /** Return the smallest geofence at a point in world units. */
  find(x, y, scale) {
    if (!this.visible) return null;
    const { sorted, boxes } = this.figures;
    const [margin, dotMargin] = [HIT_MARGIN / scale, DOT_EXTENT / scale];
    if (this.draft && this._covers(this.draft, x, y, scale, margin, dotMargin)) return this.get(this.draft.id);
    const selected = this._selectedAt(x, y, scale, margin, dotMargin);
    if (selected) return selected;
    for (let index = sorted.length - 1, offset = 4 * index; index >= 0; index -= 1, offset -= 4) {
      const grow = (boxes[offset + 2] - boxes[offset]) * scale < this._minShapeSize ? dotMargin : margin;
      if (y < boxes[offset + 1] - grow || y > boxes[offset + 3] + grow) continue;
      for (let copy = -1; copy <= 1; copy += 1) {
        const wrappedX = x - copy;
        if (wrappedX < boxes[offset] - grow || wrappedX > boxes[offset + 2] + grow) continue;
        const fence = sorted[index];
        if (fence.id !== this.draft?.id && this._covers(fence, wrappedX, y, scale, margin, dotMargin)) return fence;
      }
    }
    return null;
  }

  /** Return the selected geofence if it covers a point in any copy of the world although its layer is hidden. */
  _selectedAt(x, y, scale, margin, dotMargin) {
    const selected = this.get(this.selected);
    if (!selected || this.figures.isShown(selected)) return null;
    return [-1, 0, 1].some((copy) => this._covers(selected, x - copy, y, scale, margin, dotMargin)) ? selected : null;
  }

  isHeavy() {
    return this.visible && this.figures.sorted.length > MANY_FENCES;
  }

  *paint(context, view) {
    if (!this.visible) return;
    // The current arrays, since geofences may be added or removed while the painting is paused.
    const { sorted, boxes, colorIndices, palette } = this.figures;
    const visible = this._collectVisible(view);
    const labelled = [];
    let painted = 0;
    // Marked geofences are painted last, so that nothing covers them.
    for (const marked of this.marked.size ? [false, true] : [false]) {
      for (let i = 0; i < visible.length; i += 1) {
        const size = visible.sizes[i];
        if (size < this._minShapeSize) continue;
        const fence = sorted[visible.indices[i]];
        if (!this._isPainted(fence, marked)) continue;
        this._paintShape(context, view, fence, visible.copies[i], size, labelled);
        if ((painted += 1) % SHAPES_PER_STEP === 0) yield;
      }
      yield* this._paintDots(context, view, { sorted, boxes, colorIndices, palette, visible }, marked);
    }
    // Marked geofences come first, so that their names are the last to be dropped.
    labelled.sort((a, b) => this._isMarked(b) - this._isMarked(a));
    this.names.paint(context, view, labelled, { selected: null, reserved: this._frontLabel(view) });
  }

  /** Return the selected geofence if its name is painted in front, so that no other name takes its place. */
  _frontLabel(view) {
    const selected = this.selectedFence();
    if (!selected?.label) return null;
    const [minX, minY, maxX, maxY] = selected.box;
    const size = Math.max(maxX - minX, maxY - minY) * view.scale;
    if (size < Math.max(MIN_NAMED_SIZE, this._minShapeSize)) return null;
    const [copy = null] = copiesInView(view, selected.box);
    return copy === null ? null : { fence: selected, copy };
  }

  _isMarked({ fence }) {
    return Number(this.marked.has(fence.id));
  }

  _isPainted({ id }, marked) {
    return id !== this.selected && (this.marked.size === 0 || this.marked.has(id) === marked);
  }

  /** Find the copies of geofences in view with their sizes in pixels, and determine which of them are drawn as dots. */
  _collectVisible(view) {
    const { boxes } = this.figures;
    const grow = DOT_EXTENT / view.scale;
    const [left, top, right, bottom] = view.box;
    const visible = this._visibleFences;
    let shapeCount = 0;
    visible.length = 0;
    for (let index = 0, offset = 0; offset < boxes.length; index += 1, offset += 4) {
      if (boxes[offset + 1] - grow > bottom || boxes[offset + 3] + grow < top) continue;
      for (const copy of view.copies) {
        if (boxes[offset] + copy - grow > right || boxes[offset + 2] + copy + grow < left) continue;
        const size = Math.max(boxes[offset + 2] - boxes[offset], boxes[offset + 3] - boxes[offset + 1]) * view.scale;
        visible.add(index, copy, size);
        if (size >= MIN_SHAPE_SIZE) shapeCount += 1;
      }
    }
    this._minShapeSize = shapeCount > MAX_SHAPES ? visible.sizeAtRank(MAX_SHAPES) : MIN_SHAPE_SIZE;
    return visible;
  }

  *_paintDots(context, view, { sorted, boxes, colorIndices, palette, visible }, marked) {
    const minShapeSize = this._minShapeSize;
    const selectedIndex = sorted.indexOf(this.get(this.selected));
    const isPainted = this.marked.size
      ? (index) => this._isPainted(sorted[index], marked)
      : (index) => index !== selectedIndex;
    this._dots.begin(context, view.theme, visible.length);
    const { topFirst } = this._dots;
    for (let i = 0; i < visible.length; i += 1) {
      if (i % DOTS_PER_STEP === DOTS_PER_STEP - 1) yield;
      const entry = topFirst ? visible.length - 1 - i : i;
      const index = visible.indices[entry];
      if (visible.sizes[entry] >= minShapeSize || !isPainted(index)) continue;
      const x = view.x((boxes[4 * index] + boxes[4 * index + 2]) / 2, visible.copies[entry]);
      const y = view.y((boxes[4 * index + 1] + boxes[4 * index + 3]) / 2);
      const { enabled, color } = palette[colorIndices[index]];
      this._dots.put(enabled, color, x, y, marked, marked);
    }
    this._dots.end();
  }

  _paintFront(context, view) {
    if (!this.visible) return;
    for (const id of new Set([this.hovered, this.selected])) {
      const labelled = [];
      const found = this.get(id);
      const shown = found && (id === this.selected || this.figures.isShown(found));
      if (shown) this._paintInFront(context, view, this._current(found), labelled);
      this.names.paint(context, view, labelled, { selected: this.selected });
    }
  }

  _paintInFront(context, view, fence, labelled) {
    const [minX, minY, maxX, maxY] = fence.box;
    const size = Math.max(maxX - minX, maxY - minY) * view.scale;
    this._dotsInFront.begin(context, view.theme, 1);
    for (const copy of copiesInView(view, fence.box, DOT_EXTENT)) {
      if (size >= this._minShapeSize) this._paintShape(context, view, fence, copy, size, labelled);
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

  _covers(fence, x, y, scale, margin, dotMargin) {
    const [minX, minY, maxX, maxY] = fence.box;
    const small = Math.max(maxX - minX, maxY - minY) * scale < this._minShapeSize;
    const grow = small ? dotMargin : margin;
    if (x < minX - grow || x > maxX + grow || y < minY - grow || y > maxY + grow) return false;
    if (small) return true;
    const { ellipse, rings } = fence;
    if (!ellipse) return insideRings(rings, x, y);
    const inX = (x - ellipse.x) / (ellipse.rx + margin);
    const inY = (y - ellipse.y) / (ellipse.ry + margin);
    return inX * inX + inY * inY <= 1;
  }

  _paintShape(context, view, fence, copy, size, labelled) {
    this._trace(context, view, fence, copy, size);
    this._fill(context, view, fence);
    if (size >= MIN_NAMED_SIZE && fence.label) labelled.push({ fence, copy });
  }

  _trace(context, view, { ellipse, rings }, copy, size) {
    context.beginPath();
    if (ellipse) {
      const { x, y, rx, ry } = ellipse;
      context.ellipse(view.x(x, copy), view.y(y), rx * view.scale, ry * view.scale, 0, 0, 2 * Math.PI);
      return;
    }
    for (const points of rings) this._traceRing(context, view, points, copy, size);
  }

  _traceRing(context, view, points, copy, size) {
    // A small shape does not need all of its vertices.
    const step = 2 * Math.max(1, Math.floor(points.length / 2 / Math.max(8, (4 * size) / MIN_VERTEX_SPACING)));
    let ring = [];
    for (let i = 0; i < points.length; i += step) ring.push(view.x(points[i], copy), view.y(points[i + 1]));
    // Paths far outside their canvas lose precision, so clip the invisible parts first.
    const clipBox = [-HUGE_SIZE / 4, -HUGE_SIZE / 4, view.size.x + HUGE_SIZE / 4, view.size.y + HUGE_SIZE / 4];
    if (size > HUGE_SIZE && !contains(clipBox, extent(ring))) ring = clipRing(ring, clipBox);
    if (!ring.length) return;
    context.moveTo(ring[0], ring[1]);
    for (let i = 2; i < ring.length; i += 2) context.lineTo(ring[i], ring[i + 1]);
    context.closePath();
  }

  _fill(context, view, fence) {
    const marked = this.marked.has(fence.id);
    const isSelected = marked || fence.id === this.selected;
    const color = fence.invalid ? view.theme.warning : this.figures.colorOf(fence);
    context.globalAlpha = fence.id === this.hovered || isSelected ? 0.3 : 0.2;
    context.fillStyle = color;
    if (fence.enabled) context.fill("evenodd");
    else this._hatch(context, color);
    context.globalAlpha = 1;
    context.lineJoin = "round";
    if (isSelected) {
      context.strokeStyle = marked ? view.theme.accent : view.theme.halo;
      context.lineWidth = marked ? 7 : 6;
      context.stroke();
    }
    context.globalAlpha = fence.enabled || isSelected ? 1 : 0.65;
    context.strokeStyle = color;
    context.lineWidth = isSelected ? 3 : fence.enabled ? 2 : 1.5;
    if (fence.closed) context.setLineDash(DASH);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  _hatch(context, color) {
    context.globalAlpha = 0.07;
    context.fill("evenodd");
    context.globalAlpha = 0.55;
    context.fillStyle = this._hatchOf(context, color);
    context.fill("evenodd");
  }

  _hatchOf(context, color) {
    if (!this._hatches.has(color)) {
      const { canvas, context: tileContext, ratio } = smallCanvas(HATCH);
      tileContext.strokeStyle = color;
      tileContext.lineWidth = 1.25;
      tileContext.beginPath();
      // The stripe and its two neighbours, so that adjacent tiles join without a gap.
      for (const shift of [-HATCH, 0, HATCH]) {
        tileContext.moveTo(shift - 1, HATCH + 1);
        tileContext.lineTo(shift + HATCH + 1, -1);
      }
      tileContext.stroke();
      const pattern = context.createPattern(canvas, "repeat");
      pattern.setTransform(new DOMMatrix().scale(1 / ratio));
      this._hatches.set(color, pattern);
    }
    return this._hatches.get(color);
  }
}
