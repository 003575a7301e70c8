#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""differences.py: each function that asks for PX4's rules, and each parameter of Mayfly's own, has a row in differences.def.

docs/differences.md promises to list them all. No commit records a row that this found missing; no other check reads the table.
"""
import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join('firmware', 'state', 'differences.def')


def functions(path, word):
    """The functions of a file in whose bodies a word stands."""
    name, found = '', set()
    with open(os.path.join(TOP, path), encoding='utf-8') as file:
        for line in file:
            head = re.match(r'[a-z_].*?\b(\w+)\(', line)
            name = head.group(1) if head and not line.rstrip().endswith(';') else name
            if re.search(rf'\b{word}\b', line) and name:
                found.add(f'{os.path.basename(path)}:{name}')
    return found


def main():
    with open(os.path.join(TOP, TABLE), encoding='utf-8') as file:
        table = file.read()
    rows = {use for uses in re.findall(r'^STRICT\("([^"]*)"', table, re.M) for use in uses.split()}
    uses = set()
    for path in glob.glob(os.path.join(TOP, 'firmware', '**', '*.c'), recursive=True):
        uses |= functions(os.path.relpath(path, TOP), 'px4_strict')
    uses |= functions(os.path.join('host', 'config', 'config_read.c'), 'derive_strict') & {'config_read.c:derive_strict'}
    with open(os.path.join(TOP, 'firmware', 'state', 'params.def'), encoding='utf-8') as file:
        own = set(re.findall(r'^P\((MF_\w+)', file.read(), re.M))
    faults = [f'{use} asks for px4_strict and has no row' for use in sorted(uses - rows)]
    faults += [f'{use} has a row and does not ask for px4_strict' for use in sorted(rows - uses)]
    faults += [f'{name} has no row' for name in sorted(own) if not re.search(rf'\b{name}\b', table)]
    for fault in faults:
        print(f'{TABLE}: {fault}')
    print(f'differences: {len(rows)} functions with px4_strict, {len(faults)} findings')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
