#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""public.py: finds functions and tables of headers that no other file of the product needs.

By their text, preprocessed: another file of the product must name each. What its own file alone needs is static, unless tests
call it. What tests alone need belongs to the tests; the exceptions stand below, with the reason. It has found nine functions that
had to be static, and two of tools/ that no program called. cppcheck's unusedFunction reports none of the nine, and takes 110 s.
"""
import os
import re
import sys

import calls

ROOMS = ('mavlink', 'math', 'hal', 'firmware', 'world', 'drone', 'host', 'hal-posix', 'hal-sim', 'hal-stm32', 'fleet', 'boards', 'tools')
USERS = ROOMS + ('ci',)  # programs that are built beside the product
PLACES = 'tools/virtual-time'  # its functions take the place of the C library's
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


def read():
    """({symbol: its file}, {symbols that another file needs})"""
    paths = [path for room in USERS for path in calls.sources(room) if path.endswith('.c') and not path.startswith(CHIP)]
    homes = {name: path for path in paths if path.split('/')[0] in ROOMS and not path.startswith(PLACES) for name in calls.defined(path)}
    words = calls.read_words(paths)
    return homes, {name for path in paths for name in words[path] & homes.keys() if homes[name] != path}


def main():
    homes, needed = read()
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
