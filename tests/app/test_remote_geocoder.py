"""The program with a remote geocoder: responses to clients while it works, and after it becomes unavailable."""

from pathlib import Path
from typing import Any

import httpx

from tests.app.commands import Commands, ServingHere
from tests.servers import answering, serving

CAFE: dict[str, Any] = {
    "features": [
        {
            "geometry": {"type": "Point", "coordinates": [13.3889, 52.517]},
            "properties": {
                "type": "house",
                "osm_key": "place",
                "housenumber": "7",
                "street": "Unter den Linden",
                "city": "Berlin",
                "postcode": "10117",
                "country": "Deutschland",
                "countrycode": "DE",
            },
        }
    ]
}


def found(server: ServingHere, path: str) -> httpx.Response:
    return httpx.get(f"{server.url}/v1/{path}", headers={"Authorization": server.key()}, trust_env=False, timeout=30)


def test_clients_get_the_answers_of_the_server(fencewright: Commands, tmp_path: Path) -> None:
    with (
        serving(answering(CAFE)) as photon,
        fencewright.serve(tmp_path / "w", "--geocoder", f"photon+{photon.url}") as served,
    ):
        (forward,) = found(served, "geocode/forward?query=unter den linden 7&lang=de").json()["addresses"]
        typed = found(served, "search/autocomplete?query=unter den li&near=52.5,13.4").json()["addresses"]
        reverse = found(served, "geocode/reverse?coordinates=52.517,13.3889&layers=address").json()["addresses"]
        assert served.stop().code == 0
    assert forward["formattedAddress"] == "Unter den Linden 7, 10117 Berlin DE"
    assert (forward["confidence"], forward["timeZone"]["id"], forward["countryFlag"]) == (
        "exact",
        "Europe/Berlin",
        "🇩🇪",
    )
    assert [address["addressLabel"] for address in (*typed, *reverse)] == ["Unter den Linden 7"] * 2
    assert typed[0]["distance"] > 1_000
    assert reverse[0]["distance"] == 0
    assert [request.path for request in photon.requests] == ["/api", "/api", "/reverse"]


def test_a_server_that_goes_away(fencewright: Commands, tmp_path: Path) -> None:
    with (
        serving(answering(CAFE)) as photon,
        fencewright.serve(tmp_path / "w", "--geocoder", f"photon+{photon.url}") as served,
    ):
        assert found(served, "geocode/forward?query=unter den linden 7").status_code == 200
        photon.stop()
        lost = found(served, "geocode/forward?query=unter den linden 7&layers=address&country=AQ")
        ended = served.stop()
    assert lost.status_code == 503
    assert "The Photon server http://127.0.0.1" in lost.json()["meta"]["message"]
    assert ended.err.count("until it answers again") == 1
