// The fences in view.

/** Places of fences in view, with the copy of the world that they are in and their sizes. It is used again. */
export class Seen {
  constructor() {
    this.length = 0;
    this._resize(1024);
  }

  add(place, copy, size) {
    if (this.length === this.places.length) this._resize(2 * this.length);
    this.places[this.length] = place;
    this.copies[this.length] = copy;
    this.sizes[this.length] = size;
    this.length += 1;
  }

  /** The size of the one before which there are so many larger ones. */
  sizeOf(rank) {
    const sizes = this.sizes.slice(0, this.length).sort();
    return sizes[Math.max(0, this.length - 1 - rank)];
  }

  _resize(length) {
    const { places, copies, sizes } = this;
    this.places = new Int32Array(length);
    this.copies = new Int32Array(length);
    this.sizes = new Float64Array(length);
    if (!places) return;
    this.places.set(places);
    this.copies.set(copies);
    this.sizes.set(sizes);
  }
}
