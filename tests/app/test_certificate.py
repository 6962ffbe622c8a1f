"""``fencewright certificate`` and ``serve --tls`` as users run them, and the content of QR codes."""

import json
import os
import pty
import re
import ssl
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from cryptography import x509

from app.cli.options.workspace import PLATFORMS
from app.qr import QUIET, connection_text, for_terminal, qr_modules
from engine.store.certificates.keeping import Certificates
from tests.app.commands import Commands, written
from tests.app.program import ROOT, TIMEOUT_S, Program


def test_the_certificate_is_exported_in_both_forms(fencewright: Commands, workspace: Path, tmp_path: Path) -> None:
    pem, der = tmp_path / "new" / "ca.pem", tmp_path / "ca.CRT"
    for file in (pem, der):
        ended = fencewright("certificate", "--workspace", workspace, "--output", file)
        assert (ended.code, ended.out) == (0, "")
        assert str(file) in ended.err
    assert x509.load_pem_x509_certificate(pem.read_bytes()) == x509.load_der_x509_certificate(der.read_bytes())
    assert b"PRIVATE" not in pem.read_bytes() + der.read_bytes()
    details = fencewright("certificate", "--workspace", workspace, "--json").json
    assert details["pem"] == pem.read_text()
    assert details["sha256"] == Certificates(workspace).authority().fingerprint
    assert Path(details["file"]).read_text() == details["pem"]
    assert details["expiresAt"].endswith("Z")


def test_it_is_renewed_on_request(fencewright: Commands, workspace: Path) -> None:
    def shown(*options: str) -> str:
        text: str = fencewright("certificate", "--workspace", workspace, "--json", *options).json["sha256"]
        return text

    before = shown()
    assert shown() == before
    after = shown("--renew", "--allow-host", "map.example.com")
    assert after != before
    assert shown() == after
    refused = fencewright("certificate", "--workspace", workspace, "--allow-host", "map.example.com")
    assert (refused.code, "--allow-host needs --renew" in refused.err) == (1, True)


def test_instructions_are_shown_for_every_device(fencewright: Commands, tmp_path: Path) -> None:
    instructions = fencewright("certificate", "--workspace", tmp_path / "w").out
    for words in ("SHA-256", "https://10.0.2.2:8787", "networkSecurityConfig", "add-root-cert", "Trust Settings"):
        assert words in instructions
    for platform in PLATFORMS:
        part = fencewright("certificate", "--workspace", tmp_path / "w", "--for", platform).out
        assert len(part) < len(instructions)
        assert part.partition("\n\n")[2].strip() in instructions


@pytest.mark.parametrize("name", ["ca", "ca.txt", "ca.p12"])
def test_a_file_of_another_form_is_refused(fencewright: Commands, tmp_path: Path, name: str) -> None:
    ended = fencewright("certificate", "--workspace", tmp_path / "w", "--output", tmp_path / name)
    assert (ended.code, ended.out) == (1, "")
    assert ".pem, .crt, .cer, .der" in ended.err
    assert not (tmp_path / name).exists()


def test_no_certificate_is_made_without_a_workspace(fencewright: Commands, tmp_path: Path) -> None:
    assert "temporary" in fencewright("certificate", "--workspace", ":memory:").err
    written(tmp_path / "fencewright.db", "not a database of ours" * 50)
    ended = fencewright("certificate", "--workspace", tmp_path)
    assert ended.code == 1
    assert not (tmp_path / "tls").exists()
    blocked = written(tmp_path / "file", "")
    assert fencewright("certificate", "--workspace", tmp_path / "w", "--output", blocked / "ca.pem").code == 1


@pytest.mark.slow
def test_a_server_with_tls_is_trusted_through_its_ready_file(
    program: Program, fencewright: Commands, tmp_path: Path
) -> None:
    with program.serve(tmp_path / "w", "--tls", "--allow-host", "shop.example") as server:
        assert server.url.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=server.ready["certificate"])
        with httpx.Client(base_url=server.url, verify=trust, trust_env=False) as client:
            answer = client.get("/v1/users", headers={"Authorization": server.key(), "Host": "shop.example"})
        assert answer.json()["users"] == []
        exported = fencewright("certificate", "--workspace", server.ready["workspace"], "--json").json
        assert exported["pem"] == Path(server.ready["certificate"]).read_text()
        ended = server.stop()
    assert (ended.code, ended.out) == (0, "")
    assert exported["sha256"] in ended.err
    assert "warning" not in ended.err
    assert stat.S_IMODE((tmp_path / "w" / "tls" / "authority.pem").stat().st_mode) == 0o600
    with program.serve(tmp_path / "w", "--tls") as server:
        assert httpx.get(f"{server.url}/docs", verify=trust, trust_env=False).status_code == 200


def test_a_temporary_workspace_has_a_temporary_certificate(fencewright: Commands) -> None:
    with fencewright.serve(":memory:", "--tls") as server:
        file = Path(server.ready["certificate"])
        assert file.is_file()
        assert server.stop().code == 0
    assert not file.exists()


@pytest.mark.parametrize("options", [(), ("--tls",)])
def test_opening_it_to_the_network_gives_a_warning(
    fencewright: Commands, tmp_path: Path, options: tuple[str, ...]
) -> None:
    with fencewright.serve(tmp_path / "w", "--host", "0.0.0.0", *options) as server:
        ended = server.stop()
    assert "warning: Other devices on the network can reach this endpoint" in ended.err
    assert ("unencrypted" in ended.err) == (not options)
    assert "\x1b" not in ended.err
    assert server.key() not in ended.err


def test_a_terminal_shows_a_code_with_the_address_and_the_publishable_key(program: Program, tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    main, terminal = pty.openpty()
    command = [sys.executable, "-m", "app.main", "serve", "--workspace", str(tmp_path / "w"), "--port", "0"]
    command += ["--host", "0.0.0.0", "--tls", "--ready-file", str(ready)]
    with subprocess.Popen(command, cwd=ROOT, env=dict(program.environment), stderr=terminal) as process:
        output = b""
        while b"its keys are in" not in output:
            output += os.read(main, 65536)
        details = json.loads(ready.read_text())
        process.terminate()
        assert process.wait(TIMEOUT_S) == 0
    os.close(terminal)
    os.close(main)
    urls = re.findall(r"at (https://[^ ,\r\n]*[0-9])", output.decode()) or [details["url"]]
    code = for_terminal(qr_modules(connection_text(urls[0], details["keys"]["test"]["publishable"])))
    assert code in output.decode().replace("\r\n", "\n")


def test_a_code_holds_the_connection_and_is_drawn_on_white() -> None:
    text = connection_text("https://192.168.1.5:8787", "prj_test_pk_0")
    assert json.loads(text) == {"host": "https://192.168.1.5:8787", "publishableKey": "prj_test_pk_0"}
    modules = qr_modules(text)
    side = len(modules)
    assert all(len(row) == side for row in modules)
    quiet = [*modules[:QUIET], *modules[-QUIET:], *(row[:QUIET] for row in modules), *(row[-QUIET:] for row in modules)]
    assert not any(map(any, quiet))
    finder = [[True] * 7, [True, *[False] * 5, True]]
    assert [list(modules[QUIET + at][QUIET : QUIET + 7]) for at in (0, 1)] == finder
    drawn = re.findall(r"38;5;(\d+);48;5;(\d+)m▀", for_terminal(modules))
    rows = [
        [pair[half] == "16" for pair in drawn[at : at + side]] for at in range(0, len(drawn), side) for half in (0, 1)
    ]
    assert [tuple(row) for row in rows[:side]] == list(modules)
