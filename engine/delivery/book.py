"""The webhooks in memory. Changed in the writer's thread, read from any."""

from collections.abc import Mapping, Sequence

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.webhooks import Webhook


class WebhookBook:
    """Every webhook, and every token that this process has seen."""

    def __init__(self, webhooks: Mapping[Environment, Sequence[Webhook]]) -> None:
        self._webhooks = {environment: tuple(webhooks[environment]) for environment in Environment}
        self._collecting = {environment: self._enabled(environment) for environment in Environment}
        self._tokens = {webhook.token for webhook in self.all()}

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
        """Every token since the workspace was opened: what was said before is to stay secret as well."""
        return frozenset(self._tokens)

    def put(self, webhook: Webhook) -> None:
        """Note a webhook as it is now."""
        self._tokens = self._tokens | {webhook.token}
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
