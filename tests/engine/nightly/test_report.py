"""The e-mail about a sync: its text, its servers, and the handling of failures."""

import sqlite3
import ssl
from contextlib import closing
from pathlib import Path

import pytest
import trustme

from engine.domain.clock import ClockChange
from engine.domain.imports import ImportQuery, RowError
from engine.domain.nightly.runs import MailState, SyncStatus
from engine.domain.nightly.settings import SmtpSecurity, SyncChange
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from engine.store.workspace import DATABASE
from tests.engine.nightly.conftest import TEST, set_urls, until
from tests.engine.nightly.servers import Files, mails, table


def set_mail(engine: Engine, port: int, **others: object) -> None:
    fields: dict[str, object] = {
        "notification_email": "ops@example.com",
        "smtp_host": "127.0.0.1",
        "smtp_port": port,
        "smtp_security": SmtpSecurity.NONE,
    }
    engine.nightly.change(TEST, SyncChange(**{**fields, **others}))  # type: ignore[arg-type]


def test_an_email_has_the_counts_and_the_first_errors(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100), *((f"bad{number}", -1) for number in range(20)))
    set_urls(engine, served, "a.csv", "none.csv")
    with mails(auth_require_tls=False) as server:
        set_mail(engine, server.port, smtp_user="me", smtp_password="mail-secret", smtp_from="fence@example.com")
        run = engine.nightly.run(TEST)
    assert (run.mail.state, server.logins) == (MailState.SENT, [(b"me", b"mail-secret")])
    (mail,) = server.arrived
    assert (mail["to"], mail["from"]) == ("ops@example.com", "fence@example.com")
    assert mail["subject"] == "Fencewright: sync of Test partially succeeded"
    text = mail.get_payload(decode=True).decode()  # type: ignore[union-attr]
    assert "21 rows: 1 created, 0 updated, 0 unchanged, 20 failed" in text
    assert "row 3, column radius: " in text
    assert text.count("column radius") == 10
    assert "answered with the status 404" in text


def test_warnings_are_kept_with_the_run_and_in_the_email(engine: Engine, served: Files) -> None:
    header = "description,type,tag,externalId,coordinates,radius,opening_hours"
    rows = (f'S,circle,store,{number},"[9.5,47.1]",50,Mo-Fr 08:00-18:00; PH off' for number in range(12))
    served.content["a.csv"] = "\n".join((header, *rows, "")).encode()
    set_urls(engine, served, "a.csv")
    with mails() as server:
        set_mail(engine, server.port)
        run = engine.nightly.run(TEST)
    (file,) = run.files
    assert (run.status, file.created, file.warned, len(file.warnings)) == (SyncStatus.SUCCEEDED, 12, 12, 10)
    assert file.warnings[0] == RowError(2, "operatingHours", "Public holidays are left out: 'PH closed'.")
    assert engine.nightly.runs(TEST) == (run,)
    text = server.arrived[0].get_payload(decode=True).decode().replace("\r\n", "\n")  # type: ignore[union-attr]
    assert "12 warnings:\n  row 2, column operatingHours: Public holidays are left out" in text
    assert "see the import history for the others" in text
    assert len(engine.imports.page(TEST, ImportQuery()).items[0].warnings) == 12


def test_runs_and_imports_of_versions_without_warnings_are_read(tmp_path: Path, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    with Engine.open(tmp_path / "earlier") as engine:
        engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
        set_urls(engine, served, "a.csv")
        run = engine.nightly.run(TEST)
        imported = engine.imports.page(TEST, ImportQuery()).items
    with closing(sqlite3.connect(tmp_path / "earlier" / DATABASE)) as connection, connection:
        for table_name, of in (("imports", "$"), ("sync_runs", "$.files[0]")):
            kept = f"json_remove(content, '{of}.warned', '{of}.warnings')"
            connection.execute(f"UPDATE {table_name} SET content = {kept}")
            assert "warn" not in connection.execute(f"SELECT content FROM {table_name}").fetchone()[0]
    with Engine.open(tmp_path / "earlier") as engine:
        assert engine.nightly.runs(TEST) == (run,)
        assert engine.imports.page(TEST, ImportQuery()).items == imported


def test_encrypted_mail_needs_a_certificate_that_is_trusted(
    engine: Engine, served: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    with mails(tls_context=context, require_starttls=True) as server:
        set_mail(engine, server.port, smtp_security=SmtpSecurity.STARTTLS, smtp_user="me", smtp_password="mail-secret")
        refused = engine.nightly.run(TEST).mail
        assert (refused.state, server.logins) == (MailState.FAILED, [])
        assert "is not trusted" in (refused.message or "")
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert engine.nightly.run(TEST).mail.state is MailState.SENT
    assert server.logins == [(b"me", b"mail-secret")]


def test_a_mail_server_that_puts_off_gets_it_later(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    with mails() as server:
        set_mail(engine, server.port)
        server.answers = ["451 4.7.1 Greylisted, try again later", "", "250 OK"]
        run = engine.nightly.run(TEST)
        assert (run.mail.state, run.mail.attempts) == (MailState.PENDING, 1)
        assert "answered 451" in (run.mail.message or "")
        engine.nightly.start()
        for attempts, state in ((2, MailState.PENDING), (3, MailState.SENT)):
            engine.set_clock(ClockChange(advance_s=1_000))
            until(lambda attempts=attempts: engine.nightly.runs(TEST)[0].mail.attempts == attempts)  # type: ignore[misc]
            assert engine.nightly.runs(TEST)[0].mail.state is state
    assert len(server.arrived) == 1


@pytest.mark.parametrize(
    ("answer", "state", "expected"),
    [
        ("550 5.1.1 No such user mail-secret", MailState.FAILED, "answered 550 5.1.1 No such user …."),
        ("", MailState.PENDING, "closed the connection"),
    ],
    ids=["refused", "dropped"],
)
def test_a_mail_that_fails_does_not_fail_the_sync(
    engine: Engine, served: Files, answer: str, state: MailState, expected: str
) -> None:
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    with mails(auth_require_tls=False) as server:
        set_mail(engine, server.port, smtp_user="me", smtp_password="mail-secret")
        server.answers = [answer]
        run = engine.nightly.run(TEST)
    assert (run.status, run.mail.state) == (SyncStatus.SUCCEEDED, state)
    assert expected in (run.mail.message or "")
    assert "mail-secret" not in str(run)


def test_wrong_passwords_and_closed_ports_are_reported(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    with mails(auth_require_tls=False) as server:
        set_mail(engine, server.port, smtp_user="me", smtp_password="wrong")
        refused = engine.nightly.run(TEST).mail
        set_mail(engine, server.port, smtp_user="me", smtp_password="pässword")
        unsendable = engine.nightly.run(TEST).mail
        set_mail(engine, server.port, smtp_user="me", smtp_security=SmtpSecurity.STARTTLS)
        without_tls = engine.nightly.run(TEST).mail
    assert (refused.state, "answered 535" in (refused.message or "")) == (MailState.FAILED, True)
    assert (unsendable.state, "has characters" in (unsendable.message or "")) == (MailState.FAILED, True)
    assert (without_tls.state, "does not support" in (without_tls.message or "")) == (MailState.FAILED, True)
    unreachable = engine.nightly.run(TEST).mail
    assert (unreachable.state, "cannot be reached" in (unreachable.message or "")) == (MailState.PENDING, True)


def test_a_password_that_no_mail_server_can_be_sent_is_reported_and_not_tried_again(
    engine: Engine, served: Files
) -> None:
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    with mails(auth_require_tls=False) as server:
        set_mail(engine, server.port, smtp_user="me", smtp_password="geheimes Wörtchen")
        refused = engine.nightly.run(TEST).mail
    assert (refused.state, server.logins) == (MailState.FAILED, [])
    assert "characters that cannot be sent" in (refused.message or "")
    assert "geheim" not in (refused.message or "")


def test_the_password_is_not_sent_to_another_mail_server(engine: Engine) -> None:
    set_mail(engine, 25, smtp_user="me", smtp_password="mail-secret")
    assert engine.nightly.state(TEST).secrets == {"smtp_password"}
    engine.nightly.change(TEST, SyncChange(smtp_host="mail.example.org"))
    assert engine.nightly.state(TEST).secrets == frozenset()
