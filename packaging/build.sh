#!/bin/sh
# Builds what is installed elsewhere:  sh packaging/build.sh [--output DIR] [program|deb|tar|appimage|wheels|all]
#   program   the one-folder program DIR/fencewright, with the packages, the world pack and the bundled area inside
#   deb, tar  packages of that program for this system, and the program first if DIR has none
#   wheels    wheels and source archives, with the licences of all parts
#   all       everything (default). DIR is dist in the checkout unless it is given.
# It needs what sh packaging/run.sh needs, and binutils, dpkg and zstd.
set -eu

self=$0
while [ -h "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=$(dirname -- "$self")/$target ;;
    esac
done
root=$(CDPATH='' cd -P -- "$(dirname -- "$self")/.." && pwd -P)
# shellcheck source=packaging/setup.sh
. "$root/packaging/setup.sh"

usage() {
    say "usage: sh packaging/build.sh [--output DIR] [program|deb|tar|appimage|wheels|all]"
    exit 2
}

output=$root/dist
what=all
while [ $# -gt 0 ]; do
    case $1 in
        --output)
            [ $# -gt 1 ] && [ -n "$2" ] || usage
            output=$2
            shift
            ;;
        program | deb | tar | appimage | wheels | all) what=$1 ;;
        *) usage ;;
    esac
    shift
done
mkdir -p "$output" || die "cannot write to $output"
output=$(CDPATH='' cd -P -- "$output" && pwd -P)

for command in objdump dpkg-deb zstd; do
    works command -v "$command" && continue
    [ "$what" = wheels ] || die "$command is missing: install binutils, dpkg and zstd"
done

windows=
development=
set_up
[ -r "$world/.stamp" ] || [ "$what" = wheels ] ||
    die "there is no world pack to put into the program: run sh packaging/run.sh setup"

# The environment of the build is not the one of the checkout: it has no tools of the developers, which PyInstaller
# would find, and the project is installed in it as users install it.
build=$root/build
make_build_environment() {
    honour_pip_settings
    place_caches
    find_uv || die "uv is missing in .tools; run sh packaging/run.sh --version"
    say "installing the packages of packaging/requirements-build.lock"
    "$uv" venv -q --no-project --clear --python "$venv/bin/python" "$build/venv" &&
        "$uv" pip sync -q --python "$build/venv/bin/python" --require-hashes "$root/packaging/requirements-build.lock" &&
        "$uv" pip install -q --python "$build/venv/bin/python" --no-deps --no-build-isolation --no-cache "$root" ||
        die "the environment of the build could not be made"
}

build_program() {
    say "building the program; this takes some minutes"
    rm -rf "$build/dist"
    "$python" -m PyInstaller --noconfirm --log-level ERROR --distpath "$build/dist" --workpath "$build/work" \
        "$root/packaging/application/fencewright.spec" >&2 || die "PyInstaller failed"
    [ "$(uname -s)" != Linux ] || "$python" "$root/packaging/trim.py" "$build/dist/fencewright/_internal"
    "$python" "$root/packaging/release.py" licences --output "$build/dist/fencewright" >&2
    rm -rf "$output/fencewright"
    mv "$build/dist/fencewright" "$output/fencewright"
    say "built $output/fencewright"
}

build_wheels() {
    "$python" "$root/packaging/release.py" wheels --output "$output"
}

pack() {
    [ "$what" = all ] || [ -x "$output/fencewright/fencewright" ] || build_program
    "$python" "$root/packaging/application/pack.py" "$1" --program "$output/fencewright" --output "$output"
}

(make_build_environment </dev/null)
python=$build/venv/bin/python
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
case $what in
    program) build_program ;;
    wheels) build_wheels ;;
    all)
        build_wheels
        build_program
        pack all
        ;;
    *) pack "$what" ;;
esac
"$python" "$root/packaging/release.py" sums --output "$output"
