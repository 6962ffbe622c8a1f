// The tools of the mouse by what they do.

export const GEOMAN_SHAPES = {
  circle: "Circle",
  polygon: "Polygon",
  hole: "Polygon",
  part: "Polygon",
  track: "Line",
  split: "Line",
  measure: "Line",
};

/** Tools that draw a ring of the selected geofence. */
export const RING_TOOLS = ["hole", "part"];
export const VERTEX_TOOLS = ["polygon", ...RING_TOOLS, "track", "split", "measure"];
export const MOVE_TOOLS = ["edit", "edit_part"];

/** Tools that only need one click. */
export const CLICK_TOOLS = ["isochrone", "beacon", "waypoint"];
