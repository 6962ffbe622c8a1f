"""Actions that find, list and explain."""

from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class InspectionActions(ActionsOfWindow):
    """Actions that find, list and explain."""

    find = Declared(
        "Find", "magnifying-glass", "Ctrl+F", "Find addresses, places, geofences, coordinates", in_workspace=True
    )
    fence_here = Declared(
        "Create geofence here", "map-pin", ("Ctrl+Return", "Ctrl+Enter"), "Create a geofence from the search result"
    )
    what_is_here = Declared("What is here?", "map-pin-line", tip="Address at the centre of the map", in_workspace=True)
    clear_searches = Declared("Clear recent searches", "clock-counter-clockwise")
    fit = Declared("Show all geofences", "frame-corners", "Ctrl+0", "Show all geofences on the map", in_workspace=True)
    filter = Declared(
        "Filter geofences", "funnel", tip="Type to filter the list of geofences", words="search", in_workspace=True
    )
    geofence_table = Declared(
        "Geofence table",
        "table",
        "Ctrl+G",
        "List geofences with their fields: filter, sort, choose columns",
        words="list attributes columns spreadsheet many",
        in_workspace=True,
    )
    layers = Declared(
        "Layers",
        "stack",
        "Ctrl+Shift+L",
        "Show or hide geofences on the map by tag and state, and colour them",
        words="hide show colour tag state visibility legend",
        in_workspace=True,
    )
    checks = Declared(
        "Check geofences",
        "check-circle",
        "Ctrl+Shift+C",
        "Find overlaps, geofences that are too small, hours that never open and more",
        words="validate lint problems overlap duplicate sliver expired quality",
        in_workspace=True,
    )
    why = Declared("Why?", "question", "W", "Show why something happened, or why not", in_workspace=True)
    user = Declared("User", "user", tip="Show everything known about a user", in_workspace=True)
    users = Declared(
        "Users",
        "users-three",
        tip="List users with their last location and time",
        words="devices",
        in_workspace=True,
    )
    heat = Declared(
        "Heat map",
        "fire",
        "H",
        "Show where fixes or events are dense",
        check=True,
        words="density hotspots heatmap",
        in_workspace=True,
    )
    webhooks = Declared(
        "Webhooks",
        "paper-plane-tilt",
        tip="Send events to your servers",
        words="http post delivery receiver listen",
        in_workspace=True,
    )
    what_if = Declared(
        "What if…",
        "flask",
        "Ctrl+Shift+W",
        "Try other settings and geofences in a sandbox",
        words="sandbox replay try simulate",
    )
    requests = Declared(
        "Requests", "swap", "R", "Show what arrives at the endpoint", words="log http curl", in_workspace=True
    )
    faults = Declared(
        "Faults…",
        "lightning",
        tip="Delay, truncate, drop or fail Test requests to see how your app copes",
        words="latency status 429 500 drop truncate slow retry test sdk",
        in_workspace=True,
    )
