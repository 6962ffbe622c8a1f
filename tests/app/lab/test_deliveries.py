"""Webhooks in scenarios: real requests to a real receiver, and expectations about them."""

from pathlib import Path

import pytest

from app import receiver
from app.lab.files.faults import ScenarioInvalid
from app.lab.files.reading import parse_scenario
from app.lab.judging.judging import judge
from app.lab.results import Status
from app.lab.running.recording import Run
from app.lab.running.runner import run_scenario
from app.lab.testing import run_file
from tests.app.lab.conftest import STORE, VISIT, Write

SHOP = "webhooks:\n  - {name: shop}\n"
FAILING = "webhooks:\n  - {name: shop, answers: [500, 503]}\n"
IN = "webhook: shop, event: {type: user.entered_geofence, geofence: store/1}"
OUT = "webhook: shop, event: {type: user.exited_geofence}"


def ran(text: str) -> Run:
    return run_scenario(parse_scenario(Path("a.fence.yaml"), text))


def failures(text: str) -> list[str]:
    return [f"{failure.kind}: {failure.text}" for failure in judge(ran(text)).failures]


def test_deliveries_are_judged_by_event_time_body_and_answers() -> None:
    body = "{event: {geofence: {tag: store}, confidence: 3}, user: {deviceId: phone-1, geofences: []}}"
    expect = f"expect:\n  deliveries:\n    - {{{IN}, at: 1m, answers: [200]}}\n    - {{{OUT}, at: 8m, body: {body}}}\n"
    assert failures(VISIT + SHOP + expect) == []
    wrong = expect.replace("confidence: 3", "confidence: 2").replace("geofences: []", "geofences: [1], x: ~")
    wrong = wrong.replace("answers: [200]", "answers: [500, 200]")
    assert failures(VISIT + SHOP + wrong.replace(", x: ~", "")) == [
        "delivery: user.entered_geofence of store/1 to shop: expected the answers 500, 200, got 200",
        "delivery: user.exited_geofence to shop: body.event.confidence: expected 2, got 3; "
        "body.user.geofences: expected [1], got [0]; body.user.geofences[0]: expected 1, got nothing",
    ]
    late = expect.replace("at: 8m", "at: 9m, tolerance: 1s")
    assert failures(VISIT + SHOP + late) == ["delivery: user.exited_geofence to shop: expected at 9m ± 1s, came at 8m"]


def test_the_order_counts_unless_it_is_any() -> None:
    expect = f"  deliveries: [{{{OUT}}}, {{{IN}}}]\n"
    (failure,) = failures(VISIT + SHOP + "expect:\n" + expect)
    assert "out of order, came at" in failure
    assert failures(VISIT + SHOP + "expect:\n  order: any\n" + expect) == []


def test_a_delivery_that_is_not_listed_fails_unless_it_is_ignored() -> None:
    expect = f"  deliveries: [{{{OUT}}}]\n"
    assert failures(VISIT + SHOP + "expect:\n" + expect) == [
        "delivery: user.entered_geofence of store/1 to shop at 1m: was not expected"
    ]
    assert failures(VISIT + SHOP + "expect:\n  others: ignore\n" + expect) == []
    assert len(failures(VISIT + SHOP + "expect:\n  deliveries: []\n")) == 2


def test_a_delivery_is_retried_after_a_500_and_those_behind_it_wait() -> None:
    expect = (
        f"expect:\n  deliveries:\n    - {{{IN}, at: 75s, tolerance: 3s, answers: [500, 503, 200]}}\n    - {{{OUT}}}\n"
    )
    assert failures(VISIT + FAILING + expect) == []
    found = [(came.at, came.answers) for came in ran(VISIT + FAILING).deliveries]
    assert found == [(came.at, came.answers) for came in ran(VISIT + FAILING).deliveries], "each time the same"


def test_one_that_is_not_acknowledged_by_the_end_shows_when_the_next_attempt_is_due() -> None:
    failing = SHOP.replace("shop}", "shop, answers: [200, 500]}")
    expect = f"expect:\n  deliveries: [{{{IN}}}, {{{OUT}}}]\n"
    (failure,) = failures(VISIT + failing + expect)
    assert failure.startswith(
        "delivery: user.exited_geofence to shop: was not acknowledged; the answers are 500, and the next attempt is due"
    )
    assert failure.endswith("after the end; a wait as the last step helps")
    assert failures(VISIT + failing + "steps:\n  - waitUntil: 8m30s\n" + expect) == []
    unanswered = expect.replace(f"{{{OUT}}}", f"{{{OUT}, answers: [500]}}")
    assert failures(VISIT + failing + unanswered) == []


def test_several_events_come_in_one_request_if_the_webhook_groups_them() -> None:
    other = f"  - {STORE.replace('store', 'yard', 1).replace('100', '90')}"
    text = VISIT.replace("geofences:\n", f"geofences:\n{other}\n") + SHOP.replace("shop}", "shop, delivery: multiple}")
    entered, exited = (
        f"{{webhook: shop, events: [{{type: {kind}, geofence: store/1}}, {{type: {kind}, geofence: yard/1}}]}}"
        for kind in ("user.entered_geofence", "user.exited_geofence")
    )
    assert failures(text + f"expect:\n  deliveries: [{entered}, {exited}]\n") == []
    assert len(failures(text + f"expect:\n  deliveries: [{{{IN}}}, {exited}]\n")) == 2


def test_a_webhook_gets_only_events_that_match_its_filters() -> None:
    both = SHOP + "  - {name: exits, eventTypes: [user.exited_geofence]}\n  - {name: others, tags: [other]}\n"
    out = OUT.replace("shop", "exits")
    expect = f"expect:\n  deliveries: [{{{out}}}, {{{IN}}}, {{{OUT}}}]\n"
    assert failures(VISIT + both + expect) == []
    (failure,) = judge(ran(VISIT + both + expect.replace("[", f"[{{{IN.replace('shop', 'others')}}}, ", 1))).failures
    assert failure.text == "user.entered_geofence of store/1 to others: did not come"
    assert failure.reasons == ("the events came, but no request of this webhook has just these",)


def test_the_reasons_of_a_missing_delivery_are_those_of_its_event() -> None:
    text = VISIT.replace("clock:", "settings: {stopDetection: true}\nclock:")
    (failure,) = judge(ran(text + SHOP + f"expect:\n  deliveries: [{{{IN}}}]\n")).failures
    assert failure.reasons[0].startswith("1m: entry withheld: stop detection is on")


def test_a_signature_that_is_not_valid_fails_whatever_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failures(VISIT + SHOP) == []
    monkeypatch.setattr(receiver, "is_signed", lambda *_: False)
    assert failures(VISIT + SHOP)[0] == (
        "delivery: user.entered_geofence of store/1 to shop at 1m: the signature is wrong"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            f"expect:\n  deliveries: [{{{IN}}}]\n",
            "15:26: expect.deliveries[0].webhook: the scenario has no webhook shop.",
        ),
        (SHOP + "  - {name: shop}\n", "16:12: webhooks[1].name: is that of webhooks[0] already."),
        (SHOP.replace("}", ", answers: [100]}"), "webhooks[0].answers[0]: must be 200 or greater, not 100."),
        (SHOP + "expect:\n  deliveries: [{webhook: shop}]\n", "must have exactly one of event, events, and none"),
        (SHOP + f"expect:\n  deliveries: [{{{IN}, body: {{}}}}]\n", "expect.deliveries[0].body: must have at least"),
        (
            SHOP + f"expect:\n  deliveries: [{{{IN.replace('store/1', 'stone/1')}}}]\n",
            "deliveries[0].event.geofence: the scenario has no geofence stone/1; did you mean store/1?",
        ),
    ],
)
def test_a_fault_of_a_webhook_or_a_delivery_has_its_place(text: str, fault: str) -> None:
    with pytest.raises(ScenarioInvalid) as error:
        ran(VISIT + text)
    assert fault in error.value.message


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("expect:\n  deliveries: []\n", "expect.deliveries: no request can come: the scenario has no webhook"),
        (SHOP + "expect:\n  deliveries:\n", "expect.deliveries: has no value, so it checks nothing; write [] if no"),
        (SHOP + "expect: {deliveries: [], others: ignore}\n", "expect.deliveries: is empty and other deliveries are"),
        (
            SHOP.replace("}", ", eventTypes: [user.entered_place]}") + "expect:\n  deliveries: []\n",
            "expect.deliveries: no request can come: the setting places is off",
        ),
    ],
)
def test_deliveries_that_cannot_fail_are_no_check(write: Write, text: str, fault: str) -> None:
    result = run_file(write(VISIT + text))
    assert result.status is Status.INVALID
    assert fault in str(result.faults[0])
