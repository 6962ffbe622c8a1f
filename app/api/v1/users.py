"""The users of an environment: list, read and delete them."""

from functools import partial

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.portions import encode_page
from app.api.wire.user import UserAnswer, UserListAnswer, UserListQuery, encode_user
from engine.domain.environment import KeyLevel
from engine.domain.queries import DEFAULT_LIMIT, UserQuery
from engine.domain.tracking.updates import User

routes = Routes(KeyLevel.SECRET)


@routes("GET", "/v1/users", name="listUsers", summary="List users, newest update first", answer=UserListAnswer)
async def list_users(call: Call[UserListQuery, None]) -> Encoded:
    """List users, newest update first."""
    users = partial(call.services.engine.users.page, call.environment, query_of(call.query))
    return await call.services.run(lambda: encode_page("users", encode_user, users()))


@routes("GET", "/v1/users/{id}", name="readUser", summary="Get a user by _id, userId or deviceId", answer=UserAnswer)
async def read(call: Call[None, None]) -> Encoded:
    """Read a user by ``_id``, else by user ID, else by device ID (the latest one)."""
    return _answer(await call.services.run(call.services.engine.users.get, call.environment, call.path["id"]))


@routes(
    "DELETE", "/v1/users/{id}", name="deleteUser", summary="Delete a user by _id, userId or deviceId", answer=UserAnswer
)
async def delete(call: Call[None, None]) -> Encoded:
    """Delete a user, identified in the same way, and return it; its events are kept."""
    return _answer(await call.services.run(call.services.engine.users.delete, call.environment, call.path["id"]))


def _answer(user: User) -> Encoded:
    return encode_answer({"user": encode_user(user)})


def query_of(query: UserListQuery) -> UserQuery:
    """Return the engine's query."""
    return UserQuery(
        limit=query.limit or DEFAULT_LIMIT,
        user_id=query.user_id,
        device_id=query.device_id,
        updated_before=query.updated_before,
        updated_after=query.updated_after,
    )
