"""Entry points of the desktop and of its demonstration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.desktop.session import OpenSession, OtherWorkspaces
from app.endpoint import EndpointOptions
from app.settings import settings_file, workspace_to_open
from app.stopping import Deadline
from engine.domain.tracking.updates import Event


def run_desktop(
    workspace: Path | str | None,
    endpoint: EndpointOptions,
    language: str | None = None,
    files: Sequence[Path] = (),
    *,
    open_session: OpenSession,
    others: OtherWorkspaces | None = None,
) -> int:
    """Show the window with a workspace until it is closed, and return 0. None is the last one used.

    Its language is `language`, or else the one stored in its settings. If a workspace cannot be opened, the window
    shows the error and lets the user choose another one. Once a workspace is open, `files` are opened as if they had
    been dropped on the window. Back-tests can read `others`. Callers run `check_display` first to find out whether a
    window would be visible.
    """
    # Qt is imported only here, since every command imports this module.
    from app.diagnostics.log import recent_log

    recent_log().install()
    _begin(language)
    from app.desktop.application import make_application
    from app.desktop.start.starting import begin_map

    application = make_application()
    begun = begin_map()
    from app.desktop.map import MapProfile
    from app.desktop.memory import Memory
    from app.desktop.signals import on_signals
    from app.desktop.window.controllers.workspaces import bind_remembering
    from app.desktop.window.main_window import MainWindow

    memory = Memory(settings_file().parent)
    window = MainWindow(bind_remembering(open_session, endpoint, memory), memory, begun=begun, others=others)
    window.ended.connect(application.quit)
    window.show()
    window.open_files(files)
    window.workspaces.open(workspace if workspace is not None else workspace_to_open())
    with Deadline() as deadline, on_signals(window.finish):
        window.ending.connect(deadline.begin)
        deadline.before_end(window.withdraw_workspace)
        application.exec()
    window.deleteLater()
    MapProfile.release_shared()
    return 0


def _begin(chosen: str | None) -> None:
    """Load the language of the window before its modules, since some of their texts are constants."""
    from app.desktop.start.imports import import_plainly

    import_plainly()
    from app.desktop.language.catalogue import remembered_language, use_language

    use_language(chosen if chosen is not None else remembered_language(settings_file().parent))


def run_demo(
    screenshot: Path | None,
    on_event: Callable[[Event], None],
    *,
    open_session: OpenSession,
) -> int:
    """Play the demo track through the demo geofences in the window; return 0.

    `on_event` is called once for each event, in order, in the window's thread. With `screenshot`, the picture is saved
    once everything has arrived and is drawn, and then the window closes. Without, it stays open until the user closes
    it. Without a display, the window is drawn in memory.
    """
    _begin(None)
    from app.desktop.application import make_application
    from app.desktop.start.starting import begin_map

    make_application()
    begun = begin_map()
    from app.desktop.demo import Demo

    return Demo(screenshot, on_event, open_session, begun=begun).run()
