"""``--update``: what happened becomes what is expected, and everything else in the file stays."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.lab.files.reading import parse_scenario
from app.lab.judging.judging import judge
from app.lab.running.runner import run_scenario
from app.lab.updating import updated_text
from tests.app.lab.conftest import CAME, VISIT

IN = "{type: user.entered_geofence, geofence: store/1, at: 1m}"
OUT = "{type: user.exited_geofence, geofence: store/1, at: 8m}"


EARLY = "{type: user.entered_geofence, at: 3s}"


def updated(text: str) -> str:
    run = run_scenario(parse_scenario(Path("a.fence.yaml"), text))
    found = updated_text(run, judge(run).pairs)
    run.scenario = parse_scenario(Path("a.fence.yaml"), found)
    assert judge(run).failures == ()
    return found


def test_what_is_as_expected_is_not_touched() -> None:
    assert updated(VISIT + CAME) == VISIT + CAME


@pytest.mark.parametrize(
    "expect",
    [
        "",
        "expect:\n",
        "expect:\n  events:\n",
        "expect:\n  events: []\n",
        "expect:\n  events: [{type: user.entered_geofence, at: 7s}]\n",
        "expect:\n  events:\n    - {type: user.entered_geofence, at: 7s}\n",
        "expect:\n  events:\n    - type: user.entered_geofence\n      at: 7s\n",
        f"expect:\n  events:\n    - {OUT}\n    - {IN}\n",
    ],
)
def test_the_events_are_written_wherever_the_file_has_none_or_others(expect: str) -> None:
    assert updated(VISIT + expect) == VISIT + f"expect:\n  events:\n    - {IN}\n    - {OUT}\n"


def test_comments_and_all_that_is_right_stay() -> None:
    text = f"""\
# A visit, as the client described it.
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
    - {{type: user.dwelled_in_geofence}}  # nobody stays
"""
    changed = text.replace(
        "    # … and goes.\n    - {type: user.exited_geofence, geofence: store/1, at: 9m}  # too late\n",
        f"    - {OUT}\n",
    )
    assert updated(text) == changed


def test_lines_end_as_they_did() -> None:
    assert updated((VISIT + "expect:\n").replace("\n", "\r\n")).count("\r\n") == (VISIT + "expect:\n").count("\n") + 3


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
