"""Actions that find, list and explain."""

from app.desktop.language import searched, tr
from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class InspectionActions(ActionsOfWindow):
    """Actions that find, list and explain."""

    find = Declared(
        tr("Find"),
        "magnifying-glass",
        "Ctrl+F",
        tr("Find addresses, places, geofences, coordinates"),
        in_workspace=True,
    )
    fence_here = Declared(
        tr("Create geofence here"),
        "map-pin",
        ("Ctrl+Return", "Ctrl+Enter"),
        tr("Create a geofence from the search result"),
        needs=tr("Find a place first."),
    )
    what_is_here = Declared(
        tr("What is here?"), "map-pin-line", tip=tr("Address at the centre of the map"), in_workspace=True
    )
    clear_searches = Declared(tr("Clear recent searches"), "clock-counter-clockwise")
    fit = Declared(
        tr("Show all geofences"), "frame-corners", "Ctrl+0", tr("Show all geofences on the map"), in_workspace=True
    )
    filter = Declared(
        tr("Filter geofences"),
        "funnel",
        tip=tr("Type to filter the list of geofences"),
        words=searched("search"),
        in_workspace=True,
    )
    geofence_table = Declared(
        tr("Geofence table"),
        "table",
        "Ctrl+G",
        tr("List geofences with their fields: filter, sort, choose columns"),
        words=searched("list attributes columns spreadsheet many"),
        in_workspace=True,
    )
    layers = Declared(
        tr("Layers"),
        "stack",
        "Ctrl+Shift+L",
        tr("Show or hide geofences on the map by tag and state, and colour them"),
        words=searched("hide show colour tag state visibility legend"),
        in_workspace=True,
    )
    checks = Declared(
        tr("Check geofences"),
        "check-circle",
        "Ctrl+Shift+C",
        tr("Find overlaps, geofences that are too small, hours that never open and more"),
        words=searched("validate lint problems overlap duplicate sliver expired quality"),
        in_workspace=True,
    )
    why = Declared(tr("Why?"), "question", "W", tr("Show why something happened, or why not"), in_workspace=True)
    user = Declared(tr("User"), "user", tip=tr("Show everything known about a user"), in_workspace=True)
    users = Declared(
        tr("Users"),
        "users-three",
        tip=tr("List users with their last location and time"),
        words=searched("devices"),
        in_workspace=True,
    )
    heat = Declared(
        tr("Heat map"),
        "fire",
        "H",
        tr("Show where fixes or events are dense"),
        check=True,
        words=searched("density hotspots heatmap"),
        in_workspace=True,
    )
    webhooks = Declared(
        tr("Webhooks"),
        "paper-plane-tilt",
        tip=tr("Send events to your servers"),
        words=searched("http post delivery receiver listen"),
        in_workspace=True,
    )
    what_if = Declared(
        tr("What if…"),
        "flask",
        "Ctrl+Shift+W",
        tr("Try other settings and geofences in a sandbox"),
        words=searched("sandbox replay try simulate"),
    )
    requests = Declared(
        tr("Requests"),
        "swap",
        "R",
        tr("Show what arrives at the endpoint"),
        words=searched("log http curl"),
        in_workspace=True,
    )
    faults = Declared(
        tr("Faults…"),
        "lightning",
        tip=tr("Delay, truncate, drop or fail Test requests to see how your app copes"),
        words=searched("latency status 429 500 drop truncate slow retry test sdk"),
        in_workspace=True,
    )
