"""The effect of a change on a webhook, as pure functions."""

from collections.abc import Callable, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Final

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, required
from engine.domain.ip import literal_address
from engine.domain.text import check_identifier
from engine.domain.values import replace
from engine.domain.webhooks.webhook import KNOWN_TYPES, DeliveryMode, Webhook, WebhookChange
from engine.domain.words import closest
from engine.outbound.special_purpose import is_public
from engine.outbound.urls import ServerUrl

MAX_WEBHOOKS: Final = 50
MAX_URL: Final = 2_000
MAX_FILTERS: Final = 100
MIN_TOKEN: Final = 12
MAX_TOKEN: Final = 256
_OWN: Final = "user."


def created(change: WebhookChange, environment: Environment, make_id: Callable[[], str], now: datetime) -> Webhook:
    """Return the new webhook that a change describes, with a generated token if none is given.

    Raises `InvalidParameter` naming the first field that is missing or cannot be accepted.
    """
    url = check_url(required(change.url, "url"), environment)
    draft = Webhook(
        make_id(), environment, url, token_hex(20), DeliveryMode.SINGLE, (), (), enabled=True, paused=False,
        created_at=now, updated_at=now,
    )  # fmt: skip
    return changed(draft, change, now)


def changed(webhook: Webhook, change: WebhookChange, now: datetime) -> Webhook:
    """Return the webhook with the change's fields set and all others kept.

    Raises `InvalidParameter` naming the first field that cannot be accepted.
    """
    return replace(
        webhook,
        url=webhook.url if change.url is UNSET else check_url(change.url, webhook.environment),
        token=webhook.token if change.token is UNSET else check_token(change.token),
        mode=webhook.mode if change.mode is UNSET else change.mode,
        event_types=webhook.event_types if change.event_types is UNSET else _types(change.event_types),
        tags=webhook.tags if change.tags is UNSET else _filters(change.tags, "tags"),
        enabled=webhook.enabled if change.enabled is UNSET else change.enabled,
        paused=webhook.paused if change.paused is UNSET else change.paused,
        updated_at=now,
    )


def check_url(url: str, environment: Environment) -> str:
    """Return the URL of a receiver after checking it.

    A receiver of Live must be on the public internet. Its host name is resolved when it is called.
    """
    if len(url) > MAX_URL:
        raise InvalidParameter("url", f"url: at most {MAX_URL:,} characters are allowed, not {len(url):,}.")
    try:
        host = ServerUrl.parse(url).host
        address = literal_address(host)
        if address is None:
            # Digits of other scripts can form an address after conversion.
            host = host.encode("idna").decode()
            address = literal_address(host)
    except ValueError:
        raise InvalidParameter(
            "url", "url: must be an http or https URL such as http://localhost:8080/webhooks."
        ) from None
    is_private = host.rstrip(".") == "localhost" if address is None else not is_public(address)
    if environment is Environment.LIVE and is_private:
        raise InvalidParameter("url", "url: is at a private address, which only Test webhooks can use.")
    return url.partition("#")[0]


def check_token(token: str) -> str:
    """Return the secret for signatures after checking it."""
    if not MIN_TOKEN <= len(token) <= MAX_TOKEN:
        raise InvalidParameter("token", f"token: must have {MIN_TOKEN} to {MAX_TOKEN} characters, not {len(token)}.")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InvalidParameter("token", "token: must contain only printable ASCII characters, without spaces.")
    return token


def _types(types: Sequence[str]) -> tuple[str, ...]:
    found = _filters(types, "event_types")
    for kind in found:
        if kind.startswith(_OWN) and kind not in KNOWN_TYPES:
            if (suggested := closest(kind, sorted(KNOWN_TYPES))) is not None:
                raise InvalidParameter(
                    "event_types", f"event_types: there is no event type {kind!r}; did you mean {suggested}?"
                )
            raise InvalidParameter("event_types", f"event_types: there is no event type {kind[:60]!r}.")
    return found


def _filters(values: Sequence[str], param: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(check_identifier(value, param) for value in values))
    if len(found) > MAX_FILTERS:
        raise InvalidParameter(param, f"{param}: at most {MAX_FILTERS} are allowed, not {len(found)}.")
    return found
