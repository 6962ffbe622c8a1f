# shellcheck shell=sh disable=SC2034,SC2154 # what is shared with run.sh and test.sh
# The set-up that run.sh and test.sh share: what has to be done before there is a Python with the project in it.
# Sourced with $root, the folder of the checkout, as an absolute physical path, and
#   $windows      not empty where windows will be opened, which need libraries of the system
#   $development  not empty where the tools of developers are needed, too
# Everything here is POSIX sh and talks on standard error only: standard output belongs to the program. Whatever it
# makes is git-ignored: .venv, .tools, .cache, resources/{areas,world}, resources/web/{assets,node_modules}.

venv=$root/.venv
tools=$root/.tools
assets=$root/resources/web/assets
# They are there once `fencewright setup` ran, also where it could not make what belongs into them.
areas=$root/resources/areas
world=$root/resources/world
stamp=$venv/.fencewright-stamp
# The lock whose packages are in .venv: its name, and its digest.
packages_stamp=$venv/.fencewright-packages
# Stands while packages are being put into .venv: whoever finds it knows that the last one was killed there.
unfinished=$tools/unfinished
# So long the first bytes of an interpreter may take.
patience_s=5

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

# Install the one system package without which nothing can be fetched, or say how.
install_pip() {
    works command -v apt-get || die "neither uv nor a Python 3 with venv or pip was found; please install one of them"
    line='apt-get update && apt-get install -y --no-install-recommends python3-venv'
    as_root=env
    if [ "$(id -u)" -ne 0 ]; then
        as_root='sudo -n'
        works sudo -n true || die "a system package is missing. Please run this line:  sudo sh -c '$line'"
    fi
    say "installing the system package python3-venv"
    $as_root sh -c "export DEBIAN_FRONTEND=noninteractive; $line" </dev/null >&2 || die "this failed: $line"
}

install_uv() {
    find_uv && return 0
    find_pip || { install_pip && find_pip; } || die "no Python 3 with venv or pip was found; please install one"
    say "installing uv into .tools"
    rm -rf "$tools/uv" "$tools/uv.new"
    # A virtual environment can be moved as far as uv is concerned: uv is one program of its own.
    if works "$pip_python" -m venv "$tools/uv.new"; then
        "$tools/uv.new/bin/python" -m pip install -q --require-hashes -r "$root/packaging/tools-uv.lock" >&2
    else
        rm -rf "$tools/uv.new"
        "$pip_python" -m pip install -q --require-hashes -r "$root/packaging/tools-uv.lock" --target "$tools/uv.new" >&2
    fi || die "uv could not be installed from the package index"
    mv "$tools/uv.new" "$tools/uv"
    find_uv || die "the uv that was just installed into .tools does not run on this machine"
}

# Whether this interpreter can carry the program; print where it really is.
usable_python() {
    "$1" -c '
import os, sys, sysconfig, ctypes, sqlite3, ssl, zlib  # the last four are left out by builds without the headers
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

# Set $python to an interpreter that uv knows.
find_python_by_uv() {
    python=$("$uv" python find --no-project 3.12 2>/dev/null) && works usable_python "$python"
}

# Become uv, for the interpreter that uv fetches. It is kept inside the checkout: in a home folder other accounts could
# not run it.
become_uv() {
    exec env UV_PYTHON_INSTALL_DIR="$tools/python" UV_PYTHON_INSTALL_BIN=0 UV_PYTHON_PREFERENCE=only-managed \
        "$uv" python "$@" 9>&-
}

# Set $python to the interpreter that uv fetched.
find_fetched_python() {
    python=$(become_uv find --no-project 3.12 2>/dev/null) && works usable_python "$python"
}

# Fetch an interpreter that is built for speed: it runs pure Python 1.2 to 1.3 times as fast as one that was built
# without profiles. Some networks never answer: where nothing has come after a while, go on without.
fetch_python() {
    [ -z "${UV_NO_INDEX-}" ] || return 1
    say "fetching a Python 3.12 that is built for speed"
    {
        export UV_HTTP_RETRIES=1
        become_uv install 3.12
    } >/dev/null 2>&1 &
    fetching=$!
    {
        sleep "$patience_s"
        [ -n "$(find "$tools/python" -type f -size +1)" ] || kill "$fetching"
    } >/dev/null 2>&1 9>&- &
    watching=$!
    fetched=yes
    wait "$fetching" 2>/dev/null || fetched=
    kill "$watching" 2>/dev/null || true
    wait "$watching" 2>/dev/null || true
    [ -n "$fetched" ]
}

# Set $python: uv's own where it can be fetched, else one that the machine has.
install_python() {
    find_fetched_python && return 0
    fetch_python && find_fetched_python && return 0
    find_python || find_python_by_uv && return 0
    say "no Python 3.12 to 3.14 was found on this machine; fetching one"
    (become_uv install 3.12 >&2) && find_fetched_python && return 0
    die "Python 3.12 could not be fetched; please install python3.12 or python3.13 and start again"
}

# What this machine has pip set to, by environment or by its configuration files.
pip_setting() {
    [ -z "$pip_python" ] || "$pip_python" -m pip config get "global.$1" 2>/dev/null || true
}

# Set a variable for the installers, unless the machine has it set already.
give() {
    eval "[ -n \"\${$1+set}\" ]" || [ -z "$2" ] || export "$1=$2"
}

# Neither uv nor npm reads pip's settings, nor do they trust the machine's own certificates unasked. A mirror,
# or a certificate of the network's own, that pip is given counts for all.
honour_pip_settings() {
    find_pip || pip_python=
    [ -n "${UV_INDEX_URL-}${UV_INDEX-}" ] || give UV_DEFAULT_INDEX "${PIP_INDEX_URL:-$(pip_setting index-url)}"
    if [ -n "${PIP_EXTRA_INDEX_URL-}" ] && [ -z "${UV_EXTRA_INDEX_URL-}" ]; then
        # pip looks for a version in all of them; the hashes in the lock make that safe.
        export UV_EXTRA_INDEX_URL="$PIP_EXTRA_INDEX_URL" UV_INDEX_STRATEGY=unsafe-best-match
    fi
    if [ -n "${PIP_NO_INDEX-}" ] && [ -n "${PIP_FIND_LINKS-}" ]; then
        export UV_NO_INDEX=1
        give UV_FIND_LINKS "$(printf '%s' "$PIP_FIND_LINKS" | tr ' ' ',')"
    fi
    give UV_INSECURE_HOST "${PIP_TRUSTED_HOST-}"
    give UV_HTTP_TIMEOUT "${PIP_DEFAULT_TIMEOUT-}"
    give HTTPS_PROXY "${PIP_PROXY-}"
    for certificates in "${PIP_CERT:-$(pip_setting cert)}" /etc/ssl/certs/ca-certificates.crt \
        /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem; do
        [ -s "$certificates" ] || continue
        give SSL_CERT_FILE "$certificates"
        give NODE_EXTRA_CA_CERTS "$certificates"
        break
    done
}

# Caches belong into the home folder; where there is none to write to, or root once made them, into the checkout.
place_caches() {
    can_write "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv" || give UV_CACHE_DIR "$root/.cache/uv"
    can_write "${HOME:-/nonexistent}/.npm/_cacache" || give npm_config_cache "$root/.cache/npm"
}

can_write() {
    mkdir -p "$1" 2>/dev/null && [ -w "$1" ]
}

# The lock of the packages that belong into .venv. Those of developers stay once they are in it.
lock_name() {
    developed=${development:-$(grep '^requirements-dev.lock ' "$packages_stamp" 2>/dev/null || true)}
    echo "requirements${developed:+-dev}.lock"
}

# What the set-up was made from. The place counts: neither a virtual environment nor an editable install
# survives being moved.
setup_key() {
    (
        cd "$root" || exit 1
        lock_name
        cat "packaging/$(lock_name)" packaging/tools-uv.lock packaging/build_hook.py packaging/setup.sh pyproject.toml \
            resources/web/package.json resources/web/package-lock.json resources/web/.npmrc \
            resources/setup/*.* resources/setup/world/*.* resources/setup/world/.npmrc
        cat app/desktop/language/*.ts 2>/dev/null || true
        printf '%s\n%s\n' "$root" "$(readlink "$venv/bin/python")"
    ) | cksum
}

# Whether the last set-up was finished, was made from these very files, and still runs.
is_current() {
    [ -r "$stamp" ] && [ -r "$assets/.stamp" ] && [ -d "$areas" ] && [ -d "$world" ] &&
        [ -x "$venv/bin/fencewright" ] && [ "$(cat "$stamp")" = "$(setup_key)" ] &&
        works "$venv/bin/python" -I -S -c ''
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
        say "making .venv with $python (about 1.3 GB, once)"
        : >"$unfinished"
        rm -rf "$venv"
        "$uv" venv -q --no-project --prompt fencewright --python "$python" "$venv" >&2 || die "uv could not make .venv"
        rm -f "$unfinished"
    fi
    # uv asks the index even if every package is there already. With the same lock as last time there is no
    # need, and a change to the project alone can be set up without a network.
    lock=$(lock_name)
    locked="$lock $(cksum <"$root/packaging/$lock")"
    [ "$(cat "$packages_stamp" 2>/dev/null)" = "$locked" ] || install_locked
}

install_locked() {
    : >"$unfinished"
    if ! "$uv" pip sync --python "$venv/bin/python" --require-hashes --compile-bytecode \
        "$root/packaging/$lock" >&2; then
        # Nothing was downloaded, so nothing was touched: what is there stays good for the next attempt.
        [ -n "$(find "$venv/lib" -type d -name site-packages -newer "$unfinished")" ] || rm -f "$unfinished"
        die "the packages of packaging/$lock could not be installed"
    fi
    printf '%s\n' "$locked" >"$packages_stamp"
    rm -f "$unfinished"
}

# The project itself; its build hook makes the web assets.
install_project() {
    say "installing the project and its web assets"
    "$uv" pip install -q --python "$venv/bin/python" --no-deps --no-build-isolation --reinstall-package fencewright \
        --editable "$root" >&2 || die "the project could not be installed"
}

set_up_locked() {
    # Whoever held the lock before may have done it all.
    is_current && return 0
    honour_pip_settings
    place_caches
    install_uv
    export UV="$uv"
    make_venv
    install_project
    # The data that is too large for the repository. Without it the program runs all the same.
    "$venv/bin/fencewright" setup >&2 || {
        # Who was stopped has not failed to make it: the next start begins anew.
        [ $? -lt 128 ] || exit 1
        say "going on without; run it again once there is a network: sh packaging/run.sh setup"
    }
    mkdir -p "$areas" "$world"
    setup_key >"$stamp.new"
    mv "$stamp.new" "$stamp"
    say "set up"
}

check_writable() {
    for place in "$root" "$venv" "$tools" "$root/.cache" "$root/resources/web" "$assets" "$areas" "$world" \
        "$root/resources/web/node_modules"; do
        [ -w "$place" ] || [ ! -e "$place" ] ||
            die "this checkout is not set up for this account, which may not write to $place." \
                "Set it up with the account that owns it, or work in a copy that belongs to you."
    done
}

# Hold a lock on descriptor 9 until it is closed; it belongs to the open file, so another program can take it for us.
# The tools started below inherit it on purpose: if this shell alone is killed, the next set-up waits for them too.
take_lock() {
    mkdir -p "$tools" || die "cannot write to $tools"
    exec 9>>"$tools/setup.lock"
    if works command -v flock; then
        flock -n 9 && return 0
        say "waiting for another setup of this checkout"
        flock 9
    else
        find_pip || return 0
        say "waiting for another setup of this checkout, if there is one"
        "$pip_python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
    fi || die "the lock $tools/setup.lock does not work"
}

# Install the libraries of the system that windows need, or say how.
install_libraries() {
    "$1" -I "$root/app/desktop/libraries.py" ${development:+--tests} </dev/null || exit 1
}

# Bring everything up to date; does nothing, writes nothing and needs no network if it is.
set_up() {
    if ! is_current; then
        check_writable
        # Before what takes long, where there is a Python that can tell.
        if [ -n "${windows-}" ] && find_python; then
            install_libraries "$python"
            windows=
        fi
        take_lock
        # A subshell: the settings exported in there are the installers' business, not the program's.
        (set_up_locked </dev/null)
        exec 9>&-
    fi
    [ -z "${windows-}" ] || install_libraries "$venv/bin/python"
}
