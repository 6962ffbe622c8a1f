"""The page of a report: complete, self-contained, escaped, and short for a back-test of any size."""

import re
from html.parser import HTMLParser
from typing import Final

import pytest
from hypothesis import given

from app.backtest.page import report_page
from engine.backtest.results import BacktestReport, FenceResult, Travel
from engine.domain.values import replace
from tests.app.backtest.reports import COMPARED, COMPARISON, IDLE, REPORT, STORE, large_report, reports

_VOID: Final = frozenset({"meta"})
_OWN: Final = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "dl",
        "dt",
        "dd",
        "div",
        "small",
        "b",
        "span",
        "i",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "code",
        "br",
        "svg",
        "path",
        "rect",
        "circle",
        "text",
        "defs",
        "marker",
    ]
)


class _Reader(HTMLParser):
    """Collects the tags of a page, and those that are closed in a wrong order."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.wrong: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags += [tag, *(f"{tag}.{name}" for name, _ in attrs)]
        if tag not in _VOID | {"br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags += [tag, *(f"{tag}.{name}" for name, _ in attrs)]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def _read(report: BacktestReport) -> str:
    return report_page(report).decode()


def _titles(page: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", page)


@given(reports())
def test_every_report_is_a_sound_page(report: BacktestReport) -> None:
    reader = _Reader(_read(report))
    assert (reader.open, reader.wrong) == ([], [])
    assert {each for each in reader.tags if "." not in each} <= _OWN


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x>', "</title>", "&lt;", "</style><b>"])
def test_every_text_is_escaped(text: str) -> None:
    report = _with_texts(text)
    plain = _Reader(_read(_with_texts("plain")))
    reader = _Reader(_read(report))
    assert reader.tags == plain.tags
    assert "".join(reader.text).count(text) == "".join(plain.text).count("plain")


def _with_texts(text: str) -> BacktestReport:
    """Return a report with a text wherever users or files give one."""
    fences = tuple(replace(each, tag=text, external_id=text, description=text) for each in COMPARED.geofences)
    examples = tuple(
        replace(each, type=text, device_id=text, user_id=text, tag=text, external_id=text)
        for each in COMPARISON.examples
    )
    differences = tuple(replace(each, tag=text, external_id=text) for each in COMPARISON.geofences)
    return replace(
        COMPARED,
        history=(text,),
        fences=text,
        against=text,
        rules=(text,),
        geofences=fences,
        idle_devices=(text,),
        busiest=tuple(replace(each, device_id=text) for each in COMPARED.busiest),
        bad_examples=tuple(replace(each, file=text, message=text) for each in COMPARED.bad_examples),
        bad_files=tuple(replace(each, file=text, message=text) for each in COMPARED.bad_files),
        notes=(text,),
        comparison=replace(COMPARISON, geofences=differences, examples=examples),
        workers=tuple(replace(each, name=text) for each in COMPARED.workers),
    )


def test_the_page_needs_nothing_else() -> None:
    page = _read(replace(COMPARED, history=()))
    assert re.findall(r"https?://|<script|<link|@import|url\((?!#)|src=", page) == []
    assert "prefers-color-scheme: dark" in page


def test_a_comparison_comes_first() -> None:
    titles = _titles(_read(COMPARED))
    assert titles[:2] == ["Changes from shops-new.csv to shops.csv", "Events with shops.csv"]
    assert _titles(_read(REPORT))[0] == "Map"


def test_examples_say_how_far_an_event_moved() -> None:
    page = _read(COMPARED)
    assert "12 min 30 s later" in page
    assert "2026-01-01 06:42:30" in page
    assert "and 47 more: see differences*.parquet" in page


def test_headline_figures() -> None:
    text = re.sub(r"<[^>]+>", " ", _read(REPORT))
    text = re.sub(r"\s+", " ", text)
    assert "Events 338" in text
    assert "Geofences with events 2 of 3" in text
    assert "Devices with events 18 of 20" in text
    assert "Decided one by one 41,250 4.1%" in text
    assert "Speed 400,000 updates per second" in text
    assert "1 geofence never fired store/graz-9" in text
    assert "2 devices without an event van-19 van-20" in text
    assert "14 rows could not be read" in text
    assert "and 13 more" in text
    assert "12 updates taken before one that had already arrived" in text


def test_hours_are_those_of_all_geofences() -> None:
    page = _read(REPORT)
    assert "<title>06:00–06:59: 34 events</title>" in page
    assert "<title>00:00–00:59: 0 events</title>" in page


def test_large_tables_are_cut() -> None:
    report = large_report(3_000, compared=True)
    page = _read(report)
    assert report.comparison is not None
    more = len(report.comparison.geofences) - 100
    assert f"and {more:,} more: see report.json" in page
    with_events = sum(1 for each in report.geofences if each.events)
    assert f"and {with_events - 100:,} more: see report.json" in page
    assert f"and {3_000 - with_events - 100:,} more: see report.json" in page
    assert page.count("<tr>") < 350


def test_a_back_test_with_ten_thousand_geofences_is_a_light_page() -> None:
    page = report_page(large_report(10_000, compared=True))
    assert len(page) < 700_000


def test_the_matrix_has_origins_in_rows() -> None:
    page = _read(REPORT)
    matrix = page[page.index('class="matrix"') :].partition("</table>")[0]
    rows = re.findall(r"<tr><th>\d+</th>(.*?)</tr>", matrix)
    cells = [[re.sub(r"<[^>]+>", "", cell) for cell in row.split("</td>")[:-1]] for row in rows]
    assert cells == [["store/vienna-1", "3", "25"], ["depot/north", "19", ""]]


def test_the_matrix_has_the_busiest_geofences() -> None:
    fences = tuple(replace(STORE, external_id=f"s{number}") for number in range(20))
    travels = tuple(Travel(number, (number + 1) % 20, 100 - number, 60.0) for number in range(20))
    page = _read(replace(REPORT, geofences=fences, travels=travels))
    matrix = page[page.index('class="matrix"') :].partition("</table>")[0]
    assert "store/s1<" in matrix
    assert "store/s19<" not in matrix
    assert "The 15 of 20 geofences with most travel" in page


def test_a_back_test_without_results_is_a_page_too() -> None:
    report = BacktestReport(
        history=(),
        fences="none.csv",
        rules=(),
        fixes=0,
        decided=0,
        late=0,
        repeated=0,
        devices=0,
        events=0,
        geofences=(),
        devices_without_event=0,
        idle_devices=(),
        busiest=(),
        travels=(),
        bad_rows=0,
        bad_examples=(),
        bad_files=(),
        notes=(),
        workers=(),
        seconds=0.0,
    )
    page = _read(report)
    assert "no location updates" in page
    assert "Map" not in _titles(page)
    assert "History" not in _titles(page)


def test_only_geofences_with_events_or_visits_are_in_the_table() -> None:
    quiet: FenceResult = replace(IDLE, external_id="quiet", visits=2, inside_s=60.0)
    page = _read(replace(REPORT, geofences=(STORE, IDLE, quiet)))
    table = page[page.index("<h2>Geofences</h2>") :].partition("</table>")[0]
    assert "store/quiet" in table
    assert "store/graz-9" not in table
