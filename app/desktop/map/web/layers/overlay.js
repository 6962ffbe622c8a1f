// A canvas over the map on which painters draw in turn. Ten thousand geofences are ten thousand paths instead of
// Leaflet layers.
//
// A painter with very much to paint continues in the following frames, on a buffer. Until it has finished, the previous
// picture moves along with the map.

/** Maximum time in milliseconds for which painting may block the page. */
const SLICE_MS = 10;
/**
 * Time in milliseconds after the first cancelled painting, after which a painting is completed even if the map keeps
 * moving.
 */
const MAX_DELAY_MS = 700;

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

  /** Repaint before the next frame, only once even if this is called several times. */
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
    this._cancel();
    L.DomUtil.remove(this._container);
  },

  _update() {
    if (this._map._animatingZoom && this._bounds) return;
    L.Renderer.prototype._update.call(this);
    const heavy = this._isHeavy();
    if (heavy) this._saveCanvas();
    this._resize();
    if (heavy) this._drawSaved();
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

  // During a long drag, the view may leave the margin of the canvas.
  _onMove() {
    if (!this._bounds || this._map._animatingZoom) return;
    const topLeft = this._map.containerPointToLayerPoint([0, 0]);
    const view = L.bounds(topLeft, topLeft.add(this._map.getSize()));
    if (!this._bounds.contains(view)) this._update();
  },

  _paint() {
    if (!this._bounds || this._map._animatingZoom) return;
    this._cancel();
    const view = viewOf(this._map, this._bounds, this.theme);
    if (this._isHeavy()) {
      this._start(view);
      return;
    }
    this._buffer = null;
    this._startedAt = null;
    this._shownView = view;
    const steps = this._paintSteps(cleared(this._context), view);
    while (!steps.next().done);
  },

  *_paintSteps(context, view) {
    for (const painter of this.painters) {
      context.save();
      yield* painter.paint(context, view) ?? [];
      context.restore();
    }
  },

  /** Return whether a painter has so much to paint that it must pause for others. */
  _isHeavy() {
    return this.painters.some((painter) => painter.isHeavy?.());
  },

  /** Copy the current picture, since setting the size of a canvas clears it. */
  _saveCanvas() {
    this._copyTo(this._bufferFor(this._container), this._container);
  },

  /** Draw the saved picture at its current position until it has been repainted. */
  _drawSaved() {
    const view = viewOf(this._map, this._bounds, this.theme);
    // A map without a size has nothing to copy.
    if (this._shownView && this._buffer.width && this._buffer.height) {
      const [left, top, right, bottom] = this._shownView.box;
      const [x, y] = [view.x(left), view.y(top)];
      cleared(this._context).drawImage(this._buffer, x, y, (right - left) * view.scale, (bottom - top) * view.scale);
    }
    this._shownView = view;
  },

  _start(view) {
    this._steps = this._paintSteps(cleared(this._bufferFor(this._container).getContext("2d")), view);
    this._startedAt ??= performance.now();
    this._goOn();
  },

  _goOn() {
    const now = performance.now();
    const deadline = document.hidden || now - this._startedAt > MAX_DELAY_MS ? Infinity : now + SLICE_MS;
    while (!this._steps.next().done) {
      if (performance.now() < deadline) continue;
      this._sliceFrame = L.Util.requestAnimFrame(() => this._goOn());
      return;
    }
    this._steps = null;
    this._startedAt = null;
    this._copyTo(this._container, this._buffer);
  },

  _cancel() {
    L.Util.cancelAnimFrame(this._sliceFrame);
    this._steps = null;
  },

  _bufferFor({ width, height }) {
    this._buffer ??= new OffscreenCanvas(width, height);
    this._buffer.width = width;
    this._buffer.height = height;
    return this._buffer;
  },

  _copyTo(to, from) {
    const context = to.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, to.width, to.height);
    if (from.width && from.height) context.drawImage(from, 0, 0);
  },
});

/** Return the cleared context of a canvas, scaled to the page's pixels. */
function cleared(context) {
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  return context;
}

/** Return how world units are converted to pixels of the canvas, and which copies of the world are visible on it. */
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

/** Return the copies of the world in which a box (in world units, extended by some pixels) is in view. */
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
