#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/dependencies.md gives a reason for each package that the Makefile installs, and names no other."""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = 'docs/dependencies.md'
# of the C compiler and make themselves; certificates in general
ALWAYS = {'make', 'npm', 'nodejs'}


def installed():
    """All packages of the lists DEPS_*, as make expands them."""
    with open(os.path.join(TOP, 'Makefile'), encoding='utf-8') as f:
        names = sorted(set(re.findall(r'^(DEPS_\w+)\s*[:+]?=', f.read(), re.M)))
    probe = 'print-dependencies:\n\t@echo ' + ' '.join(f'$({name})' for name in names) + '\n'
    out = subprocess.run(['make', '-s', '-f', 'Makefile', '-f', '-', 'print-dependencies'], input=probe, cwd=TOP, text=True,
                         capture_output=True, check=True).stdout
    return set(out.split())


def named():
    """Packages of the table's first column."""
    with open(os.path.join(TOP, PAGE), encoding='utf-8') as f:
        rows = [line.split('|')[1] for line in f if line.startswith('| ')]
    return {name.strip() for row in rows[1:] for name in row.split(',')}


def main():
    have, told = installed(), named()
    missing, stray = have - told, told - have - ALWAYS
    for name in sorted(missing):
        print(f'{PAGE}: {name} is installed by the Makefile, and not named here')
    for name in sorted(stray):
        print(f'{PAGE}: {name} is named, and installed by no list of the Makefile')
    return 1 if missing or stray else 0


if __name__ == '__main__':
    sys.exit(main())
