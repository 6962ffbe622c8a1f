"""Actions on the workspace, its data and its settings."""

from PySide6.QtGui import QKeySequence

from app.desktop.language import searched, tr
from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class WorkspaceActions(ActionsOfWindow):
    """Actions on the workspace, its data and its settings."""

    new = Declared(tr("New workspace…"), "plus", QKeySequence.StandardKey.New)
    open = Declared(tr("Open workspace…"), "folder-open", QKeySequence.StandardKey.Open)
    copy = Declared(
        tr("Save a copy…"), "floppy-disk", "Ctrl+Shift+S", words=searched("export backup duplicate"), in_workspace=True
    )
    import_file = Declared(
        tr("Import…"),
        "file-arrow-up",
        "Ctrl+I",
        words=searched("csv geojson kml kmz gpx wkt shapefile geopackage"),
        in_workspace=True,
    )
    export_file = Declared(
        tr("Export…"),
        "file-arrow-down",
        "Ctrl+Shift+E",
        tr("Export geofences"),
        words=searched("csv geojson kml geopackage"),
        in_workspace=True,
    )
    imports = Declared(
        tr("Import history…"), "clock-counter-clockwise", words=searched("undo imports"), in_workspace=True
    )
    export_map = Declared(
        tr("Export map…"),
        "image",
        "Ctrl+Shift+M",
        tr("Export the map as PNG, SVG or PDF, with legend and scale"),
        words=searched("picture image screenshot save layout vector"),
        in_workspace=True,
    )
    print_map = Declared(
        tr("Print map…"),
        "printer",
        "Ctrl+P",
        tr("Print the map with legend and scale"),
        words=searched("paper layout"),
        in_workspace=True,
    )
    areas = Declared(
        tr("Areas…"),
        "map-trifold",
        tip=tr("Choose, build and remove areas with streets and routing"),
        in_workspace=True,
    )
    build_area = Declared(
        tr("Build an area…"), "wrench", tip=tr("Build an area from an OpenStreetMap extract"), in_workspace=True
    )
    world_data = Declared(
        tr("World data…"),
        "globe-hemisphere-west",
        tip=tr("Download the data for addresses, places, countries and IP addresses, or copy it from a folder"),
        words=searched("setup offline world pack geocoder geocoding postal codes brands IP cities"),
    )
    settings = Declared(
        tr("Project settings…"),
        "sliders-horizontal",
        "Ctrl+,",
        tr("Settings of the Test or Live environment"),
        words=searched("preferences options"),
        in_workspace=True,
    )
    endpoint = Declared(
        tr("Endpoint…"),
        "qr-code",
        tip=tr("HTTPS, network access and the QR code for devices"),
        words=searched("server tls ssl certificate phone emulator host qr"),
        in_workspace=True,
    )
    sdks = Declared(
        tr("Connect an SDK…"),
        "device-mobile",
        tip=tr("Code that points an SDK at this endpoint"),
        words=searched("javascript python ios android react native flutter snippet"),
        in_workspace=True,
    )
    segments = Declared(
        tr("Segments…"), "users", tip=tr("Groups of users, named in their responses and events"), in_workspace=True
    )
    beacons = Declared(
        tr("Beacons…"),
        "list-bullets",
        tip=tr("List beacons"),
        words=searched("bluetooth ibeacon eddystone"),
        in_workspace=True,
    )
    nightly_sync = Declared(
        tr("Nightly sync…"),
        "cloud-arrow-down",
        tip=tr("Import geofences from web servers or S3 every night"),
        words=searched("import http url s3 bucket aws schedule integration email"),
        in_workspace=True,
    )
    pending = Declared(
        tr("Pending changes…"),
        "checks",
        tip=tr("Review, apply or discard the changes pending for Live"),
        in_workspace=True,
    )
    clock = Declared(tr("Test clock…"), "clock", tip=tr("Set, advance or freeze the Test clock"), in_test=True)
    freeze = Declared(tr("Freeze or unfreeze the Test clock"), "timer", in_test=True)
    clear = Declared(
        tr("Clear Test data…"), "eraser", tip=tr("Delete users, events and updates from Test"), in_test=True
    )
    promote = Declared(
        tr("Promote Test to Live…"),
        "arrow-fat-line-right",
        "Ctrl+Shift+P",
        tr("Compare the geofences of Test and Live, and take over what you choose"),
        words=searched("diff compare deploy publish release copy"),
        in_workspace=True,
    )
    promote_back = Declared(
        tr("Promote Live to Test…"),
        "arrow-fat-line-left",
        tip=tr("Compare the geofences of Live and Test, and take over what you choose"),
        words=searched("diff compare copy back"),
        in_workspace=True,
    )
    history = Declared(
        tr("History of the geofence…"),
        "clock-counter-clockwise",
        "Ctrl+Shift+H",
        tr("Who or what changed the selected geofence and when; compare and restore versions"),
        words=searched("versions audit log restore revert who changed"),
        needs=tr("Select a geofence."),
    )
    deleted = Declared(
        tr("Deleted geofences…"),
        "trash",
        tip=tr("Find and restore geofences that were deleted"),
        words=searched("history undelete recover restore trash"),
        in_workspace=True,
    )
