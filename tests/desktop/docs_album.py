"""Takes the documentation's pictures in one language: ``python -m tests.desktop.docs_album FOLDER LANGUAGE``.

`tests.desktop.docs_pictures` runs it in a process whose language and environment are set.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.desktop.application import make_application
from app.desktop.map import MapProfile
from app.desktop.map.values import Theme
from app.desktop.style import apply_theme
from tests.desktop.docs_pictures import PICTURES, Picture, add_texts
from tests.desktop.pictures import SCENES, THEMES
from tests.desktop.reproducible import TIME, reproducible
from tests.desktop.studio import Shot, Studio, usual_port
from tests.desktop.visible_texts import visible_texts


def main(folder: Path, language: str) -> None:
    """Take all pictures of a language."""
    application = make_application()
    QApplication.setCursorFlashTime(0)
    for theme in THEMES:
        wanted = [each for each in PICTURES if (each.language, each.theme) == (language, theme)]
        if not wanted:
            continue
        apply_theme(application, theme)
        studio = Studio(folder, usual_port())
        try:
            _take_all(studio, theme, wanted)
        finally:
            studio.close()
    MapProfile.release_shared()


def _take_all(studio: Studio, theme: Theme, wanted: Sequence[Picture]) -> None:
    studio.window.appearance.choose(theme)
    for group, shots in SCENES.items():
        pictures = [each for each in wanted if each.group == group]
        TIME.begin()
        for shot in shots(studio, theme) if pictures else ():
            _take(studio, pictures, shot)


def _take(studio: Studio, pictures: Sequence[Picture], shot: Shot) -> None:
    name, widget = shot
    for picture in pictures:
        if picture.scene == name:
            studio.settle()
            if not picture.exported:
                studio.take(picture.file.removesuffix(".png"), widget)
            roots = (studio.window,) if widget is None else (studio.window, widget)
            add_texts(studio.folder, picture.file, visible_texts(*roots, whole=picture.whole))


if __name__ == "__main__":
    with reproducible():
        main(Path(sys.argv[1]), sys.argv[2])
