"""The base of all requests, and field types that several of them share."""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.api.wire.common.fields import METADATA_FILTER, MetadataFilter, Moment, Text, read_near, unset_when_null
from engine.domain.queries import DEFAULT_LIMIT, MAX_LIMIT

type _Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
type _Radius = Annotated[float, Field(gt=0)]
type Limit = Annotated[_Limit | None, BeforeValidator(unset_when_null, json_schema_input_type=_Limit)]
type _FewLimit = Annotated[int, Field(ge=1, le=100)]
type FewLimit = Annotated[_FewLimit | None, BeforeValidator(unset_when_null, json_schema_input_type=_FewLimit)]
type Radius = Annotated[_Radius | None, BeforeValidator(unset_when_null, json_schema_input_type=_Radius)]
type LatitudeLongitude = Annotated[tuple[float, float], BeforeValidator(read_near, json_schema_input_type=str)]
type Switch = Annotated[bool | None, BeforeValidator(unset_when_null, json_schema_input_type=bool)]


class RequestModel(BaseModel):
    """Base of all requests: unknown keys are ignored, null is the same as absent, numbers are finite."""

    repeated: ClassVar[frozenset[str]] = frozenset()
    """Parameters that a query may repeat; they are lists of text."""

    # Each is built on the first request of its kind: building all of them takes a tenth of a second, which would delay
    # a window.
    model_config = ConfigDict(
        extra="ignore", allow_inf_nan=False, alias_generator=to_camel, validate_by_name=False, defer_build=True
    )


class StrictModel(RequestModel):
    """Base of requests that allow no unknown keys, so that a misspelled name does not pass for a change."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _keep_one_unknown(cls, data: Any) -> Any:
        """Drop all unknown keys except the first, since one is enough to refuse the request."""
        if not isinstance(data, dict) or len(data) <= len(cls.model_fields):
            return data
        known = {field.alias for field in cls.model_fields.values()}
        unknown = [key for key in data if key not in known]
        return {key: value for key, value in data.items() if key in known or key == unknown[0]}


class RecordListQuery(RequestModel):
    """Query of records with a tag and an external ID, newest update first."""

    limit: Limit = DEFAULT_LIMIT
    tag: Text | None = None
    external_id: Text | None = None
    created_before: Moment | None = None
    created_after: Moment | None = None
    updated_before: Moment | None = None
    updated_after: Moment | None = None
    metadata: MetadataFilter | None = Field(None, description=METADATA_FILTER)
