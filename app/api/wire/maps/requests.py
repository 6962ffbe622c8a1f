"""Parameters of the query of a map's parts."""

from pydantic import Field

from app.api.wire.common.requests import RequestModel


class MapQuery(RequestModel):
    """The key, for what can send no headers."""

    publishable_key: str | None = Field(None, description="A publishable key, if no header has one.")


class StyleQuery(MapQuery):
    """How to show the map."""

    language: str | None = Field(None, description="Has no effect; names are in the local languages.")
