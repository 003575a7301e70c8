#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""public.py BUILD: does anything but a test need what a header offers?

By the symbols in BUILD/obj: each function and table that the objects of a room define must be needed by another object of the
product. What its own file alone needs is static, unless tests call it. What tests alone need belongs to the tests; the few
exceptions stand below, with the reason.
"""
import os
import re
import subprocess
import sys

import calls

ROOMS = ('mavlink', 'math', 'hal', 'firmware', 'world', 'drone', 'host', 'hal-posix', 'hal-sim', 'hal-stm32', 'fleet', 'boards')
USERS = ROOMS + ('tools', 'ci')  # programs that are built beside the product
CHIP = 'boards/stm32f405'  # compiled for the chip, elsewhere: its text counts
EXCEPT = {
    'mf_drone_reboot': 'libmayfly: a vehicle boots anew in a world that goes on',
    'mf_field_is_extension': 'libmayfly: what the table of messages says, to whoever walks it',
    'mf_wire_type_name': 'the same',
    'mf_pack_covers': 'fuzzing and proofs say with it what mf_pack_at promises',
}


def text_of(*rooms, but=''):
    """All of their C, without comments."""
    text = ''
    for path in (path for room in rooms for path in calls.sources(room)):
        if not but or not path.startswith(but):
            with open(os.path.join(calls.TOP, path), encoding='utf-8') as f:
                text += f.read()
    return re.sub(r'/\*.*?\*/', '', text, flags=re.S)


def read(build):
    """({symbol: its file}, {symbols that another file needs})"""
    homes, needed = {}, set()
    paths = {os.path.join(build, 'obj', path[:-2] + '.o'): path for room in USERS for path in calls.sources(room) if path.endswith('.c')}
    objects = [obj for obj in paths if os.path.exists(obj)]
    for line in subprocess.run(['nm', '-A', '--extern-only', *objects], check=True, capture_output=True, text=True).stdout.splitlines():
        obj, _, entry = line.partition(':')
        kind, name = entry.split()[-2:]
        if kind in 'Uw':  # w: weak, there in some programs only
            needed.add(name)
        elif paths[obj].split('/')[0] in ROOMS:
            homes[name] = paths[obj]
    return homes, needed


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else 'build'
    homes, needed = read(build)
    needed |= set(re.findall(r'\w+', text_of(CHIP)))
    tested = set(re.findall(r'\w+', text_of('tests')))
    findings = []
    for name, path in sorted(homes.items(), key=lambda item: item[::-1]):
        if name in needed or name == 'main' or name.startswith('__') or name in EXCEPT:
            continue
        with open(os.path.join(calls.TOP, path), encoding='utf-8') as f:
            own = len(re.findall(rf'\b{name}\b', re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)))
        listed = own == 1 and re.match(r'mf_(encode|log)_', name)  # by the table of streams or topics in the same file
        if name in tested and own == 1 and not listed:
            findings.append(f'{path}: tests alone need {name}')
        elif name not in tested and not listed:
            findings.append(f'{path}: {"its own file alone needs" if own > 1 else "nobody needs"} {name}: static?')
    findings += [f'ci/public.py: {name} is no exception any more' for name in EXCEPT if name not in homes or name in needed]
    print('\n'.join(findings + [f'public: {len(homes)} symbols, {len(findings)} findings']))
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
