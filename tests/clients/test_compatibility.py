"""The tables of clients in docs/sdks.md name the installed versions, and the clients that are not run here."""

import pytest

from app.api.v1.request_log.sdk_fields import Sdk
from tests.app.api.request_log.sdk_requests import REQUESTS
from tests.clients.compatibility import CLIENTS, PAGE, WITH_CALLS, Client, Table, check_client

NATIVE = {
    Client.IOS: (Sdk.IOS,),
    Client.ANDROID: (Sdk.ANDROID,),
    Client.WRAPPERS: (Sdk.REACT_NATIVE, Sdk.FLUTTER, Sdk.CAPACITOR),
}


@pytest.mark.parametrize("table", [CLIENTS, WITH_CALLS], ids=lambda table: table.name)
def test_each_client_has_a_row_with_its_installed_version(table: Table) -> None:
    head, rule, *rows = table.lines(PAGE.read_text(encoding="utf-8"))
    assert [head, rule] == table.head()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [row[0] for row in cells] == [client.value for client in table.clients]
    assert all(len(row) == len(table.columns) + 1 and all(row) for row in cells)


@pytest.mark.parametrize("client", NATIVE, ids=lambda client: client.name)
def test_the_page_says_that_apps_are_not_run(client: Client) -> None:
    """Requests of the shape in their sources are sent by tests/app/api/request_log/test_sdk_requests.py."""
    sent = sum(len(REQUESTS[sdk]) for sdk in NATIVE[client])
    differences = "[what is not served](not-served.md#features)"
    check_client(client, "not run", f"{sent} requests, written from the source", differences)
