"""Controller of the panel that explains why something did or did not happen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desktop.language import tr
from app.desktop.model.users import user_name
from app.desktop.model.why import About, Item, Subject, fired_of, summary
from app.desktop.model.words import error_text, event_sentence
from app.desktop.panels.user import UserPanel
from app.desktop.panels.why import WhyPanel
from app.desktop.window.docks import Docks
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.tracking.explaining import ExplainedUpdate, UpdateQuery
from engine.domain.tracking.updates import Event, User, UserSummary


class WhyController(QObject):
    """Requests explanations of the event, the step of the track or the user that was selected last.

    One request runs at a time; a request made in the meantime follows when it completes.
    """

    def __init__(
        self, model: WorkspaceModel, panel: WhyPanel, user: UserPanel, docks: Docks, status: StatusLine
    ) -> None:
        super().__init__(model)
        self._model, self._panel, self._user, self._docks, self._status = model, panel, user, docks, status
        self._event: Event | None = None
        self._subject: Subject | None = None
        self._before_peek: tuple[Subject | None] | None = None
        self._asking = False
        self._stale = False
        model.selection.changed.connect(self._on_selection)
        model.simulation.moved.connect(self._on_track)
        model.simulation_progressed.connect(self._on_progress)
        model.users.moved.connect(self._on_moved)
        model.users.changed.connect(self._show_user)
        model.environment_changed.connect(self._reset)
        model.users_loaded.connect(lambda _: self._ask())
        panel.explanation_changed.connect(self._on_explanation)
        panel.note_changed.connect(lambda text: docks.note(docks.why, text))
        user.note_changed.connect(lambda text: docks.note(docks.user, text))
        user.user_chosen.connect(self.explain_user)
        user.why_requested.connect(self._on_why_of_user)
        status.why_requested.connect(lambda: docks.bring(docks.why))

    @property
    def subject(self) -> Subject | None:
        """The explained subject."""
        return self._subject

    @property
    def answered(self) -> bool:
        """Whether the explanation shown matches the latest request."""
        return not self._asking

    def explain_user(self, user: UserSummary) -> None:
        """Explain the last update of a user."""
        self._model.selection.select_user(user)
        known = self._model.users.get(user.id)
        name = user_name(known) if known else user.device_id
        query = UpdateQuery(device_id=user.device_id, user_id=user.user_id)
        self._choose(Subject(About.USER, tr("{user_name}, last update", user_name=name), query))

    def explain_fix(self, subject: Subject) -> None:
        """Explain a chosen fix and deselect the event."""
        self._model.selection.select_event(None)
        self._choose(subject)

    def peek(self, subject: Subject | None) -> None:
        """Explain a fix while the mouse is over it; None restores the previous explanation."""
        if subject is not None:
            if self._before_peek is None:
                self._before_peek = (self._subject,)
            self._take(subject)
        elif self._before_peek is not None:
            (before,) = self._before_peek
            if before is None:
                self._before_peek = None
                self._subject = None
                self._panel.show_nothing()
                self._status.show_why(None)
            else:
                self._choose(self._track_subject() if before.about is About.TRACK else before)

    def _choose(self, subject: Subject) -> None:
        """Explain the chosen subject, regardless of the mouse position."""
        self._before_peek = None
        self._take(subject)

    def _on_why_of_user(self) -> None:
        user = self._model.selection.user
        if user is not None:
            self.explain_user(user)
            self._docks.bring(self._docks.why)

    # The subject

    def _on_selection(self) -> None:
        selection = self._model.selection
        self._show_user()
        if selection.event is not None and selection.event != self._event:
            self._explain_event(selection.event)
        self._event = selection.event
        self._panel.show_fence(selection.fence_id)

    def _explain_event(self, event: Event) -> None:
        query = None
        if event.user.device_id:
            who, fired = event.user, fired_of(event)
            query = UpdateQuery(device_id=who.device_id, user_id=who.user_id, at=event.created_at, fired=fired)
        fence_id = event.geofence.id if event.geofence else None
        self._choose(Subject(About.EVENT, event_sentence(event), query, fence_id, event))
        self._docks.raise_open(self._docks.why)

    def _on_track(self) -> None:
        """Explain the track instead of the event once the user plays or steps through it."""
        self._model.selection.select_event(None)
        self._choose(self._track_subject())

    def _on_progress(self) -> None:
        if self._subject is not None and self._subject.about is About.TRACK:
            self._take(self._track_subject())

    def _track_subject(self) -> Subject:
        simulation = self._model.simulation
        status = simulation.status
        name = tr(
            "{device_id}, fix {fix_number:,} of {fix_count:,}",
            device_id=simulation.device,
            fix_number=status.position,
            fix_count=status.total,
        )
        query = None
        if status.accepted is not None:
            query = UpdateQuery(device_id=simulation.device, at=status.accepted)
        return Subject(About.TRACK, name, query)

    def _on_moved(self, users: tuple[User, ...]) -> None:
        query = self._subject.query if self._subject and self._subject.about is About.USER else None
        if query is not None and any(user.device_id == query.device_id for user in users):
            self._ask()

    def _show_user(self) -> None:
        user = self._model.selection.user
        known = self._model.users.get(user.id) if user else None
        if user is None or known is not None:
            self._user.show_user(known)
        else:
            self._read_user(user)

    def _read_user(self, user: UserSummary) -> None:
        """Load and show a user who was not seen recently."""
        session, environment = self._model.session, self._model.environment
        if session is None:
            return

        def done(found: User) -> None:
            selected = self._model.selection.user
            if selected is not None and selected.id == found.id:
                self._user.show_user(found)

        self._user.show_user(None)
        engine = session.engine
        # The user may have been deleted while the event remains; then there is nothing to show.
        self._model.operations.read(lambda: engine.users.get(environment, user.id), done, lambda _: None)

    def _reset(self) -> None:
        self._subject = self._event = self._before_peek = None
        self._panel.show_nothing()
        self._user.show_user(None)
        self._status.show_why(None)

    # Requests and answers

    def _take(self, subject: Subject) -> None:
        if subject != self._subject:
            self._subject = subject
            self._ask()

    def _ask(self) -> None:
        subject, session, environment = self._subject, self._model.session, self._model.environment
        if subject is None or session is None:
            self._stale = False
            return
        if self._asking:
            self._stale = True
            return
        query = subject.query
        if query is None:
            self._panel.show_problem(subject, _nothing_sent(subject))
            return
        engine = session.engine
        self._asking, self._stale = True, False

        def done(update: ExplainedUpdate) -> None:
            self._asking = False
            if subject == self._subject:
                self._show(subject, update)
            self._ask_again(subject)

        def failed(error: Exception) -> None:
            self._asking = False
            if subject == self._subject:
                self._panel.show_problem(subject, error_text(error))
            self._ask_again(subject)

        self._model.operations.read(lambda: engine.tracking.explain(environment, query), done, failed)

    def _ask_again(self, answered: Subject) -> None:
        if self._stale or answered != self._subject:
            self._ask()

    def _show(self, subject: Subject, update: ExplainedUpdate) -> None:
        self._panel.show_update(subject, update, subject.fence_id, self._model.selection.fence_id)

    def _on_explanation(self, item: Item | None) -> None:
        subject = self._subject
        self._status.show_why(summary(item, subject) if subject else None)


def _nothing_sent(subject: Subject) -> str:
    if subject.about in (About.TRACK, About.FIX):
        return tr("This fix has not been sent yet. Send the next fix (→), or play.")
    return tr("The client reported this event without a device, so there is no location update to explain.")
