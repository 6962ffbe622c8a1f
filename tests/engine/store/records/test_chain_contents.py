"""Chains in the stored JSON, also as earlier versions wrote them."""

import orjson

from engine.domain.addresses.place import Chain, ChainSetting
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import ChainSummary
from engine.store.records.contents import _chain_content, _chain_parts
from engine.store.records.fields import settings_of, settings_text


def test_chains_keep_everything() -> None:
    for chain in (Chain("A", "a"), Chain("A", "a", "1", {"tier": 2}, "a.example"), Chain("A", "a", domain="a.example")):
        content = orjson.loads(orjson.dumps(_chain_content(chain)))
        assert Chain(*_chain_parts(content)) == chain


def test_chains_of_earlier_versions() -> None:
    assert ChainSummary(*_chain_parts(["A", "a", "1"])) == ChainSummary("A", "a", "1")
    assert Chain(*_chain_parts(["A", "a", None, {"tier": 2}])) == Chain("A", "a", None, {"tier": 2})


def test_settings_of_chains() -> None:
    settings = ProjectSettings(chains=(ChainSetting("a", "1", {"tier": 2}), ChainSetting("b", domain="b.example")))
    assert settings_of(settings_text(settings)).chains == settings.chains
    earlier = orjson.dumps({"chains": [["a", "1", {"tier": 2}], ["b", None, {}]]}).decode()
    assert settings_of(earlier).chains == (ChainSetting("a", "1", {"tier": 2}), ChainSetting("b"))
