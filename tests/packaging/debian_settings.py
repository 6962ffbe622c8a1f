"""Settings of this machine's apt, pip, npm and certificates, as a Debian root needs them to use the same network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as ConfigError
from pathlib import Path

_BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)
_LOCAL = ("/", "file:")
_PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")
_CERTIFICATES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "PIP_CERT")
_KEPT = re.compile(r"(PIP|UV|NPM_CONFIG)_(DEFAULT_|EXTRA_)?(INDEX_URL|INDEX|TIMEOUT|RETRIES|REGISTRY)", re.IGNORECASE)
_OF_PIP = ("index-url", "extra-index-url", "proxy", "trusted-host", "timeout", "retries")
_OF_NPM = re.compile(r"(@[^:=]+:)?(registry|proxy|https-proxy|noproxy|strict-ssl) *=", re.IGNORECASE)
_OF_APT = re.compile(r"Acquire::(.*::)?(Proxy|Proxy-Auto-Detect|Verify-Peer|Verify-Host|Retries)\b", re.IGNORECASE)


def environment_of(suite: str) -> dict[str, str]:
    """Return the environment of commands in a root: nothing of the machine's, except what its network needs."""
    variables = {"PATH": _PATHS, "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "DEBIAN_SUITE": suite}
    variables |= {name: value for name, value in os.environ.items() if _is_of_network(name, value)}
    if _bundle() is not None:
        variables |= dict.fromkeys(_CERTIFICATES, str(_BUNDLE))
    return variables


def _is_of_network(name: str, value: str) -> bool:
    return name.lower() in _PROXIES or bool(_KEPT.fullmatch(name) and not value.startswith(_LOCAL))


def mirrors() -> dict[str, str]:
    """Return the machine's sources of Debian packages: the address of the archive and of its security updates.

    Without an entry for the machine's own release, debootstrap has to use its default.
    """
    release = re.search(r"^VERSION_CODENAME=(\w+)$", Path("/etc/os-release").read_text(), re.MULTILINE)
    found: dict[str, str] = {}
    if release is None or not shutil.which("debootstrap"):
        return found
    for address, suites in _sources():
        if release[1] in suites:
            found.setdefault("archive", address)
        if f"{release[1]}-security" in suites:
            found.setdefault("security", address)
    return found


def _sources() -> Iterator[tuple[str, list[str]]]:
    """Yield the address and suites of each apt source, in both formats of apt."""
    folder = Path("/etc/apt/sources.list.d")
    for file in [Path("/etc/apt/sources.list"), *sorted(folder.glob("*.list"))]:
        for line in file.read_text().splitlines() if file.exists() else ():
            if entry := re.match(r"deb\s+(?:\[[^]]*]\s*)?(\S+)\s+(\S+)", line):
                yield entry[1], [entry[2]]
    for file in sorted(folder.glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", file.read_text()):
            lines = (line.partition(":") for line in stanza.splitlines() if not line.startswith("#"))
            fields = {name.strip().lower(): value.split() for name, _, value in lines}
            if "deb" in fields.get("types", ()) and fields.get("enabled", ["yes"]) != ["no"]:
                for address in fields.get("uris", ()):
                    yield address, fields.get("suites", [])


def write_settings(root: Path, suite: str) -> None:
    """Write the settings into a system that debootstrap has made. Services do not start in it when installed."""
    _write_sources(root, suite)
    settings = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout.splitlines()
    lines = [*filter(_OF_APT.match, settings), 'APT::Install-Recommends "false";', 'Acquire::Languages "none";']
    (root / "etc/apt/apt.conf.d/90tests").write_text("".join(f"{line}\n" for line in lines))
    # Nothing has to survive a power failure, for which dpkg would wait for the disk at each package.
    (root / "etc/dpkg/dpkg.cfg.d/90tests").write_text("force-unsafe-io\n")
    (root / "etc/pip.conf").write_text(_pip_settings())
    for folder in ("root", "etc/skel"):
        (root / folder / ".npmrc").write_text(_npm_settings())
    for file in ("resolv.conf", "hosts"):
        (root / "etc" / file).write_bytes(Path("/etc", file).read_bytes())
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    _write_certificates(root)


def _write_sources(root: Path, suite: str) -> None:
    found = mirrors()
    if "archive" not in found:
        return
    key = "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg"
    entries = [(found["archive"], f"{suite} {suite}-updates")]
    if "security" in found:
        entries.append((found["security"], f"{suite}-security"))
    stanzas = (f"Types: deb\nURIs: {uri}\nSuites: {suites}\nComponents: main\n{key}\n" for uri, suites in entries)
    (root / "etc/apt/sources.list").unlink(missing_ok=True)
    (root / "etc/apt/sources.list.d/debian.sources").write_text("\n".join(stanzas))


def _bundle() -> Path | None:
    """Return the file with the certificates that this machine trusts."""
    named = (Path(os.environ[name]) for name in ("SSL_CERT_FILE", "PIP_CERT") if name in os.environ)
    return next((file for file in (*named, _BUNDLE) if file.is_file()), None)


def _write_certificates(root: Path) -> None:
    """Let the root trust what this machine trusts, also after ca-certificates has been installed in it."""
    bundle = _bundle()
    if bundle is None:
        return
    inside = root / _BUNDLE.relative_to("/")
    inside.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(bundle, inside)
    public = "".join(file.read_text() for file in Path("/usr/share/ca-certificates").rglob("*.crt"))
    own = root / "usr/local/share/ca-certificates"
    own.mkdir(parents=True, exist_ok=True)
    for number, certificate in enumerate(_CERTIFICATE.findall(bundle.read_text())):
        if certificate.strip() not in public:
            (own / f"machine-{number}.crt").write_text(certificate)


def _pip_settings() -> str:
    files = ("/etc/xdg/pip/pip.conf", "/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")
    settings = ConfigParser(interpolation=None)
    try:
        settings.read([Path(file).expanduser() for file in (*files, os.environ.get("PIP_CONFIG_FILE", ""))])
    except (ConfigError, OSError):
        return ""
    lines = ["[global]", "disable-pip-version-check = true"]
    for name in _OF_PIP:
        # The root does not have the folders of this machine.
        words = [
            word for word in settings.get("global", name, fallback="").split() if not word.startswith(("/", "file:"))
        ]
        lines += [f"{name} = {' '.join(words)}"] if words else []
    return "".join(f"{line}\n" for line in lines)


def _npm_settings() -> str:
    file = Path("~/.npmrc").expanduser()
    lines = file.read_text().splitlines() if file.is_file() else []
    return "".join(f"{line}\n" for line in lines if _OF_NPM.match(line))
