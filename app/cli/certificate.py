"""``fencewright certificate``: the certificate that devices must trust for HTTPS, with instructions."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from app.api.http.hosts import OwnNames
from app.api.wire.common.encoding import encode_time
from app.cli.options.workspace import PLATFORMS
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.files import write_file
from engine.domain.errors import InvalidParameter
from engine.store.certificates.keeping import AUTHORITY, DER_SUFFIXES, FOLDER, AuthorityCertificate, Certificates
from engine.store.workspace import MEMORY, is_locked, open_workspace

PEM_SUFFIXES: Final = (".pem",)

_IN_THE_APP: Final = """\
Android apps do not trust certificates that users install, unless the app opts in. Add it to the debug build:
  1. fencewright certificate --output app/src/debug/res/raw/fencewright_ca.crt
  2. In app/src/debug/res/xml/network_security_config.xml:
       <network-security-config>
         <debug-overrides>
           <trust-anchors><certificates src="@raw/fencewright_ca" /></trust-anchors>
         </debug-overrides>
       </network-security-config>
  3. In app/src/debug/AndroidManifest.xml: <application android:networkSecurityConfig="@xml/network_security_config" />
"""

_WORDS: Final = dict(
    zip(
        PLATFORMS,
        (
            f"Android emulator\n{_IN_THE_APP}  4. Use https://10.0.2.2:8787 as the host (Genymotion: 10.0.3.2).",
            f"Android phone\n{_IN_THE_APP}"
            "  4. Start the endpoint with --tls --host 0.0.0.0 and use the URL that it shows as the host.\n"
            "For a browser on the phone: open http://ADDRESS:8787/certificate there, then Settings › Security › "
            "Encryption & credentials › Install a certificate › CA certificate.",
            "iOS simulator\n  1. fencewright certificate --output fencewright-ca.pem\n"
            "  2. xcrun simctl keychain booted add-root-cert fencewright-ca.pem\n"
            "  3. Use https://127.0.0.1:8787 as the host.",
            "iPhone or iPad\n  1. Start the endpoint with --tls --host 0.0.0.0.\n"
            "  2. In Safari on the device open http://ADDRESS:8787/certificate and allow the download.\n"
            "  3. Settings › General › VPN & Device Management: install the profile. Compare the fingerprint.\n"
            "  4. Settings › General › About › Certificate Trust Settings: turn it on.",
            "This computer\n  curl --cacert FILE.pem …, SSL_CERT_FILE=FILE.pem or REQUESTS_CA_BUNDLE=FILE.pem for "
            "Python, NODE_EXTRA_CA_CERTS=FILE.pem for Node.js.\n"
            "  Browsers: import it under their certificate settings as an authority for websites.",
        ),
        strict=True,
    )
)


def certificate(arguments: Namespace) -> int:
    """Write the certificate to a file if one is given, and show the certificate and how to install it."""
    folder = chosen_workspace(arguments)
    if folder == MEMORY:
        raise InvalidParameter(
            "workspace",
            "A temporary workspace keeps no certificate. Give the folder that its server prints.",
        )
    output: Path | None = arguments.output
    if output is not None and output.suffix.lower() not in (*PEM_SUFFIXES, *DER_SUFFIXES):
        names = ", ".join((*PEM_SUFFIXES, *DER_SUFFIXES))
        raise InvalidParameter("output", f"output: the name must end in one of {names}.")
    if arguments.allow_host and not arguments.renew:
        raise InvalidParameter("allow-host", "--allow-host needs --renew: names are part of a new certificate.")
    certified = OwnNames().all.union(arguments.allow_host)
    found = _authority(Path(folder).expanduser().absolute(), certified, renew=arguments.renew)
    if output is not None:
        export(found, output)
    if arguments.json:
        write_json(_summary(found, output), indented=True)
    elif output is None or arguments.platforms:
        _explain(found, arguments.platforms or PLATFORMS)
    return 0


def _authority(folder: Path, names: frozenset[str], *, renew: bool) -> AuthorityCertificate:
    """Return the certificate of a workspace, open elsewhere or not; a missing workspace is created first."""
    if not (folder / FOLDER / AUTHORITY).exists() and not is_locked(folder):
        open_workspace(folder).close()
    certificates = Certificates(folder)
    return certificates.renew(names) if renew else certificates.authority(names)


def export(found: AuthorityCertificate, output: Path) -> None:
    """Write the certificate in the format of the file's extension; raises `InvalidParameter` ``output``."""
    content = found.der if output.suffix.lower() in DER_SUFFIXES else found.pem
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidParameter("output", f"{output} cannot be written: {error.strerror}.") from error
    write_file(output, content)
    note(f"wrote the certificate to {output}")


def _summary(found: AuthorityCertificate, output: Path | None) -> dict[str, str]:
    return {
        "file": str(output or found.file),
        "sha256": found.fingerprint,
        "expiresAt": encode_time(found.expires_at),
        "pem": found.pem.decode(),
    }


def _explain(found: AuthorityCertificate, platforms: tuple[str, ...] | list[str]) -> None:
    write_line(f"Certificate  {found.file}")
    write_line(f"SHA-256      {found.fingerprint}")
    write_line(f"Valid until  {found.expires_at:%Y-%m-%d}")
    for platform in dict.fromkeys(platforms):
        write_line(f"\n{_WORDS[platform]}")
