"""Actions on tracks and simulated devices."""

from app.desktop.language import searched, tr
from app.desktop.window.actions.declared import ActionsOfWindow, Declared


class SimulationActions(ActionsOfWindow):
    """Actions on tracks and simulated devices."""

    play = Declared(tr("Play or pause"), "play", "Space", tr("Play or pause the track"))
    step = Declared(
        tr("Next fix"),
        "skip-forward",
        "Right",
        tr("Send the next fix of the track"),
        local=True,
        needs=tr("Open a track."),
    )
    back = Declared(
        tr("Previous fix"),
        "skip-back",
        "Left",
        tr("Go back to the previous fix"),
        local=True,
        needs=tr("Open a track."),
    )
    replay = Declared(
        tr("Reset device and replay"),
        "arrow-counter-clockwise",
        tip=tr("Delete the simulated device's data from Test, then play the track from the start"),
        words=searched("again first time clear restart"),
        in_test=True,
    )
    timeline = Declared(
        tr("Timeline"),
        "chart-line",
        "G",
        tr("Show or hide distances to geofences over time"),
        words=searched("distance plot graph"),
        in_workspace=True,
    )
    timeline_of_device = Declared(
        tr("Timeline of device…"),
        "chart-line",
        tip=tr("Show a device's kept updates over time"),
        words=searched("distance plot graph"),
        in_workspace=True,
    )
    open_track = Declared(tr("Open track…"), "path", "Ctrl+T", in_workspace=True)
    save_scenario = Declared(
        tr("Save as scenario…"),
        "flask",
        tip=tr("Save settings, geofences, the track and its events as a test for CI"),
        words=searched("yaml test qa fencewright expect"),
        in_workspace=True,
    )
    route_track = Declared(
        tr("Route a track…"),
        "map-pin",
        tip=tr("Create a track along roads: click its waypoints"),
        words=searched("simulate waypoints navigation drive walk"),
        in_workspace=True,
    )
    fleet = Declared(
        tr("Fleet…"),
        "users",
        tip=tr("Simulate many devices on trips along roads"),
        words=searched("simulate devices load"),
        in_workspace=True,
    )
    backtest = Declared(
        tr("Back-test…"),
        "rewind",
        tip=tr("Run months of location updates against geofences"),
        words=searched("history months parquet dask what if replay cluster backtest"),
        in_workspace=True,
    )
    open_backtest = Declared(
        tr("Open back-test…"),
        "rewind",
        tip=tr("Show the results of a back-test again"),
        words=searched("history report parquet results backtest"),
        in_workspace=True,
    )
    draw_track = Declared(
        tr("Draw track"),
        "pencil-line",
        "T",
        tr("Draw the track of a device: click its vertices"),
        check=True,
        words=searched("simulate simulator path walk"),
        in_workspace=True,
    )
    record_track = Declared(
        tr("Track from a device…"),
        "record",
        tip=tr("Load what a device has sent into the simulator"),
        words=searched("record replay kept updates request log"),
        in_workspace=True,
    )
