// The geofences in view.

/** Indices of geofences in view, each with its copy of the world and its size. The arrays are reused. */
export class VisibleFences {
  constructor() {
    this.length = 0;
    this._resize(1024);
  }

  add(index, copy, size) {
    if (this.length === this.indices.length) this._resize(2 * this.length);
    this.indices[this.length] = index;
    this.copies[this.length] = copy;
    this.sizes[this.length] = size;
    this.length += 1;
  }

  /** Return the size at a rank, counted from the largest. */
  sizeAtRank(rank) {
    const sizes = this.sizes.slice(0, this.length).sort();
    return sizes[Math.max(0, this.length - 1 - rank)];
  }

  _resize(length) {
    const { indices, copies, sizes } = this;
    this.indices = new Int32Array(length);
    this.copies = new Int32Array(length);
    this.sizes = new Float64Array(length);
    if (!indices) return;
    this.indices.set(indices);
    this.copies.set(copies);
    this.sizes.set(sizes);
  }
}
