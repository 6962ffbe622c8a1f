"""The language of the window. Texts are written in English in the code and translated through a catalogue.

`tr` and `counted` return the text in the language that `use_language` has loaded, or the English one without a
catalogue. The language is loaded before the modules of the window are imported, so that constants are translated, too.
Qt is imported only if a catalogue is loaded, since models, which do not depend on Qt, use this module.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from engine.domain.words import count

if TYPE_CHECKING:
    from PySide6.QtCore import QLocale, QTranslator
    from PySide6.QtWidgets import QApplication

SYSTEM: Final = "system"
ENGLISH: Final = "en"
NAMES: Final[Mapping[str, str]] = {ENGLISH: "English", "de": "Deutsch"}
"""Every language that has a catalogue, with its own name."""

KEPT: Final = "language"
"""The key of the chosen language in the window's stored settings."""

CONTEXT: Final = "Fencewright"
"""The only context of the catalogues."""

NOUNS: Final = (
    *(("circle", "circles"), ("polygon", "polygons"), ("isochrone", "isochrones")),
    *(("error", "errors"), ("warning", "warnings"), ("note", "notes")),
    *(("geofence", "geofences"), ("beacon", "beacons"), ("trip", "trips"), ("user", "users"), ("event", "events")),
    *(("fix", "fixes"), ("ID", "IDs"), ("position", "positions"), ("line", "lines"), ("point", "points")),
    *(("waypoint", "waypoints"), ("route point", "route points"), ("track point", "track points")),
    *(("way point", "way points"), ("record", "records"), ("camera position", "camera positions")),
    *(("activity", "activities"), ("visit", "visits"), ("feature", "features"), ("sentence", "sentences")),
    *(("Polygon", "Polygons"), ("MultiPolygon", "MultiPolygons"), ("more device", "more devices")),
    *(("part", "parts"), ("hole", "holes")),
)
"""Nouns that are counted by code that does not name them."""

_FOLDER: Final = Path(__file__).parent
_log = logging.getLogger(__name__)


class _Catalogue(Struct, frozen=True):
    """The language in use. `find` returns a text for a number of things, or an empty one if it is missing."""

    find: Callable[[str, int], str]
    find_text: Callable[[str], str]
    numbers: Formatter
    keep: tuple[QTranslator, QLocale]


_catalogue: _Catalogue | None = None


def tr(source: str, /, **values: object) -> str:
    """Return a text in the language of the window, with its placeholders filled in. `source` is a literal."""
    if _catalogue is None:
        return source.format(**values) if values else source
    text = _catalogue.find(source, -1) or source
    if not values:
        return text
    try:
        return _catalogue.numbers.vformat(text, (), values)
    except (LookupError, ValueError, AttributeError):
        # A catalogue from another author may name unknown placeholders.
        return _catalogue.numbers.vformat(source, (), values)


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun in the language of the window. `nouns` is the plural if it is irregular."""
    if _catalogue is None:
        return count(number, noun, nouns)
    text = _catalogue.find(numerus(noun, nouns), number)
    return text.replace("%n", number_text(f"{number:,}")) if text else count(number, noun, nouns)


def numerus(noun: str, nouns: str = "") -> str:
    """Return the catalogue's source text of a counted noun."""
    return f"%n {nouns or noun + 's'}"


def number_text(text: str) -> str:
    """Convert a number from English notation (``1,234.5``) to that of the language of the window."""
    return text if _catalogue is None else text.translate(_separators(_catalogue.keep[1]))


def within_sentence(text: str) -> str:
    """Return a title for use within a sentence: in lower case, if the language does so."""
    return text.lower() if _catalogue is None else text


def searched(words: str, /) -> str:
    """Return search words, in the language of the window and in English. `words` is a literal."""
    own = tr(words)
    return words if own == words else f"{own} {words}"


def filled(template: str, values: Mapping[str, object]) -> str:
    """Return a template of the engine in the language of the window, filled in with its values."""
    return tr(template, **values)


def translated(text: str) -> str:
    """Return a text of the engine in the language of the window. Messages are matched by their templates."""
    if _catalogue is None or not text:
        return text
    from app.desktop.language.engine_texts import translated_message

    return translated_message(text, _catalogue.find_text)


def language() -> str:
    """Return the language in use."""
    return ENGLISH if _catalogue is None else _catalogue.keep[1].bcp47Name().partition("-")[0]


def use_language(wanted: str, folder: Path = _FOLDER) -> str:
    """Use a language, or that of the system, and return it. English is used if it is not available."""
    global _catalogue
    _catalogue = None
    name = _of_system(folder) if wanted == SYSTEM else wanted
    if name != ENGLISH:
        try:
            _catalogue = _load(name, folder)
        except OSError as error:
            _log.warning("the window is in English: %s", error)
    _use_locale(language())
    return language()


def languages(folder: Path = _FOLDER) -> dict[str, str]:
    """Return the available languages, each with its own name."""
    return {code: name for code, name in NAMES.items() if code == ENGLISH or _file(code, folder).exists()}


def remembered_language(folder: Path) -> str:
    """Return the language stored in the window's settings, which are in a folder."""
    from PySide6.QtCore import QSettings

    return str(QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat).value(KEPT, SYSTEM))


def translate_qt(application: QApplication) -> None:
    """Translate Qt's own texts to the language of the window."""
    if _catalogue is None:
        return
    from PySide6.QtCore import QLibraryInfo, QTranslator

    locale = _catalogue.keep[1]
    translator = QTranslator(application)
    if translator.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)


def _use_locale(name: str) -> None:
    """Set Qt's notation of numbers and dates to the language's.

    The system's locale, with its first day of the week, is kept if it has the same language and separators. Another
    system may have another decimal sign, such as a German one with an English window.
    """
    from PySide6.QtCore import QLocale

    locale, system = QLocale(name), QLocale.system()
    is_same = system.language() == locale.language() and _separators(system) == _separators(locale)
    QLocale.setDefault(system if is_same else locale)


def _of_system(folder: Path) -> str:
    """Return the first of the system's languages that is available."""
    known = languages(folder)
    if len(known) == 1:
        return ENGLISH
    from PySide6.QtCore import QLocale

    names = (name.partition("-")[0].lower() for name in QLocale.system().uiLanguages())
    return next((name for name in names if name in known), ENGLISH)


def _load(name: str, folder: Path) -> _Catalogue:
    """Return the catalogue of a language. Raises `OSError` if it cannot be read."""
    if name not in NAMES:
        raise OSError(f"there is no language {name[:40]!r}; it must be one of {', '.join(NAMES)} or {SYSTEM}")
    from PySide6.QtCore import QLocale, QTranslator

    translator = QTranslator()
    file = _file(name, folder)
    if not translator.load(str(file)) or translator.isEmpty():
        raise OSError(f"the catalogue {file} is missing or damaged")
    locale = QLocale(name)

    def find(source: str, number: int) -> str:
        return translator.translate(CONTEXT, source, None, number) or ""

    return _Catalogue(find, lambda source: find(source, -1), _Numbers(locale), (translator, locale))


def _file(name: str, folder: Path) -> Path:
    return folder / f"fencewright_{name}.qm"


def _separators(locale: QLocale) -> dict[int, str]:
    return {ord(","): locale.groupSeparator(), ord("."): locale.decimalPoint()}


class _Numbers(Formatter):
    """Formats numbers and the names of days and months for a language."""

    def __init__(self, locale: QLocale) -> None:
        self._locale, self._separators = locale, _separators(locale)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value formatted as the placeholder specifies."""
        if isinstance(value, date) and "%" in format_spec:
            format_spec = self._with_names(value, format_spec)
        text = str(super().format_field(value, format_spec))
        return text.translate(self._separators) if isinstance(value, int | float) else text

    def _with_names(self, day: date, spec: str) -> str:
        from PySide6.QtCore import QLocale

        short, long = QLocale.FormatType.ShortFormat, QLocale.FormatType.LongFormat
        for code, name in (
            ("%a", self._locale.dayName(day.isoweekday(), short)),
            ("%A", self._locale.dayName(day.isoweekday(), long)),
            ("%b", self._locale.monthName(day.month, short)),
            ("%B", self._locale.monthName(day.month, long)),
        ):
            spec = spec.replace(code, name.replace("%", "%%"))
        return spec
