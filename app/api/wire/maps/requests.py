"""Query parameters of map resources."""

from pydantic import Field

from app.api.wire.common.requests import RequestModel


class MapQuery(RequestModel):
    """The key, for clients that cannot send headers."""

    publishable_key: str | None = Field(None, description="A publishable key, if no header has one.")


class StyleQuery(MapQuery):
    """Options of a style."""

    language: str | None = Field(None, description="Has no effect; names are in the local languages.")
