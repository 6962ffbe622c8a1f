"""The areas of a workspace: listing, choosing, rebuilding and removing them."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from engine.areas.folder import FORMAT, name_of
from engine.areas.library import AreaLibrary
from engine.areas.tools import BuildFailed
from engine.domain.area import Area
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled

pytestmark = pytest.mark.slow


@pytest.fixture
def bundled(tmp_path: Path, town_area: Area) -> Path:
    """A folder with the bundled area."""
    shutil.copytree(town_area.folder, tmp_path / "bundled" / "helsinki")
    return tmp_path / "bundled"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def changes() -> list[None]:
    return []


@pytest.fixture
def library(workspace: Path, bundled: Path, changes: list[None]) -> AreaLibrary:
    return AreaLibrary(workspace, bundled=bundled, changed=lambda: changes.append(None))


@pytest.fixture
def put(workspace: Path, town_area: Area) -> Callable[..., None]:
    """Return a function that puts areas into the workspace."""

    def copy(*names: str) -> None:
        for name in names:
            shutil.copytree(town_area.folder, workspace / "areas" / name)

    return copy


def names(areas: tuple[Area, ...]) -> list[str]:
    return [area.name for area in areas]


def test_without_any_there_is_none(workspace: Path, tmp_path: Path) -> None:
    library = AreaLibrary(workspace, bundled=tmp_path / "none")
    assert (library.list(), library.in_use()) == ((), ())
    assert not workspace.exists()


def test_the_one_that_came_along_is_used_until_there_is_another(library: AreaLibrary, put: Callable[..., None]) -> None:
    assert [(area.name, area.bundled) for area in library.in_use()] == [("helsinki", True)]
    put("b", "a")
    library.refresh()
    assert names(library.list()) == ["a", "b", "helsinki"]
    assert names(library.in_use()) == ["a", "b"]


def test_the_choice_is_remembered(
    library: AreaLibrary, put: Callable[..., None], workspace: Path, bundled: Path
) -> None:
    put("a", "b")
    assert names(library.use(["b", "helsinki", "b"])) == ["b", "helsinki"]
    assert orjson.loads((workspace / "areas.json").read_bytes()) == {"use": ["b", "helsinki"]}
    assert names(AreaLibrary(workspace, bundled=bundled).in_use()) == ["b", "helsinki"]
    assert names(library.use([])) == ["a", "b"]
    assert not (workspace / "areas.json").exists()


def test_an_unknown_area_is_reported_with_the_available_ones(library: AreaLibrary, put: Callable[..., None]) -> None:
    put("liechtenstein")
    with pytest.raises(NotFound, match="did you mean 'liechtenstein'") as refused:
        library.use(["helsinki", "lichtenstein"])
    assert refused.value.param == "area"
    with pytest.raises(NotFound, match="available areas: helsinki, liechtenstein"):
        library.remove("moon")
    assert names(library.in_use()) == ["liechtenstein"]


def test_some_may_be_used_without_remembering(library: AreaLibrary, put: Callable[..., None], workspace: Path) -> None:
    put("a", "b")
    library.limit_to(["b"])
    library.refresh()
    assert names(library.in_use()) == ["b"]
    assert not (workspace / "areas.json").exists()
    with pytest.raises(NotFound):
        library.limit_to(["c"])


def test_removing_forgets_the_choice_too(library: AreaLibrary, put: Callable[..., None], workspace: Path) -> None:
    put("a", "b", "c")
    library.use(["a", "b"])
    assert library.remove("a").name == "a"
    assert names(library.list()) == ["b", "c", "helsinki"]
    assert orjson.loads((workspace / "areas.json").read_bytes()) == {"use": ["b"]}
    library.remove("b")
    assert names(library.in_use()) == ["c"]
    assert [path.name for path in (workspace / "areas").iterdir() if path.name != ".lock"] == ["c"]


def test_a_bundled_area_cannot_be_removed(library: AreaLibrary, bundled: Path) -> None:
    with pytest.raises(InvalidParameter, match="is bundled and cannot be removed"):
        library.remove("helsinki")
    assert (bundled / "helsinki").is_dir()


def test_an_own_area_hides_one_of_the_same_name_that_came_along(library: AreaLibrary, put: Callable[..., None]) -> None:
    put("helsinki")
    assert [(area.name, area.bundled) for area in library.list()] == [("helsinki", False)]
    library.remove("helsinki")
    assert [(area.name, area.bundled) for area in library.list()] == [("helsinki", True)]


def test_the_listener_is_notified_of_changes_only(
    library: AreaLibrary, put: Callable[..., None], changes: list[None]
) -> None:
    library.list()
    library.refresh()
    assert changes == []
    put("a")
    library.refresh()
    assert len(changes) == 1
    library.use(["a"])
    assert len(changes) == 1, "it was in use before"
    library.use(["helsinki"])
    assert len(changes) == 2


def test_an_invalid_area_is_skipped(library: AreaLibrary, workspace: Path) -> None:
    for folder, content in (("a", ""), ("b", "[]"), ("c", '{"format": 1, "bounds": [1, 2]}')):
        (workspace / "areas" / folder).mkdir(parents=True)
        (workspace / "areas" / folder / "area.json").write_text(content)
    (workspace / "areas" / "file").write_text("")
    (workspace / "areas.json").write_text("[1]")
    assert names(library.list()) == ["helsinki"]


def test_a_file_nested_too_deeply_is_skipped(library: AreaLibrary, put: Callable[..., None], workspace: Path) -> None:
    put("a", "b")
    manifest, choice = workspace / "areas" / "b" / "area.json", workspace / "areas.json"
    library.use(["b"])
    for file in (manifest, choice):
        file.write_bytes(file.read_bytes().rstrip()[:-1] + b', "more": ' + b"[" * 200 + b"]" * 200 + b"}")
        assert orjson.loads(file.read_bytes()), "it would be read"
    library.refresh()
    assert names(library.list()) == ["a", "helsinki"]
    shutil.rmtree(workspace / "areas" / "b")
    put("b")
    library.refresh()
    assert names(library.in_use()) == ["a", "b"], "as if nothing had been chosen"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("liechtenstein-latest.osm.pbf", "liechtenstein"),
        ("Nürnberg Süd.osm.pbf", "Nürnberg-Süd"),
        ("us-vermont.pbf", "us-vermont"),
        ("town.osm", "town"),
        (".osm.pbf", "area"),
        ("-.-.pbf", "area"),
    ],
)
def test_an_area_is_called_as_its_file(file: str, name: str) -> None:
    assert name_of(Path(file)) == name


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "..", "x" * 65, "a b"])
def test_some_names_cannot_be(library: AreaLibrary, town_file: Path, name: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        library.build(town_file, name)
    assert refused.value.param == "name"


def test_building(library: AreaLibrary, town_file: Path, changes: list[None]) -> None:
    progress: list[tuple[int, int]] = []
    area = library.build(town_file, progress=lambda done, total: progress.append((done, total)))
    assert (area.name, area.source, area.bundled) == ("town", "town-latest.osm.pbf", False)
    assert area.covers(Point(14.352, 45.772))
    assert library.in_use() == (area,)
    assert changes
    assert progress == sorted(progress)
    assert {total for _, total in progress} == {100}
    with pytest.raises(Conflict) as refused:
        library.build(town_file)
    assert refused.value.param == "name"


def test_a_wrong_file_is_reported_before_anything_is_made(
    library: AreaLibrary, tmp_path: Path, workspace: Path
) -> None:
    with pytest.raises(InvalidParameter, match="no such file"):
        library.build(tmp_path / "none.osm.pbf")
    assert not workspace.exists()


class TestOldFormats:
    """Areas of an old format are rebuilt from their stored extract."""

    @pytest.fixture
    def old(self, put: Callable[..., None], workspace: Path) -> Path:
        put("old")
        manifest = workspace / "areas" / "old" / "area.json"
        manifest.write_bytes(orjson.dumps(orjson.loads(manifest.read_bytes()) | {"format": FORMAT - 1}))
        return manifest.parent

    def test_when_it_is_used_it_is_built_in_the_background(self, old: Path, workspace: Path, bundled: Path) -> None:
        done = threading.Event()
        library = AreaLibrary(workspace, bundled=bundled, changed=done.set)
        (found,) = (area for area in library.list() if area.name == "old")
        assert found.format == FORMAT - 1
        assert library.in_use() == ()
        assert done.wait(60)
        (area,) = library.in_use()
        assert (area.name, area.format, area.source) == ("old", FORMAT, "town-latest.osm.pbf")
        library.close()

    def test_a_requested_renewal_reports_its_progress(self, old: Path, library: AreaLibrary) -> None:
        assert [area.name for area in library.stale()] == ["old"]
        assert library.in_use() == (), "it has begun by itself"
        progress: list[tuple[int, int]] = []
        (area,) = library.renew(lambda done, total: progress.append((done, total)))
        assert (area.name, area.format) == ("old", FORMAT)
        assert library.stale() == ()
        assert progress == sorted(progress)
        assert progress[-1] == (100, 100)
        library.close()

    def test_it_can_be_cancelled_and_does_not_begin_again(self, old: Path, library: AreaLibrary) -> None:
        def cancel(done: int, total: int) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            library.renew(cancel)
        assert library.in_use() == ()
        assert not any(thread.name == "fencewright-areas" for thread in threading.enumerate())
        assert read_format(old) == FORMAT - 1
        (area,) = library.use(["old"])
        assert area.format == FORMAT
        library.close()

    def test_a_failed_rebuild_is_reported(self, old: Path, library: AreaLibrary) -> None:
        (old / "source.osm.pbf").unlink()
        with pytest.raises(BuildFailed, match="no stored extract"):
            library.renew()
        library.close()

    def test_when_it_is_chosen_it_is_built_at_once(self, old: Path, library: AreaLibrary) -> None:
        (area,) = library.use(["old"])
        assert area.format == FORMAT
        assert not list(old.parent.glob(".replaced*"))
        library.close()

    def test_closing_ends_that(self, old: Path, library: AreaLibrary) -> None:
        assert library.in_use() == ()
        library.close()
        assert read_format(old) == FORMAT - 1
        assert [path.name for path in old.parent.iterdir() if path.name != ".lock"] == ["old"]

    def test_without_its_extract_it_cannot_be_used(self, old: Path, library: AreaLibrary) -> None:
        (old / "source.osm.pbf").unlink()
        with pytest.raises(BuildFailed, match="no stored extract"):
            library.use(["old"])


def read_format(folder: Path) -> object:
    return orjson.loads((folder / "area.json").read_bytes())["format"]


def test_an_area_is_restored_after_an_interrupted_replacement(
    library: AreaLibrary, put: Callable[..., None], workspace: Path
) -> None:
    put("a", "b")
    (workspace / "areas" / "a").rename(workspace / "areas" / ".replaced-a")
    shutil.copytree(workspace / "areas" / "b", workspace / "areas" / ".replaced-b")
    assert names(library.list()) == ["a", "b", "helsinki"]
    assert not list((workspace / "areas").glob(".replaced*"))


def test_closing_cancels_a_build(library: AreaLibrary, town_file: Path, workspace: Path) -> None:
    def close(done: int, _total: int) -> None:
        if done >= 5:
            library.close()

    with pytest.raises(Cancelled):
        library.build(town_file, progress=close)
    assert [path.name for path in (workspace / "areas").iterdir() if path.name != ".lock"] == []


def test_reading_areas_loads_nothing_heavy() -> None:
    heavy = ("osmium", "httpx", "valhalla", "shapely")
    code = f"import sys; import engine.areas.library; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
