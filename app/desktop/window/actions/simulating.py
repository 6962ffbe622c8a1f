"""Actions on tracks and simulated devices."""

from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class SimulationActions(ActionsOfWindow):
    """Actions on tracks and simulated devices."""

    play = Declared("Play or pause", "play", "Space", "Play or pause the track")
    step = Declared("Next fix", "skip-forward", "Right", "Send the next fix of the track", local=True)
    back = Declared("Previous fix", "skip-back", "Left", "Go back to the previous fix", local=True)
    replay = Declared(
        "Reset device and replay",
        "arrow-counter-clockwise",
        tip="Delete the simulated device's data from Test, then play the track from the start",
        words="again first time clear restart",
        in_test=True,
    )
    timeline = Declared(
        "Timeline",
        "chart-line",
        "G",
        "Show or hide distances to geofences over time",
        words="distance plot graph",
        in_workspace=True,
    )
    timeline_of_device = Declared(
        "Timeline of device…",
        "chart-line",
        tip="Show a device's kept updates over time",
        words="distance plot graph",
        in_workspace=True,
    )
    open_track = Declared("Open track…", "path", "Ctrl+T", in_workspace=True)
    save_scenario = Declared(
        "Save as scenario…",
        "flask",
        tip="Save settings, geofences, the track and its events as a test for CI",
        words="yaml test qa fencewright expect",
        in_workspace=True,
    )
    route_track = Declared(
        "Route a track…",
        "map-pin",
        tip="Create a track along roads: click its waypoints",
        words="simulate waypoints navigation drive walk",
        in_workspace=True,
    )
    fleet = Declared(
        "Fleet…",
        "users",
        tip="Simulate many devices on trips along roads",
        words="simulate devices load",
        in_workspace=True,
    )
    draw_track = Declared(
        "Draw track",
        "pencil-line",
        "T",
        "Draw the track of a device: click its vertices",
        check=True,
        words="simulate simulator path walk",
        in_workspace=True,
    )
    record_track = Declared(
        "Track from a device…",
        "record",
        tip="Load what a device has sent into the simulator",
        words="record replay kept updates request log",
        in_workspace=True,
    )
