"""The webhooks in memory. Changed in the writer's thread, read from any."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.webhooks.webhook import Webhook

_LEAST_SECRET: Final = 8
"""Shorter values in a URL are words, such as a version, which logs may show."""


class WebhookBook:
    """Every webhook, and every token that this process has seen."""

    def __init__(self, webhooks: Mapping[Environment, Sequence[Webhook]]) -> None:
        self._webhooks = {environment: tuple(webhooks[environment]) for environment in Environment}
        self._collecting = {environment: self._enabled(environment) for environment in Environment}
        self._tokens = frozenset(secret for webhook in self.all() for secret in _secrets(webhook))

    def of(self, environment: Environment) -> tuple[Webhook, ...]:
        """Return the webhooks of an environment, oldest first."""
        return self._webhooks[environment]

    def collecting(self, environment: Environment) -> tuple[Webhook, ...]:
        """Return those for which events are queued."""
        return self._collecting[environment]

    def all(self) -> tuple[Webhook, ...]:
        """Return the webhooks of both environments."""
        return tuple(webhook for environment in Environment for webhook in self._webhooks[environment])

    def get(self, environment: Environment, webhook_id: str) -> Webhook:
        """Return a webhook; raises `NotFound`."""
        for webhook in self._webhooks[environment]:
            if webhook.id == webhook_id:
                return webhook
        raise NotFound("id", f"No webhook has the _id {webhook_id!r}.")

    @property
    def tokens(self) -> frozenset[str]:
        """Every token since the workspace was opened, with the secrets in URLs: what was said before stays secret."""
        return self._tokens

    def put(self, webhook: Webhook) -> None:
        """Note a webhook as it is now."""
        self._tokens = self._tokens.union(_secrets(webhook))
        others = self._webhooks[webhook.environment]
        known = any(each.id == webhook.id for each in others)
        now = tuple(webhook if each.id == webhook.id else each for each in others)
        self._set(webhook.environment, now if known else (*others, webhook))

    def drop(self, webhook: Webhook) -> None:
        """Forget a webhook."""
        left = tuple(each for each in self._webhooks[webhook.environment] if each.id != webhook.id)
        self._set(webhook.environment, left)

    def _set(self, environment: Environment, webhooks: tuple[Webhook, ...]) -> None:
        self._webhooks[environment] = webhooks
        self._collecting[environment] = self._enabled(environment)

    def _enabled(self, environment: Environment) -> tuple[Webhook, ...]:
        return tuple(webhook for webhook in self._webhooks[environment] if webhook.enabled)


def _secrets(webhook: Webhook) -> Iterator[str]:
    """Yield the token, and what receivers have in their URLs to know who calls: a password, and values of the query."""
    yield webhook.token
    parts = urlsplit(webhook.url)
    values = [value for _, value in parse_qsl(parts.query)]
    for value in (parts.password or "", *values):
        if len(value) >= _LEAST_SECRET:
            yield value
