"""GET /v1/addresses/validate: validation of postal addresses in the US and Canada."""

from app.api.http.rates import Rate
from app.api.v1.operations import Call, Routes
from app.api.wire.addresses.postal_address import ValidateAddressAnswer, ValidateAddressQuery, encode_validated
from app.api.wire.common.encoding import Encoded, encode_answer
from engine.domain.addresses.validation import AddressQuery
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter

routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/v1/addresses/validate",
    name="validateAddress",
    summary="Validate a US or Canadian postal address",
    answer=ValidateAddressAnswer,
    rate=Rate(100),
)
async def validate(call: Call[ValidateAddressQuery, None]) -> Encoded:
    """Check an address."""
    query = query_of(call.query)
    found = await call.services.lookups.run(lambda: call.services.engine.geocoding.validate_address(query))
    return encode_answer(encode_validated(found))


def query_of(query: ValidateAddressQuery) -> AddressQuery:
    """Return the engine's query; raises `InvalidParameter` without either a label or a number and street."""
    if query.address_label is None:
        for name, value in (("number", query.number), ("street", query.street)):
            if value is None:
                raise InvalidParameter(name, f"{name}: is required without addressLabel.")
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
