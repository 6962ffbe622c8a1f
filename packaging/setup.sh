# shellcheck shell=sh disable=SC2034,SC2154 # variables shared with run.sh and test.sh
# The set-up shared by run.sh and test.sh: all steps until there is a Python with the project installed.
# Source this file with $root, the absolute physical path of the checkout, and
#   $windows      not empty if windows will be opened, which need system libraries
#   $development  not empty if the development tools are needed as well
# Everything here is POSIX sh and only writes to standard error, since standard output belongs to the program. All
# created files are git-ignored: .venv, .tools, .cache, resources/{areas,world}, resources/web/{assets,node_modules}.

venv=$root/.venv
tools=$root/.tools
assets=$root/resources/web/assets
# These folders exist after `fencewright setup` has run, even if it could not create their contents.
areas=$root/resources/areas
world=$root/resources/world
stamp=$venv/.fencewright-stamp
# Name and checksum of the lock file whose packages are installed in .venv.
packages_stamp=$venv/.fencewright-packages
# Exists while packages are installed into .venv. If a set-up finds it, the previous one was killed meanwhile.
unfinished=$tools/unfinished
# Timeout for the first bytes of an interpreter download.
patience_s=5

say() {
    printf 'fencewright: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Whether a command actually runs, since version managers put shims on PATH that only print an error.
works() {
    "$@" </dev/null >/dev/null 2>&1
}

# Set $uv to a working uv: the machine's own unless it is too old for the options used here.
find_uv() {
    for uv in uv "$tools/uv/bin/uv" "${HOME:-/nonexistent}/.local/bin/uv"; do
        case $("$uv" --version 2>/dev/null) in
            'uv 0.'[0-4].*) ;;
            'uv '*) return 0 ;;
        esac
    done
    return 1
}

# Set $pip_python to a Python 3 that can install a package into a folder.
find_pip() {
    for pip_python in python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11 python; do
        works "$pip_python" -c 'import sys, ssl; assert sys.version_info >= (3, 8)' || continue
        works "$pip_python" -c 'import venv, ensurepip' && return 0
        works "$pip_python" -m pip --version && return 0
    done
    find_python && pip_python=$python
}

# Install the only system package that downloads require, or tell the user how to do it.
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
    # This virtual environment can be moved, since uv is a self-contained program.
    if works "$pip_python" -m venv "$tools/uv.new"; then
        "$tools/uv.new/bin/python" -m pip install -q --require-hashes -r "$root/packaging/tools-uv.lock" >&2
    else
        rm -rf "$tools/uv.new"
        "$pip_python" -m pip install -q --require-hashes -r "$root/packaging/tools-uv.lock" --target "$tools/uv.new" >&2
    fi || die "uv could not be installed from the package index"
    mv "$tools/uv.new" "$tools/uv"
    find_uv || die "the uv that was just installed into .tools does not run on this machine"
}

# Whether this interpreter can run the program; prints its actual path.
usable_python() {
    "$1" -c '
import os, sys, sysconfig, ctypes, sqlite3, ssl, zlib  # builds without the headers lack the last four
assert sys.implementation.name == "cpython" and (3, 12) <= sys.version_info[:2] <= (3, 14)
assert not sysconfig.get_config_var("Py_GIL_DISABLED")  # few packages have wheels for it
# Avoid the name on PATH, which may be a link or belong to a virtual environment that is deleted later.
home = os.path.join(sys.base_prefix, "bin", "python%d.%d" % sys.version_info[:2])
print(home if os.access(home, os.X_OK) else sys._base_executable)
' </dev/null 2>/dev/null
}

# Set $python to an interpreter for .venv: one on PATH, or else one of pyenv, whose shims hide it.
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

# Replace this shell with uv, set up for its own interpreter. That is stored in the checkout, since other accounts
# could not run it in a home folder.
exec_uv() {
    exec env UV_PYTHON_INSTALL_DIR="$tools/python" UV_PYTHON_INSTALL_BIN=0 UV_PYTHON_PREFERENCE=only-managed \
        "$uv" python "$@" 9>&-
}

# Set $python to the interpreter that uv downloaded.
find_fetched_python() {
    python=$(exec_uv find --no-project 3.12 2>/dev/null) && works usable_python "$python"
}

# Download an optimized interpreter, which runs pure Python 1.2 to 1.3 times as fast as one that was built without
# profiles. Some networks never respond, so give up if nothing has arrived after a while.
fetch_python() {
    [ -z "${UV_NO_INDEX-}" ] || return 1
    say "fetching a Python 3.12 that is built for speed"
    {
        export UV_HTTP_RETRIES=1
        exec_uv install 3.12
    } >/dev/null 2>&1 &
    fetch_pid=$!
    {
        sleep "$patience_s"
        [ -n "$(find "$tools/python" -type f -size +1)" ] || kill "$fetch_pid"
    } >/dev/null 2>&1 9>&- &
    watch_pid=$!
    fetched=yes
    wait "$fetch_pid" 2>/dev/null || fetched=
    kill "$watch_pid" 2>/dev/null || true
    wait "$watch_pid" 2>/dev/null || true
    [ -n "$fetched" ]
}

# Set $python to uv's own interpreter if it can be downloaded, or else to one of the machine's.
install_python() {
    find_fetched_python && return 0
    fetch_python && find_fetched_python && return 0
    find_python || find_python_by_uv && return 0
    say "no Python 3.12 to 3.14 was found on this machine; fetching one"
    (exec_uv install 3.12 >&2) && find_fetched_python && return 0
    die "Python 3.12 could not be fetched; please install python3.12 or python3.13 and start again"
}

# Print a setting of pip from the environment or its configuration files.
pip_setting() {
    [ -z "$pip_python" ] || "$pip_python" -m pip config get "global.$1" 2>/dev/null || true
}

# Set a variable for the installers unless it is already set.
set_default() {
    eval "[ -n \"\${$1+set}\" ]" || [ -z "$2" ] || export "$1=$2"
}

# Neither uv nor npm reads pip's settings, and by default they do not trust the machine's own certificates. Apply a
# mirror or a certificate that is configured for pip to both of them.
honour_pip_settings() {
    find_pip || pip_python=
    [ -n "${UV_INDEX_URL-}${UV_INDEX-}" ] || set_default UV_DEFAULT_INDEX "${PIP_INDEX_URL:-$(pip_setting index-url)}"
    if [ -n "${PIP_EXTRA_INDEX_URL-}" ] && [ -z "${UV_EXTRA_INDEX_URL-}" ]; then
        # pip searches all of them for a version; the hashes in the lock file make that safe.
        export UV_EXTRA_INDEX_URL="$PIP_EXTRA_INDEX_URL" UV_INDEX_STRATEGY=unsafe-best-match
    fi
    if [ -n "${PIP_NO_INDEX-}" ] && [ -n "${PIP_FIND_LINKS-}" ]; then
        export UV_NO_INDEX=1
        set_default UV_FIND_LINKS "$(printf '%s' "$PIP_FIND_LINKS" | tr ' ' ',')"
    fi
    set_default UV_INSECURE_HOST "${PIP_TRUSTED_HOST-}"
    set_default UV_HTTP_TIMEOUT "${PIP_DEFAULT_TIMEOUT-}"
    set_default HTTPS_PROXY "${PIP_PROXY-}"
    for certificates in "${PIP_CERT:-$(pip_setting cert)}" /etc/ssl/certs/ca-certificates.crt \
        /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem; do
        [ -s "$certificates" ] || continue
        set_default SSL_CERT_FILE "$certificates"
        set_default NODE_EXTRA_CA_CERTS "$certificates"
        break
    done
}

# Caches are in the home folder, or in the checkout if the home folder or its caches are not writable.
place_caches() {
    can_write "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv" || set_default UV_CACHE_DIR "$root/.cache/uv"
    can_write "${HOME:-/nonexistent}/.npm/_cacache" || set_default npm_config_cache "$root/.cache/npm"
}

can_write() {
    mkdir -p "$1" 2>/dev/null && [ -w "$1" ]
}

# Print the name of the lock file for .venv. Development tools remain once they are installed.
lock_name() {
    dev_lock=${development:-$(grep '^requirements-dev.lock ' "$packages_stamp" 2>/dev/null || true)}
    echo "requirements${dev_lock:+-dev}.lock"
}

# Print a checksum of everything that the set-up depends on, including the path, since neither a virtual
# environment nor an editable install can be moved.
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

# Whether the last set-up was completed with the current files and still works.
is_current() {
    [ -r "$stamp" ] && [ -r "$assets/.stamp" ] && [ -d "$areas" ] && [ -d "$world" ] &&
        [ -x "$venv/bin/fencewright" ] && [ "$(cat "$stamp")" = "$(setup_key)" ] &&
        works "$venv/bin/python" -I -S -c ''
}

# Whether the existing .venv can be updated: not if it was moved, if its interpreter was removed, or if the set-up
# that created it was killed.
can_adopt() {
    [ ! -e "$unfinished" ] && works usable_python "$venv/bin/python" &&
        grep -q -F -e "$venv" "$venv/bin/activate" 2>/dev/null
}

make_venv() {
    rm -f "$stamp"
    if ! can_adopt; then
        install_python
        say "creating .venv with $python (about 1.3 GB, once)"
        : >"$unfinished"
        rm -rf "$venv"
        "$uv" venv -q --no-project --prompt fencewright --python "$python" "$venv" >&2 || die "uv could not create .venv"
        rm -f "$unfinished"
    fi
    # uv queries the index even if all packages are installed. Skip it if the lock file has not changed, so that a
    # change to the project alone can be set up without a network.
    lock=$(lock_name)
    lock_id="$lock $(cksum <"$root/packaging/$lock")"
    [ "$(cat "$packages_stamp" 2>/dev/null)" = "$lock_id" ] || install_locked
}

install_locked() {
    : >"$unfinished"
    if ! "$uv" pip sync --python "$venv/bin/python" --require-hashes --compile-bytecode \
        "$root/packaging/$lock" >&2; then
        # Nothing was installed, so the existing packages remain valid for the next attempt.
        [ -n "$(find "$venv/lib" -type d -name site-packages -newer "$unfinished")" ] || rm -f "$unfinished"
        die "the packages of packaging/$lock could not be installed"
    fi
    printf '%s\n' "$lock_id" >"$packages_stamp"
    rm -f "$unfinished"
}

# Install the project itself; its build hook creates the web assets.
install_project() {
    say "installing the project and its web assets"
    "$uv" pip install -q --python "$venv/bin/python" --no-deps --no-build-isolation --reinstall-package fencewright \
        --editable "$root" >&2 || die "the project could not be installed"
}

set_up_locked() {
    # Another set-up may have done everything while this one waited for the lock.
    is_current && return 0
    honour_pip_settings
    place_caches
    install_uv
    export UV="$uv"
    make_venv
    install_project
    # Data that is too large for the repository. The program also runs without it.
    "$venv/bin/fencewright" setup >&2 || {
        # An interrupted set-up has not failed: the next start tries again.
        [ $? -lt 128 ] || exit 1
        say "continuing without this data; run this again once there is a network: sh packaging/run.sh setup"
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

# Hold a lock on descriptor 9 until it is closed. It belongs to the open file, so that another program can acquire it
# for this shell. The tools started below inherit it: if only this shell is killed, the next set-up waits for them.
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

# Install the system libraries that windows need, or tell the user how to do it.
install_libraries() {
    "$1" -I "$root/app/desktop/libraries.py" ${development:+--tests} </dev/null || exit 1
}

# Update the set-up. If it is current, this writes nothing and needs no network.
set_up() {
    if ! is_current; then
        check_writable
        # Do this before the slow steps if there is a Python that can check the libraries.
        if [ -n "${windows-}" ] && find_python; then
            install_libraries "$python"
            windows=
        fi
        take_lock
        # In a subshell, since the settings exported there are only for the installers.
        (set_up_locked </dev/null)
        exec 9>&-
    fi
    [ -z "${windows-}" ] || install_libraries "$venv/bin/python"
}
