"""Lists of records, limited to the maximum size of a response."""

import orjson
import pytest

from app.api.wire.common.portions import in_portion

RECORDS = [{"a": "x" * 92} for _ in range(10)]
"""Ten records of 100 bytes each."""


@pytest.mark.parametrize("has_more", [False, True])
@pytest.mark.parametrize(("most", "count"), [(1_000, 10), (999, 9), (100, 1), (10, 1)])
def test_as_many_as_have_room(most: int, count: int, has_more: bool) -> None:
    found, more = in_portion(RECORDS, has_more=has_more, most=most)
    assert orjson.loads(orjson.dumps(found)) == RECORDS[:count]
    assert more is (has_more or count < len(RECORDS))


def test_none() -> None:
    assert in_portion([], has_more=False) == ([], False)
