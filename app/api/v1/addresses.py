"""GET /v1/addresses/validate: whether a postal address of the US or Canada is one."""

from app.api.address_answers import ValidateAddressAnswer
from app.api.address_encoding import encode_validated
from app.api.address_requests import ValidateAddressQuery
from app.api.encoding import Encoded, encode_answer
from app.api.endpoint_limits import Rate
from app.api.operations import Call, Operation, Resource
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.validation import AddressQuery


async def validate(call: Call[ValidateAddressQuery, None]) -> Encoded:
    """Check an address."""
    query = query_of(call.query)
    found = await call.services.lookups.run(lambda: call.services.engine.validate_address(query))
    return encode_answer(encode_validated(found))


def query_of(query: ValidateAddressQuery) -> AddressQuery:
    """Return the engine's query; raises `InvalidParameter` where neither number and street nor a label are given."""
    if query.address_label is None:
        for name, value in (("number", query.number), ("street", query.street)):
            if value is None:
                raise InvalidParameter(name, f"{name}: is required where there is no addressLabel.")
    return AddressQuery(
        city=query.city,
        state_code=query.state_code,
        postal_code=query.postal_code,
        country_code=query.country_code,
        number=query.number,
        street=query.street,
        unit=query.unit,
        label=query.address_label,
    )


RESOURCES = (
    Resource(
        "/v1/addresses/validate",
        {
            "GET": Operation(
                name="validateAddress",
                summary="Check a postal address of the US or Canada",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(100),
                handler=validate,
                query=ValidateAddressQuery,
                answer=ValidateAddressAnswer,
            )
        },
    ),
)
