"""The language of the window: its texts, plurals and numbers, and the catalogues of Qt Linguist."""

from __future__ import annotations

import builtins
import keyword
import logging
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter

import pytest

from app.desktop.language import counted, number_text, searched, tr, translated, within_sentence
from app.desktop.language.catalogue import NAMES, language, use_language
from app.desktop.model.hours.words import in_words
from app.desktop.model.inspector.faults import choice_text, effect_text, scope_text
from app.desktop.model.words import error_text, event_about, event_title, metres, region_name
from app.faults.rules import DropTime, FaultKind, FaultRule
from app.faults.words import choice_of, effect_of, scope_of
from engine.domain.addresses.address import Region, RegionType
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.decision import Wording
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.updates import EventType
from engine.domain.values import replace
from tests.desktop.model.values import event, fence
from tests.translations import (
    BRACES_OF_USERS,
    FORMS,
    TEMPLATES,
    Message,
    catalogue_file,
    collected,
    read_catalogue,
    updated,
    write_catalogue,
    write_templates,
)

TEXTS = {
    "Geofences": ["Geozäune"],
    "{shown:,} of {total:,}": ["{shown:,} von {total:,}"],
    "Printed on {date:%A, %d %B}": ["Gedruckt am {date:%A, %d. %B}"],
    "A {name} without a value": ["Ein {unknown_name}"],
    "%n vertices": ["%n Eckpunkt", "%n Eckpunkte"],
    "Radius": ["Radius"],
    "Entered {subject_type}": ["{subject_type} betreten"],
    "undo imports": ["rückgängig"],
    "country": ["Land"],
    "Mon": ["Mo"],
    "Fri": ["Fr"],
    " and ": [" und "],
    "Dwell threshold": ["Verweilschwelle"],
    "%n positions": ["%n Position", "%n Positionen"],
    "{0} of {1} have {2}.": ["{2}: {0} von {1}."],
    "no times": ["Ohne Zeiten"],
    "must be greater than 0 metres, not {0}.": ["muss größer als 0 Meter sein, nicht {0}."],
    "another geofence has the tag {0} and the external ID {1}.": [
        "ein anderer Geofence hat die externe ID {1} und das Tag {0}."
    ],
}


@pytest.fixture
def german(tmp_path: Path) -> Iterator[Path]:
    """A small catalogue that is in use."""
    source = tmp_path / "fencewright_de.ts"
    write_catalogue(source, "de", {text: Message(forms) for text, forms in TEXTS.items()})
    compiled(source)
    assert use_language("de", tmp_path) == "de"
    yield tmp_path
    use_language("en")


def compiled(source: Path, target: Path | None = None) -> str:
    """Compile a catalogue like the build does, and return the output."""
    import PySide6

    program = next(iter(PySide6.__path__)) + "/lrelease"
    command = [program, str(source), "-qm", str(target or source.with_suffix(".qm"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_without_a_catalogue_texts_are_as_they_are_written() -> None:
    assert (tr("A {brace}"), tr("{shown:,} of {total:,}", shown=1, total=1_234)) == ("A {brace}", "1 of 1,234")
    assert (counted(1, "vertex", "vertices"), counted(1_200, "geofence")) == ("1 vertex", "1,200 geofences")
    assert (number_text("1,234.5"), within_sentence("Tag"), translated("Car"), language()) == (
        *("1,234.5", "tag", "Car", "en"),
    )


@pytest.mark.slow
@pytest.mark.usefixtures("german")
def test_texts_plurals_and_numbers_are_those_of_the_language() -> None:
    assert (tr("Geofences"), tr("Not translated"), tr("{count} left", count=3)) == (
        "Geozäune",
        "Not translated",
        "3 left",
    )
    assert tr("{shown:,} of {total:,}", shown=7, total=1_234_567) == "7 von 1.234.567"
    assert tr("{part:.1f} of it", part=0.25) == "0,2 of it"
    assert tr("Printed on {date:%A, %d %B}", date=datetime(2026, 3, 29, tzinfo=UTC)) == "Gedruckt am Sonntag, 29. März"
    assert (counted(1, "vertex", "vertices"), counted(2_000, "vertex", "vertices")) == ("1 Eckpunkt", "2.000 Eckpunkte")
    assert (counted(2, "hole"), metres(1_234.5), within_sentence("Tag")) == ("2 holes", "1,23 km", "Tag")


@pytest.mark.usefixtures("german")
def test_countries_and_event_types_are_translated() -> None:
    region = Region(RegionType.COUNTRY, "SI", "Slovenia")
    came = replace(event(1, fence(1)), type=EventType.ENTERED_COUNTRY, geofence=None, region=region)
    assert (event_title(came), event_about(came)) == ("Land betreten", "Slowenien")
    assert region_name(Region(RegionType.COUNTRY, "XX", "Nowhere")) == "Nowhere"
    assert region_name(Region(RegionType.STATE, "US-PA", "Pennsylvania")) == "Pennsylvania"
    assert searched("undo imports") == "rückgängig undo imports"
    assert in_words("Mon–Fri 09:00–12:00 and 13:00–17:00") == "Mo–Fr 09:00–12:00 und 13:00–17:00"
    use_language("en")
    assert (event_title(came), event_about(came)) == ("Entered country", "Slovenia")
    assert searched("undo imports") == "undo imports"


FAULTS = (
    FaultRule(kind=FaultKind.LATENCY, latency_ms=3_000, every=3, times=5),
    FaultRule(kind=FaultKind.STATUS, status=429, method="POST", path="/v1/track", key=KeyLevel.SECRET, nth=22),
    FaultRule(kind=FaultKind.DROP, when=DropTime.AFTER, share=0.25, seed=7),
    FaultRule(kind=FaultKind.DROP, when=DropTime.BEFORE, device_id="phone", times=1),
    FaultRule(kind=FaultKind.TRUNCATE, times=2_000),
    FaultRule(kind=FaultKind.TRUNCATE, bytes=10, every=1),
    FaultRule(kind=FaultKind.SLOW, bytes_per_second=1_000),
)


@pytest.mark.parametrize("rule", FAULTS, ids=lambda rule: rule.kind)
def test_faults_have_the_same_english_names_as_on_the_command_line(rule: FaultRule) -> None:
    texts = effect_text(rule), scope_text(rule), choice_text(rule)
    assert texts == (effect_of(rule), scope_of(rule), choice_of(rule))


@pytest.mark.usefixtures("german")
def test_a_translation_with_another_placeholder_is_not_used() -> None:
    assert tr("A {name} without a value", name="text") == "A text without a value"


@pytest.mark.usefixtures("german")
def test_messages_of_the_engine_are_recognised_by_their_text() -> None:
    wrong = InvalidParameter("radius_m", "radius_m: must be greater than 0 metres, not -5.")
    assert error_text(wrong) == "Radius: muss größer als 0 Meter sein, nicht -5."
    named = InvalidParameter("size", "Shop: size: must be greater than 0 metres, not 0.")
    assert error_text(named) == "Shop: Radius: muss größer als 0 Meter sein, nicht 0."
    taken = "another geofence has the tag store and the external ID a and b."
    assert translated(taken) == "ein anderer Geofence hat die externe ID a and b und das Tag store."
    assert translated("Geofences") == "Geozäune"
    assert (
        translated("radius: must be greater than 0 metres, not 0.") == "radius: muss größer als 0 Meter sein, nicht 0."
    )
    assert translated("nothing like it {0}") == "nothing like it {0}"
    assert translated("x" * 100_000) == "x" * 100_000


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("must be greater than 0 metres, not -12.5.", "muss größer als 0 Meter sein, nicht -12,5."),
        ("must be greater than 0 metres, not -1,204.5 m.", "muss größer als 0 Meter sein, nicht -1.204,5 m."),
        ("must be greater than 0 metres, not '1.5'.", "muss größer als 0 Meter sein, nicht '1.5'."),
        ("must be greater than 0 metres, not 1.2.3.", "muss größer als 0 Meter sein, nicht 1.2.3."),
        ("5 of 1,206 positions have no times.", "Ohne Zeiten: 5 von 1.206 Positionen."),
        ("52.5 km/h", "52,5 km/h"),
        ("52.5 shops", "52.5 shops"),
    ],
)
def test_numbers_in_messages_are_those_of_the_language(message: str, shown: str) -> None:
    """Other digits, such as those in a quoted text, are unchanged."""
    assert translated(message) == shown


@pytest.mark.skipif(not catalogue_file("de").exists(), reason="python -m tests.translations makes the catalogue")
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (
            "Park has 1,203 parts and 1 hole, but the platform only takes a single ring.",
            "Park hat 1.203 Teile und 1 Loch, doch die Plattform nimmt nur einen einzelnen Ring.",
        ),
        (
            "2 geofences are outside every installed area: no street map, routes, isochrones or addresses there.",
            "2 Geofences liegen außerhalb aller installierten Gebiete: "
            "Dort gibt es keine Straßenkarte, Routen, Isochronen oder Adressen.",
        ),
    ],
)
def test_findings_are_german_throughout(tmp_path: Path, message: str, shown: str) -> None:
    compiled(catalogue_file("de"), tmp_path / "fencewright_de.qm")
    assert use_language("de", tmp_path) == "de"
    try:
        assert translated(message) == shown
    finally:
        use_language("en")


@pytest.mark.parametrize("content", [None, b"", b"no catalogue at all", b"\x3c\xb8\x64\x18" + b"\xff" * 64])
def test_a_catalogue_that_cannot_be_read_leaves_the_window_in_english(
    content: bytes | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if content is not None:
        (tmp_path / "fencewright_de.qm").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert use_language("de", tmp_path) == "en"
    assert "the window is in English" in caplog.text
    assert tr("Geofences") == "Geofences"


@pytest.mark.parametrize("name", ["", "xx", "../de", "de\0"])
def test_an_unknown_language_is_english(name: str, caplog: pytest.LogCaptureFixture) -> None:
    assert use_language(name) == "en"
    assert "must be one of en, de or system" in caplog.text


def test_a_catalogue_keeps_translations_and_marks_obsolete_texts(tmp_path: Path) -> None:
    known = {"Geofences": Message(["Geozäune"]), "Gone": Message(["Weg"]), "Gone, too": Message([""])}
    found = updated(known, "de")
    assert found["Geofences"] == Message(["Geozäune"])
    assert found["Gone"] == Message(["Weg"], is_obsolete=True)
    assert "Gone, too" not in found
    assert found["%n geofences"] == Message(["", ""], is_finished=False)
    write_catalogue(tmp_path / "a.ts", "de", found)
    write_catalogue(tmp_path / "b.ts", "de", updated(read_catalogue(tmp_path / "a.ts"), "de"))
    assert (tmp_path / "a.ts").read_bytes() == (tmp_path / "b.ts").read_bytes()


# The catalogues of the program

there = pytest.mark.skipif(
    not any(catalogue_file(each).exists() for each in FORMS), reason="python -m tests.translations makes the catalogues"
)


def test_every_text_is_a_literal() -> None:
    assert collected().odd == []
    assert set(FORMS) | {"en"} == set(NAMES)


VAGUE = frozenset(
    {
        *("about", "at", "here", "it", "now", "obj", "other", "said", "something", "tell", "text", "that", "then"),
        *("there", "thing", "told", "tmp", "val", "verb", "was", "what", "when", "where", "who", "why", "wrong"),
        *("each", "one", "some"),
    }
)
"""Names of placeholders that say nothing about the value."""


@pytest.mark.parametrize(
    ("name", "is_meaning"),
    [
        *(("file_name", True), ("count", True), ("stop_distance_m", True), ("0", True)),
        *(("isinstance", False), ("type", False), ("class", False), ("known2", False), ("source_", False)),
        *(("_name", False), ("fileName", False), ("s", False), ("what", False), ("", False)),
    ],
)
def test_a_name_with_a_meaning_is_recognized(name: str, is_meaning: bool) -> None:
    assert has_meaning(name) is is_meaning


def test_placeholders_are_named_after_their_meaning() -> None:
    """Translators see only the text, not the code that fills it.

    The sentences of reasons are excluded, as their values are stored with the names of the API.
    """
    of_reasons = {wording.text for wording in (*Wording, *EventWording)}
    odd = []
    for text in collected().texts:
        names = {name.partition("!")[0] for name, _ in placeholders(text)}
        if text not in of_reasons and not names <= BRACES_OF_USERS | {"{}"}:
            odd += [(text, name) for name in names if not has_meaning(name)]
    assert odd == []


def has_meaning(name: str) -> bool:
    """Return whether the name of a placeholder is that of a value, or the number of one in a message of the engine."""
    if name.isdigit():
        return True
    is_code = hasattr(builtins, name) or keyword.iskeyword(name)
    return re.fullmatch(r"[a-z](?:_?[a-z])+", name) is not None and not is_code and name not in VAGUE


def test_the_messages_of_the_engine_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m tests.translations` lists them."""
    monkeypatch.setattr("tests.translations.TEMPLATES", tmp_path / "templates.json")
    write_templates()
    assert (tmp_path / "templates.json").read_text(encoding="utf-8") == TEMPLATES.read_text(encoding="utf-8")


@there
@pytest.mark.parametrize("name", FORMS)
def test_qt_reads_a_catalogue_without_a_warning(name: str, tmp_path: Path) -> None:
    output = compiled(catalogue_file(name), tmp_path / "made.qm")
    number = len(read_catalogue(catalogue_file(name)))
    assert f"Generated {number} translation(s) ({number} finished and 0 unfinished)" in output
    assert re.search("warning|error|ignored|dropped", output, re.IGNORECASE) is None


@there
@pytest.mark.parametrize("name", FORMS)
def test_a_catalogue_has_every_text_and_no_other(name: str) -> None:
    """`python -m tests.translations` updates it, and Qt Linguist shows unfinished texts."""
    messages = read_catalogue(catalogue_file(name))
    wanted = updated(messages, name)
    assert [text for text in wanted if text not in messages] == []
    assert [text for text, message in messages.items() if not message.is_finished or message.is_obsolete] == []
    assert list(messages) == list(wanted)


@there
@pytest.mark.parametrize("name", FORMS)
def test_a_translation_has_the_placeholders_of_its_text(name: str) -> None:
    odd = []
    for text, message in read_catalogue(catalogue_file(name)).items():
        for form in message.translations:
            if placeholders(form) != placeholders(text) or form.count("%n") > text.count("%n"):
                odd.append((text, form))
            if form[:1].isspace() != text[:1].isspace() or form[-1:].isspace() != text[-1:].isspace():
                odd.append((text, form))
    assert odd == []


def placeholders(text: str) -> set[tuple[str, str]]:
    """Return the placeholders of a text and their formats, except those of dates, which depend on the language."""
    if not re.search(r"\{\w", text):
        return {("{}", "")} if "{}" in text else set()
    found = set()
    for _, name, spec, convert in Formatter().parse(text):
        if name is not None:
            found.add((f"{name}!{convert or ''}", "" if spec is None or spec.startswith("%") else spec))
    return found
