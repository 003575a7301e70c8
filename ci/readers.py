#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares tests/fuzz/readers.txt with the tree: each C file that reads bytes from outside has a row, which names its fuzz targets.

A file counts as a reader if it calls a function of the C library, of libyaml, Jansson or http-parser that reads or parses (INPUT), or
if it defines a public function that reads a text or bytes of a given length (PARSES, by its name and its first parameters). A row
`path target[,target]  # bytes, sender` may name more files. A row `path none  # reason` names a file in which the search is wrong.
Some 40 readers had no target before there was this list.
A target that no row names, a row without file or target, and a second row of a file are findings, too. Python and pages are not searched.
"""
import collections
import pathlib
import re
import sys

from public import ROOMS

FUZZ = pathlib.Path('tests/fuzz')
TABLE = FUZZ / 'readers.txt'
INPUT = re.compile(r'(?<![\w.>])(?:p?readv?|recv(?:from|m?msg)?|fread|fgets|getline|getdelim|fgetc|getc|getchar|f?scanf|readdir|json_load\w*|'
                   r'yaml_parser_set_input\w*|http_parser_execute)\(|(?<![\w.>])mmap\((?![^;]*MAP_ANONYMOUS|[^;]*-1, 0\))')
VERB = r'(?:accept|check|convert|decode|feed|find|have|head|hello|hear|length|next|open|parse|plain|query|read|receive|set|take|unpack|view|want)'
PARSES = re.compile(rf'^(?!static)[a-z][^;{{}}()]*?\b\w*_{VERB}(?:_\w+)?\([^;{{}}]*?const (?:char|uint8_t|void) \*\w+,\s+(?:size_t|uint32_t) (?:n|size|most|len)\b'
                    r'[^;{}]*\)\s*\{', re.M)
ROW = re.compile(r'(\S+)\s+(\S+)\s+# (\S.*)')


def is_reader(path):
    text = re.sub(r'/\*.*?\*/|//[^\n]*|^[ \t]*#.*?$|VT_EXPORT[^;{]*', '', path.read_text(encoding='utf-8'), flags=re.S | re.M)
    return INPUT.search(text) or PARSES.search(text)


def rows(find):
    """(path, targets) of each row."""
    for number, line in enumerate(TABLE.read_text(encoding='utf-8').splitlines(), 1):
        row = ROW.fullmatch(line)
        if row:
            yield row[1], [] if row[2] == 'none' else row[2].split(',')
        elif line and line[0] != '#':
            find(f'{TABLE}:{number}: not a row: path target[,target]  # bytes, sender')


def main():
    findings = []
    listed = list(rows(findings.append))
    targets = {path.stem for path in FUZZ.glob('fuzz_*.c')}
    paths = collections.Counter(path for path, _ in listed)
    nothing = {path for path, names in listed if not names}
    used = {target for _, names in listed for target in names}
    findings += [f'{path}: {count} rows' for path, count in paths.items() if count > 1]
    findings += [f'{path}: a row, but not a file' for path in sorted(paths) if not pathlib.Path(path).is_file()]
    findings += [f'{path}: {name} is not a fuzz target' for path, names in listed for name in names if name not in targets]
    findings += [f'{FUZZ}/{name}.c: no row names it' for name in sorted(targets - used)]
    found = {str(path) for room in ROOMS for path in pathlib.Path(room).rglob('*.c') if is_reader(path)}
    findings += [f'{path}: reads bytes from outside, and no row of {TABLE} names it' for path in sorted(found - set(paths))]
    findings += [f'{path}: "none", but the search does not find it' for path in sorted(nothing - found)]
    print('\n'.join(findings + [f'readers: {len(set(paths) - nothing)} files, {len(targets)} fuzz targets, {len(findings)} findings']))
    return 1 if findings or not listed else 0


if __name__ == '__main__':
    sys.exit(main())
