#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""linkmap.py MAP: what build/mayfly is made of, by its link map.

Outside the tree's own objects only the C library, the compiler's run-time library, libyaml and http-parser may take part: a static
binary of a few kilobytes of its own is what makes an image without a runtime, and every library is code to be trusted.
"""
import collections
import os
import re
import sys

ALLOWED = {
    'libc.a': 'the C library', 'libm.a': 'the C library', 'libgcc.a': 'the compiler\'s run-time',
    'libgcc_eh.a': 'the compiler\'s run-time', 'libyaml.a': 'the configuration file',
    'libhttp_parser.a': 'requests of the control API',
}


def members(path):
    """{archive or object: [members taken from it]} as the linker included them."""
    taken = collections.defaultdict(set)
    with open(path, encoding='utf-8', errors='replace') as f:
        for line in f:
            archive = re.match(r'^(\S+\.a)\(([^)]+)\)', line)
            loaded = re.match(r'^LOAD (\S+)$', line)  # 'linker stubs' are no file
            if archive:
                taken[archive[1]].add(archive[2])
            elif loaded and not loaded[1].endswith('.a'):
                taken[loaded[1]].add('')
    return taken


def main():
    path = sys.argv[1]
    if not os.path.exists(path):
        print(f'linkmap: no {path}; run "make all" first')
        return 1
    build = os.path.dirname(path)
    strangers = []
    for file, names in sorted(members(path).items()):
        base = re.sub(r'^libm-[\d.]+\.a$', 'libm.a', os.path.basename(file))  # what libm.a, a linker script, names
        own = os.path.abspath(file).startswith(os.path.abspath(build) + os.sep)
        start_up = re.fullmatch(r'(crt1|crti|crtn|crtbegin\w?|crtend)\.o', base)
        if own or start_up:
            continue
        if base in ALLOWED:
            print(f'linkmap: {base}: {len(names)} members ({ALLOWED[base]})')
        else:
            strangers.append(file)
    for file in strangers:
        print(f'linkmap: {file} takes part in build/mayfly\n    rule: nothing but libc, libgcc, libyaml and http-parser\n'
              '    why:  every library is code to be trusted, shipped and kept up to date')
    return 1 if strangers else 0


if __name__ == '__main__':
    sys.exit(main())
