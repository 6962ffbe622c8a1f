"""Tracking options: their changes, and the choice between them by the state of a user."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geofence import GeofenceSummary
from engine.domain.settings import ProjectSettings, Situation, options_by_situation, options_for
from engine.domain.tracking.sdk import (
    CHOICES,
    PRESETS,
    OptionValue,
    TrackingOptions,
    TrackingPreset,
    preset_values,
    spell_options,
)
from engine.domain.tracking.updates import User
from engine.domain.values import replace
from tests.fields.examples import whole

DEFAULT = TrackingOptions(TrackingPreset.EFFICIENT)
ON_TRIP = TrackingOptions(TrackingPreset.RESPONSIVE)
IN_GEOFENCE = TrackingOptions(TrackingPreset.CONTINUOUS)
TAGS = ("store", "depot", "home")


@dataclass(frozen=True)
class State:
    """The state of a user: the tags of the geofences that the user is in, and whether they are on a trip."""

    tags: tuple[str, ...]
    on_trip: bool

    @property
    def user(self) -> User:
        user: User = whole(User)
        fence: GeofenceSummary = whole(GeofenceSummary)
        inside = tuple(replace(fence, tag=tag) for tag in self.tags)
        return replace(user, geofences=inside, trip=user.trip if self.on_trip else None)


states = st.builds(State, st.lists(st.sampled_from(("", *TAGS)), max_size=3).map(tuple), st.booleans())
projects = st.builds(
    ProjectSettings,
    tracking_options=st.sampled_from((None, DEFAULT)),
    on_trip_tracking_options=st.sampled_from((None, ON_TRIP)),
    in_geofence_tracking_options=st.sampled_from((None, IN_GEOFENCE)),
    in_geofence_tracking_tags=st.lists(st.sampled_from(TAGS), max_size=2, unique=True).map(tuple),
)


@given(projects, states)
def test_a_geofence_precedes_a_trip_and_a_trip_the_default(settings: ProjectSettings, state: State) -> None:
    expected: TrackingOptions | None = settings.tracking_options
    if state.on_trip and settings.on_trip_tracking_options is not None:
        expected = settings.on_trip_tracking_options
    if {*state.tags} & {*settings.in_geofence_tracking_tags} and settings.in_geofence_tracking_options is not None:
        expected = settings.in_geofence_tracking_options
    chosen = options_for(settings, state.user)
    assert (None if chosen is None else chosen[1]) == expected
    assert chosen is None or options_by_situation(settings)[chosen[0]] == chosen[1]


ALL: dict[str, Any] = {
    "tracking_options": DEFAULT,
    "on_trip_tracking_options": ON_TRIP,
    "in_geofence_tracking_options": IN_GEOFENCE,
    "in_geofence_tracking_tags": ("store",),
}


@pytest.mark.parametrize(
    ("state", "changed", "situation"),
    [
        (State((), on_trip=False), {}, Situation.DEFAULT),
        (State(("depot", ""), on_trip=False), {}, Situation.DEFAULT),
        (State((), on_trip=True), {}, Situation.ON_TRIP),
        (State(("depot", "store"), on_trip=False), {}, Situation.IN_GEOFENCE),
        (State(("store",), on_trip=True), {}, Situation.IN_GEOFENCE),
        (State(("store",), on_trip=True), {"in_geofence_tracking_tags": ()}, Situation.ON_TRIP),
        (State(("store",), on_trip=True), {"in_geofence_tracking_options": None}, Situation.ON_TRIP),
        (State(("store",), on_trip=False), {"in_geofence_tracking_options": None}, Situation.DEFAULT),
        (State((), on_trip=True), {"on_trip_tracking_options": None}, Situation.DEFAULT),
        (State((), on_trip=False), {"tracking_options": None}, None),
        (State(("",), on_trip=False), {"tracking_options": None}, None),
    ],
)
def test_each_state_has_its_options(state: State, changed: dict[str, Any], situation: Situation | None) -> None:
    chosen = options_for(ProjectSettings(**ALL | changed), state.user)
    assert (None if chosen is None else chosen[0]) is situation


def test_an_unknown_user_has_the_default_options() -> None:
    assert options_for(ProjectSettings(**ALL), None) == (Situation.DEFAULT, DEFAULT)
    assert options_for(ProjectSettings(**ALL | {"tracking_options": None}), None) is None


def value_of(name: str) -> st.SearchStrategy[OptionValue]:
    if name in CHOICES:
        return st.sampled_from(CHOICES[name])
    return st.booleans() if isinstance(PRESETS[TrackingPreset.RESPONSIVE][name], bool) else st.integers(0, 100)


names = st.sampled_from(sorted(PRESETS[TrackingPreset.RESPONSIVE]))
changes = st.lists(names.flatmap(lambda name: st.tuples(st.just(name), value_of(name))), max_size=6)


@given(st.sampled_from(TrackingPreset), changes, st.booleans())
def test_an_option_has_the_value_it_was_last_given(
    preset: TrackingPreset, given_values: list[tuple[str, OptionValue]], ios: bool
) -> None:
    options = TrackingOptions(preset)
    for name, value in given_values:
        options = options.with_option(name, value)
        assert options.values(ios=ios)[name] == value
    assert options.values(ios=ios) == preset_values(preset, ios=ios) | dict(given_values)
    for name, _ in given_values:
        options = options.with_option(name, None)
    assert options == TrackingOptions(preset)


def test_the_value_of_the_preset_is_no_change() -> None:
    options = TrackingOptions(TrackingPreset.RESPONSIVE).with_option("sync", "events")
    assert options.with_option("sync", "all") == TrackingOptions(TrackingPreset.RESPONSIVE)
    # On Android, where the preset has another value than on iOS, 0 is a change.
    assert TrackingOptions(TrackingPreset.EFFICIENT).with_option("stop_duration_s", 0).changes == {"stop_duration_s": 0}
    assert options.with_preset(TrackingPreset.CONTINUOUS) == TrackingOptions(
        TrackingPreset.CONTINUOUS, {"sync": "events"}
    )


def test_options_are_spelled_in_the_words_of_the_sdks() -> None:
    assert spell_options(None) == ""
    assert spell_options(DEFAULT) == "efficient"
    changed = DEFAULT.with_option("beacons", True).with_option("stop_distance_m", 5)
    assert spell_options(changed) == "efficient beacons=true stopDistance=5"
