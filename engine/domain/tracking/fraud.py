"""Fraud: suspicious findings about a user's locations."""

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class FraudCheck(StrEnum):
    """The checks, in the words of the specification."""

    MOCKED = "mocked"
    JUMPED = "jumped"
    COMPROMISED = "compromised"
    INACCURATE = "inaccurate"
    PROXY = "proxy"
    SHARING = "sharing"


class Fraud(Struct, frozen=True):
    """Results of the checks at the last update, and when each last failed (by the fix's time).

    `last` has only the checks that have ever failed. `blocked` and `bypassed` come from the settings.
    """

    failed: frozenset[FraudCheck] = frozenset()
    last: tuple[tuple[FraudCheck, datetime], ...] = ()
    blocked: bool = False
    bypassed: bool = False

    @property
    def passed(self) -> bool:
        """Whether the user can be trusted: not blocked, and either bypassed or without a failed check."""
        return not self.blocked and (self.bypassed or not self.failed)


NO_FRAUD = Fraud()
