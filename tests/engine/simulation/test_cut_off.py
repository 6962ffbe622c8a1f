"""Truncated JSON, as from an interrupted download: the complete part is read, and the position is reported."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.simulation.formats.json_files import complete_part
from engine.simulation.formats.reading import parse_track, read_track
from tests.engine.simulation import phones

WHOLE = {
    name: content()
    for name, content in phones.ALL.items()
    if content().lstrip()[:1] in (b"{", b"[") and name != "owntracks.jsonl"
}
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"\\[]{},: é\n'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab"[{', max_size=3), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("name", WHOLE)
def test_complete_records_are_read_wherever_a_file_breaks_off(name: str) -> None:
    data = WHOLE[name]
    whole = parse_track(data, name).points
    tracks = [read_if_any(data[:cut], name) for cut in range(1, len(data))]
    begun = tracks[next(index for index, track in enumerate(tracks) if track is not None) :]
    read = [track for track in begun if track is not None]
    assert len(read) == len(begun), "more of a file is never refused"
    assert all({*track.points} <= {*whole} for track in read)
    assert {len(track.points) for track in read} >= {len(whole) - 1}


def read_if_any(data: bytes, name: str) -> Track | None:
    try:
        return parse_track(data, name)
    except InvalidParameter:
        return None


def test_the_report_has_the_position_at_which_a_file_breaks_off(tmp_path: Path) -> None:
    data = WHOLE["traccar.json"]
    track = parse_track(data[:-20], "traccar.json")
    assert len(track.points) == 2
    end = "the file breaks off; nothing after the last complete record is read."
    assert track.skipped == (f"character {len(data[:-20].decode()):,}: {end}",)
    pretty = json.dumps(json.loads(data), indent=1, ensure_ascii=False)[:-20]
    (tmp_path / "pretty.json").write_text(pretty, encoding="utf-8")
    line, column = pretty.count("\n") + 1, len(pretty.splitlines()[-1])
    assert read_track(tmp_path / "pretty.json").skipped == (
        f"line {line}, column {column} (character {len(pretty):,}): {end}",
    )


def test_a_line_of_geojson_that_breaks_off_keeps_its_complete_positions() -> None:
    line = b'{"type":"Feature","geometry":{"type":"LineString","coordinates":[[14.5,46.05],[14.51,46.06],[14.52,46.'
    assert [point.point.longitude for point in parse_track(line, "walk.geojson").points] == [14.5, 14.51]
    times = line + b'07]]},"properties":{"coordTimes":["2026-05-04T10:00:00Z","2026'
    assert len(parse_track(times, "walk.geojson").points) == 3


def test_a_file_that_breaks_off_within_a_letter_is_read() -> None:
    cut = '[{"latitude":46.05,"longitude":14.5,"fixTime":"2026-05-04T10:00:00Z","deviceId":1},{"address":"é'.encode()[
        :-1
    ]
    assert len(parse_track(cut, "traccar.json").points) == 1


@pytest.mark.parametrize("text", ['[{"lat":1,"lon":2},oops]', '[{"lat":1,"lon":2}},{"lat":1', '[{"lat":1]},{"lat":'])
def test_other_damaged_files_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameter):
        parse_track(text.encode(), "track.json")


@given(DOCUMENTS, st.floats(0, 1), st.sampled_from([None, 1]))
def test_the_complete_part_of_json_is_json(document: object, share: float, indent: int | None) -> None:
    data = json.dumps([document, [1], document], indent=indent, ensure_ascii=False).encode()
    cut = data[: round(share * (len(data) - 1))]
    part = complete_part(cut)
    if part is not None:
        found = json.loads(part)
        assert isinstance(found, list)
        assert complete_part(part) is None, "it is closed"
        assert part.rstrip(b"]}") == cut[: len(part.rstrip(b"]}"))]
