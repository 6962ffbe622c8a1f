// A canvas over the map on which painters draw in turn. Ten thousand fences are ten thousand paths, not layers.
//
// What a painter of very much paints goes on in the next frames, on a spare canvas: until it is there the picture before
// moves along, and nothing stands still.

/** So long, in milliseconds, the page is held up at once. */
const SLICE_MS = 10;
/** So long after the first that was given up, a painting is not given up any more, however much moves. */
const AT_LAST_MS = 700;

/** @type {new (painters: object[], theme: object) => any} */
export const Overlay = L.Renderer.extend({
  options: { padding: 0.25, pane: "overlay" },

  initialize(painters, theme) {
    L.Renderer.prototype.initialize.call(this);
    this.painters = painters;
    this.theme = theme;
    painters.forEach((painter) => painter.attach?.(() => this.redraw()));
  },

  getEvents() {
    return { ...L.Renderer.prototype.getEvents.call(this), move: this._onMove };
  },

  setTheme(theme) {
    this.theme = theme;
    this.redraw();
  },

  /** Draw once before the next frame, however often this is called. */
  redraw() {
    if (this._frame || !this._map) return;
    this._frame = L.Util.requestAnimFrame(() => {
      this._frame = null;
      this._paint();
    });
  },

  isBusy() {
    return Boolean(this._frame || this._steps);
  },

  _initContainer() {
    this._container = L.DomUtil.create("canvas", "fw-overlay");
    this._context = this._container.getContext("2d");
  },

  _destroyContainer() {
    L.Util.cancelAnimFrame(this._frame);
    this._giveUp();
    L.DomUtil.remove(this._container);
  },

  _update() {
    if (this._map._animatingZoom && this._bounds) return;
    L.Renderer.prototype._update.call(this);
    const heavy = this._isHeavy();
    if (heavy) this._keep();
    this._resize();
    if (heavy) this._move();
    this._paint();
  },

  _resize() {
    const size = this._bounds.getSize();
    const ratio = window.devicePixelRatio || 1;
    const canvas = this._container;
    L.DomUtil.setPosition(canvas, this._bounds.min);
    canvas.width = size.x * ratio;
    canvas.height = size.y * ratio;
    canvas.style.width = `${size.x}px`;
    canvas.style.height = `${size.y}px`;
  },

  // A long drag leaves the margin of the canvas before it ends.
  _onMove() {
    if (!this._bounds || this._map._animatingZoom) return;
    const topLeft = this._map.containerPointToLayerPoint([0, 0]);
    const view = L.bounds(topLeft, topLeft.add(this._map.getSize()));
    if (!this._bounds.contains(view)) this._update();
  },

  _paint() {
    if (!this._bounds || this._map._animatingZoom) return;
    this._giveUp();
    const view = viewOf(this._map, this._bounds, this.theme);
    if (this._isHeavy()) {
      this._begin(view);
      return;
    }
    this._spare = null;
    this._begun = null;
    this._shown = view;
    const steps = this._painted(cleared(this._context), view);
    while (!steps.next().done);
  },

  *_painted(context, view) {
    for (const painter of this.painters) {
      context.save();
      yield* painter.paint(context, view) ?? [];
      context.restore();
    }
  },

  /** Whether a painter has so much to paint that it gives way to others meanwhile. */
  _isHeavy() {
    return this.painters.some((painter) => painter.isHeavy?.());
  },

  /** Copy what is shown, since a canvas is empty when its size was set. */
  _keep() {
    this._copyTo(this._spareOf(this._container), this._container);
  },

  /** Show what was kept where it is now, until it has been painted anew. */
  _move() {
    const view = viewOf(this._map, this._bounds, this.theme);
    // Of a map without a size there is nothing to copy.
    if (this._shown && this._spare.width && this._spare.height) {
      const [left, top, right, bottom] = this._shown.box;
      const [x, y] = [view.x(left), view.y(top)];
      cleared(this._context).drawImage(this._spare, x, y, (right - left) * view.scale, (bottom - top) * view.scale);
    }
    this._shown = view;
  },

  _begin(view) {
    this._steps = this._painted(cleared(this._spareOf(this._container).getContext("2d")), view);
    this._begun ??= performance.now();
    this._goOn();
  },

  _goOn() {
    const now = performance.now();
    const until = document.hidden || now - this._begun > AT_LAST_MS ? Infinity : now + SLICE_MS;
    while (!this._steps.next().done) {
      if (performance.now() < until) continue;
      this._slice = L.Util.requestAnimFrame(() => this._goOn());
      return;
    }
    this._steps = null;
    this._begun = null;
    this._copyTo(this._container, this._spare);
  },

  _giveUp() {
    L.Util.cancelAnimFrame(this._slice);
    this._steps = null;
  },

  _spareOf({ width, height }) {
    this._spare ??= new OffscreenCanvas(width, height);
    this._spare.width = width;
    this._spare.height = height;
    return this._spare;
  },

  _copyTo(to, from) {
    const context = to.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, to.width, to.height);
    if (from.width && from.height) context.drawImage(from, 0, 0);
  },
});

/** A canvas with nothing on it, on which is drawn in the page's pixels. */
function cleared(context) {
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  return context;
}

/** How world units become pixels of the canvas, and which copies of the world can be seen in it. */
function viewOf(map, bounds, theme) {
  const zoom = map.getZoom();
  const scale = 256 * 2 ** zoom;
  const corner = map.getPixelOrigin().add(bounds.min);
  const size = bounds.getSize();
  const box = [corner.x / scale, corner.y / scale, (corner.x + size.x) / scale, (corner.y + size.y) / scale];
  const copies = [];
  for (let copy = Math.floor(box[0]) - 1; copy <= Math.floor(box[2]) + 1; copy += 1) copies.push(copy);
  return {
    zoom,
    scale,
    box,
    copies,
    size,
    theme,
    x: (x, copy = 0) => (x + copy) * scale - corner.x,
    y: (y) => y * scale - corner.y,
  };
}

/** The copies of the world in which a box (in world units, grown by some pixels) is in view. */
export function copiesInView(view, [minX, minY, maxX, maxY], pixels = 0) {
  const grow = pixels / view.scale;
  if (minY - grow > view.box[3] || maxY + grow < view.box[1]) return [];
  return view.copies.filter((copy) => minX + copy - grow <= view.box[2] && maxX + copy + grow >= view.box[0]);
}

export function haloText(context, text, x, y, halo, ink) {
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
}
