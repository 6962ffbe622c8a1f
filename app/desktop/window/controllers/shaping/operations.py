"""Operations on shapes: chosen by the user, previewed on the map, and applied in one step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.map.values import Position
from app.desktop.model.editing.changes import FenceEditor, Outcome
from app.desktop.model.fences import FenceDelta
from app.desktop.model.shaping.operations import (
    SEVERAL,
    Holes,
    Kind,
    Parts,
    Result,
    Trial,
    beside,
    change_to,
    copies_of,
    tried,
)
from app.desktop.model.words import error_text, fence_name
from app.desktop.panels.geofence.operation import Amount, OperationPanel
from app.desktop.shapes import map_polygon
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.newest import Newest
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import Conflict, FencewrightError
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Geometry
from engine.geo.shaping.placing import Cell, Side, size_for
from engine.geo.shaping.resizing import MAX_BUFFER_M, Fit

_MARGIN = 8
_CELLS = 40
_HINTS = {
    Kind.UNION: tr("The first selected geofence gets all of it; the others are deleted."),
    Kind.INTERSECT: tr("The first selected geofence gets what all have in common; the others are deleted."),
    Kind.SUBTRACT: tr("The others are cut out of the first selected geofence, and stay as they are."),
    Kind.SPLIT: tr(
        "The largest piece stays this geofence, together with parts that are not cut; "
        "the others are new ones with its settings."
    ),
    Kind.TO_PARTS: tr("The largest part stays this geofence; the others are new ones with its settings."),
    Kind.ALIGN: tr("The others are moved in line with the first selected geofence."),
    Kind.GRID: tr("New geofences with the settings of this one, which stays."),
}


class _Shape(Struct, frozen=True):
    """The inputs an operation needs from the panel."""

    amount: Callable[[Geometry], Amount | None] = lambda _: None
    choices: tuple[Fit | Side | Cell | Holes, ...] = ()


_SHAPES = {
    Kind.SIMPLIFY: _Shape(lambda _: Amount(tr("Tolerance"), "m", 0.5, 1_000, 5)),
    Kind.BUFFER: _Shape(
        lambda _: Amount(tr("Distance"), "m", -500, 500, 50, shares=False, lowest=-MAX_BUFFER_M, highest=MAX_BUFFER_M)
    ),
    Kind.TO_CIRCLE: _Shape(choices=tuple(Fit)),
    Kind.TO_POLYGON: _Shape(
        lambda geometry: (
            Amount(tr("Vertices"), "", 4, 256, 32, whole=True, lowest=4, highest=256)
            if isinstance(geometry, Circle)
            else None
        )
    ),
    Kind.TO_PARTS: _Shape(choices=tuple(Holes)),
    Kind.ALIGN: _Shape(choices=tuple(Side)),
    Kind.GRID: _Shape(
        lambda geometry: Amount(tr("Size (radius)"), "m", 10, 10_000, max(10.0, round(size_for(geometry, _CELLS)))),
        tuple(Cell),
    ),
}


class OperationController(QObject):
    """Previews an operation after each input, in the background, and applies the previewed result."""

    def __init__(self, model: WorkspaceModel, map_view: MapView, fences: FenceController, message: MessageLine) -> None:
        super().__init__(map_view)
        self._model, self._map, self._fences, self._message = model, map_view, fences, message
        self._kind: Kind | None = None
        self._taken: tuple[Geofence, ...] = ()
        self._line: tuple[Position, ...] = ()
        self._tried: tuple[Trial, Result] | None = None
        self._wanted = False
        self._trying = Newest(model.operations.preview)
        self.panel = OperationPanel(map_view)
        self.panel.move(_MARGIN, _MARGIN)
        self.panel.changed.connect(self._try)
        self.panel.apply_requested.connect(self.apply)
        self.panel.cancel_requested.connect(self.cancel)
        map_view.line_drawn.connect(self._on_line)
        map_view.tool_changed.connect(self._on_tool)
        model.selection.changed.connect(self._on_selection)
        model.fences.changed.connect(self._on_fences)
        model.environment_changed.connect(self.cancel)
        self._actions: dict[Kind, QAction] = {}

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions and enable them according to the number of selected geofences."""
        self._actions = {
            Kind.UNION: actions.union,
            Kind.SUBTRACT: actions.subtract,
            Kind.INTERSECT: actions.intersect,
            Kind.SPLIT: actions.split,
            Kind.TO_PARTS: actions.to_parts,
            Kind.FILL_HOLES: actions.fill_holes,
            Kind.SIMPLIFY: actions.simplify,
            Kind.BUFFER: actions.buffer,
            Kind.TO_CIRCLE: actions.to_circle,
            Kind.TO_POLYGON: actions.to_polygon,
            Kind.ALIGN: actions.align,
            Kind.GRID: actions.grid,
        }
        for kind, action in self._actions.items():
            action.triggered.connect(lambda _=False, kind=kind: self.start(kind))
        self._duplicate = actions.duplicate
        self._duplicate.triggered.connect(lambda: self.duplicate())
        self._enable()

    @property
    def answered(self) -> bool:
        """Whether the preview matches the latest input."""
        return not self._trying.busy

    # Choosing

    def start(self, kind: Kind) -> None:
        """Start an operation on the selected geofences; for a split, let the user draw the line first."""
        self.cancel()
        fences = self._selected(kind)
        if fences and not self._allowed(kind, fences):
            return
        if kind is Kind.SPLIT:
            if fences:
                self._taken = fences
                self._map.split_tool()
            return
        if fences:
            self._begin(kind, fences)

    def _allowed(self, kind: Kind, fences: tuple[Geofence, ...]) -> bool:
        """Return whether none of the geofences that would be reshaped or deleted is locked."""
        changed = {Kind.GRID: (), Kind.ALIGN: fences[1:], Kind.SUBTRACT: fences[:1]}.get(kind, fences)
        try:
            self._model.fences.locks.check(changed)
        except Conflict as error:
            self._message.complain(error_text(error))
            return False
        return True

    def _selected(self, kind: Kind) -> tuple[Geofence, ...]:
        ids = self._model.selection.fence_ids if kind in SEVERAL else (self._model.selection.fence_id,)
        return tuple(fence for fence_id in ids if (fence := self._model.fences.get(fence_id)) is not None)

    def _begin(self, kind: Kind, fences: tuple[Geofence, ...], line: tuple[Position, ...] = ()) -> None:
        try:
            shape = _SHAPES.get(kind, _Shape())
            amount = shape.amount(fences[0].geometry)
        except FencewrightError as error:
            self._message.complain(error_text(error))
            return
        self._kind, self._taken, self._line, self._wanted = kind, fences, line, False
        subject = (
            fence_name(fences[0])
            if len(fences) == 1
            else tr("{geofence_name} + {more:,}", geofence_name=fence_name(fences[0]), more=len(fences) - 1)
        )
        self.panel.begin(f"{kind.value}: {subject}", _HINTS.get(kind, ""), amount, shape.choices)
        self._try()

    def _on_line(self, tool: str, line: tuple[Position, ...], done: bool) -> None:
        if tool == "split" and done and self._taken:
            self._begin(Kind.SPLIT, self._taken, line)

    def _on_tool(self, tool: str) -> None:
        if self._kind is not None and tool != "select":
            self.cancel()

    # Previewing

    def _try(self) -> None:
        kind = self._kind
        if kind is None:
            return
        self._tried = None
        choices = _SHAPES.get(kind, _Shape()).choices
        trial = Trial(
            kind,
            self._taken,
            self.panel.value,
            self.panel.chosen(self.panel.choice, choices[0]) if choices else None,
            self._line,
            self.panel.chosen(self.panel.parts, Parts.ALL),
        )

        def failed(error: Exception) -> None:
            if self._kind is kind:
                self._wanted = False
                self._map.set_outlines(())
                self.panel.show_note("", error_text(error))

        self._trying.ask(partial(tried, trial), partial(self._answer, trial), failed)

    def _answer(self, trial: Trial, result: Result) -> None:
        if self._kind is not trial.kind:
            return
        self._tried = trial, result
        self._map.set_outlines([] if result.nothing else [*map(map_polygon, result.outlines)])
        several = result.parts > 1 or trial.parts is not Parts.ALL
        self.panel.offer(self.panel.parts, tuple(Parts) if several else ())
        self.panel.show_note(result.note, result.error, ready=not result.nothing)
        if self._wanted:
            self.apply()

    # Applying

    def apply(self) -> None:
        """Store the previewed result in one step, after a confirmation in Live.

        If the preview is not ready yet, its result is stored as soon as it is.
        """
        kind = self._kind
        if kind is None:
            return
        if self._tried is None:
            self._wanted = self._trying.busy
            return
        trial, result = self._tried
        if result.nothing:
            return
        by_id = {fence.id: fence for fence in trial.fences}
        shapes = [
            (by_id[fence_id], None if geometry is None else change_to(geometry))
            for fence_id, geometry in result.shapes.items()
        ]
        created = self._copies(trial.first, result.created)
        name = fence_name(trial.first)
        text = tr("{operation} {geofence_name}", operation=kind.value, geofence_name=name)

        def work(editor: FenceEditor) -> Outcome:
            return editor.change_shapes(text, shapes, created)

        def done(outcome: Outcome) -> None:
            ids = [fence_id for fence_id in outcome.fence_ids if fence_id != trial.first.id]
            kept = [trial.first.id] if kind not in (Kind.GRID,) else []
            self._model.selection.select_fences([*kept, *ids] or [trial.first.id], trial.first.id if kept else None)

        self.cancel()
        self._fences.change_all(
            tr("{action} in Live?", action=text), tr("Apply"), _done_text(kind, name, result), work, done
        )

    def _copies(self, fence: Geofence, shapes: tuple[Geometry, ...]) -> tuple[GeofenceChange, ...]:
        taken = {each.external_id for each in self._model.fences.named() if each.tag == fence.tag}
        return copies_of(fence, shapes, taken)

    def duplicate(self) -> None:
        """Create copies of the selected geofences next to them, in one step."""
        fences = self._selected(Kind.UNION)
        taken: dict[str, set[str]] = {}
        for each in self._model.fences.named():
            taken.setdefault(each.tag, set()).add(each.external_id)
        created: list[GeofenceChange] = []
        for fence in fences:
            (change,) = copies_of(fence, (beside(fence.geometry),), taken[fence.tag])
            taken[fence.tag].add(str(change.external_id))
            created.append(change)
        if not created:
            return
        subject = fence_name(fences[0]) if len(fences) == 1 else counted(len(fences), "geofence")

        def work(editor: FenceEditor) -> Outcome:
            return editor.create_all(tr("Duplicate {geofences}", geofences=subject), created)

        def done(outcome: Outcome) -> None:
            self._model.selection.select_fences(outcome.fence_ids)

        self._fences.change_all(
            tr("Duplicate {geofences} in Live?", geofences=subject),
            tr("Duplicate"),
            tr("Duplicated {geofences}.", geofences=subject),
            work,
            done,
        )

    # Ending

    def cancel(self) -> None:
        """End the operation without a change."""
        if self._kind is None and not self._taken:
            return
        self._kind, self._taken, self._line, self._tried, self._wanted = None, (), (), None, False
        self._trying.forget()
        self._map.set_outlines(())
        self.panel.end()
        self._map.setFocus()

    def _on_selection(self) -> None:
        self._enable()
        selected = self._model.selection.fence_ids
        if self._kind is not None and self._taken and self._taken[0].id not in selected:
            self.cancel()

    def _on_fences(self, delta: FenceDelta) -> None:
        """Update the preview if another client changed the geofences; cancel the operation if one was deleted."""
        self._enable()
        taken = {fence.id for fence in self._taken}
        touched = any(fence.id in taken for fence in delta.upserted) or not taken.isdisjoint(delta.removed)
        if not taken or not (delta.reset or touched):
            return
        fences = tuple(fence for each in self._taken if (fence := self._model.fences.get(each.id)) is not None)
        if len(fences) != len(self._taken):
            self.cancel()
        elif self._kind is not None and any(a.geometry != b.geometry for a, b in zip(fences, self._taken, strict=True)):
            self._taken = fences
            self._try()

    def _enable(self) -> None:
        there = len(self._model.selection.fence_ids)
        for kind, action in self._actions.items():
            action.setEnabled(there >= 2 if kind in SEVERAL else there >= 1)
        if self._actions:
            self._duplicate.setEnabled(there >= 1)


def _done_text(kind: Kind, name: str, result: Result) -> str:
    texts = [f"{kind.value}: {name}.", result.done]
    if result.created:
        texts.append(counted(len(result.created), "new geofence") + ".")
    if deleted := sum(shape is None for shape in result.shapes.values()):
        texts.append(tr("{geofences} deleted.", geofences=counted(deleted, "geofence")))
    return " ".join(filter(None, texts))
