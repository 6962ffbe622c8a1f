// The shape that is being drawn or dragged, reported to the window at most once per frame while the window watches it.

export class Drafts {
  constructor(post) {
    this.post = post;
    this.watched = false;
    this.reported = false;
    this.getShape = null;
  }

  /** Report a shape in the next frame. `getShape()` returns its state at that time, or null if it no longer exists. */
  report(getShape) {
    if (!this.watched) return;
    const isScheduled = this.getShape !== null;
    this.getShape = getShape;
    if (isScheduled) return;
    requestAnimationFrame(() => {
      const current = this.getShape;
      this.getShape = null;
      const shape = current?.();
      if (shape) {
        this.reported = true;
        this.post({ kind: "drafted", shape });
      } else if (current) {
        this.end();
      }
    });
  }

  /** End the report, since no shape is being drawn or dragged any more. */
  end() {
    this.getShape = null;
    if (!this.reported) return;
    this.reported = false;
    this.post({ kind: "drafted", shape: null });
  }
}
