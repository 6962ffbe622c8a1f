"""The tools of the mouse on the map."""

from app.desktop.map.contents import MapContents
from app.desktop.map.values import Tool


class MapToolbox(MapContents):
    """The part of the map that activates the tools."""

    def _use(self, tool: Tool) -> None:
        raise NotImplementedError

    def select_tool(self) -> None:
        """Activate the select tool: clicks select, handles reshape the selection, and dragging moves the map."""
        self._use("select")

    def start_drawing_circle(self) -> None:
        """Draw a circle by two clicks, on its centre and its edge, or by dragging from its centre."""
        self._use("circle")

    def start_drawing_polygon(self) -> None:
        """Draw a polygon by clicks on its vertices, ended by a click on the first one or a double click."""
        self._use("polygon")

    def start_drawing_hole(self) -> None:
        """Draw a hole in the selected geofence, by clicks on its vertices."""
        self._use("hole")

    def start_drawing_part(self) -> None:
        """Draw a further part of the selected geofence, by clicks on its vertices."""
        self._use("part")

    def start_drawing_track(self) -> None:
        """Draw the path of a device by clicks, ended by a click on the last point or a double click."""
        self._use("track")

    def split_tool(self) -> None:
        """Activate the split tool: clicks draw a line that cuts a geofence, ended by a click on the last point."""
        self._use("split")

    def measure_tool(self) -> None:
        """Activate the measure tool: clicks draw a line to measure, ended by a click on the last point."""
        self._use("measure")

    def isochrone_tool(self) -> None:
        """Activate the isochrone tool: a click chooses a destination. The tool stays active until another is chosen."""
        self._use("isochrone")

    def beacon_tool(self) -> None:
        """Activate the beacon tool: a click chooses the position of a beacon."""
        self._use("beacon")

    def waypoint_tool(self) -> None:
        """Activate the waypoint tool: clicks choose waypoints. The tool stays active until another is chosen."""
        self._use("waypoint")

    def edit_tool(self) -> None:
        """Activate the edit tool: like the select tool, but dragging the selected geofence moves it."""
        self._use("edit")

    def edit_part_tool(self) -> None:
        """Activate the tool that moves a part: dragging a part of the selected geofence moves it with its holes."""
        self._use("edit_part")

    def lasso_tool(self) -> None:
        """Activate the lasso tool: dragging around geofences selects them."""
        self._use("lasso")

    def cancel(self) -> None:
        """Cancel the drawing and return to the select tool."""
        self._use("select")
