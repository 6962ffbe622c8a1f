"""Checks of geofences, and fixes, as they are told to commands."""

from app.api.wire.common.encoding import Encoded
from app.api.wire.review.checks import CheckQuery, encode_check_report, encode_fix_report
from engine.domain.environment import Environment
from engine.domain.ports import Progress, no_progress
from engine.engine import Engine


def run_checks(
    engine: Engine, environment: Environment, query: CheckQuery, progress: Progress = no_progress
) -> Encoded:
    """Check the geofences of an environment, fix them where that is asked for, and return the encoded report."""
    if query.fix:
        return encode_fix_report(environment, query, engine.checks.fix(environment, query.options, progress))
    return encode_check_report(environment, query, engine.checks.run(environment, query.options, progress))
