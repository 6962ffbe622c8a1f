#!/bin/sh
# Installs Fencewright from this folder, or removes it:  sh install.sh [--prefix FOLDER] [--uninstall]
# The default is ~/.local, and /usr/local for root. Workspaces and settings are never touched.
set -eu
umask 022

say() {
    printf 'install.sh: %s\n' "$1" >&2
}

fail() {
    say "$1"
    exit "${2:-1}"
}

# Let the desktop notice new or removed files, if it has the tools; most notice them by themselves, but later.
refresh() {
    for update in "update-desktop-database $1/applications" "update-mime-database $1/mime" \
        "gtk-update-icon-cache -q -t -f $1/icons/hicolor"; do
        tool=${update%% *}
        command -v "$tool" >/dev/null 2>&1 || continue
        case $tool in
            update-desktop-database) "$tool" "$1/applications" ;;
            update-mime-database) "$tool" "$1/mime" ;;
            *) "$tool" -q -t -f "$1/icons/hicolor" ;;
        esac >/dev/null 2>&1 || true
    done
}

# Copy a desktop file. Menus may not have the folder of the program in their PATH.
copy_entry() {
    while IFS= read -r line; do
        case $line in
            Exec=fencewright*) line="Exec=\"$prefix/bin/fencewright\"${line#Exec=fencewright}" ;;
            TryExec=*) line="TryExec=$prefix/bin/fencewright" ;;
        esac
        printf '%s\n' "$line"
    done <"$1" >"$2"
}

check_link() {
    link=$prefix/bin/fencewright
    if [ -e "$link" ] || [ -h "$link" ]; then
        [ "$(readlink "$link" || true)" = ../lib/fencewright/fencewright ] ||
            fail "$link is another installation, by pip, pipx or uv for example: remove it first, or use another prefix"
    fi
}

check_folder() {
    folder=$prefix/lib/fencewright
    [ ! -e "$folder" ] || [ -f "$folder/installed.txt" ] ||
        fail "$folder was not made by this script: remove it first, or use another prefix"
}

# Remove files outside of lib that an installation of this or an older version has listed.
remove_listed() {
    [ -f "$prefix/lib/fencewright/installed.txt" ] || return 0
    while IFS= read -r file; do
        rm -f "$prefix/$file"
        rmdir -p "$prefix/${file%/*}" 2>/dev/null || true
    done <"$prefix/lib/fencewright/installed.txt"
}

install_all() {
    [ -x "$here/lib/fencewright/fencewright" ] || fail "$here/lib/fencewright is missing: unpack the archive again"
    mkdir -p "$prefix/lib" "$prefix/bin" 2>/dev/null ||
        fail "$prefix is not a folder that can be written to: use another prefix, or become root"
    prefix=$(CDPATH='' cd -P -- "$prefix" && pwd -P)
    [ "$prefix" != "$here" ] || fail 'the prefix must be another folder than this one'
    check_link
    check_folder
    new=$prefix/lib/fencewright.new
    rm -rf "$new"
    trap 'rm -rf "$new"' EXIT
    cp -R "$here/lib/fencewright" "$new" || fail "the program could not be copied; nothing was changed"
    cp "$here/install.sh" "$new/install.sh"
    (cd "$here" && find share -type f | LC_ALL=C sort) >"$new/installed.txt"
    remove_listed
    rm -rf "$prefix/lib/fencewright"
    mv "$new" "$prefix/lib/fencewright"
    trap - EXIT
    ln -sf ../lib/fencewright/fencewright "$prefix/bin/fencewright"
    while IFS= read -r file; do
        mkdir -p "$prefix/${file%/*}"
        case $file in
            *.desktop) copy_entry "$here/$file" "$prefix/$file" ;;
            *) cp "$here/$file" "$prefix/$file" ;;
        esac
    done <"$prefix/lib/fencewright/installed.txt"
    refresh "$prefix/share"
    say "installed $("$prefix/bin/fencewright" --version) in $prefix"
    case :$PATH: in
        *":$prefix/bin:"*) ;;
        *) say "$prefix/bin is not in PATH: add it there, or run $prefix/bin/fencewright" ;;
    esac
}

uninstall() {
    [ -f "$prefix/lib/fencewright/installed.txt" ] || fail "this script has installed nothing in $prefix"
    check_link
    remove_listed
    rm -f "$prefix/bin/fencewright"
    rm -rf "$prefix/lib/fencewright"
    rmdir "$prefix/bin" "$prefix/lib" "$prefix" 2>/dev/null || true
    refresh "$prefix/share"
    say "removed from $prefix; workspaces and settings are kept"
}

# A function, so that the shell has read all of this file before it may be removed.
main() {
    here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
    prefix=
    action=install_all
    while [ $# -gt 0 ]; do
        case $1 in
            --prefix)
                [ $# -gt 1 ] && [ -n "$2" ] || fail '--prefix needs a folder' 2
                prefix=$2
                shift
                ;;
            --prefix=?*) prefix=${1#--prefix=} ;;
            --uninstall) action=uninstall ;;
            -h | --help)
                echo 'usage: sh install.sh [--prefix FOLDER] [--uninstall]'
                exit
                ;;
            *) fail 'usage: sh install.sh [--prefix FOLDER] [--uninstall]' 2 ;;
        esac
        shift
    done
    if [ -z "$prefix" ] && [ -f "$here/installed.txt" ]; then
        # The copy that was installed with the program.
        prefix=$(CDPATH='' cd -P -- "$here/../.." && pwd -P)
    elif [ -z "$prefix" ] && [ "$(id -u)" -eq 0 ]; then
        prefix=/usr/local
    elif [ -z "$prefix" ]; then
        prefix=${HOME:?HOME is not set, so give a folder with --prefix}/.local
    fi
    "$action"
    exit
}

main "$@"
