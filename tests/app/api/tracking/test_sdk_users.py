"""Details that SDKs send about users: tags, installed apps, and flags as numbers."""

from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused, fix


class TestUserTags:
    """The tags of a user."""

    def test_are_kept_until_others_are_sent(self, publishable: Api, secret: Api, name: str) -> None:
        def tags(**fields: Any) -> Any:
            user = publishable.post("/v1/track", json=fix(name, **fields)).json()["user"]
            assert secret.get(f"/v1/users/{user['_id']}").json()["user"].get("userTags") == user.get("userTags")
            return user.get("userTags")

        assert tags() is None
        assert tags(userTags=["vip", "beta", "vip"]) == ["vip", "beta"]
        assert tags() == tags(userTags=None) == ["vip", "beta"]
        assert tags(userTags=["gold"]) == ["gold"]
        assert tags(userTags=[]) is None

    @pytest.mark.parametrize("value", ["vip, beta", '["vip", "beta"]', ["vip", "beta"]])
    def test_in_a_form(self, publishable: Api, name: str, value: Any) -> None:
        form = {key: str(number) for key, number in fix(name).items()} | {"userTags": value}
        answer = publishable.post("/v1/track", data=form)
        assert answer.json()["user"]["userTags"] == ["vip", "beta"]

    def test_of_an_anonymous_device_are_only_returned(self, publishable: Api, secret: Api) -> None:
        user = publishable.post("/v1/track", json=fix("anonymous", userTags=["vip"])).json()["user"]
        assert user["userTags"] == ["vip"]
        assert secret.get("/v1/users/anonymous").status_code == 404

    @pytest.mark.parametrize("wrong", [[""], [5], {"a": 1}, 5, ["x" * 257], [str(number) for number in range(101)]])
    def test_invalid_ones(self, publishable: Api, name: str, wrong: Any) -> None:
        meta = publishable.post("/v1/track", json=fix(name, userTags=wrong)).json()["meta"]
        assert (meta["code"], meta["param"].partition(".")[0]) == (400, "userTags"), meta


class TestFlags:
    """Booleans that SDKs send as numbers."""

    @pytest.mark.parametrize(("number", "truth"), [(1, True), (0, False), (True, True), (False, False)])
    def test_as_numbers(self, publishable: Api, name: str, number: int, truth: bool) -> None:
        body = fix(name, foreground=number, stopped=number, replayed=number, mocked=number, nearbyGeofences=number)
        answer = publishable.post("/v1/track", json=body).json()
        assert (answer["user"]["foreground"], answer["user"]["stopped"]) == (truth, truth)
        assert ("nearbyGeofences" in answer) is truth

    def test_an_anonymous_device(self, publishable: Api, secret: Api, name: str) -> None:
        assert publishable.post("/v1/track", json=fix(name, anonymous=1)).status_code == 200
        assert secret.get(f"/v1/users/{name}").status_code == 404
        event = publishable.post("/v1/events", json={"name": "sale", "deviceId": name, "anonymous": 1}).json()["event"]
        assert secret.get(f"/v1/events/{event['_id']}").status_code == 404

    @pytest.mark.parametrize("wrong", [2, -1, 0.5, "1", "true", [1]])
    def test_other_values_are_refused(self, publishable: Api, name: str, wrong: Any) -> None:
        assert_refused(publishable.post("/v1/track", json=fix(name, stopped=wrong)), "stopped")

    def test_zero_is_no_verified_location(self, publishable: Api, name: str) -> None:
        assert publishable.post("/v1/track", json=fix(name, verified=0, encrypted=False)).status_code == 200
        assert_refused(publishable.post("/v1/track", json=fix(name, verified=1)), "verified")


class TestConversions:
    """Conversions as the reference and SDKs send them."""

    def test_revenue_and_duration(self, publishable: Api, secret: Api, name: str) -> None:
        body = {"name": "purchase", "deviceId": name, "revenue": 12.34, "duration": 1.5, "metadata": {"revenue": 5}}
        event = publishable.post("/v1/events", json=body).json()["event"]
        assert (event["revenue"], event["duration"], event["metadata"]) == (12.34, 1.5, {"revenue": 5})
        assert secret.get(f"/v1/events/{event['_id']}").json()["event"] == event
        plain = publishable.post("/v1/events", json={"name": "purchase", "deviceId": name}).json()["event"]
        assert not {"revenue", "duration"} & plain.keys()
        form = {"name": "purchase", "deviceId": name, "revenue": "0", "duration": "0"}
        event = publishable.post("/v1/events", data=form).json()["event"]
        assert (event["revenue"], event["duration"]) == (0, 0)

    @pytest.mark.parametrize(
        ("wrong", "param"),
        [
            ({"revenue": "12"}, "revenue"),
            ({"revenue": True}, "revenue"),
            ({"revenue": 10**400}, "revenue"),
            ({"duration": -1}, "duration"),
            ({"duration": 1e12}, "duration"),
            ({"duration": "soon"}, "duration"),
        ],
    )
    def test_invalid_ones(self, publishable: Api, name: str, wrong: dict[str, Any], param: str) -> None:
        assert_refused(publishable.post("/v1/events", json={"name": "a", "deviceId": name} | wrong), param)

    def test_of_an_installed_app_alone(self, publishable: Api, secret: Api, live: Api, name: str) -> None:
        install = f"install-{name}"
        body = {"name": "opened_app", "installId": install}
        unknown = publishable.post("/v1/events", json=body).json()["event"]
        assert unknown["user"] == {"installId": install, "metadata": {}}
        user = publishable.post("/v1/track", json=fix(name, installId=install, userId=f"u-{name}")).json()["user"]
        assert user["installId"] == install
        event = publishable.post("/v1/events", json=body).json()["event"]
        assert (event["user"]["_id"], event["user"]["userId"]) == (user["_id"], f"u-{name}")
        assert event["user"]["installId"] == install
        assert event["location"] == user["location"]
        assert live.post("/v1/events", json=body).json()["event"]["user"] == unknown["user"]

        publishable.post("/v1/track", json=fix(name, installId=f"{install}-2", userId=f"u-{name}"))
        assert publishable.post("/v1/events", json=body).json()["event"]["user"] == unknown["user"], "installed anew"
        again = publishable.post("/v1/events", json=body | {"installId": f"{install}-2"}).json()["event"]
        assert again["user"]["_id"] == user["_id"]

    def test_the_last_user_of_an_app_counts(self, publishable: Api, name: str) -> None:
        for user in ("ada", "bob"):
            publishable.post("/v1/track", json=fix(name, installId=name, userId=f"{user}-{name}"))
        event = publishable.post("/v1/events", json={"name": "sale", "installId": name}).json()["event"]
        assert event["user"]["userId"] == f"bob-{name}"

    def test_a_conversion_without_any_identifier(self, publishable: Api) -> None:
        for nothing in ({}, {"installId": None}, {"installId": ""}):
            assert_refused(publishable.post("/v1/events", json={"name": "a"} | nothing), "deviceId", "installId")
