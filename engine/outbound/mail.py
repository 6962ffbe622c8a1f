"""E-mail by SMTP with a time limit, because a server may refuse, delay, break off, or not respond at all."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from threading import Timer
from typing import Final

from msgspec import Struct

WITHIN_S: Final = 30.0
_SHOWN: Final = 200
_OWN_NAME: Final = "[127.0.0.1]"
"""Own name sent to servers; looking up this computer's real name may take longer than the e-mail."""


class MailRefused(Exception):
    """The server permanently refuses the e-mail; the message is a sentence with the reason."""


class MailDelayed(Exception):
    """The e-mail could not be delivered now; the message is a sentence with the reason."""


class MailServer(Struct, frozen=True, kw_only=True):
    """A mail server. `security` is ``starttls``, ``tls`` or ``none``; the first two verify its certificate."""

    host: str
    port: int
    security: str
    user: str | None = None
    password: str | None = None


def send_mail(server: MailServer, message: EmailMessage, within_s: float = WITHIN_S) -> None:
    """Send a message to a server; raises `MailRefused` or `MailDelayed`, whose messages contain no password."""
    address = f"{server.host}:{server.port}"
    try:
        with _connected(server, within_s) as smtp:
            smtp.ehlo_or_helo_if_needed()
            if server.security == "starttls":
                smtp.starttls(context=ssl.create_default_context())
            if server.user is not None:
                smtp.login(server.user, server.password or "")
            smtp.send_message(message)
    except smtplib.SMTPResponseException as error:
        raise _answered(address, error.smtp_code, error.smtp_error, server) from None
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        raise _answered(address, code, text, server) from None
    except smtplib.SMTPNotSupportedError as error:
        raise MailRefused(f"The mail server {address} does not support a required feature: {error}") from None
    except ssl.SSLCertVerificationError as error:
        reason = error.verify_message
        raise MailRefused(f"The certificate of the mail server {address} is not trusted: {reason}.") from None
    except smtplib.SMTPServerDisconnected:
        raise MailDelayed(f"The mail server {address} closed the connection, or did not answer in time.") from None
    except (OSError, smtplib.SMTPException) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise MailDelayed(f"The mail server {address} cannot be reached: {reason}.") from None
    except UnicodeError:
        raise MailRefused("The user or the password has characters that cannot be sent to a mail server.") from None
    except ValueError:  # invalid content in its responses
        raise MailDelayed(f"The mail server {address} does not speak SMTP.") from None


@contextmanager
def _connected(server: MailServer, within_s: float) -> Iterator[smtplib.SMTP]:
    if server.security == "tls":
        context = ssl.create_default_context()
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(local_hostname=_OWN_NAME, timeout=within_s, context=context)
    else:
        smtp = smtplib.SMTP(local_hostname=_OWN_NAME, timeout=within_s)
    # The timeout applies to each response separately, so the timer ends a slow exchange as a whole.
    timer = Timer(within_s, lambda: _break_off(smtp))
    timer.name = "fencewright-outbound-mail"
    timer.start()
    try:
        # smtplib verifies the certificate's name against this.
        smtp._host = server.host  # type: ignore[attr-defined]
        code, reply = smtp.connect(server.host, server.port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, reply)
        yield smtp
        with suppress(smtplib.SMTPException, OSError):
            smtp.quit()
    finally:
        timer.cancel()
        smtp.close()


def _break_off(smtp: smtplib.SMTP) -> None:
    connection = smtp.sock
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(2)


def _answered(address: str, code: int, text: bytes | str, server: MailServer) -> Exception:
    reply = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    for secret in (server.password,):
        reply = reply.replace(secret, "…") if secret else reply
    line = " ".join("".join(char if char.isprintable() else " " for char in reply).split())[:_SHOWN]
    message = f"The mail server {address} answered {code} {line}".rstrip(". ") + "."
    return MailDelayed(message) if 400 <= code < 500 else MailRefused(message)
