"""Opens a page in Chromium (QtWebEngine), prints its logged text after ``result:``, and exits.

It is a separate program, so that no Qt application or profile of another test is involved: ``python -m
tests.clients.browser URL``.
"""

import os
import sys
from typing import Final

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWidgets import QApplication

from app.desktop.webengine import prepare_webengine

RESULT: Final = "result:"
LONGEST_MS: Final = 60_000


class Page(QWebEnginePage):
    """A page that reads its console."""

    def javaScriptConsoleMessage(self, _level: object, message: str, _line: int, _source: str) -> None:  # noqa: N802
        """Print a result and exit. Any other message is passed on as a diagnosis."""
        if message.startswith(RESULT):
            sys.stdout.write(message.removeprefix(RESULT))
            QApplication.exit(0)
        else:
            sys.stderr.write(message + "\n")


def main(url: str) -> int:
    """Open `url` and return the exit code, which is 0 if the page returned its result in time."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    prepare_webengine()
    application = QApplication(["browser"])
    profile = QWebEngineProfile()
    page = Page(profile)
    page.load(QUrl(url))
    QTimer.singleShot(LONGEST_MS, lambda: application.exit(1))
    code = application.exec()
    page.deleteLater()
    application.processEvents()
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
