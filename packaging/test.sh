#!/bin/sh
# Sets up what is missing and runs every check and every test:  sh packaging/test.sh [ARGUMENTS OF pytest]
# The exit code is 0 only if all of them passed. pytest runs last; its closing line is the last line.
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

failed=
check() {
    name=$1
    shift
    printf '== %s\n' "$name"
    "$@" || failed="$failed, $name"
}

# Print what a check in the background has printed, and note whether it failed.
conclude() {
    check "$1" sh -c 'cat "$1"; exit "$2"' sh "$2" "$3"
}

# Collect the tests, so that the processes of pytest need not rewrite them, which is two thirds of what they do before
# their first one. A full run also runs those that want the shared folder, without it: as outsiders do, who have none.
warm_up() {
    [ $# -eq 0 ] || exec "$bin/pytest" -n 0 --collect-only -qq "$@"
    export FENCEWRIGHT_WITHOUT_SHARED=1
    exec "$bin/pytest" -n 0 -m shared_data -q -r fE
}

# All of the program is read twice, the second time out of mypy's cache.
check_types() {
    types=0
    "$bin/mypy" || types=1
    "$bin/mypy" resources packaging/build_hook.py || types=1
    return $types
}

windows=yes
development=yes
set_up

cd "$root"
export QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-offscreen}"
bin=$venv/bin
# mypy keeps one processor busy for as long as all that is done meanwhile.
told=$(mktemp)
hidden=$(mktemp)
check_types >"$told" 2>&1 &
typing=$!
warming=
trap 'kill "$typing" $warming 2>/dev/null; rm -f "$told" "$hidden"' EXIT
trap 'exit 130' INT TERM
check 'ruff check' "$bin/ruff" check .
check 'ruff format' "$bin/ruff" format --check .
check 'import-linter' "$bin/lint-imports"
# The processes of pytest and the many commands that tests start would each compile the program for themselves.
export PYTHONDONTWRITEBYTECODE=
"$bin/python" -m compileall -q app engine || true
# npm fetches these tools; whatever pip is told of the network counts for it, too.
honour_pip_settings
place_caches
check 'eslint and tsc' "$bin/python" -m tests.web.check
"$bin/python" -m tests.node_packages || say "the tests in Chromium are skipped"
warm_up "$@" >"$hidden" 2>&1 &
warming=$!
types=0
wait "$typing" || types=$?
conclude 'mypy' "$told" "$types"
warmed=0
wait "$warming" || warmed=$?
[ $# -gt 0 ] || conclude 'tests without the shared folder' "$hidden" "$warmed"
rm -f "$told" "$hidden"
trap - EXIT INT TERM
printf '== pytest\n'
# All of it tells how much of the program the tests reach; a part of it cannot.
[ $# -gt 0 ] || set -- --cov=app --cov=engine --cov-report= --cov-fail-under=80
# In four processes, since many tests wait; a file is in one of them, and tests/conftest.py says which begins
# first. ARGUMENTS may say otherwise (-n 0).
set -- -n 4 --dist loadfile --no-loadscope-reorder "$@"
[ -n "$failed" ] || exec "$bin/pytest" "$@"
printf 'FAILED before the tests: %s\n' "${failed#, }"
"$bin/pytest" "$@" || true
exit 1
