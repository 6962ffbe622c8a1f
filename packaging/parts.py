"""The parts of a release: what its lock files pin, each with its version, hashes and licence."""

from __future__ import annotations

import base64
import json
import re
import tomllib
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parents[1]
STATED: Final = ROOT / "packaging" / "licences.toml"
PYTHON_LOCK: Final = ROOT / "packaging" / "requirements.lock"
NPM_LOCK: Final = ROOT / "resources" / "web" / "package-lock.json"
SETUP: Final = ROOT / "resources" / "setup"
WORLD_LOCKS: Final = (SETUP / "world" / "requirements.lock", SETUP / "world" / "package-lock.json")
AREA_LOCK: Final = SETUP / "area.lock"
CITIES_LOCK: Final = SETUP / "cities" / "package-lock.json"

Kind = Literal["python", "npm", "data"]

_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_NEEDED_BY: Final = re.compile(r"^ +# +(?:via +)?([A-Za-z0-9._-]+)( \(pyproject\.toml\))?$", re.MULTILINE)
_CLASSIFIERS: Final = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""The classifiers that mean exactly one licence. "BSD License" is not one of them."""


class LicenceError(Exception):
    """Raised if the licence of a part is not known; the message names the part and the remedy."""


@dataclass(frozen=True)
class Pin:
    """A package of a lock file with the hashes of its files, and the packages that need it."""

    name: str
    version: str
    hashes: tuple[tuple[str, str], ...]
    """The algorithm in CycloneDX's spelling and the digest in hexadecimal digits."""
    needed_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A package or a data source of a release; `licence` is an SPDX expression."""

    kind: Kind
    pin: Pin
    licence: str
    purl: str
    about: str = ""

    @property
    def name(self) -> str:
        """The name of the package."""
        return self.pin.name

    @property
    def version(self) -> str:
        """The version of the package."""
        return self.pin.version


def parts() -> list[Part]:
    """Return all parts. Raises `LicenceError` if a licence is not known."""
    stated = tomllib.loads(STATED.read_text(encoding="utf-8"))
    return [
        *(_python_part(pin, stated["python"]) for pin in python_pins(PYTHON_LOCK)),
        *(_npm_part(pin, licence, stated["npm"]) for pin, licence in npm_pins(NPM_LOCK)),
        *_data_parts(stated["data"]),
    ]


def python_pins(lock: Path) -> list[Pin]:
    """Return the packages of a lock file of pip, in its order."""
    found = []
    for entry in re.split(r"\n(?=[A-Za-z0-9])", lock.read_text(encoding="utf-8")):
        if (pin := _PIN.match(entry)) is not None:
            hashes = tuple(("SHA-256", digest) for digest in _HASH.findall(entry))
            needed_by = tuple("" if root else canonicalize_name(name) for name, root in _NEEDED_BY.findall(entry))
            found.append(Pin(canonicalize_name(pin[1]), pin[2], hashes, needed_by))
    return found


def npm_pins(lock: Path) -> list[tuple[Pin, str]]:
    """Return the packages of a lock file of npm that are no development tools or types, each with its licence there."""
    packages: dict[str, dict[str, Any]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    needed_by: dict[str, set[str]] = {}
    for path, package in packages.items():
        for needed in package.get("dependencies", {}):
            needed_by.setdefault(needed, set()).add(_npm_name(path))
    found = {}
    for path, package in packages.items():
        name = _npm_name(path)
        if name and not package.get("dev") and not name.startswith("@types/"):
            algorithm, _, digest = package["integrity"].partition("-")
            hashes = ((f"SHA-{algorithm.removeprefix('sha')}", base64.b64decode(digest).hex()),)
            pin = Pin(name, package["version"], hashes, tuple(sorted(needed_by.get(name, ()))))
            found[name, pin.version] = (pin, package.get("license", ""))
    return list(found.values())


def installed(name: str) -> Distribution | None:
    """Return an installed package, or None if it is not installed, such as one for another system."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def metadata_licence(package: Distribution) -> str:
    """Return the licence that the metadata of a package states as an SPDX expression, or "" if there is none."""
    metadata = package.metadata
    classified = {_CLASSIFIERS.get(each, "") for each in metadata.get_all("Classifier", []) if each.startswith("Lic")}
    for field in ("License-Expression", "License"):
        if (found := spdx(metadata.get(field, ""))) != "":
            return found
    return classified.pop() if len(classified) == 1 else ""


def spdx(text: str) -> str:
    """Return an SPDX expression in its usual spelling, or "" if the text is not one."""
    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression:
        return ""


def _python_part(pin: Pin, stated: dict[str, str]) -> Part:
    package = installed(pin.name)
    licence = metadata_licence(package) if package is not None and package.version == pin.version else ""
    return Part("python", pin, licence or _stated(pin.name, stated), f"pkg:pypi/{pin.name}@{pin.version}")


def _npm_part(pin: Pin, licence: str, stated: dict[str, str]) -> Part:
    return Part("npm", pin, spdx(licence) or _stated(pin.name, stated), _npm_purl(pin))


def _data_parts(stated: list[dict[str, str]]) -> list[Part]:
    python, npm = WORLD_LOCKS
    sources = {pin.name: (pin, f"pkg:pypi/{pin.name}@{pin.version}") for pin in python_pins(python)}
    sources |= {pin.name: (pin, _npm_purl(pin)) for lock in (npm, CITIES_LOCK) for pin, _ in npm_pins(lock)}
    sources |= {pin.name: (pin, f"pkg:pypi/{pin.name}@{pin.version}") for pin in python_pins(AREA_LOCK)}
    found = []
    for entry in stated:
        pin, purl = sources[entry["package"]]
        needed = Pin(pin.name, pin.version, pin.hashes, needed_by=("",))
        found.append(Part("data", needed, entry["licence"], purl, entry["about"]))
    return found


def _stated(name: str, stated: dict[str, str]) -> str:
    licence = spdx(stated.get(name, ""))
    if not licence:
        raise LicenceError(
            f"{name}: no known licence. Install the locked packages, or state it in packaging/{STATED.name}."
        )
    return licence


def _npm_name(path: str) -> str:
    return path.rpartition("node_modules/")[2]


def _npm_purl(pin: Pin) -> str:
    return f"pkg:npm/{quote(pin.name, safe='/')}@{pin.version}"
