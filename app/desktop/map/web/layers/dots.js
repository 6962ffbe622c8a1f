// Dots, each drawn once for its look. A few are copied by the canvas; of thousands the pixels are written here, which
// takes a hundredth of the time.

const SIZE = 14;
const RADIUS = 3.5;
const COPIED_UP_TO = 1000;
const OPAQUE = 0xff000000;

/** How much room a dot takes around its middle, in pixels. */
export const DOT_REACH = RADIUS + 4;

export function smallCanvas(size) {
  const ratio = window.devicePixelRatio || 1;
  const tile = new OffscreenCanvas(size * ratio, size * ratio);
  const ink = tile.getContext("2d");
  ink.scale(ratio, ratio);
  return { tile, ink, ratio };
}

/** What is drawn of a square: columns, rows and colours of the pixels that are not empty. */
function drawnOf(pixels, size) {
  const drawn = [];
  pixels.forEach((pixel, at) => pixel && drawn.push(at));
  return {
    columns: Int32Array.from(drawn, (at) => at % size),
    rows: Int32Array.from(drawn, (at) => Math.floor(at / size)),
    colors: Uint32Array.from(drawn, (at) => pixels[at]),
  };
}

/** The pixels of a whole canvas, onto which what lies on top is copied first. */
class Raster {
  resize(width, height) {
    if (this.canvas?.width !== width || this.canvas.height !== height) {
      this.canvas = new OffscreenCanvas(width, height);
      this.ink = this.canvas.getContext("2d");
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.taken = new Uint8Array(width * height);
    }
    this.pixels.fill(0);
    this.taken.fill(0);
  }

  /** Copy what is drawn of a sprite below what is there, with its left upper corner at a pixel; all have one shape. */
  copy({ drawn, size }, left, top) {
    const { width, height } = this.canvas;
    const { columns, rows, colors } = drawn;
    if (left < 0 || top < 0 || left + size > width || top + size > height) {
      this._copyPart(drawn, left, top);
      return;
    }
    const corner = top * width + left;
    // Another one is just there and covers it.
    if (this.taken[corner]) return;
    this.taken[corner] = 1;
    for (let at = 0; at < colors.length; at += 1) this._put(corner + rows[at] * width + columns[at], colors[at]);
  }

  _copyPart({ columns, rows, colors }, left, top) {
    const { width, height } = this.canvas;
    for (let at = 0; at < colors.length; at += 1) {
      const [x, y] = [left + columns[at], top + rows[at]];
      if (x >= 0 && y >= 0 && x < width && y < height) this._put(y * width + x, colors[at]);
    }
  }

  /** What shines through at the edge of a dot is not mixed with the dots below. */
  _put(at, color) {
    const there = this.pixels[at];
    if (there === 0 || (there < OPAQUE && color >= OPAQUE)) this.pixels[at] = color;
  }

  drawOn(context) {
    this.ink.putImageData(this.image, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, 0, 0);
    context.restore();
  }
}

export class Dots {
  constructor() {
    this._raster = new Raster();
    this._look = "";
  }

  /** Begin to paint at most so many dots. */
  begin(context, theme, most) {
    this._context = context;
    this._theme = theme;
    this._ratio = window.devicePixelRatio || 1;
    this._written = most > COPIED_UP_TO;
    const look = `${theme.halo} ${this._ratio}`;
    if (look !== this._look) this._sprites = new Map();
    this._look = look;
    if (this._written) this._raster.resize(context.canvas.width, context.canvas.height);
  }

  /** Whether those on top are to come first: what they cover is not painted at all. */
  get topFirst() {
    return this._written;
  }

  /** Paint the dot of a fence that is enabled or not, with its middle at a pixel. */
  put(enabled, color, x, y, chosen, marked) {
    const sprite = this._spriteOf(color, enabled, chosen, marked);
    if (this._written) {
      const half = sprite.size / 2;
      this._raster.copy(sprite, Math.round(x * this._ratio - half), Math.round(y * this._ratio - half));
    } else {
      this._context.drawImage(sprite.image, Math.round(x) - SIZE / 2, Math.round(y) - SIZE / 2, SIZE, SIZE);
    }
  }

  end() {
    if (this._written) this._raster.drawOn(this._context);
  }

  _spriteOf(color, enabled, chosen, marked) {
    let looks = this._sprites.get(color);
    if (!looks) this._sprites.set(color, (looks = []));
    const look = Number(enabled) + 2 * Number(chosen) + 4 * Number(marked);
    looks[look] ??= this._draw(this._theme, color, enabled, chosen, marked);
    return looks[look];
  }

  _draw(theme, color, enabled, chosen, marked) {
    const { tile, ink } = smallCanvas(SIZE);
    ink.beginPath();
    ink.arc(SIZE / 2, SIZE / 2, chosen ? RADIUS + 2 : RADIUS, 0, 2 * Math.PI);
    ink.fillStyle = enabled ? color : theme.land;
    ink.fill();
    ink.strokeStyle = marked ? theme.accent : enabled ? theme.halo : color;
    ink.lineWidth = marked ? 2 : 1.25;
    ink.stroke();
    const { data } = ink.getImageData(0, 0, tile.width, tile.height);
    const drawn = drawnOf(new Uint32Array(data.buffer), tile.width);
    return { image: tile.transferToImageBitmap(), drawn, size: tile.width };
  }
}
