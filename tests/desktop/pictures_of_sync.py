"""Pictures of the nightly sync: its files, its e-mail, and the result of the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QWidget

from app.desktop.window.main_window import MainWindow
from engine.domain.environment import Environment
from engine.domain.nightly.settings import SyncChange, SyncProtocol
from engine.domain.settings import SettingsChange
from tests.engine.nightly.servers import files, table


def sync_shots(
    window: MainWindow, wait_for: Callable[[Callable[[], bool], str], None]
) -> Iterator[tuple[str, QWidget | None]]:
    """Show a sync by HTTP that failed in part, then settings of S3."""
    session = window.model.session
    assert session is not None
    nightly, test = session.engine.nightly, Environment.TEST
    session.engine.settings.change(test, SettingsChange(allow_private_urls=True))
    with files() as served:
        served.content["stores.csv"] = table(("Ghent", 120), ("Bruges", 5))
        urls = served.url("stores.csv"), served.url("depots.csv?token=1")
        nightly.change(test, SyncChange(urls=urls, enabled=True, hour=3))
        nightly.run(test)
    dialog = window.nightly_sync.dialog
    for name, page in (("sync", 0), ("sync-mail", 1), ("sync-last", 2)):
        window.nightly_sync.open()
        wait_for(lambda: dialog.isVisible() and window.operations.under_way == 0, "the sync")
        dialog.show_page(page)
        yield name, dialog
    dialog.show_error("smtp_host", "Mail server: is required to send the notification e-mail.")
    yield "sync-error", dialog
    dialog.show_error("", "")
    nightly.change(
        test,
        SyncChange(protocol=SyncProtocol.S3, region="eu-central-1", bucket="fences", object_keys=("a.csv",),
                   access_key_id="AKIAEXAMPLE", secret_access_key="x"),
    )  # fmt: skip
    window.nightly_sync.open()
    wait_for(lambda: window.operations.under_way == 0, "the settings")
    dialog.show_page(0)
    yield "sync-s3", dialog
    dialog.close()
    nightly.change(test, SyncChange(enabled=False, urls=None, object_keys=None, secret_access_key=None))
    session.engine.geofences.delete(test, session.engine.geofences.get_by_key(test, "store", "Ghent").id)
