"""Creation of a workspace's certificates: an authority for names of this machine, and its server certificates."""

import socket
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from secrets import token_hex
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import (
        Certificate,
        CertificateBuilder,
        DNSName,
        IPAddress,
        KeyUsage,
        Name,
        NameConstraints,
        ObjectIdentifier,
    )

type _Network = IPv4Network | IPv6Network

NETWORKS: Final[tuple[_Network, ...]] = tuple(
    map(
        ip_network,
        (
            *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
            *("::1/128", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Loopback and private networks of homes, offices and carriers, whose addresses are not globally unique."""

DOMAINS: Final = ("localhost", "local", "localdomain", "lan", "home.arpa", "internal", "test")
"""Domains for which no public authority issues certificates."""


def new_authority(begins: datetime, ends: datetime, names: Iterable[str]) -> bytes:
    """Return the PEM of a new key and its certificate.

    The authority can only issue server certificates, for addresses of private networks, for `names`, and for the
    machine's own name. It has a common name because otherwise iOS would not list it among the roots that a
    user can trust.
    """
    from cryptography import x509

    key = _new_key()
    # Distinguishes two workspaces on the same phone.
    subject = _subject(f"Fencewright local CA {token_hex(3)}")
    certificate = _sign(
        _builder(subject, subject, key, begins, ends)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(for_authority=True), critical=True)
        .add_extension(_constraints({*names, *_own_names()}), critical=True),
        key,
    )
    return _pem(key) + certificate


def new_server(authority: bytes, begins: datetime, ends: datetime, names: Iterable[str]) -> bytes:
    """Return the PEM of a new key, and of its certificate for some names, issued by `authority`."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    issuer = x509.load_pem_x509_certificate(authority)
    signing = load_pem_private_key(authority, None)
    if not isinstance(signing, EllipticCurvePrivateKey):
        raise TypeError("the key of an authority is one of an elliptic curve")
    key = _new_key()
    alternatives = [_general_name(name) for name in sorted(names)]
    certificate = _sign(
        _builder(_subject("Local endpoint"), issuer.subject, key, begins, ends)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(_usage(for_authority=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False),
        signing,
    )
    return _pem(key) + certificate


def is_permitted(authority: "Certificate", name: str) -> bool:
    """Return whether an authority can certify a name. An authority without name constraints can certify all names."""
    from cryptography.x509 import ExtensionNotFound, NameConstraints

    try:
        found = authority.extensions.get_extension_for_class(NameConstraints).value
    except ExtensionNotFound:
        return True
    permitted = [each.value for each in found.permitted_subtrees or ()]
    with suppress(ValueError):
        address = ip_address(name)
        return any(address in each for each in permitted if not isinstance(each, str))
    ascii_name = _ascii(name)
    return any(ascii_name == each or ascii_name.endswith(f".{each}") for each in permitted if isinstance(each, str))


def is_for_servers_only(certificate: "Certificate") -> bool:
    """Return whether a certificate can be used only for servers."""
    from cryptography.x509 import ExtendedKeyUsage, ExtensionNotFound

    try:
        return list(certificate.extensions.get_extension_for_class(ExtendedKeyUsage).value) == [_server_usage()]
    except ExtensionNotFound:
        return False


def _constraints(names: Iterable[str]) -> "NameConstraints":
    from cryptography.x509 import DNSName, IPAddress, NameConstraints

    domains, networks = list(DOMAINS), list(NETWORKS)
    for name in sorted(names):
        try:
            address = ip_address(name)
        except ValueError:
            with suppress(UnicodeError):
                domains.append(_ascii(name))
        else:
            if not any(address in network for network in networks):
                networks.append(ip_network(address))
    permitted = [*map(DNSName, dict.fromkeys(domains)), *map(IPAddress, networks)]
    return NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None)


def _own_names() -> set[str]:
    """Return the machine's name, with and without its domain."""
    name = socket.gethostname().lower().rstrip(".")
    return {each for each in (name, name.partition(".")[0]) if each}


def _general_name(name: str) -> "DNSName | IPAddress":
    from cryptography.x509 import DNSName, IPAddress

    try:
        return IPAddress(ip_address(name))
    except ValueError:
        return DNSName(_ascii(name))


def _ascii(name: str) -> str:
    """Return a host name in the form used in certificates; raises `UnicodeError` if it is not valid."""
    from idna import encode

    return encode(name, uts46=True).decode()


def _subject(name: str) -> "Name":
    from cryptography.x509 import Name, NameAttribute
    from cryptography.x509.oid import NameOID

    return Name([NameAttribute(NameOID.ORGANIZATION_NAME, "Fencewright"), NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(
    subject: "Name", issuer: "Name", key: "EllipticCurvePrivateKey", begins: datetime, ends: datetime
) -> "CertificateBuilder":
    from cryptography import x509

    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([_server_usage()]), critical=False)
    )


def _server_usage() -> "ObjectIdentifier":
    from cryptography.x509.oid import ExtendedKeyUsageOID

    return ExtendedKeyUsageOID.SERVER_AUTH


def _usage(*, for_authority: bool) -> "KeyUsage":
    from cryptography.x509 import KeyUsage

    return KeyUsage(
        digital_signature=not for_authority,
        key_cert_sign=for_authority,
        crl_sign=for_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _new_key() -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _sign(builder: "CertificateBuilder", key: "EllipticCurvePrivateKey") -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding

    return builder.sign(key, SHA256()).public_bytes(Encoding.PEM)


def _pem(key: "EllipticCurvePrivateKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
