"""The schema checker of all tests, compared with jsonschema."""

import pytest
from jsonschema import ValidationError

from tests.app.api.conftest import Api, circle, fix
from tests.app.api.schemas import Node, Schemas
from tests.odd_json import ODD, changed, ways_in


def is_fit(schemas: Schemas, schema: Node, value: object) -> bool:
    """Return the result of jsonschema alone."""
    try:
        schemas.explain(schema, value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "path",
    ["/v1/geofences", "/v1/events", "/v1/users", "/v1/search/geofences?near=40.78382,-73.97536", "/v1/settings"],
)
def test_every_part_of_an_answer_is_judged_alike(secret: Api, path: str) -> None:
    ring = [[-73.98, 40.78], [-73.97, 40.78], [-73.97, 40.79], [-73.98, 40.78]]
    zone = {"type": "polygon", "coordinates": [ring], "metadata": {"floor": 3, "open": True, "city": "New York"}}
    secret.put("/v1/geofences/schemas/1", json=circle("schemas"))
    secret.put("/v1/geofences/schemas/2", json=circle("schemas", "2") | zone)
    secret.post("/v1/track", json=fix("schemas"))
    contract = secret.contract
    operation = contract.operation("GET", path.partition("?")[0])
    assert operation is not None
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    answer = secret.get(path).json()
    verdicts = {True: 0, False: 0}
    for way in ways_in(answer):
        for value in ODD:
            odd = changed(answer, way, value)
            verdict = is_fit(contract.schemas, schema, odd)
            assert contract.schemas.fits(schema, odd) is verdict, (way, value)
            verdicts[verdict] += 1
    assert min(verdicts.values()) > 5


def test_a_mismatch_is_reported(secret: Api) -> None:
    contract = secret.contract
    operation = contract.operation("GET", "/v1/geofences")
    assert operation is not None
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    answer = secret.get("/v1/geofences").json()
    with pytest.raises(ValidationError, match="200 was expected"):
        contract.schemas.validate(schema, answer | {"meta": {"code": "200"}})
