"""Actions that draw and edit geofences."""

from app.desktop.language import searched, tr
from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class EditingActions(ActionsOfWindow):
    """Actions that draw and edit geofences."""

    select = Declared(tr("Select"), "cursor", "V", tr("Select geofences and move the map"), check=True)
    circle = Declared(
        tr("Circle"),
        "circle",
        "C",
        tr("Draw a circle: click its centre, then its edge, or drag"),
        check=True,
        in_workspace=True,
    )
    polygon = Declared(
        tr("Polygon"), "polygon", "P", tr("Draw a polygon: click its vertices"), check=True, in_workspace=True
    )
    draw_hole = Declared(
        tr("Draw hole"),
        "selection-inverse",
        "Shift+H",
        tr("Draw a hole in the selected polygon: click its vertices"),
        check=True,
        words=searched("ring cut out inner exclude donut add"),
    )
    draw_part = Declared(
        tr("Draw part"),
        "puzzle-piece",
        "Shift+P",
        tr("Draw a further part of the selected polygon: click its vertices"),
        check=True,
        words=searched("multipolygon ring island several add"),
    )
    move_part = Declared(
        tr("Move part"),
        "hand-grabbing",
        tip=tr("Drag one part of the selected geofence, with its holes"),
        check=True,
        words=searched("multipolygon ring island"),
    )
    delete_hole = Declared(
        tr("Delete hole"),
        "selection-slash",
        tip=tr("Delete the only hole of the selected geofence, or the one whose vertices are listed in Shape"),
        words=searched("ring fill remove inner"),
    )
    delete_part = Declared(
        tr("Delete part"),
        "trash-simple",
        tip=tr("Delete the part of the selected geofence whose vertices are listed in Shape, with its holes"),
        words=searched("multipolygon ring island remove"),
    )
    isochrone = Declared(
        tr("Isochrone"),
        "chart-pie-slice",
        "I",
        tr("Area that can reach a destination in time"),
        check=True,
        in_workspace=True,
    )
    beacon = Declared(
        tr("New beacon"), "broadcast", "B", tr("Place a new beacon: click where it is"), check=True, in_workspace=True
    )
    move = Declared(
        tr("Move"), "arrows-out-cardinal", "M", tr("Drag the selected geofence"), check=True, in_workspace=True
    )
    lasso = Declared(
        tr("Lasso"),
        "selection-plus",
        "L",
        tr("Select geofences: draw around them"),
        check=True,
        words=searched("multiple several rectangle"),
        in_workspace=True,
    )
    select_all = Declared(tr("Select all geofences"), "selection-all", "Ctrl+A", local=True, in_workspace=True)
    edit_selected = Declared(
        tr("Edit selected geofences…"),
        "pencil-simple",
        "Ctrl+E",
        tr("Edit fields of all selected geofences at once"),
        words=searched("bulk several multiple change hours metadata"),
        needs=tr("Select a geofence."),
    )
    enable = Declared(
        tr("Enable selected geofences"),
        "toggle-right",
        words=searched("several bulk on"),
        needs=tr("Select a geofence."),
    )
    disable = Declared(
        tr("Disable selected geofences"),
        "toggle-left",
        words=searched("several bulk off"),
        needs=tr("Select a geofence."),
    )
    set_tag = Declared(
        tr("Set tag of selected geofences…"),
        "tag",
        words=searched("several bulk group"),
        needs=tr("Select a geofence."),
    )
    copy_hours = Declared(
        tr("Copy hours to…"),
        "clock",
        tip=tr("Copy the operating hours of the selected geofence to others"),
        words=searched("opening week several bulk"),
        needs=tr("Select a geofence."),
    )
    delete = Declared(
        tr("Delete"),
        "trash",
        "Del",
        tr("Delete the selected geofences or beacon"),
        local=True,
        needs=tr("Select a geofence or a beacon."),
    )
    union = Declared(
        tr("Union"),
        "plus-circle",
        tip=tr("Merge the selected geofences into the first"),
        words=searched("geometry merge join combine dissolve"),
        needs=tr("Select two geofences or more."),
    )
    subtract = Declared(
        tr("Subtract"),
        "minus-circle",
        tip=tr("Cut the other selected geofences out of the first"),
        words=searched("geometry difference erase clip"),
        needs=tr("Select two geofences or more."),
    )
    intersect = Declared(
        tr("Intersect"),
        "intersect",
        tip=tr("Keep what the selected geofences have in common"),
        words=searched("geometry overlap clip"),
        needs=tr("Select two geofences or more."),
    )
    split = Declared(
        tr("Split…"),
        "scissors",
        tip=tr("Cut the selected geofence along a line that you draw"),
        words=searched("geometry cut divide"),
        needs=tr("Select a geofence."),
    )
    to_parts = Declared(
        tr("Split into parts…"),
        "circles-three",
        tip=tr("Make a geofence of each part of the selected one"),
        words=searched("geometry multipart singlepart explode separate cut holes"),
        needs=tr("Select a geofence."),
    )
    fill_holes = Declared(
        tr("Fill holes"),
        "paint-bucket",
        tip=tr("Remove the holes of the selected geofence"),
        words=searched("geometry rings delete islands"),
        needs=tr("Select a geofence."),
    )
    simplify = Declared(
        tr("Simplify…"),
        "line-segments",
        tip=tr("Leave out vertices of the selected geofence"),
        words=searched("geometry generalize reduce"),
        needs=tr("Select a geofence."),
    )
    buffer = Declared(
        tr("Buffer…"),
        "arrows-out",
        tip=tr("Enlarge or shrink the selected geofence"),
        words=searched("geometry grow expand offset"),
        needs=tr("Select a geofence."),
    )
    to_circle = Declared(
        tr("Convert to circle…"),
        "circle-dashed",
        words=searched("geometry polygon"),
        needs=tr("Select a geofence."),
    )
    to_polygon = Declared(
        tr("Convert to polygon…"),
        "hexagon",
        words=searched("geometry circle isochrone"),
        needs=tr("Select a geofence."),
    )
    align = Declared(
        tr("Align…"),
        "align-left",
        tip=tr("Move the other selected geofences in line with the first"),
        words=searched("geometry edges centres"),
        needs=tr("Select two geofences or more."),
    )
    grid = Declared(
        tr("Grid…"),
        "grid-four",
        tip=tr("Cover the selected geofence with circles or hexagons"),
        words=searched("geometry tessellate honeycomb fill"),
        needs=tr("Select a geofence."),
    )
    lock = Declared(
        tr("Lock shape"),
        "lock",
        "Ctrl+L",
        tr("Lock or unlock the shapes of the selected geofences: locked ones cannot be dragged or reshaped here"),
        words=searched("unlock protect padlock"),
        needs=tr("Select a geofence."),
    )
    measure = Declared(
        tr("Measure"),
        "ruler",
        "Shift+M",
        tr("Measure distances and areas: click along them"),
        check=True,
        words=searched("geometry length distance area ruler"),
        in_workspace=True,
    )
    confidence = Declared(
        tr("Predicted confidence"),
        "gauge",
        tip=tr("Show the confidence of entries while you draw"),
        check=True,
        words=searched("accuracy predict fix"),
        in_workspace=True,
    )
    snapping = Declared(
        tr("Snapping"),
        "magnet",
        "S",
        tr("Snap to vertices and edges of nearby geofences while drawing; hold Alt to suspend"),
        check=True,
        words=searched("snap magnet"),
    )
    road_snapping = Declared(
        tr("Snap to roads"),
        "path",
        "Shift+S",
        tr("Snap to roads of the area as well; hold Alt to suspend"),
        check=True,
        words=searched("snapping magnet streets"),
    )
    duplicate = Declared(
        tr("Duplicate"),
        "copy",
        "Ctrl+D",
        tr("Copy the selected geofences"),
        words=searched("clone"),
        needs=tr("Select a geofence."),
    )
    paste = Declared(
        tr("Paste geofences"),
        "clipboard-text",
        "Ctrl+V",
        tr("Create geofences from GeoJSON, WKT or coordinates in the clipboard"),
        local=True,
        words=searched("clipboard insert wkt geojson coordinates"),
        in_workspace=True,
    )
    copy_latitude_first = Declared(
        tr("Copy coordinates as latitude, longitude"),
        "copy",
        tip=tr("Copy the centre or the vertices of the selected geofence, latitude first"),
        words=searched("clipboard lat lon"),
        in_workspace=True,
    )
    copy_longitude_first = Declared(
        tr("Copy coordinates as longitude, latitude"),
        "copy",
        tip=tr("Copy the centre or the vertices of the selected geofence, longitude first"),
        words=searched("clipboard lon lat x y"),
        in_workspace=True,
    )
    undo = Declared(
        tr("Undo"),
        "arrow-u-up-left",
        "Ctrl+Z",
        tr("Undo"),
        needs=tr("There is nothing to undo."),
    )
    redo = Declared(
        tr("Redo"),
        "arrow-u-up-right",
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        tr("Redo"),
        needs=tr("There is nothing to redo."),
    )
