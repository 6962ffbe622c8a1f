"""Holes and parts of the selected polygon: drawing, deleting and moving them, and the ring in the table of vertices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.desktop.dialogs.palette import NEEDS
from app.desktop.language import tr, within_sentence
from app.desktop.map import MapView
from app.desktop.model.shaping.operations import change_to
from app.desktop.model.shaping.rings import Drawing, RingPlace, places_of, reason_against, ring_at
from app.desktop.model.words import error_text, fence_name
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import tip_text
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Geometry, Isochrone, Point, Polygon, Ring
from engine.geo.shaping.editing import with_hole, with_part, without_ring

_TOOLS = {"hole", "part", "edit_part"}


class RingController(QObject):
    """Changes the rings of the selected polygon with the engine's operations, one step for undo each.

    `form_wanted` requests that the form of the geofence is visible.
    """

    form_wanted = Signal()

    def __init__(
        self, model: WorkspaceModel, map_view: MapView, form: FenceForm, fences: FenceController, message: MessageLine
    ) -> None:
        super().__init__(map_view)
        self._model, self._map, self._form = model, map_view, form
        self._fences, self._message = fences, message
        self._vertices = form.shape.vertices
        self._tips: dict[QAction, str] = {}
        self._marked: tuple[str, int | None] | None = None
        map_view.hole_drawn.connect(partial(self._add, Drawing.HOLE))
        map_view.part_drawn.connect(partial(self._add, Drawing.PART))
        map_view.ring_chosen.connect(self._on_ring_chosen)
        self._vertices.ring_shown.connect(self._mark)
        self._vertices.delete_wanted.connect(self.delete_ring)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions and enable them according to the selected geofence."""
        self._draw_hole, self._draw_part, self._move_part = actions.draw_hole, actions.draw_part, actions.move_part
        self._delete_hole, self._delete_part = actions.delete_hole, actions.delete_part
        made = self._draw_hole, self._draw_part, self._move_part, self._delete_hole, self._delete_part
        self._tips = {action: action.toolTip() for action in made}
        self._draw_hole.triggered.connect(lambda: self._map.start_drawing_hole())
        self._draw_part.triggered.connect(lambda: self._map.start_drawing_part())
        self._move_part.triggered.connect(lambda: self._map.edit_part_tool())
        self._delete_hole.triggered.connect(lambda: self._delete_chosen(hole=True))
        self._delete_part.triggered.connect(lambda: self._delete_chosen(hole=False))
        for button, action in (
            (self._vertices.draw_hole, self._draw_hole),
            (self._vertices.draw_part, self._draw_part),
        ):
            button.clicked.connect(action.trigger)
        self._model.selection.changed.connect(self._on_selection)
        self._model.fences.changed.connect(lambda _: self._on_selection())
        self._model.fences.locks.changed.connect(self._on_selection)
        self._model.environment_changed.connect(self._on_selection)
        self._enable()

    def fill_menu(self, menu: Menu, point: Point) -> None:
        """Add the commands for the ring of the selected polygon at a position to the menu of the map."""
        fence = self._fence()
        if fence is None or reason_against(Drawing.HOLE, (fence,), locked=self._is_locked(fence)):
            return
        polygon = self._polygon(fence)
        number = None if polygon is None else ring_at(polygon, point)
        if polygon is None or number is None:
            return
        place = places_of(polygon)[number]
        if place.can_be_deleted:
            text = tr("Delete {ring_name}", ring_name=within_sentence(place.name))
            menu.addAction(text, partial(self.delete_ring, number))
        if place.parts > 1 or place.holes:
            menu.addAction(
                tr("Vertices of {ring_name}", ring_name=within_sentence(place.name)), partial(self._list, number)
            )

    # Changing

    def delete_ring(self, number: int) -> None:
        """Delete a hole, or a part with its holes, of the selected polygon. The user can undo this."""
        fence = self._fence()
        if fence is None:
            return

        def changed(geometry: Geometry) -> Polygon:
            assert isinstance(geometry, Polygon)
            return without_ring(geometry, number)

        self._change(fence, changed)

    def _delete_chosen(self, *, hole: bool) -> None:
        number = self._number_to_delete(hole=hole)
        if number is not None:
            self.delete_ring(number)

    def _number_to_delete(self, *, hole: bool) -> int | None:
        """Return the number of the only hole, or of the ring in the table of vertices if that is a hole or a part."""
        fence = self._fence()
        polygon = None if fence is None else self._polygon(fence)
        if polygon is None:
            return None
        places = places_of(polygon)
        of_kind = [number for number, place in enumerate(places) if (place.hole > 0) is hole and place.can_be_deleted]
        if hole and len(of_kind) == 1:
            return of_kind[0]
        chosen = self._vertices.number
        return chosen if chosen in of_kind and self._is_in_form(fence) else None

    def _add(self, drawing: Drawing, fence_id: str, ring: Ring) -> None:
        """Add a drawn ring to a geofence; a part that meets or overlaps another becomes one with it."""
        fence = self._model.fences.get(fence_id)
        if fence is None:
            self._map.discard_drawing()
            return
        add = with_hole if drawing is Drawing.HOLE else with_part

        def changed(geometry: Geometry) -> Polygon:
            return add(geometry, ring)

        self._change(fence, changed, joining=drawing is Drawing.PART)

    def _change(self, fence: Geofence, changed: Callable[[Geometry], Polygon], *, joining: bool = False) -> None:
        """Change the shape in the background, and again if the geofence was changed by others in the meantime."""
        before = self._fences.shown(fence).geometry

        def done(polygon: Polygon) -> None:
            now = self._model.fences.get(fence.id)
            if now is None:
                self._map.discard_drawing()
                self._message.complain(tr("{geofence_name} was deleted.", geofence_name=fence_name(fence)))
                return
            if self._fences.shown(now).geometry != before:
                self._change(now, changed, joining=joining)
                return
            self._fences.change_shape(fence.id, change_to(polygon))
            if joining and isinstance(before, Polygon) and len(polygon.parts) <= len(before.parts):
                self._message.show_info(tr("The new part meets the geofence, so they are one part."))

        def failed(error: Exception) -> None:
            self._map.discard_drawing()
            self._message.complain(error_text(error))

        self._model.operations.preview(lambda: changed(before), done, failed)

    # Showing

    def _list(self, number: int) -> None:
        """List the vertices of a ring in the form."""
        self.form_wanted.emit()
        self._form.show_section(self._form.sections.index(self._form.shape))
        self._vertices.choose_ring(number)
        self._vertices.table.setFocus()

    def _on_ring_chosen(self, fence_id: str, number: int) -> None:
        if self._form.fence is not None and self._form.fence.id == fence_id:
            self._vertices.choose_ring(number)

    def _mark(self, number: int | None) -> None:
        """Mark the ring in the table on the map."""
        fence = self._form.fence
        marked = None if fence is None else (fence.id, number)
        if marked is not None and marked != self._marked:
            self._map.mark_ring(*marked)
        self._marked = marked
        self._enable()

    # Availability

    def _fence(self) -> Geofence | None:
        """Return the only selected geofence."""
        ids = self._model.selection.fence_ids
        return self._model.fences.get(ids[0]) if len(ids) == 1 else None

    def _polygon(self, fence: Geofence) -> Polygon | None:
        geometry = self._fences.shown(fence).geometry
        return geometry if isinstance(geometry, Polygon) and not isinstance(geometry, Isochrone) else None

    def _is_locked(self, fence: Geofence) -> bool:
        return self._model.fences.locks.is_locked(fence.id)

    def _is_in_form(self, fence: Geofence | None) -> bool:
        return fence is not None and self._form.fence is not None and self._form.fence.id == fence.id

    def _on_selection(self) -> None:
        self._enable()
        if self._map.tool in _TOOLS and not self._may_draw():
            self._map.cancel()

    def _may_draw(self) -> bool:
        action = {"hole": self._draw_hole, "part": self._draw_part}.get(self._map.tool, self._move_part)
        return action.isEnabled()

    def _enable(self) -> None:
        """Enable the actions, or say why they are not available."""
        if not self._tips:
            return
        fence = self._fence()
        fences = () if fence is None else (fence,)
        locked = fence is not None and self._is_locked(fence)
        reasons = {each: reason_against(each, fences, locked=locked) for each in Drawing}
        self._allow(self._draw_hole, reasons[Drawing.HOLE])
        self._allow(self._draw_part, reasons[Drawing.PART])
        self._vertices.draw_hole.setEnabled(not reasons[Drawing.HOLE])
        self._vertices.draw_part.setEnabled(not reasons[Drawing.PART])
        general = reason_against(None, fences, locked=locked)
        places: tuple[RingPlace, ...] = ()
        if fence is not None and (polygon := self._polygon(fence)) is not None:
            places = places_of(polygon)
        has_parts, has_holes = any(place.parts > 1 for place in places), any(place.hole for place in places)
        one_part = "" if has_parts else tr("The geofence has only one part.")
        self._allow(self._move_part, general or one_part)
        no_hole = "" if has_holes else tr("The geofence has no holes.")
        chosen = tr("Choose it among the vertices in Shape first, or right-click it on the map.")
        hole, part = (self._number_to_delete(hole=each) is not None for each in (True, False))
        self._allow(self._delete_hole, general or no_hole or ("" if hole else chosen))
        self._allow(self._delete_part, general or one_part or ("" if part else chosen))

    def _allow(self, action: QAction, reason: str) -> None:
        action.setEnabled(not reason)
        action.setToolTip(tip_text(reason or self._tips[action]))
        action.setProperty(NEEDS, reason)
