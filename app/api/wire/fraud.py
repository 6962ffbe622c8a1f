"""Results of the fraud checks of a user."""

from collections.abc import Mapping
from typing import Final, Literal, NotRequired

from app.api.wire.common.answers import Record, Time
from app.api.wire.common.encoding import encode_time
from engine.domain.tracking.fraud import Fraud, FraudCheck


class FraudAnswer(Record):
    """Results of the fraud checks; a date is left out until its check has failed."""

    verified: Literal[False]
    passed: bool
    bypassed: bool
    blocked: bool
    mocked: bool
    jumped: bool
    compromised: bool
    inaccurate: bool
    proxy: bool
    sharing: bool
    lastMockedAt: NotRequired[Time]
    lastJumpedAt: NotRequired[Time]
    lastCompromisedAt: NotRequired[Time]
    lastInaccurateAt: NotRequired[Time]
    lastProxyAt: NotRequired[Time]
    lastSharingAt: NotRequired[Time]


type _LastAt = Literal[
    "lastMockedAt", "lastJumpedAt", "lastCompromisedAt", "lastInaccurateAt", "lastProxyAt", "lastSharingAt"
]

_LAST_AT: Final[Mapping[FraudCheck, _LastAt]] = {
    FraudCheck.MOCKED: "lastMockedAt",
    FraudCheck.JUMPED: "lastJumpedAt",
    FraudCheck.COMPROMISED: "lastCompromisedAt",
    FraudCheck.INACCURATE: "lastInaccurateAt",
    FraudCheck.PROXY: "lastProxyAt",
    FraudCheck.SHARING: "lastSharingAt",
}


def encode_fraud(fraud: Fraud) -> FraudAnswer:
    """Return the results of the checks; a date is present once its check has failed; nothing is ``verified``."""
    failed = fraud.failed
    encoded: FraudAnswer = {
        "verified": False,
        "passed": fraud.passed,
        "bypassed": fraud.bypassed,
        "blocked": fraud.blocked,
        "mocked": FraudCheck.MOCKED in failed,
        "jumped": FraudCheck.JUMPED in failed,
        "compromised": FraudCheck.COMPROMISED in failed,
        "inaccurate": FraudCheck.INACCURATE in failed,
        "proxy": FraudCheck.PROXY in failed,
        "sharing": FraudCheck.SHARING in failed,
    }
    for check, at in fraud.last:
        encoded[_LAST_AT[check]] = encode_time(at)
    return encoded
