"""GET and DELETE /v1/requests: the latest requests, without those of Live; live keys are refused."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

from app.api.http.errors import Forbidden
from app.api.v1.operations import Call, Routes
from app.api.v1.request_log.reader import Value, may_be_for
from app.api.wire.common.decoding import validate
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.fields import Moment
from app.api.wire.common.portions import in_portion
from app.api.wire.common.requests import RequestModel
from app.api.wire.request import (
    LoggedRequestRecord,
    RequestAnswer,
    RequestListAnswer,
    RequestListQuery,
    RequestsClearedAnswer,
    encode_request,
)
from app.exchanges import Exchange, Requests, RequestSummary
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import NotFound
from engine.domain.queries import DEFAULT_LIMIT

routes = Routes(KeyLevel.SECRET, rehearsed=False)


class _SinceTime(RequestModel):
    """A time, parsed like any other in a query."""

    since: Moment


@routes(
    "GET", "/v1/requests", name="listRequests", summary="List logged requests, newest first", answer=RequestListAnswer
)
async def list_requests(call: Call[RequestListQuery, None]) -> Encoded:
    """List requests, newest first."""
    _refuse_live(call.environment)
    return await call.services.heavy.run(partial(_page, call.services.requests, call.query))


@routes("DELETE", "/v1/requests", name="clearRequests", summary="Clear the request log", answer=RequestsClearedAnswer)
async def clear(call: Call[None, None]) -> Encoded:
    """Delete the requests of Test and requests without a key."""
    _refuse_live(call.environment)
    return encode_answer({"cleared": call.services.requests.clear(live=False)})


@routes("GET", "/v1/requests/{number}", name="readRequest", summary="Get a logged request", answer=RequestAnswer)
async def read(call: Call[None, None]) -> Encoded:
    """Read a request by its number."""
    _refuse_live(call.environment)
    number, requests = call.path["number"], call.services.requests
    found = next((each for each in _of_test(requests) if str(each.number) == number), None)
    if found is None:
        raise NotFound("number", f"number: the log has no request {number}; it keeps only the latest.")
    return encode_answer({"request": encode_request(requests.read(found))})


def _refuse_live(environment: Environment) -> None:
    if environment is not Environment.TEST:
        raise Forbidden("The request log is available in Test only: use the Test secret key.")


def _of_test(requests: Requests) -> Iterator[Exchange]:
    return (each for each in requests.snapshot() if not each.live)


def _page(requests: Requests, query: RequestListQuery) -> Encoded:
    """Return the response to a list request.

    Records are created only for the listed requests, one at a time.
    """
    kept = list(_of_test(requests))
    if query.order != "asc":
        kept.reverse()
    wanted = Wanted(query)
    found = (each for each in kept if wanted.may_match(each) and wanted.matches(requests, each))
    limit, more = query.limit or DEFAULT_LIMIT, False
    listed: list[Exchange] = []
    for each in found:
        if len(listed) == limit:
            more = True
            break
        listed.append(each)
    records, has_more = in_portion(_records(requests, listed), has_more=more)
    return encode_answer({"requests": records}, has_more=has_more)


def _records(requests: Requests, listed: Iterable[Exchange]) -> Iterator[LoggedRequestRecord]:
    return (encode_request(requests.read(each)) for each in listed)


class Wanted:
    """The filter of a request list."""

    def __init__(self, query: RequestListQuery) -> None:
        """Store the query; raises `InvalidParameter` ``since`` if its `since` is neither a number nor a time."""
        self._query = query
        self._number, self._time = _since(query.since)
        self._values = [Value(each) for each in (query.device_id, query.user_id) if each is not None]
        self._reads = any(
            each is not None for each in (query.method, query.path, query.device_id, query.user_id, query.near_misses)
        )

    def may_match(self, exchange: Exchange) -> bool:
        """Return whether a request may match, without parsing it, which would take half a millisecond."""
        query, status, wanted = self._query, str(exchange.status), self._query.status
        return (
            exchange.number > self._number
            and (self._time is None or exchange.at > self._time)
            and (not wanted or status in wanted or f"{status[0]}xx" in wanted)
            and may_be_for(exchange, query.method, query.path)
            and all(value.may_be_in(exchange) for value in self._values)
        )

    def matches(self, requests: Requests, exchange: Exchange) -> bool:
        """Return whether the parts of a request that require parsing match."""
        return not self._reads or self._is_wanted(requests.summary(exchange))

    def _is_wanted(self, summary: RequestSummary) -> bool:
        query = self._query
        return (
            (query.method is None or summary.method.upper() == query.method.upper())
            and (query.path is None or summary.path.removeprefix("/api").startswith(query.path.removeprefix("/api")))
            and query.device_id in (None, summary.device_id)
            and query.user_id in (None, summary.user_id)
            and query.near_misses in (None, bool(summary.near_misses))
        )


def _since(text: str | None) -> tuple[int, datetime | None]:
    if text is None:
        return 0, None
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text), None
    return 0, validate(_SinceTime, {"since": text}, strict=False).since
