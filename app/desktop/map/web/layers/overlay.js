// A canvas over the map on which painters draw in turn. Ten thousand fences are ten thousand paths, not layers.

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
    return Boolean(this._frame);
  },

  _initContainer() {
    this._container = L.DomUtil.create("canvas", "fw-overlay");
    this._context = this._container.getContext("2d");
  },

  _destroyContainer() {
    L.Util.cancelAnimFrame(this._frame);
    L.DomUtil.remove(this._container);
  },

  _update() {
    if (this._map._animatingZoom && this._bounds) return;
    L.Renderer.prototype._update.call(this);
    const size = this._bounds.getSize();
    const ratio = window.devicePixelRatio || 1;
    const canvas = this._container;
    L.DomUtil.setPosition(canvas, this._bounds.min);
    canvas.width = size.x * ratio;
    canvas.height = size.y * ratio;
    canvas.style.width = `${size.x}px`;
    canvas.style.height = `${size.y}px`;
    this._paint();
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
    const ratio = window.devicePixelRatio || 1;
    const context = this._context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this._container.width, this._container.height);
    const view = viewOf(this._map, this._bounds, this.theme);
    for (const painter of this.painters) {
      context.save();
      painter.paint(context, view);
      context.restore();
    }
  },
});

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
