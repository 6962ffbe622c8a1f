// Hints for the active tool.

import { tr } from "../texts.js";

export const HINTS = {
  circle: tr("Click the centre, then the edge; or drag from one to the other. Esc cancels."),
  polygon: tr("Click the vertices; click the first one again to finish. Esc cancels."),
  hole: tr("Click the vertices of the hole; click the first one again to finish. Esc cancels."),
  part: tr("Click the vertices of the part; click the first one again to finish. Esc cancels."),
  track: tr("Click where the device goes; double-click or press Enter to finish. Esc cancels."),
  split: tr("Click a line across the geofence; double-click or press Enter to finish. Esc cancels."),
  measure: tr("Click along what is measured; double-click or press Enter to finish. Esc cancels."),
  beacon: tr("Click where the beacon is. Esc cancels."),
  edit: tr("Drag the geofence or its handles; hold Ctrl to drag one part. Esc cancels."),
  edit_part: tr("Drag a part of the geofence; its holes move along. Esc cancels."),
  lasso: tr("Draw around geofences to select them; hold Shift to add to the selection. Esc cancels."),
  delete: tr("Click a geofence to delete it. Esc cancels."),
};

/** Hints while the keyboard crosshair is shown. */
export const KEY_HINTS = {
  circle: tr("Space sets the centre, then the edge. Esc cancels."),
  polygon: tr("Space adds a vertex, Enter finishes. Esc cancels."),
  hole: tr("Space adds a vertex, Enter finishes. Esc cancels."),
  part: tr("Space adds a vertex, Enter finishes. Esc cancels."),
  edit_part: tr("Tab: next part. Arrows: move. Esc cancels."),
  track: tr("Space adds a vertex, Enter finishes. Esc cancels."),
  split: tr("Space adds a vertex, Enter finishes. Esc cancels."),
  measure: tr("Space adds a vertex, Enter finishes. Esc cancels."),
  beacon: tr("Space places the beacon. Esc cancels."),
  lasso: tr("Space begins the lasso, the arrows draw it, Space ends it. Esc cancels."),
};
