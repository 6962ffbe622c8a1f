"""Tests of the outcomes of a page in Chromium."""

from pathlib import Path

from tests.clients.chromium import browse, needs_chromium
from tests.clients.shop import Shop, shop

__all__ = ["shop"]

pytestmark = needs_chromium

PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title><body style="background: #123456">
<script type="module">
const place = () => new Promise((good, bad) => navigator.geolocation.getCurrentPosition(
  ({coords}) => good([coords.latitude, coords.longitude, coords.accuracy]), bad));
const first = await place();
await moveTo({latitude: 61, longitude: 25, accuracy: 7});
const gl = document.createElement("canvas").getContext("webgl2");
await fetch("/missing").catch(() => {});
await fetch("http://example.com/").catch(() => {});
setTimeout(() => { throw new Error("nobody catches this"); });
await new Promise(resolve => setTimeout(resolve, 50));
console.log("by the way");
console.log("result:" + JSON.stringify({first, second: await place(), draws: gl !== null, word: "Ä – 東"}));
</script>
"""


def test_a_page_in_chromium(shop: str, tmp_path: Path) -> None:
    Shop.files = {"/": ("text/html", PAGE.encode())}
    picture = tmp_path / "page.png"
    seen = browse(f"{shop}/", geolocation={"latitude": 60.17, "longitude": 24.94, "accuracy": 12}, picture=picture)
    assert seen.result == {"first": [60.17, 24.94, 12], "second": [61, 25, 7], "draws": True, "word": "Ä – 東"}
    assert "by the way" in seen.console
    (error,) = seen.errors
    assert "nobody catches this" in error
    missing, foreign = seen.failed()
    assert (missing.status, missing.url) == (404, f"{shop}/missing")
    assert foreign.failure == "net::ERR_NAME_NOT_RESOLVED"
    assert picture.read_bytes().startswith(b"\x89PNG")
