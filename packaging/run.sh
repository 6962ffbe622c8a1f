#!/bin/sh
# Completes the set-up if necessary and starts Fencewright:  sh packaging/run.sh [ARGUMENTS OF fencewright]
# Without arguments, this starts the desktop if there is a display, or else the headless server.
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

# Whether these arguments open windows. An unknown command does not, so that the user is not asked to install
# libraries without need.
opens_windows() {
    for argument in "$@"; do
        case $argument in
            serve | keys | import | simulate | area | setup | -h | --help | --version) return 1 ;;
        esac
    done
    case ${1-} in
        '' | -* | demo | desktop) return 0 ;;
    esac
    return 1
}

# Whether the environment names a screen. A local X screen must have a socket; a remote one is assumed to exist.
names_display() {
    [ "$(uname -s)" != Darwin ] || return 0
    [ -z "${WAYLAND_DISPLAY-}" ] || return 0
    case ${DISPLAY-} in
        '') return 1 ;;
        :*) number=${DISPLAY#:} && number=${number%%.*} ;;
        *) return 0 ;;
    esac
    [ -S "/tmp/.X11-unix/X$number" ] || grep -q "@/tmp/.X11-unix/X$number\$" /proc/net/unix 2>/dev/null
}

serve_instead() {
    say "no display to open a window on: starting the headless server (fencewright serve)"
}

if [ $# -eq 0 ] && ! names_display; then
    serve_instead
    set -- serve
fi
windows=
! opens_windows "$@" || windows=yes
set_up
if [ $# -eq 0 ] && [ "$(uname -s)" != Darwin ] &&
    ! "$venv/bin/python" -I "$root/app/desktop/display.py"; then
    serve_instead
    set -- serve
fi
if [ "${1-}" = setup ]; then
    honour_pip_settings
    place_caches
fi
exec "$venv/bin/fencewright" "$@"
