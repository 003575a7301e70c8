#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh install|uninstall BUILD PREFIX [FOLDER]: the programs that were built (in FOLDER, for another processor), mayfly's man page
# and completions, the documentation. Uninstalling takes away what installing puts there, and nothing else.
set -eu
action=$1 build=$2 prefix=$3 folder=${4:-$2}
manual=share/man/man1/mayfly.1
bash=share/bash-completion/completions/mayfly
zsh=share/zsh/site-functions/_mayfly
pages=share/doc/mayfly
library=libmayflytime.so
plot=mayfly-swarm-plot
programs='mayfly mayfly-swarm mayfly-body mayfly-generate mayfly-view replay conform fly geoid elevation simctl'

put() { # MODE FILE PLACE
    mkdir -p "$prefix/${3%/*}"
    install -m "$1" "$2" "$prefix/$3"
}

generated() { # FORM PLACE
    mkdir -p "$build/share"
    "$build/ci/options" "$1" >"$build/share/$1"
    put 644 "$build/share/$1" "$2"
}

if [ "$action" = install ]; then
    for program in $programs; do
        [ ! -x "$folder/$program" ] || put 755 "$folder/$program" "bin/$program"
    done
    put 755 tools/plot/plot.py "bin/$plot"
    [ ! -e "$folder/$library" ] || put 644 "$folder/$library" "lib/mayfly/$library"
    generated man "$manual"
    generated bash "$bash"
    generated zsh "$zsh"
    put 644 README.md "$pages/README.md"
    put 644 LICENSE "$pages/LICENSE"
    for folder in $(find docs -type d); do
        mkdir -p "$prefix/$pages/$folder"
        find "$folder" -maxdepth 1 -type f -exec install -m 644 -t "$prefix/$pages/$folder" {} +
    done
    echo "install: mayfly, its tools, man page and completions are in $prefix"
else
    for program in $programs; do
        rm -f "$prefix/bin/$program"
    done
    rm -f "$prefix/bin/$plot" "$prefix/lib/mayfly/$library"
    rmdir "$prefix/lib/mayfly" 2>/dev/null || true
    rm -rf "$prefix/$manual" "$prefix/$bash" "$prefix/$zsh" "${prefix:?}/$pages"
    echo "uninstall: nothing of mayfly is left in $prefix"
fi
