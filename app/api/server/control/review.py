"""Private routes for commands that look over geofences as a whole."""

import asyncio
import logging
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.api.change_sets import apply_change_set, plan_promotion
from app.api.checks import run_checks
from app.api.http.limits import MAX_BODY, MAX_IMPORT, read_body, refuse_announced
from app.api.http.responses import JSON_TYPE
from app.api.http.services import Services
from app.api.server.control.progress import CANCELLED, ProgressLines, ProgressResponse, WorkInProgress, stopped_line
from app.api.wire.common.decoding import decode_body, decode_query
from app.api.wire.common.encoding import Encoded, on_the_wire
from app.api.wire.review.change_sets import ApplyQuery, PromotionBody
from app.api.wire.review.checks import CheckBody
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.ports import Cancelled, Progress, Stopped

logger = logging.getLogger(__name__)


class ReviewControl:
    """Routes of checks and promotion; `check` refuses requests without the token."""

    def __init__(self, services: Services, check: Callable[[Request], None], works: WorkInProgress) -> None:
        self._services = services
        self._check = check
        self._works = works

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/_workspace/check", self.checks, methods=["POST"]),
            Route("/_workspace/promotion/plan", self.plan, methods=["POST"]),
            Route("/_workspace/promotion/apply", self.apply, methods=["POST"]),
        ]

    async def checks(self, request: Request) -> Response:
        """Check geofences, answering a line of JSON for each bit of progress and one for the report or the error."""
        self._check(request)
        body = decode_body(CheckBody, await read_body(request, MAX_BODY), JSON_TYPE)
        engine, environment, query = self._services.engine, Environment(body.environment), body.query()
        return self._followed(request, lambda progress: run_checks(engine, environment, query, progress))

    async def plan(self, request: Request) -> Response:
        """Answer what a promotion would change, as lines like a check."""
        self._check(request)
        body = decode_body(PromotionBody, await read_body(request, MAX_BODY), JSON_TYPE)
        engine, query = self._services.engine, body.query()
        return self._followed(request, lambda _: plan_promotion(engine, query))

    async def apply(self, request: Request) -> Response:
        """Apply a change set, answering as a check does."""
        self._check(request)
        query = decode_query(ApplyQuery, request.scope["query_string"])
        refuse_announced(request, MAX_IMPORT)
        content, engine = await read_body(request, MAX_IMPORT), self._services.engine
        return self._followed(
            request, lambda progress: apply_change_set(engine, content, progress, dry_run=query.dry_run)
        )

    def _followed(self, request: Request, work: Callable[[Progress], Encoded]) -> ProgressResponse:
        """Return the answer to long work, which is cancelled when nobody waits for it any more."""
        lines = self._works.begin(request)
        asyncio.get_running_loop().run_in_executor(None, _tell, work, lines)
        return ProgressResponse(lines)


def _tell(work: Callable[[Progress], Encoded], lines: ProgressLines) -> None:
    try:
        lines.tell({"report": work(lines.progress)})
    except Stopped:
        lines.tell(stopped_line())
    except FencewrightError as error:
        error = on_the_wire(error)
        lines.tell({"error": {"param": getattr(error, "param", ""), "message": error.message}})
    except Cancelled:
        lines.tell(CANCELLED)
    except Exception:
        logger.exception("A request of a command failed")
        message = "Something went wrong inside Fencewright; its log has the details. Nothing was changed."
        lines.tell({"error": {"message": message}})
    finally:
        lines.tell(None)
