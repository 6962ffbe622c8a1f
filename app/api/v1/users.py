"""GET /v1/users: the users of an environment."""

from app.api.answers import UserListAnswer
from app.api.encoding import Encoded, encode_answer, encode_user
from app.api.operations import Call, Operation, Resource
from app.api.requests import UserListQuery
from engine.domain.environment import KeyLevel
from engine.domain.queries import DEFAULT_LIMIT, UserQuery


async def list_users(call: Call[UserListQuery, None]) -> Encoded:
    """List users, newest update first."""
    query = UserQuery(
        limit=call.query.limit or DEFAULT_LIMIT,
        user_id=call.query.user_id,
        device_id=call.query.device_id,
        updated_before=call.query.updated_before,
        updated_after=call.query.updated_after,
    )
    page = await call.services.run(call.services.engine.users, call.environment, query)
    return encode_answer({"users": [encode_user(user) for user in page.items]}, has_more=page.has_more)


RESOURCES = (
    Resource(
        "/v1/users",
        {
            "GET": Operation(
                name="listUsers",
                summary="List users, newest update first",
                level=KeyLevel.SECRET,
                handler=list_users,
                query=UserListQuery,
                answer=UserListAnswer,
            )
        },
    ),
)
