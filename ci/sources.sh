#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sources.sh FOLDER GNU SOURCE...: libraries of Debian's source packages for a processor (GNU: riscv64-linux-gnu) that this release has
# no packages for. FOLDER/SOURCE holds library, headers, copyright and version of each. What was downloaded is in FOLDER.debs, where a
# file ok says that all is there, with the lists of apt: those of the machine stay as they are.
set -eu
folder=$1 gnu=$2 debs=$1.debs
shift 2
rm -rf "$folder" "$debs"
mkdir -p "$folder" "$debs/etc" "$debs/lists/partial" "$debs/archives/partial"
folder=$(cd "$folder" && pwd)
cd "$debs"

get() {
    apt-get -q -q -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
        -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/etc" \
        -o Dir::State="$PWD" -o Dir::State::status=/dev/null -o Dir::Cache="$PWD" "$@"
}

# sources of this release, where apt of this machine finds its packages: both forms that it reads
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -f "$list" ] || sed -nE "s/^deb (.* )?($release(-updates|-security)? .*)/deb-src \1\2/p" "$list"
done >etc/sources.list
for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$list" ] || awk -v RS= -v ORS='\n\n' "/Suites:([^\n]* )?$release(-updates|-security)?( |\n|\$)/" "$list" | sed -E 's/^Types: .*/Types: deb-src/'
done >etc/debian.sources

# library SOURCE NAME OPTION... FILE...: FOLDER/SOURCE/libNAME.a, of files in the present folder
library() {
    to=$folder/$1 name=$2
    shift 2
    "$gnu-gcc" -O2 -w -ffunction-sections -fdata-sections "$@" -c
    "$gnu-ar" rcsD "$to/lib$name.a" ./*.o
}

# Their own build systems make shared libraries and want autotools, for a few files of plain C.
compile() {
    case $1 in
    libyaml)
        version=$(sed -nE 's/^m4_define\(\[YAML_(MAJOR|MINOR|PATCH)\], ([0-9]+)\)/\2/p' configure.ac | paste -sd' ')
        # shellcheck disable=SC2086 # three numbers
        set -- $version
        library libyaml yaml -Iinclude -DYAML_VERSION_MAJOR="$1" -DYAML_VERSION_MINOR="$2" -DYAML_VERSION_PATCH="$3" \
            "-DYAML_VERSION_STRING=\"$1.$2.$3\"" src/*.c
        cp include/yaml.h "$to"
        ;;
    http-parser)
        library http-parser http_parser -DHTTP_PARSER_STRICT=0 http_parser.c
        cp http_parser.h "$to"
        ;;
    jansson)
        sed 's/@json_inline@/inline/; s/@json_have_[a-z_]*@/1/' src/jansson_config.h.in >src/jansson_config.h
        : >src/jansson_private_config.h # what it would say is in the options
        library jansson jansson -Isrc -DHAVE_STDINT_H -DHAVE_UNISTD_H -DHAVE_FCNTL_H -DHAVE_SYS_TYPES_H -DHAVE_OPEN -DHAVE_CLOSE \
            -DHAVE_READ -DHAVE_ATOMIC_BUILTINS -DUSE_URANDOM -DINITIAL_HASHTABLE_ORDER=3 src/*.c
        cp src/jansson.h src/jansson_config.h "$to"
        ;;
    *)
        echo "sources: nothing here says how $1 is compiled" >&2
        exit 1
        ;;
    esac
}

echo "sources: $* for $gnu"
get update
get source --only-source "$@" >source.log 2>&1 || { cat source.log >&2; exit 1; }
for source in "$@"; do
    mkdir -p "$folder/$source"
    cd "$source"-*/
    compile "$source"
    cp debian/copyright "$folder/$source"
    dpkg-parsechangelog -S Version >"$folder/$source/version"
    cd ..
done
rm -rf ./*/ ./*.bin source.log
touch ok
