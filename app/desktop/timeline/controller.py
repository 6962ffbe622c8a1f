"""The controller that connects the timeline to the model, the map, the reasons and the simulator."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject

from app.desktop.dialogs.files import FileChooser
from app.desktop.language import counted, tr
from app.desktop.model.simulation.status import SimulationState
from app.desktop.model.timeline.timeline import SHOWN_AT_FIRST, Mark, Overlay, Timeline
from app.desktop.model.timeline.words import cut_texts, fix_text
from app.desktop.model.users import user_name
from app.desktop.model.whatif.findings import Findings
from app.desktop.model.why import About, Subject
from app.desktop.model.words import clock_time, fence_name
from app.desktop.timeline.exporting import Content, TimelineExport
from app.desktop.timeline.loading import TimelineLoader
from app.desktop.timeline.panel import Choice, TimelinePanel
from app.desktop.timeline.playhead import Playhead
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.why import WhyController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geometry import Point
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.updates import Event, User
from engine.geo.zones import zone_at

if TYPE_CHECKING:
    from app.desktop.timeline.graph import Hit, TimelineGraph

_USERS_OFFERED: Final = 25


class TimelineController(QObject):
    """Shows the loaded track, or a user's kept updates, over time.

    Nothing is read while the timeline is folded.
    """

    def __init__(
        self,
        model: WorkspaceModel,
        panel: TimelinePanel,
        on_map: OnMap,
        reasons: WhyController,
        files: FileChooser,
        message: MessageLine,
        choose_event: Callable[[Event], None],
    ) -> None:
        super().__init__(panel)
        self._model, self._panel, self._on_map, self._reasons = model, panel, on_map, reasons
        self._choose_event = choose_event
        self._user: User | None = None
        self._timeline, self._overlay = Timeline(), Overlay()
        self._marked, self._findings = Overlay(), Findings()
        self._fit = True
        self._chosen: frozenset[str] | None = None
        self._playhead = Playhead(model.simulation, on_map)
        self._followed: str | None = None
        self._awaited: str | None = None
        """The chosen event that has no mark yet."""
        self._loader = TimelineLoader(model, panel, self._also)
        self._loader.measured.connect(self._take)
        self._loader.overlay_read.connect(self._take_overlay)
        self.exporter = TimelineExport(panel, self._exported, files, model.operations, message)
        panel.offer_sources(self._sources)
        panel.unfolded.connect(self._on_unfolded)
        panel.graph_made.connect(self._on_graph)
        panel.user_chosen.connect(self.show_user)
        panel.fence_toggled.connect(self._on_fence_toggled)
        panel.nearest_requested.connect(self._on_nearest)
        self._follow(model)

    def _follow(self, model: WorkspaceModel) -> None:
        model.simulation.loaded.connect(self._on_loaded)
        model.simulation_progressed.connect(self._on_progress)
        model.simulation.moved.connect(self._on_progress)
        model.simulation.shown.connect(self._on_progress)
        model.fences.changed.connect(lambda _: self._loader.follow_fences())
        model.selection.changed.connect(self._on_selection)
        model.users.moved.connect(self._on_users)
        model.users_loaded.connect(lambda _: self._loader.load(self._user))
        model.environment_changed.connect(lambda: self.show_user(None))

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.timeline.triggered.connect(lambda: self._panel.unfold(not self._panel.is_open))
        actions.timeline_of_device.triggered.connect(self.show_selected_user)

    def show_findings_of(self, findings: Findings) -> None:
        """Mark the findings of replays as well."""
        self._findings = findings
        findings.changed.connect(self._show_overlay)
        findings.selected.connect(self._on_finding)

    @property
    def settled(self) -> bool:
        """Whether nothing is being measured or read for the timeline."""
        return self._loader.settled

    @property
    def timeline(self) -> Timeline:
        """The displayed fixes."""
        return self._timeline

    @property
    def overlay(self) -> Overlay:
        """The displayed bars and marks."""
        return self._overlay

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Marks of the rules and of the last replay."""
        return self._marked.marks

    # Subject of the timeline

    def show_user(self, user: User | None) -> None:
        """Show the kept updates of a user, or the loaded track for None."""
        self._user = user
        if user is not None:
            self._panel.unfold()
        self._start_again()

    def show_selected_user(self) -> None:
        """Show the selected user, or ask for one."""
        selected = self._model.selection.user
        user = self._model.users.get(selected.id) if selected is not None else None
        if user is not None:
            self.show_user(user)
        else:
            self._panel.ask_for_source()

    def stop(self) -> None:
        """Stop measuring."""
        self._loader.stop()

    def _sources(self) -> tuple[str | None, list[tuple[str, User]]]:
        track = self._model.simulation.track
        newest = sorted(self._model.users.all(), key=lambda user: user.updated_at, reverse=True)[:_USERS_OFFERED]
        return None if track is None else track.name, [(user_name(user), user) for user in newest]

    def _on_loaded(self) -> None:
        self._user = None
        self._start_again()

    def _on_unfolded(self, on: bool) -> None:
        if on:
            self._start_again()
        else:
            self.stop()
            self._playhead.release()
            self._reasons.peek(None)

    def _start_again(self) -> None:
        self._timeline, self._overlay, self._marked = Timeline(), Overlay(), Overlay()
        if self._panel.graph is not None:
            self._panel.graph.clear()
        self._fit, self._chosen = True, None
        self._playhead.reset(self._user)
        self._panel.show_cut("", "")
        self._loader.load(self._user)
        if self._model.simulation.track is None and self._user is None:
            self._panel.show_content(False)
            self._panel.show_choices(())
            self._panel.show_state("")

    def _also(self) -> frozenset[str]:
        selected = self._model.selection.fence_id
        return (self._chosen or frozenset()) | ({selected} if selected is not None else set())

    def _take(self, timeline: Timeline, overlay: Overlay | None) -> None:
        if self._panel.graph is None:
            return
        self._timeline = timeline
        self._overlay = overlay if overlay is not None else self._overlay
        there = len(timeline) > 0
        self._panel.show_content(there)
        self._mark()
        self._panel.graph.show_timeline(timeline, self._marked, fit=self._fit and there)
        self._fit = self._fit and not there
        self._show_fences()
        # The overlay may contain an awaited event, whose fix the playhead moves to.
        self._playhead.stay_in(timeline)
        self._show_overlay()
        self._show_playhead()
        if not there:
            self._panel.show_state(tr("No location updates are kept for {user_or_track}.", user_or_track=timeline.name))

    def _take_overlay(self, overlay: Overlay) -> None:
        self._overlay = overlay
        self._show_overlay()

    # Display

    def _shown(self) -> list[str]:
        """Return the geofences whose curves are drawn: the chosen ones, or else the nearest and the selected one."""
        ids = [curve.geofence.id for curve in self._timeline.curves]
        if self._chosen is not None:
            return [each for each in ids if each in self._chosen]
        selected = self._model.selection.fence_id
        return [each for number, each in enumerate(ids) if number < SHOWN_AT_FIRST or each == selected]

    def _exported(self) -> Content:
        shown = self._shown()
        return self._timeline, self._overlay, [each for each in self._timeline.curves if each.geofence.id in shown]

    def _show_fences(self) -> None:
        graph, shown = self._panel.graph, self._shown()
        if graph is None:
            return
        fences = [curve.geofence for curve in self._timeline.curves]
        tag_colors = {fence.id: self._model.fences.color(fence.tag) for fence in fences}
        graph.show_fences(shown, tag_colors)
        graph.show_selected(self._model.selection.fence_id, self._selected_mark())
        self._panel.show_choices(
            [Choice(fence.id, fence_name(fence), tag_colors[fence.id], fence.id in shown) for fence in fences]
        )

    def _show_overlay(self) -> None:
        if self._panel.graph is not None and len(self._timeline):
            self._mark()
            self._panel.graph.show_overlay(self._marked)
            self._panel.show_cut(*cut_texts(self._marked.cuts))
            self._panel.graph.show_selected(self._model.selection.fence_id, self._selected_mark())
            self._go_to_awaited()

    def _mark(self) -> None:
        there = bool(len(self._timeline))
        self._marked = self._overlay.with_findings(self._findings.all, self._timeline) if there else Overlay()

    def _selected_mark(self) -> Mark | None:
        finding, event = self._findings.current, self._model.selection.event
        if finding is not None:
            return self._marked.mark_of_finding(finding.number)
        return None if event is None else self._marked.mark_of(event)

    def _show_playhead(self) -> None:
        graph = self._panel.graph
        if graph is None or not len(self._timeline):
            return
        graph.show_playhead(self._playhead.index)
        self._describe(self._playhead.index)

    def _describe(self, index: int, more: str = "") -> None:
        text = fix_text(self._timeline, index, self._shown())
        text = f"{more} · {text}" if more else text
        self._panel.show_state(text, f"{self._timeline.name}, {counted(len(self._timeline), 'fix', 'fixes')}\n{text}")
        if self._panel.graph is not None:
            self._panel.graph.setAccessibleDescription(text)

    # Changes elsewhere

    def _on_graph(self, graph: TimelineGraph) -> None:
        graph.hovered.connect(self._on_hovered)
        graph.scrubbed.connect(self._on_scrubbed)
        graph.picked.connect(self._on_picked)

    def _on_progress(self) -> None:
        simulation = self._model.simulation
        if not self._loader.is_of_series:
            self._forget_overlay()
        if self._user is None and self._panel.is_open:
            if self._playhead.follow_track() and len(self._timeline):
                self._show_playhead()
                if simulation.status.state is SimulationState.PLAYING and self._panel.graph is not None:
                    self._panel.graph.follow_playhead()
            self._loader.read_soon.ring()

    def _forget_overlay(self) -> None:
        """Discard the overlay because the track is played as another device or from a fresh state."""
        self._overlay = Overlay()
        self._loader.begin_series()
        self._show_overlay()
        if self._user is None:
            self._loader.measure_soon.ring()

    def _on_users(self, users: tuple[User, ...]) -> None:
        shown = self._user
        if shown is None or not self._panel.is_open:
            return
        same = [user for user in users if (user.device_id, user.user_id) == (shown.device_id, shown.user_id)]
        if same and same[-1].id != shown.id:
            # The user was deleted and has been created again with another ID.
            self._user = same[-1]
            self._loader.load(self._user)
        elif same:
            self._loader.measure_soon.ring()

    def _on_selection(self) -> None:
        graph, fence_id = self._panel.graph, self._model.selection.fence_id
        if graph is None or not self._panel.is_open or not len(self._timeline):
            return
        if fence_id is not None and self._timeline.curve(fence_id) is None:
            self._loader.measure_soon.ring()
        if fence_id is not None and self._chosen is not None and self._timeline.curve(fence_id) is not None:
            self._chosen |= {fence_id}
        self._show_fences()
        event = self._model.selection.event
        if event is not None and event.id != self._followed:
            self._findings.select(None)
            self._awaited = event.id
            self._go_to_awaited()
        self._followed = None if event is None else event.id

    def _on_finding(self) -> None:
        graph, mark = self._panel.graph, self._selected_mark()
        if graph is None or not self._panel.is_open or not len(self._timeline):
            return
        graph.show_selected(self._model.selection.fence_id, mark)
        if self._findings.current is not None:
            self._go_to(mark)

    def _go_to_awaited(self) -> None:
        event = self._model.selection.event
        mark = None if event is None or event.id != self._awaited else self._marked.mark_of(event)
        if mark is not None:
            self._awaited = None
            self._go_to(mark)

    def _go_to(self, mark: Mark | None) -> None:
        """Move the playhead to a mark chosen elsewhere, if it is in the timeline."""
        if mark is not None and self._panel.graph is not None:
            self._playhead.show(mark.at)
            self._show_playhead()
            self._panel.graph.follow_playhead()

    def _on_fence_toggled(self, fence_id: str, on: bool) -> None:
        shown = frozenset(self._shown())
        self._chosen = shown | {fence_id} if on else shown - {fence_id}
        self._show_fences()

    def _on_nearest(self) -> None:
        self._chosen = None
        self._show_fences()

    # User actions in the graph

    def _on_hovered(self, hit: Hit | None) -> None:
        if hit is None:
            self._on_map.peek(None)
            self._reasons.peek(None)
            self._show_playhead()
            return
        self._on_map.peek(self._point(hit.index))
        self._reasons.peek(self._subject(hit.index, hit.fence_id))
        self._describe(hit.index, hit.mark.text if hit.mark is not None else "")

    def _on_scrubbed(self, index: int) -> None:
        self._awaited = None
        self._playhead.scrub(index)
        self._show_playhead()
        if self._user is not None:
            self._reasons.explain_fix(self._subject(index, None))

    def _on_picked(self, hit: Hit) -> None:
        self._on_scrubbed(hit.index)
        if hit.mark is not None and hit.mark.finding is not None:
            self._findings.select(self._findings.all[hit.mark.finding])
            return
        event = None if hit.mark is None else hit.mark.event
        if event is not None:
            self._choose_event(event)
            return
        if hit.fence_id is not None:
            self._model.selection.select_fence(hit.fence_id)
        if hit.mark is not None or self._user is not None:
            self._reasons.explain_fix(self._subject(hit.index, hit.fence_id))

    def _point(self, index: int) -> Point:
        way = self._timeline.way
        return Point(float(way.longitudes[index]), float(way.latitudes[index]))

    def _subject(self, index: int, fence_id: str | None) -> Subject:
        """Return the subject of the explanation of a fix.

        For a track this is the update that the engine accepted when the fix was sent.
        """
        user, moment = self._user, self._timeline.moment(index)
        name = f"{self._timeline.device}, {clock_time(moment, self._zone(index))}"
        at: datetime | None = moment if user is not None else self._model.simulation.accepted_at(index)
        if at is None:
            return Subject(About.FIX, name, None, fence_id)
        user_id = None if user is None else user.user_id
        return Subject(About.FIX, name, UpdateQuery(device_id=self._timeline.device, user_id=user_id, at=at), fence_id)

    def _zone(self, index: int) -> ZoneInfo:
        point = self._point(index)
        return zone_at(point.longitude, point.latitude)
