#!/bin/sh
# Completes the set-up if necessary and runs all checks and tests:  sh packaging/test.sh [ARGUMENTS OF pytest]
# The exit code is 0 only if all of them passed. pytest runs last; its summary is the last line. Without arguments, the
# slow tests and the real extracts of the shared folder are used only if CI is "true"; packaging/test-slow.sh runs those
# tests alone.
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

with_slow=
[ "${CI:-}" != true ] || with_slow=yes

failed=
check() {
    name=$1
    shift
    printf '== %s\n' "$name"
    "$@" || failed="$failed, $name"
}

# Print the output of a check that ran in the background, and record whether it failed.
report_check() {
    check "$1" sh -c 'cat "$1"; exit "$2"' sh "$2" "$3"
}

# Collect the tests, so that the processes of pytest need not rewrite them, which takes two thirds of their start-up. A
# run with the slow tests also runs the tests of the shared folder without it, as all other runs do.
warm_up() {
    [ $# -eq 0 ] && [ -n "$with_slow" ] || exec "$bin/pytest" -n 0 --collect-only -qq "$@"
    export FENCEWRIGHT_WITHOUT_SHARED=1
    exec "$bin/pytest" -n 0 -m shared_data -q -r fE
}

# Replace the second folder with a copy of the first one, which exists. Others may do the same meanwhile.
copy_cache() {
    cp -R "$1" "$2.$$" 2>/dev/null && rm -rf "$2" && mv "$2.$$" "$2" || rm -rf "$2.$$"
}

# The program is checked twice, the second time from mypy's cache. A new checkout begins with the cache of the last one:
# mypy compares the hashes of all files, whatever their paths, and a cache for itself keeps it from waiting for others.
check_types() {
    status=0
    kept=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/fencewright/mypy
    [ -d .mypy_cache ] || [ ! -d "$kept" ] || copy_cache "$kept" .mypy_cache
    "$bin/mypy" || status=1
    "$bin/mypy" resources packaging/build_hook.py packaging/release.py packaging/trim.py packaging/application/pack.py ||
        status=1
    ! can_write "${kept%/*}" || copy_cache .mypy_cache "$kept"
    return $status
}

windows=yes
development=yes
set_up

cd "$root"
export QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-offscreen}"
bin=$venv/bin
# mypy runs in the background, since it takes as long as the steps until its result is needed.
mypy_log=$(mktemp)
warm_up_log=$(mktemp)
check_types >"$mypy_log" 2>&1 &
mypy_pid=$!
warm_up_pid=
trap 'kill "$mypy_pid" $warm_up_pid 2>/dev/null; rm -f "$mypy_log" "$warm_up_log"' EXIT
trap 'exit 130' INT TERM
check 'ruff check' "$bin/ruff" check .
check 'ruff format' "$bin/ruff" format --check .
check 'import-linter' "$bin/lint-imports"
# Compile the program once, since each process of pytest and each command started by tests would do it again.
export PYTHONDONTWRITEBYTECODE=
"$bin/python" -m compileall -q app engine || true
# npm downloads these tools, with the network settings of pip.
honour_pip_settings
place_caches
check 'eslint and tsc' "$bin/python" -m tests.web.check
"$bin/python" -m tests.node_packages || say "the tests in Chromium are skipped"
warm_up "$@" >"$warm_up_log" 2>&1 &
warm_up_pid=$!
mypy_status=0
wait "$mypy_pid" || mypy_status=$?
report_check 'mypy' "$mypy_log" "$mypy_status"
warm_up_status=0
wait "$warm_up_pid" || warm_up_status=$?
[ $# -gt 0 ] || [ -z "$with_slow" ] || report_check 'tests without the shared folder' "$warm_up_log" "$warm_up_status"
rm -f "$mypy_log" "$warm_up_log"
trap - EXIT INT TERM
printf '== pytest\n'
# Only a full run measures the coverage of the program.
if [ $# -eq 0 ]; then
    if [ -z "$with_slow" ]; then
        # Tests of real extracts use small drawn ones, as on machines that do not have the shared folder.
        export FENCEWRIGHT_WITHOUT_SHARED=1
        set -- -m 'not slow' --hypothesis-profile=brief
    fi
    set -- --cov=app --cov=engine --cov-report= --cov-fail-under=80 "$@"
fi
# Run in four processes, since many tests wait. Each file is run by one of them, and tests/conftest.py determines
# their order. ARGUMENTS may override this (-n 0).
set -- -n 4 --dist loadfile --no-loadscope-reorder "$@"
[ -n "$failed" ] || exec "$bin/pytest" "$@"
printf 'FAILED before the tests: %s\n' "${failed#, }"
"$bin/pytest" "$@" || true
exit 1
