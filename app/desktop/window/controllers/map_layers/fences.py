"""Layers of geofences by tag and state, chosen in the panel, shown on the map and stored with the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject

from app.desktop.language import counted, tr
from app.desktop.map import MapLayers, MapView
from app.desktop.model.map_layers.fences import (
    STATE_COLORS,
    STATE_NAMES,
    Census,
    FenceLayers,
    FenceState,
    read_layers,
    write_layers,
)
from app.desktop.model.words import error_text
from app.desktop.panels.layers import LayerRow, LayersPanel
from app.desktop.relay import Relay
from app.desktop.window.actions.actions import Actions
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.values import replace

_NO_TAG: Final = tr("(no tag)")


class FenceLayerController(QObject):
    """Performs the user's choices in the panel of layers."""

    def __init__(
        self,
        model: WorkspaceModel,
        map_view: MapView,
        census: Census,
        panel: LayersPanel,
        docks: Docks,
        message: MessageLine,
    ) -> None:
        super().__init__(map_view)
        self._model, self._map, self._census = model, map_view, census
        self._panel, self._docks, self._message = panel, docks, message
        self._soon = Relay(self)
        self._soon.rung.connect(self._show)
        census.changed.connect(self._soon.ring)
        panel.tags_toggled.connect(self._toggle_tags)
        panel.state_toggled.connect(self._toggle_state)
        panel.coloring_chosen.connect(self._color)
        model.opened.connect(self._on_opened)
        map_view.layers_requested.connect(self.open)
        self._show()

    @property
    def layers(self) -> FenceLayers:
        """The visible layers and their colouring."""
        return self._census.layers

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.layers.triggered.connect(lambda: self.open())

    def open(self) -> None:
        """Show the panel with the keyboard focus in the list of tags."""
        self._docks.bring(self._docks.layers)
        self._panel.tag_list.setFocus()

    def _toggle_tags(self, tags: Sequence[str], shown: bool) -> None:
        self._change(self.layers.with_tags(tags, shown=shown))

    def _toggle_state(self, state: str, shown: bool) -> None:
        self._change(self.layers.with_state(FenceState(state), shown=shown))

    def _color(self, by_state: bool) -> None:
        self._change(replace(self.layers, by_state=by_state))

    def _change(self, layers: FenceLayers) -> None:
        self._take(layers)
        self._show()
        self._keep()

    def _take(self, layers: FenceLayers) -> None:
        if layers != self.layers:
            self._census.layers = layers
            colors = {str(state): color for state, color in STATE_COLORS.items()} if layers.by_state else None
            self._map.set_layers(MapLayers(sorted(layers.hidden_tags), sorted(layers.hidden_states), colors))

    # Panel

    def _show(self) -> None:
        layers, census, fences = self.layers, self._census, self._model.fences
        tags, states = census.by_tag(), census.by_state()
        tag_rows = [
            LayerRow(
                key=tag,
                name=tag or _NO_TAG,
                color="" if layers.by_state else fences.color(tag),
                number=tags[tag],
                shown=tag not in layers.hidden_tags,
            )
            for tag in fences.tags()
        ]
        state_rows = [
            LayerRow(
                key=state,
                name=name,
                color=STATE_COLORS[state] if layers.by_state else "",
                number=states[state],
                shown=state not in layers.hidden_states,
            )
            for state, name in STATE_NAMES.items()
        ]
        hidden = census.hidden()
        note = (
            tr("{hidden:,} of {geofences} hidden", hidden=hidden, geofences=counted(census.total, "geofence"))
            if hidden
            else tr("All geofences are shown.")
        )
        self._panel.show_layers(state_rows, tag_rows, by_state=layers.by_state, note=note)

    # Storage

    def _on_opened(self) -> None:
        session = self._model.session
        self._panel.clear_filter()
        self._take(FenceLayers())
        # The geofences of this workspace are not loaded yet, and those of the previous one would get colours in it.
        self._soon.ring()
        if session is None or session.engine.workspace.temporary:
            return
        folder, before = session.engine.workspace.folder, self.layers

        def done(answer: tuple[FenceLayers, str]) -> None:
            # Changes made during the reading are kept.
            if session is self._model.session and self.layers is before:
                self._take(answer[0])
                self._show()
                if answer[1]:
                    self._message.complain(answer[1])

        self._model.operations.read(lambda: read_layers(folder), done, self._model.report_error)

    def _keep(self) -> None:
        session = self._model.session
        if session is None or session.engine.workspace.temporary:
            return
        folder, layers = session.engine.workspace.folder, self.layers

        def failed(error: Exception) -> None:
            self._message.complain(tr("The layers of the map could not be saved. {error}", error=error_text(error)))

        self._model.operations.change(lambda: write_layers(folder, layers), lambda _: None, failed)
