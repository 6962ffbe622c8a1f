"""``--update``: actual results replace the expected ones, and the rest of the file is unchanged."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.lab.files.reading import parse_scenario
from app.lab.judging.judging import judge
from app.lab.running.runner import run_scenario
from app.lab.updating import updated_text
from tests.app.lab.conftest import CAME, STORE, VISIT

IN = "{type: user.entered_geofence, geofence: store/1, at: 1m}"
OUT = "{type: user.exited_geofence, geofence: store/1, at: 8m}"


OTHER = STORE.replace('"1"', '"2"').replace("51.2798", "52.2798")


def updated(text: str) -> str:
    run = run_scenario(parse_scenario(Path("a.fence.yaml"), text))
    found = updated_text(run, judge(run).events)
    run.scenario = parse_scenario(Path("a.fence.yaml"), found)
    assert judge(run).failures == ()
    return found


def test_met_expectations_are_not_touched() -> None:
    assert updated(VISIT + CAME) == VISIT + CAME


@pytest.mark.parametrize("expect", ["", "expect:\n", "expect:\n  events:\n", "expect:\n  events: []\n", "expect: ~"])
def test_the_events_are_written_if_the_file_has_none(expect: str) -> None:
    assert updated(VISIT + expect).rstrip() == VISIT + f"expect:\n  events:\n    - {IN}\n    - {OUT}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "  events: [{type: user.entered_geofence, at: 7s}]\n",
            f"  events: [{{type: user.entered_geofence, at: 1m}}, {OUT}]\n",
        ),
        ("  events: [\n    {type: user.failed_fraud},  # one\n  ]", f"  events: [\n    {IN}, {OUT},  # one\n  ]"),
        (f"  events:\n    - {OUT}\n    - {IN}\n", f"  events:\n    - {IN}\n    - {OUT}\n"),
        (f"  events:\n    - {OUT}\n    - {IN}", f"  events:\n    - {IN}\n    - {OUT}\n"),
        (f"  order: any\n  events: [{OUT}]", f"  order: any\n  events: [{OUT}, {IN}]"),
        (
            "  others: ignore\n  events:\n    - {type: user.exited_geofence, at: 8m7s, tolerance: 1s} # out\n",
            "  others: ignore\n  events:\n    - {type: user.exited_geofence, at: 8m, tolerance: 1s} # out\n",
        ),
        (
            "  others: ignore\n  events:\n\n    # gone\n    - type: user.failed_fraud\n",
            "  others: ignore\n  events: []\n\n",
        ),
        (
            f"  events:\n    # In.\n    - type: user.entered_geofence # by foot\n      geofence: store/2\n"
            f"      tolerance: 9s\n      at: '1m'\n\n    # Between.\n\n    - {OUT}\n",
            f"  events:\n    # In.\n    - type: user.entered_geofence # by foot\n      geofence: store/1\n"
            f"      tolerance: 9s\n      at: '1m'\n\n    # Between.\n\n    - {OUT}\n",
        ),
        (
            f"  events:\n    - {{type: user.entered_geofence, at: 2026-03-02T09:02:00Z, confidence: 2}}\n    - {OUT}\n",
            f"  events:\n    - {{type: user.entered_geofence, at: 2026-03-02T09:01:00Z, confidence: 3}}\n    - {OUT}\n",
        ),
    ],
)
def test_only_differences_are_changed(before: str, after: str) -> None:
    text = VISIT.replace("points:", "points:  # a walk") + "expect:\n"
    assert updated(text.replace("geofences:\n", f"geofences:\n  - {OTHER}\n") + before).endswith("expect:\n" + after)


def test_comments_and_all_that_is_right_stay() -> None:
    text = f"""\
\ufeff# A visit, as the client described it.
{VISIT}
expect:  # two events
  # By the fix's time.
  events:  # in this order
    # She comes …
    - type: user.entered_geofence  # by foot
      geofence: {{tag: store, externalId: "1"}}
      at: 61s
      tolerance: 2s
    # … and goes.
    - {{type: user.exited_geofence, geofence: store/1, at: 9m}}  # too late
  none:
    - {{type: user.dwelled_in_geofence}}  # nobody stays"""
    assert updated(text) == text.replace("at: 9m", "at: 8m")


def test_lines_end_as_they_did() -> None:
    assert updated((VISIT + "expect:\n").replace("\n", "\r\n")).count("\r\n") == (VISIT + "expect:\n").count("\n") + 3


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from([IN, OUT, "{type: user.entered_geofence, at: 3s}", "\n        type: user.failed_fraud"]),
        max_size=4,
    )
)
def test_whatever_was_expected_the_file_passes_then(items: list[str]) -> None:
    text = VISIT + "expect:\n  events:\n" + "".join(f"    # {n}\n    - {item}\n" for n, item in enumerate(items))
    once = updated(text)
    assert updated(once) == once
    assert once.startswith(VISIT)
