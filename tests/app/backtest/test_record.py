"""The report as JSON: nothing is lost, and names are those of the wire."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given

from app.backtest.record import read_report, report_json
from engine.backtest.results import BacktestReport
from engine.domain.errors import InvalidParameter
from tests.app.backtest.reports import COMPARED, REPORT, reports
from tests.app.program import ROOT


@given(reports())
def test_a_report_is_read_as_it_was_written(report: BacktestReport) -> None:
    assert read_report(report_json(report)) == report


def test_the_fields_are_those_of_the_wire() -> None:
    found = orjson.loads(report_json(COMPARED))
    assert found["version"] == 1
    assert found["firstAt"] == "2026-01-01T06:30:00Z"
    assert found["geofences"][0]["externalId"] == "vienna-1"
    assert found["geofences"][0]["insideSeconds"] == 225_000
    assert found["geofences"][0]["radius"] == 150
    assert found["travels"][0] == {"origin": 0, "destination": 2, "count": 25, "durationSeconds": 30_850}
    assert found["badExamples"][0]["row"] == 17
    assert found["comparison"]["examples"][1]["deviceId"] == "van-2"
    assert found["seconds"] == 2.5


def test_an_absent_value_has_no_field() -> None:
    found = orjson.loads(report_json(REPORT))
    assert "comparison" not in found
    assert "against" not in found
    assert None not in list(_values(orjson.loads(report_json(COMPARED))))


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _values(each)
    else:
        yield value


@pytest.mark.parametrize("content", [b"", b"[]", b'{"version": 1}', b"{}", b"[" * 200, b'{"version": 1, "fixes": "x"}'])
def test_other_json_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidParameter, match="is not the report of a back-test"):
        read_report(content)


def test_a_report_of_a_later_version_is_refused() -> None:
    later = report_json(REPORT).replace(b'"version": 1', b'"version": 2')
    with pytest.raises(InvalidParameter, match="version 2"):
        read_report(later)


def test_every_field_is_documented() -> None:
    page = (ROOT / "docs" / "backtest-output.md").read_text(encoding="utf-8")
    found = orjson.loads(report_json(COMPARED))
    assert {name for name in _names(found) if f"`{name}`" not in page} == set()


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _names(each)
