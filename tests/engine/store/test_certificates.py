"""The authority stays, the endpoint's certificate follows its names, and phones accept both."""

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from engine.domain.errors import WorkspaceError
from engine.store.certificates.issuing import new_server
from engine.store.certificates.keeping import Certificates
from engine.store.workspace import open_workspace

NAMES = frozenset({"localhost", "127.0.0.1", "::1", "10.0.2.2"})
ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Now:
    """A clock with a settable time."""

    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> Now:
    return Now()


@pytest.fixture
def certificates(tmp_path: Path, clock: Now) -> Certificates:
    return Certificates(tmp_path, clock)


def shown_by(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def names_of(file: Path) -> set[str]:
    names = shown_by(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def test_the_authority_is_made_once_and_its_key_is_private(tmp_path: Path, certificates: Certificates) -> None:
    first = certificates.authority()
    assert Certificates(tmp_path).authority() == first
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "tls").iterdir()} == {
        "authority.pem": 0o600,
        "ca.pem": 0o600,
    }
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700
    assert b"PRIVATE" not in first.file.read_bytes()
    assert x509.load_der_x509_certificate(first.der) == x509.load_pem_x509_certificate(first.pem)
    assert len(first.fingerprint.split(":")) == 32


def test_phones_can_install_the_authority(certificates: Certificates) -> None:
    authority = x509.load_pem_x509_certificate(certificates.authority().pem)
    basic = authority.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    assert authority.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign
    (name,) = authority.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    assert str(name.value).startswith("Fencewright local CA ")
    assert authority.not_valid_after_utc - NOW > timedelta(days=3_000)


def test_phones_accept_the_certificate_of_the_endpoint(certificates: Certificates) -> None:
    shown = shown_by(certificates.for_names(NAMES).file)
    shown.verify_directly_issued_by(x509.load_pem_x509_certificate(certificates.authority().pem))
    assert shown.not_valid_after_utc - shown.not_valid_before_utc <= timedelta(days=398)
    assert shown.not_valid_before_utc < NOW < shown.not_valid_after_utc
    usages = shown.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.SERVER_AUTH in usages
    assert names_of(certificates.for_names(NAMES).file) == NAMES


def test_a_certificate_is_kept_for_the_same_names_and_reissued_for_others(certificates: Certificates) -> None:
    file = certificates.for_names(NAMES).file
    before = file.read_bytes()
    assert certificates.for_names(sorted(NAMES, reverse=True)).file.read_bytes() == before
    authority = certificates.authority()
    assert names_of(certificates.for_names(NAMES | {"192.168.1.5"}).file) == NAMES | {"192.168.1.5"}
    assert names_of(certificates.for_names(NAMES).file) == NAMES
    assert file.read_bytes() != before
    assert certificates.authority() == authority


def test_names_that_no_certificate_can_hold_are_left_out(certificates: Certificates) -> None:
    odd = {"my_laptop", "my_laptop.local", "a" * 64, "-x", "xn--a"}
    assert names_of(certificates.for_names(NAMES | odd).file) == NAMES


def test_a_certificate_is_renewed_before_it_ends_by_the_same_authority(certificates: Certificates, clock: Now) -> None:
    first = certificates.for_names(NAMES)
    before, authority = first.file.read_bytes(), certificates.authority()
    clock.moment = first.renew_at - timedelta(seconds=1)
    assert certificates.for_names(NAMES).file.read_bytes() == before
    clock.moment = first.renew_at
    renewed = certificates.for_names(NAMES)
    assert renewed.file.read_bytes() != before
    assert renewed.renew_at > clock.moment + timedelta(days=300)
    assert certificates.authority() == authority


def test_nothing_outlives_the_authority_and_a_new_one_follows_it(certificates: Certificates, clock: Now) -> None:
    first = certificates.authority()
    clock.moment = first.expires_at - timedelta(days=100)
    shown = shown_by(certificates.for_names(NAMES).file)
    assert shown.not_valid_after_utc <= first.expires_at
    clock.moment = first.expires_at - timedelta(days=1)
    assert certificates.authority().fingerprint != first.fingerprint
    shown_by(certificates.for_names(NAMES).file).verify_directly_issued_by(
        x509.load_pem_x509_certificate(certificates.authority().pem)
    )


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_a_damaged_certificate_is_reissued_and_a_damaged_authority_is_reported(
    tmp_path: Path, certificates: Certificates, content: bytes
) -> None:
    file = certificates.for_names(NAMES).file
    file.write_bytes(content)
    assert names_of(certificates.for_names(NAMES).file) == NAMES
    (tmp_path / "tls" / "authority.pem").write_bytes(content)
    with pytest.raises(WorkspaceError, match=r"authority\.pem is damaged.*remove it"):
        certificates.authority()


def test_a_certificate_of_another_authority_is_not_used(tmp_path: Path, certificates: Certificates) -> None:
    other = Certificates(tmp_path / "other")
    foreign = other.for_names(NAMES).file.read_bytes()
    file = certificates.for_names(NAMES).file
    file.write_bytes(foreign)
    assert certificates.for_names(NAMES).file.read_bytes() != foreign


def test_many_at_once_make_one_authority(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from engine.store.certificates.keeping import Certificates; "
        "made = Certificates(Path(sys.argv[1])); import cryptography.x509; "
        "print('ready', flush=True); sys.stdin.readline(); "
        "print(made.authority().fingerprint)"
    )
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", script, str(tmp_path)],
                    cwd=ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(4)
        ]
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        with ThreadPoolExecutor(4) as pool:
            here = set(pool.map(lambda _: Certificates(tmp_path).authority().fingerprint, range(8)))
        printed = {process.communicate(timeout=60)[0].strip() for process in started}
    assert printed == here
    assert len(printed) == 1
    assert sorted(file.name for file in (tmp_path / "tls").iterdir()) == ["authority.pem", "ca.pem"]


def test_a_file_system_without_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_source: Path, _target: Path) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr("engine.store.certificates.keeping.os.link", refuse)
    first = Certificates(tmp_path).authority()
    assert Certificates(tmp_path).authority() == first
    assert sorted(file.name for file in (tmp_path / "tls").iterdir()) == ["authority.pem", "ca.pem"]


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "tls").write_bytes(b"in the way")
    with pytest.raises(WorkspaceError, match="cannot be used"):
        Certificates(tmp_path).authority()


def test_a_workspace_that_is_not_served_with_tls_has_none(tmp_path: Path) -> None:
    open_workspace(tmp_path / "w").close()
    assert not (tmp_path / "w" / "tls").exists()


def extension[E: x509.ExtensionType](file: Path, kind: type[E]) -> E:
    """Return an extension of the certificate in a file."""
    return shown_by(file).extensions.get_extension_for_class(kind).value


def accepts(authority: Path, certificate: Path, name: str, *, purpose: str = "sslserver") -> bool:
    """Return whether OpenSSL accepts the certificate of a server for a name."""
    kind = "-verify_ip" if ":" in name or name[-1].isdigit() else "-verify_hostname"
    command = [
        "openssl",
        "verify",
        "-x509_strict",
        "-purpose",
        purpose,
        kind,
        name,
        "-CAfile",
        str(authority),
        str(certificate),
    ]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def forged(tmp_path: Path, name: str) -> Path:
    """Return a certificate issued for a name with the stolen key of the authority."""
    file = tmp_path / "forged.pem"
    file.write_bytes(new_server((tmp_path / "tls" / "authority.pem").read_bytes(), NOW, NOW + timedelta(9_000), [name]))
    return file


@pytest.mark.parametrize(
    "name", ["localhost", "127.0.0.1", "::1", "10.0.2.2", "box.local", "fd00::1", "map.example.com"]
)
def test_a_new_authority_certifies_private_names_and_those_it_is_made_for(tmp_path: Path, name: str) -> None:
    certificates = Certificates(tmp_path)
    authority = certificates.authority(["map.example.com"]).file
    assert accepts(authority, certificates.for_names({name}).file, name)
    assert list(extension(authority, x509.ExtendedKeyUsage)) == [ExtendedKeyUsageOID.SERVER_AUTH]


@pytest.mark.parametrize("name", ["example.com", "bank.test.example", "8.8.8.8", "2606:4700::1111", "172.32.0.1"])
def test_its_key_is_of_no_use_for_other_names(tmp_path: Path, name: str) -> None:
    authority = Certificates(tmp_path).authority(["map.example.com"]).file
    assert not accepts(authority, forged(tmp_path, name), name)


def test_certificates_are_for_servers_alone(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    file = certificates.for_names(NAMES).file
    authority = tmp_path / "tls" / "ca.pem"
    assert list(extension(file, x509.ExtendedKeyUsage)) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert accepts(authority, file, "localhost")
    assert not accepts(authority, file, "localhost", purpose="sslclient")


def test_names_beyond_those_of_the_authority_are_left_out_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    certificates = Certificates(tmp_path)
    certificates.authority()
    for _ in range(2):
        server = certificates.for_names({"localhost", "map.example.com"})
        assert names_of(server.file) == {"localhost"}
        assert server.names == {"localhost", "map.example.com"}
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "HTTPS does not work for map.example.com"
    ]


def test_the_advice_names_all_that_a_new_authority_is_needed_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    certificates = Certificates(tmp_path)
    certificates.authority(["a.example.com"])
    names = {"localhost", "192.168.1.5", "phone.local", "a.example.com", "b.example.com", "8.8.8.8"}
    certificates.for_names(names)
    (record,) = caplog.records
    command = record.message.split("'")[1]
    assert command == (
        "fencewright certificate --renew --allow-host 8.8.8.8 --allow-host a.example.com --allow-host b.example.com"
    )
    certificates.renew(command.split()[4::2])
    assert names_of(certificates.for_names(names).file) == names
    assert len(caplog.records) == 1


def old_authority(tmp_path: Path) -> bytes:
    """Create an authority as earlier versions did, without name constraints, with a certificate for all purposes."""
    old = trustme.CA()
    folder = tmp_path / "tls"
    folder.mkdir()
    content = old.private_key_pem.bytes() + old.cert_pem.bytes()
    (folder / "authority.pem").write_bytes(content)
    issued = old.issue_cert(*sorted(NAMES))
    (folder / "server.pem").write_bytes(issued.private_key_and_cert_chain_pem.bytes())
    return content


def test_an_authority_in_use_is_kept(tmp_path: Path) -> None:
    content = old_authority(tmp_path)
    server = Certificates(tmp_path).for_names({*NAMES, "map.example.com"})
    assert (tmp_path / "tls" / "authority.pem").read_bytes() == content
    assert names_of(server.file) == {*NAMES, "map.example.com"}


def test_certificates_for_all_purposes_are_replaced(tmp_path: Path) -> None:
    old_authority(tmp_path)
    file = Certificates(tmp_path).for_names(NAMES).file
    assert list(extension(file, x509.ExtendedKeyUsage)) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert accepts(tmp_path / "tls" / "ca.pem", file, "localhost")


def test_renewing_makes_another_authority(tmp_path: Path) -> None:
    old_authority(tmp_path)
    certificates = Certificates(tmp_path)
    before, version = certificates.authority(), certificates.version()
    after = certificates.renew(["map.example.com"])
    assert after.fingerprint != before.fingerprint
    assert certificates.version() != version
    assert certificates.authority() == after
    assert accepts(after.file, certificates.for_names({"map.example.com"}).file, "map.example.com")
    assert not accepts(after.file, forged(tmp_path, "example.com"), "example.com")
