"""Actions that draw and edit geofences."""

from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class EditingActions(ActionsOfWindow):
    """Actions that draw and edit geofences."""

    select = Declared("Select", "cursor", "V", "Select geofences and move the map", check=True)
    circle = Declared(
        "Circle",
        "circle",
        "C",
        "Draw a circle: click its centre, then its edge, or drag",
        check=True,
        in_workspace=True,
    )
    polygon = Declared("Polygon", "polygon", "P", "Draw a polygon: click its vertices", check=True, in_workspace=True)
    isochrone = Declared(
        "Isochrone", "chart-pie-slice", "I", "Area that can reach a destination in time", check=True, in_workspace=True
    )
    beacon = Declared(
        "New beacon", "broadcast", "B", "Place a new beacon: click where it is", check=True, in_workspace=True
    )
    move = Declared("Move", "arrows-out-cardinal", "M", "Drag the selected geofence", check=True, in_workspace=True)
    lasso = Declared(
        "Lasso",
        "selection-plus",
        "L",
        "Select geofences: draw around them",
        check=True,
        words="multiple several rectangle",
        in_workspace=True,
    )
    select_all = Declared("Select all geofences", "selection-all", "Ctrl+A", local=True, in_workspace=True)
    edit_selected = Declared(
        "Edit selected geofences…",
        "pencil-simple",
        "Ctrl+E",
        "Edit fields of all selected geofences at once",
        words="bulk several multiple change hours metadata",
    )
    enable = Declared("Enable selected geofences", "toggle-right", words="several bulk on")
    disable = Declared("Disable selected geofences", "toggle-left", words="several bulk off")
    set_tag = Declared("Set tag of selected geofences…", "tag", words="several bulk group")
    copy_hours = Declared(
        "Copy hours to…",
        "clock",
        tip="Copy the operating hours of the selected geofence to others",
        words="opening week several bulk",
    )
    delete = Declared("Delete", "trash", "Del", "Delete the selected geofences or beacon", local=True)
    union = Declared(
        "Union",
        "plus-circle",
        tip="Merge the selected geofences into the first",
        words="geometry merge join combine dissolve",
    )
    subtract = Declared(
        "Subtract",
        "minus-circle",
        tip="Cut the other selected geofences out of the first",
        words="geometry difference erase clip",
    )
    intersect = Declared(
        "Intersect", "intersect", tip="Keep what the selected geofences have in common", words="geometry overlap clip"
    )
    split = Declared(
        "Split…", "scissors", tip="Cut the selected geofence along a line that you draw", words="geometry cut divide"
    )
    simplify = Declared(
        "Simplify…",
        "line-segments",
        tip="Leave out vertices of the selected geofence",
        words="geometry generalize reduce",
    )
    buffer = Declared(
        "Buffer…", "arrows-out", tip="Enlarge or shrink the selected geofence", words="geometry grow expand offset"
    )
    to_circle = Declared("Convert to circle…", "circle-dashed", words="geometry polygon")
    to_polygon = Declared("Convert to polygon…", "hexagon", words="geometry circle isochrone")
    align = Declared(
        "Align…",
        "align-left",
        tip="Move the other selected geofences in line with the first",
        words="geometry edges centres",
    )
    grid = Declared(
        "Grid…",
        "grid-four",
        tip="Cover the selected geofence with circles or hexagons",
        words="geometry tessellate honeycomb fill",
    )
    lock = Declared(
        "Lock shape",
        "lock",
        "Ctrl+L",
        "Lock or unlock the shapes of the selected geofences: locked ones cannot be dragged or reshaped here",
        words="unlock protect padlock",
    )
    measure = Declared(
        "Measure",
        "ruler",
        "Shift+M",
        "Measure distances and areas: click along them",
        check=True,
        words="geometry length distance area ruler",
        in_workspace=True,
    )
    confidence = Declared(
        "Predicted confidence",
        "gauge",
        tip="Show the confidence of entries while you draw",
        check=True,
        words="accuracy predict fix",
        in_workspace=True,
    )
    snapping = Declared(
        "Snapping",
        "magnet",
        "S",
        "Snap to vertices and edges of nearby geofences while drawing; hold Alt to suspend",
        check=True,
        words="snap magnet",
    )
    road_snapping = Declared(
        "Snap to roads",
        "path",
        "Shift+S",
        "Snap to roads of the area as well; hold Alt to suspend",
        check=True,
        words="snapping magnet streets",
    )
    duplicate = Declared("Duplicate", "copy", "Ctrl+D", "Copy the selected geofences", words="clone")
    paste = Declared(
        "Paste geofences",
        "clipboard-text",
        "Ctrl+V",
        "Create geofences from GeoJSON, WKT or coordinates in the clipboard",
        local=True,
        words="clipboard insert wkt geojson coordinates",
        in_workspace=True,
    )
    copy_latitude_first = Declared(
        "Copy coordinates as latitude, longitude",
        "copy",
        tip="Copy the centre or the vertices of the selected geofence, latitude first",
        words="clipboard lat lon",
        in_workspace=True,
    )
    copy_longitude_first = Declared(
        "Copy coordinates as longitude, latitude",
        "copy",
        tip="Copy the centre or the vertices of the selected geofence, longitude first",
        words="clipboard lon lat x y",
        in_workspace=True,
    )
    undo = Declared("Undo", "arrow-u-up-left", "Ctrl+Z", "Undo")
    redo = Declared("Redo", "arrow-u-up-right", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo")
