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

/** The pixels of a square that are not empty: column, row and colour of each. */
function drawnOf(pixels, size) {
  const drawn = [];
  pixels.forEach((pixel, at) => pixel && drawn.push(at % size, Math.floor(at / size), pixel));
  return new Uint32Array(drawn);
}

/** The pixels of a whole canvas. */
class Raster {
  resize(width, height) {
    if (this.canvas?.width !== width || this.canvas.height !== height) {
      this.canvas = new OffscreenCanvas(width, height);
      this.ink = this.canvas.getContext("2d");
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(0);
  }

  /** Copy what is drawn of a sprite, with its left upper corner at a pixel. */
  copy({ drawn, size }, left, top) {
    const { width, height } = this.canvas;
    const { pixels } = this;
    if (left < 0 || top < 0 || left + size > width || top + size > height) {
      this._copyPart(drawn, left, top);
      return;
    }
    const corner = top * width + left;
    for (let at = 0; at < drawn.length; at += 3) {
      const to = corner + drawn[at + 1] * width + drawn[at];
      // What shines through at the edge of a dot is not mixed with the dots below.
      if (drawn[at + 2] >= OPAQUE || pixels[to] === 0) pixels[to] = drawn[at + 2];
    }
  }

  _copyPart(drawn, left, top) {
    const { width, height } = this.canvas;
    for (let at = 0; at < drawn.length; at += 3) {
      const [x, y] = [left + drawn[at], top + drawn[at + 1]];
      const to = y * width + x;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      if (drawn[at + 2] >= OPAQUE || this.pixels[to] === 0) this.pixels[to] = drawn[at + 2];
    }
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
