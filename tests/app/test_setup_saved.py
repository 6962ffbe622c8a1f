"""``fencewright setup --save`` and ``--from``: complete data is copied, anything else is refused by name."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree, rmtree

import orjson
import pytest

from app.setup import checks, saved
from app.setup.data import SetupFailed, has_extract
from app.setup.saved import MANIFEST, read_saved, restore, save
from engine import bundled
from engine.domain.ports import Cancelled
from tests.app.program import ROOT
from tests.app.test_setup import Installation, Silent, extract, installation

__all__ = ["extract", "installation"]

WORLD = {"ip.mmdb": b"addresses", "manifest.json": b"{}", "world.sqlite": b"pack" * 1000}
AREA = {"area.json": b"{}", "roads.tar": b"roads", "source.osm.pbf": b"extract"}


class Machines:
    """Two machines with the same version, of which the first has data."""

    def __init__(self, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._base, self._monkeypatch = base, monkeypatch
        self.folder = base / "saved"
        for name in ("first", "second"):
            copytree(ROOT / "resources/setup", base / name / "setup")
        self.use("first")
        put(self.world, WORLD, bundled.WORLD.key())
        put(self.areas / "helsinki", AREA)
        (self.areas / bundled.STAMP).write_text(bundled.AREAS.key(), encoding="ascii")

    def use(self, name: str) -> None:
        """Continue on a machine."""
        self.resources = self._base / name
        self._monkeypatch.setattr(bundled, "INPUTS", self.resources / "setup")
        self._monkeypatch.setenv("XDG_DATA_HOME", str(self._base / name / "user"))

    @property
    def world(self) -> Path:
        return self.resources / "world"

    @property
    def areas(self) -> Path:
        return self.resources / "areas"

    def contents(self) -> dict[str, bytes]:
        """Return the data of the current machine."""
        found = (*self.world.rglob("*"), *self.areas.rglob("*"))
        return {path.name: path.read_bytes() for path in found if path.is_file() and path.name[0] != "."}

    def copy(self) -> None:
        """Copy everything that is saved to the current machine."""
        there = read_saved(self.folder)
        for part in there.parts:
            restore(part, there, Silent())


def put(folder: Path, files: dict[str, bytes], stamp: str = "") -> None:
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    if stamp:
        (folder / bundled.STAMP).write_text(stamp, encoding="ascii")


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machines:
    """Two machines and a folder with the data of the first; continues on the second."""
    made = Machines(tmp_path, monkeypatch)
    assert save(made.folder, Silent()) == sum(map(len, (*WORLD.values(), *AREA.values())))
    made.use("second")
    return made


def test_the_other_machine_has_the_same_data(machines: Machines) -> None:
    machines.copy()
    assert machines.contents() == WORLD | AREA
    assert checks.needed() == ()
    assert has_extract(machines.areas), "the area can be rebuilt without a network"
    there = read_saved(machines.folder)
    assert not restore("world", there, Silent()).made, "it is up to date"
    assert restore("world", there, Silent(), again=True).made


def test_the_progress_counts_bytes_and_ends(machines: Machines) -> None:
    shown: list[tuple[int, int]] = []

    class Counting(Silent):
        def building(self, label: str) -> Callable[[int, int], None]:
            self.steps.append(label)
            return lambda done, total: shown.append((done, total))

    report = Counting()
    restore("world", read_saved(machines.folder), report)
    size = sum(map(len, WORLD.values()))
    assert report.steps == ["copying the world pack"]
    assert shown[-1] == (size, size)
    assert all(done < size for done, _ in shown[:-1])


def test_one_part_can_be_copied_alone(machines: Machines) -> None:
    there = read_saved(machines.folder, ["world"])
    assert list(there.parts) == ["world"]
    restore("world", there, Silent())
    assert (checks.needed(), machines.areas.exists()) == (("area",), False)


def test_an_area_is_not_put_beside_another_world_pack(machines: Machines) -> None:
    with pytest.raises(SetupFailed, match="Set up both of them"):
        read_saved(machines.folder, ["area"])


def damage(file: str) -> Callable[[Machines], object]:
    def work(machines: Machines) -> None:
        path = machines.folder / file
        path.write_bytes(path.read_bytes()[:-1] + b"?")

    return work


def shorten(machines: Machines) -> None:
    path = machines.folder / "world/world.sqlite"
    path.write_bytes(path.read_bytes()[:-1])


def other_version(machines: Machines) -> None:
    file = machines.resources / "setup/world/package.json"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def manifest(change: Callable[[dict[str, object]], object]) -> Callable[[Machines], None]:
    def work(machines: Machines) -> None:
        file = machines.folder / MANIFEST
        content = orjson.loads(file.read_bytes())
        change(content)
        file.write_bytes(orjson.dumps(content))

    return work


def rename_first(name: str) -> Callable[[dict[str, object]], None]:
    def change(content: dict[str, object]) -> None:
        parts = content["parts"]
        assert isinstance(parts, dict)
        parts["area"]["files"][-1]["name"] = name

    return change


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (damage("world/world.sqlite"), "saved/world/world.sqlite is damaged: it differs from its checksum. Copy"),
        (damage("area/roads.tar"), "saved/area/roads.tar is damaged: it differs from its checksum. Copy the folder"),
        (lambda m: (m.folder / "world/ip.mmdb").unlink(), "saved/world/ip.mmdb is missing. Copy the folder again."),
        (lambda m: rmtree(m.folder / "area"), "saved/area/area.json is missing. Copy the folder again."),
        (shorten, "saved/world/world.sqlite has 3,999 bytes instead of 4,000. Copy the folder again."),
        (lambda m: (m.folder / MANIFEST).unlink(), f"{MANIFEST} is missing. Run 'fencewright setup --save'"),
        (lambda m: (m.folder / MANIFEST).write_bytes(b'{"format": 1'), f"{MANIFEST} is damaged: "),
        (lambda m: rmtree(m.folder), f"{MANIFEST} is missing."),
        (other_version, "does not fit this version, "),
        (manifest(lambda content: content.update(format=2)), "does not fit this version, "),
        (manifest(lambda content: content.update(parts={})), "saved does not contain any part."),
        (manifest(rename_first("../../../stolen")), "is damaged: the files of the bundled area."),
        (manifest(rename_first(".hidden")), "is damaged: the files of the bundled area."),
    ],
)
def test_anything_else_is_refused_by_name_and_leaves_nothing(
    machines: Machines, harm: Callable[[Machines], object], words: str
) -> None:
    harm(machines)
    with pytest.raises(SetupFailed) as raised:
        machines.copy()
    assert words in raised.value.message
    if "area/roads.tar" in words:
        assert machines.contents() == WORLD, "the part before is complete"
    else:
        assert machines.contents() == {}
    hidden = {path.name for folder in (machines.world, machines.areas) for path in folder.glob(".*")}
    assert hidden <= {".setup.lock", ".lock", bundled.STAMP}


def test_the_data_before_stays_if_the_folder_is_damaged(machines: Machines) -> None:
    put(machines.world, dict.fromkeys(WORLD, b"former"), "former")
    damage("world/world.sqlite")(machines)
    with pytest.raises(SetupFailed):
        machines.copy()
    assert set(machines.contents().values()) == {b"former"}
    assert bundled.stamp_of(machines.world) == "former"


def test_an_interrupted_save_counts_as_empty_and_can_be_repeated(machines: Machines) -> None:
    machines.use("first")
    report = Silent()
    report.stopped = True
    with pytest.raises(Cancelled):
        save(machines.folder, report)
    with pytest.raises(SetupFailed, match="does not contain any part"):
        read_saved(machines.folder)
    save(machines.folder, Silent(), ["world"])
    assert list(read_saved(machines.folder).parts) == ["world"]
    assert not (machines.folder / "area").exists(), "what was saved before is replaced"


def test_a_folder_with_other_files_is_not_written_to(machines: Machines, tmp_path: Path) -> None:
    machines.use("first")
    photos = tmp_path / "photos"
    put(photos / "world", {"rome.jpg": b"photo"})
    with pytest.raises(SetupFailed, match="photos contains other files"):
        save(photos, Silent())
    assert [path.name for path in photos.rglob("*")] == ["world", "rome.jpg"]


def test_what_is_missing_or_of_another_version_cannot_be_saved(machines: Machines) -> None:
    with pytest.raises(SetupFailed, match="the world pack is missing or was built by another version"):
        save(machines.folder, Silent())
    assert read_saved(machines.folder).parts, "the folder is as before"


def test_a_full_disk_is_reported_before_copying(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "free_of", lambda folder: (folder, 1000))
    with pytest.raises(SetupFailed, match="has 0 MB free, and 0 MB are required"):
        machines.copy()
    assert machines.contents() == {}


def test_the_command_copies_without_a_network(installation: Installation, tmp_path: Path) -> None:
    world, areas = installation.resources / "world", installation.resources / "areas"
    put(world, WORLD, bundled.WORLD.key())
    put(areas / "helsinki", AREA)
    (areas / bundled.STAMP).write_text(bundled.area_key(bundled.WORLD.key()), encoding="ascii")
    done = installation.run("setup", "--save", str(tmp_path / "stick"), NO_NETWORK="yes")
    assert (done.code, done.out.count("is up to date")) == (0, 2), done.err
    assert "on another machine: fencewright setup --from stick" in done.err
    rmtree(world)
    rmtree(areas)
    copied = installation.run("setup", "--from", str(tmp_path / "stick"), "--json", NO_NETWORK="yes")
    assert [(each["part"], each["made"], each["folder"]) for each in copied.json] == [
        ("world", True, str(world)),
        ("area", True, str(areas)),
    ]
    assert (world / "world.sqlite").read_bytes() == WORLD["world.sqlite"]
    refused = installation.run("setup", "--from", str(tmp_path))
    assert (refused.code, refused.out) == (1, "")
    assert f"{tmp_path / MANIFEST} is missing" in refused.err
    both = installation.run("setup", "--from", "x", "--save", "y")
    assert (both.code, "not allowed with" in both.err) == (2, True)
