// What can be done with the tool in hand.

export const HINTS = {
  circle: "Click the centre, then the edge; or drag from one to the other. Esc cancels.",
  polygon: "Click the vertices; click the first one again to finish. Esc cancels.",
  track: "Click where the device goes; double-click or press Enter to finish. Esc cancels.",
  split: "Click a line across the geofence; double-click or press Enter to finish. Esc cancels.",
  measure: "Click along what is measured; double-click or press Enter to finish. Esc cancels.",
  beacon: "Click where the beacon is. Esc cancels.",
  edit: "Drag the geofence or its handles. Esc cancels.",
  lasso: "Draw around geofences to select them; hold Shift to add to the selection. Esc cancels.",
  delete: "Click a geofence to delete it. Esc cancels.",
};

/** The same for the keyboard, once it has its crosshair. */
export const KEY_HINTS = {
  circle: "Space sets the centre, then the edge. Esc cancels.",
  polygon: "Space adds a vertex, Enter finishes. Esc cancels.",
  track: "Space adds a vertex, Enter finishes. Esc cancels.",
  split: "Space adds a vertex, Enter finishes. Esc cancels.",
  measure: "Space adds a vertex, Enter finishes. Esc cancels.",
  beacon: "Space places the beacon. Esc cancels.",
  lasso: "Space begins the lasso, the arrows draw it, Space ends it. Esc cancels.",
};
