// Dots, each style of which is drawn only once. A few are copied by the canvas; if there are thousands, the pixels are
// written here, which is about a hundred times faster.

const SIZE = 14;
const RADIUS = 3.5;
const MAX_COPIED_DOTS = 1000;
const OPAQUE = 0xff000000;

/** Extent of a dot around its centre, in pixels. */
export const DOT_EXTENT = RADIUS + 4;

export function smallCanvas(size) {
  const ratio = window.devicePixelRatio || 1;
  const canvas = new OffscreenCanvas(size * ratio, size * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return { canvas, context, ratio };
}

/** Return the columns, rows and colours of the pixels of a square that are not empty. */
function visiblePixels(pixels, size) {
  const indices = [];
  pixels.forEach((pixel, index) => pixel && indices.push(index));
  return {
    columns: Int32Array.from(indices, (index) => index % size),
    rows: Int32Array.from(indices, (index) => Math.floor(index / size)),
    colors: Uint32Array.from(indices, (index) => pixels[index]),
  };
}

/** The pixels of a whole canvas. Topmost sprites are copied first. */
class Raster {
  resize(width, height) {
    if (this.canvas?.width !== width || this.canvas.height !== height) {
      this.canvas = new OffscreenCanvas(width, height);
      this.context = this.canvas.getContext("2d");
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.occupied = new Uint8Array(width * height);
    }
    this.pixels.fill(0);
    this.occupied.fill(0);
  }

  /**
   * Copy a sprite beneath the existing pixels, with its upper left corner at a pixel. All sprites have the same shape.
   */
  copy({ pixels, size }, left, top) {
    const { width, height } = this.canvas;
    const { columns, rows, colors } = pixels;
    if (left < 0 || top < 0 || left + size > width || top + size > height) {
      this._copyPart(pixels, left, top);
      return;
    }
    const origin = top * width + left;
    // Another sprite at exactly this position covers it.
    if (this.occupied[origin]) return;
    this.occupied[origin] = 1;
    for (let i = 0; i < colors.length; i += 1) this._put(origin + rows[i] * width + columns[i], colors[i]);
  }

  _copyPart({ columns, rows, colors }, left, top) {
    const { width, height } = this.canvas;
    for (let i = 0; i < colors.length; i += 1) {
      const [x, y] = [left + columns[i], top + rows[i]];
      if (x >= 0 && y >= 0 && x < width && y < height) this._put(y * width + x, colors[i]);
    }
  }

  /** Write a pixel. The translucent pixels at the edge of a dot are not blended with the dots below. */
  _put(index, color) {
    const existing = this.pixels[index];
    if (existing === 0 || (existing < OPAQUE && color >= OPAQUE)) this.pixels[index] = color;
  }

  drawOn(context) {
    this.context.putImageData(this.image, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, 0, 0);
    context.restore();
  }
}

export class Dots {
  constructor() {
    this._raster = new Raster();
    this._spriteKey = "";
  }

  /** Start painting at most `maxCount` dots. */
  begin(context, theme, maxCount) {
    this._context = context;
    this._theme = theme;
    this._ratio = window.devicePixelRatio || 1;
    this._usesRaster = maxCount > MAX_COPIED_DOTS;
    const key = `${theme.halo} ${this._ratio}`;
    if (key !== this._spriteKey) this._sprites = new Map();
    this._spriteKey = key;
    if (this._usesRaster) this._raster.resize(context.canvas.width, context.canvas.height);
  }

  /** Whether the topmost dots must be painted first, since the dots that they cover are skipped. */
  get topFirst() {
    return this._usesRaster;
  }

  /** Paint the dot of a geofence with its centre at a pixel. */
  put(enabled, color, x, y, selected, marked) {
    const sprite = this._spriteOf(color, enabled, selected, marked);
    if (this._usesRaster) {
      const half = sprite.size / 2;
      this._raster.copy(sprite, Math.round(x * this._ratio - half), Math.round(y * this._ratio - half));
    } else {
      this._context.drawImage(sprite.image, Math.round(x) - SIZE / 2, Math.round(y) - SIZE / 2, SIZE, SIZE);
    }
  }

  end() {
    if (this._usesRaster) this._raster.drawOn(this._context);
  }

  _spriteOf(color, enabled, selected, marked) {
    let variants = this._sprites.get(color);
    if (!variants) this._sprites.set(color, (variants = []));
    const variant = Number(enabled) + 2 * Number(selected) + 4 * Number(marked);
    variants[variant] ??= this._draw(this._theme, color, enabled, selected, marked);
    return variants[variant];
  }

  _draw(theme, color, enabled, selected, marked) {
    const { canvas, context } = smallCanvas(SIZE);
    context.beginPath();
    context.arc(SIZE / 2, SIZE / 2, selected ? RADIUS + 2 : RADIUS, 0, 2 * Math.PI);
    context.fillStyle = enabled ? color : theme.land;
    context.fill();
    context.strokeStyle = marked ? theme.accent : enabled ? theme.halo : color;
    context.lineWidth = marked ? 2 : 1.25;
    context.stroke();
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const pixels = visiblePixels(new Uint32Array(data.buffer), canvas.width);
    return { image: canvas.transferToImageBitmap(), pixels, size: canvas.width };
  }
}
