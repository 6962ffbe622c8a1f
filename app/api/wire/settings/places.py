"""Settings of places in the notation of the platform's reference, beside our names for the same settings.

`chainMetadata` and `chainMappings` hold the metadata and custom IDs of `chains` by slug; `placeFilters` holds
`placeChains` and `placeCategories`.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, NotRequired

from pydantic import BeforeValidator, Field

from app.api.wire.common.answers import Metadata, Record
from app.api.wire.common.encoding import wire_name
from app.api.wire.common.fields import JSON_TEXT, GeofenceMetadata, Identifier, Identifiers, read_json_text
from app.api.wire.common.requests import StrictModel
from app.api.wire.settings.record import SettingsAnswer, encode_settings
from app.api.wire.settings.request import SettingsBody, identifiers, settings_change
from engine.domain.addresses.place import ChainSetting
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import NO_METADATA
from engine.domain.settings import MAX_CHAINS, ProjectSettings, SettingsChange
from engine.domain.values import replace


class PlaceFiltersBody(StrictModel):
    """The places that generate events: those of some chains, and those of some categories."""

    chain: Identifiers | None = Field(None, description="Slugs of chains.")
    category: Identifiers | None = Field(None, description="Categories of any level.")


type _Metadata = Annotated[
    Annotated[dict[Identifier, GeofenceMetadata], Field(max_length=MAX_CHAINS, fail_fast=True)],
    BeforeValidator(read_json_text),
    JSON_TEXT,
]
type _Mappings = Annotated[
    Annotated[dict[Identifier, Identifier], Field(max_length=MAX_CHAINS, fail_fast=True)],
    BeforeValidator(read_json_text),
    JSON_TEXT,
]
type _Filters = Annotated[PlaceFiltersBody, BeforeValidator(read_json_text), JSON_TEXT]


class SettingsPatchBody(SettingsBody):
    """The settings to change: present ones change, absent ones stay, and null resets to the default."""

    chain_metadata: _Metadata | None = Field(
        None, description="The metadata of chains by slug. Replaces that of all chains, and keeps their IDs."
    )
    chain_mappings: _Mappings | None = Field(
        None, description="Custom IDs of chains by slug. Replaces those of all chains, and keeps their metadata."
    )
    place_filters: _Filters | None = Field(None, description="Replaces placeChains and placeCategories.")


type MetadataOfChains = dict[str, Metadata]
type IdsOfChains = dict[str, str]


class PlaceFiltersAnswer(Record):
    """The places that generate events."""

    chain: NotRequired[Annotated[list[str], Field(min_length=1, description="Slugs.")]]
    category: NotRequired[Annotated[list[str], Field(min_length=1)]]


class PlaceSettingsRecord(Record):
    """Settings of places."""

    chainMetadata: Annotated[MetadataOfChains, Field(description="By slug.")]
    chainMappings: Annotated[IdsOfChains, Field(description="Custom IDs by slug.")]
    placeFilters: PlaceFiltersAnswer


class AllSettingsAnswer(SettingsAnswer, PlaceSettingsRecord):
    """The settings of an environment, at the top level and again in `settings`."""


_SAME: Final[Mapping[str, tuple[str, ...]]] = {
    "chain_metadata": ("chains",),
    "chain_mappings": ("chains",),
    "place_filters": ("place_chains", "place_categories"),
}
"""The engine's settings that each of the reference's names stands for."""


class WantedSettings:
    """The change that a request asks for; what it means for chains depends on the settings in force."""

    def __init__(self, body: SettingsPatchBody) -> None:
        """Store the request. Raises `InvalidParameter` if it has two names for the same setting."""
        self._given = {name: getattr(body, name) for name in _SAME if name in body.model_fields_set}
        for name in self._given:
            if both := next((each for each in _SAME[name] if each in body.model_fields_set), None):
                raise InvalidParameter(
                    wire_name(name), f"{wire_name(name)}: is the same setting as {wire_name(both)}; give only one."
                )
        self._change = settings_change(body)

    def __call__(self, settings: ProjectSettings) -> SettingsChange:
        """Return the change for the settings in force."""
        change = self._change
        if "place_filters" in self._given:
            filters = self._given["place_filters"]
            chains = [] if filters is None else filters.chain or []
            categories = [] if filters is None else filters.category or []
            change = replace(change, place_chains=identifiers(chains), place_categories=identifiers(categories))
        if "chain_metadata" in self._given or "chain_mappings" in self._given:
            change = replace(change, chains=self._chains(settings.chains))
        return change

    def _chains(self, chains: Iterable[ChainSetting]) -> tuple[ChainSetting, ...]:
        """Return the chains with the given metadata and IDs, in their order, followed by new ones.

        Those that are left without any setting are dropped.
        """
        domains = {chain.slug: chain.domain for chain in chains if chain.domain is not None}
        metadata = {chain.slug: chain.metadata for chain in chains if chain.metadata}
        external_ids = {chain.slug: chain.external_id for chain in chains if chain.external_id is not None}
        if "chain_metadata" in self._given:
            given = self._given["chain_metadata"] or {}
            metadata = {slug: MappingProxyType(items) for slug, items in given.items() if items}
        if "chain_mappings" in self._given:
            external_ids = self._given["chain_mappings"] or {}
        slugs = dict.fromkeys([*(chain.slug for chain in chains), *metadata, *external_ids])
        return tuple(
            ChainSetting(slug, external_ids.get(slug), metadata.get(slug, NO_METADATA), domains.get(slug))
            for slug in slugs
            if slug in metadata or slug in external_ids or slug in domains
        )

    def named_as_given(self, error: InvalidParameter) -> InvalidParameter:
        """Return an error of the engine, about the name by which the request gave the setting."""
        name = next((each for each in self._given if error.param in _SAME[each]), None)
        if name is None:
            return error
        return InvalidParameter(name, f"{wire_name(name)}: {error.message.removeprefix(f'{error.param}: ')}")


def encode_all_settings(settings: ProjectSettings) -> Mapping[str, Any]:
    """Return settings at the top level and again in `settings`, with those of places in the reference's notation."""
    encoded = encode_settings(settings)
    filters: PlaceFiltersAnswer = {}
    if settings.place_chains:
        filters["chain"] = list(settings.place_chains)
    if settings.place_categories:
        filters["category"] = list(settings.place_categories)
    places: PlaceSettingsRecord = {
        "chainMetadata": {chain.slug: dict(chain.metadata) for chain in settings.chains if chain.metadata},
        "chainMappings": {chain.slug: chain.external_id for chain in settings.chains if chain.external_id is not None},
        "placeFilters": filters,
    }
    return {**encoded, **places, "settings": encoded}
