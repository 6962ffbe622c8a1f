"""The page "When does an event fire?" agrees with the program."""

import re

from engine.domain.tracking.decision import Outcome, Rule, Wording
from engine.domain.tracking.event_wording import EventWording
from tests.engine.tracking.documentation import EXAMPLES, PAGE, readable, written


def test_the_tables_are_those_of_the_program() -> None:
    page = PAGE.read_text()
    assert page == written(page), "run python -m tests.engine.tracking.documentation"


def test_the_lists_have_every_sentence_with_its_mark() -> None:
    sentences = set()
    for line in re.findall(r"^  (.*[✓✗].*)$", PAGE.read_text(), re.MULTILINE):
        begin, bracket, rest = line.partition("[")
        alternatives, _, end = rest.partition("]")
        found = re.findall(r"([✓✗]) ([^✓✗]*)", alternatives if bracket else line)
        sentences |= {f"{mark} {begin if bracket else ''}{words.strip()}{end}" for mark, words in found}
    for wording in (*Wording, *EventWording):
        assert f"{'✓' if wording.passed else '✗'} {readable(wording.text)}" in sentences


def test_every_setting_and_field_that_turns_a_rule_is_explained() -> None:
    prose = PAGE.read_text().split("<!-- reasons")[0]
    spoken = {
        Rule.ENABLED: "enabled",
        Rule.BOUNDARY: "the location is inside",
        Rule.BUFFER_ENTRIES: "**buffer entries**",
        Rule.BUFFER_EXITS: "**buffer exits**",
        Rule.STOP_DETECTION: "**stop detection**",
        Rule.OPERATING_HOURS: "**operating hours restriction**",
        Rule.DWELL_ONCE: "once per stay",
    }
    assert [rule for rule in Rule if spoken.get(rule, f"`{rule}`") not in prose] == []


def test_the_examples_show_every_event_and_every_way_to_withhold_one() -> None:
    assert {example.outcome for example in EXAMPLES} >= {
        Outcome.ENTER,
        Outcome.EXIT,
        Outcome.DWELL,
        Outcome.ENTRY_WITHHELD,
        Outcome.EXIT_WITHHELD,
        Outcome.LEAVE_SILENTLY,
    }
