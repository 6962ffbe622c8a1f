// What is in hand while it is drawn or dragged: told to the window at most once a frame, where it wants to know.

export class Drafts {
  constructor(post) {
    this.post = post;
    this.watched = false;
    this.told = false;
    this.shapeOf = null;
  }

  /** Tell of a shape; `shapeOf()` returns it as it is when the frame comes, or null where there is none by then. */
  tell(shapeOf) {
    if (!this.watched) return;
    const waits = this.shapeOf !== null;
    this.shapeOf = shapeOf;
    if (waits) return;
    requestAnimationFrame(() => {
      const read = this.shapeOf;
      this.shapeOf = null;
      const shape = read?.();
      if (shape) {
        this.told = true;
        this.post({ kind: "drafted", shape });
      } else if (read) {
        this.end();
      }
    });
  }

  /** Nothing is in hand any more. */
  end() {
    this.shapeOf = null;
    if (!this.told) return;
    this.told = false;
    this.post({ kind: "drafted", shape: null });
  }
}
