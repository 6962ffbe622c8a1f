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

missing_required() {
    missing_packages "$window_libraries"
    missing_fonts
    is_current || missing_bootstrap
}

# A real X screen: the tests that need one are skipped where it is missing.
missing_wanted() {
    missing_packages "$x_libraries"
    command -v Xvfb >/dev/null 2>&1 || printf 'xvfb '
}

failed=
check() {
    name=$1
    shift
    printf '== %s\n' "$name"
    "$@" || failed="$failed, $name"
}

required=$(missing_required)
wanted=$(missing_wanted)
# One call for both, so that a person who has to do it by hand gets one line.
# shellcheck disable=SC2086 # lists of names
if [ -n "$required" ]; then
    install_system required $required $wanted
else
    install_system wanted $wanted
fi
set_up

cd "$root"
export QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-offscreen}"
bin=$venv/bin
check 'ruff check' "$bin/ruff" check .
check 'ruff format' "$bin/ruff" format --check .
check 'mypy' "$bin/mypy"
check 'mypy of packaging' "$bin/mypy" resources packaging/build_hook.py packaging/usable_display.py
check 'import-linter' "$bin/lint-imports"
printf '== pytest\n'
[ -n "$failed" ] || exec "$bin/pytest" "$@"
printf 'FAILED before the tests: %s\n' "${failed#, }"
"$bin/pytest" "$@" || true
exit 1
