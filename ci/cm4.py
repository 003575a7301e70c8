#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cm4.py FOLDER PREFIX: sizes of the Cortex-M4 objects of each room and sub-room, and what they ask of a C library.

A flight controller has no operating system: beyond memory and string functions, square root, and the compiler's own
arithmetic nothing may be missing, or the code would not link there.
"""
import collections
import os
import re
import subprocess
import sys

import calls
import figures
import style

# Of the C library; __aeabi_*, __*di* and __*df* are the compiler's arithmetic; mf_assert_failed is the board's.
FROM_OUTSIDE = re.compile(r'^(mem(cpy|move|set|cmp|chr)|str(len|nlen|cmp|ncmp|ncpy|chr|rchr)|sqrtf?|mf_assert_failed|'
                          r'__aeabi_\w+|__\w*(di|df|sf|si|ti)\w*\d?|__errno)$')


# Of world/, for simulators of swarms: no flight controller links it.
OF_SWARMS = re.compile(r'world/(coverage|decibel|engine|field|medium|mover_|multirotor|obstacles|radio|sense\.|space|things|weather)')


def objects(folder):
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith('.o'):
                yield os.path.join(path, name)


def main():
    folder, prefix = sys.argv[1], sys.argv[2]
    result = figures.Figures()
    flash, ram = collections.Counter(), 0
    defined, wanted = set(), {}
    for path in objects(folder):
        room = os.path.relpath(path, folder).split(os.sep)[0]
        if room not in style.PURE or OF_SWARMS.match(os.path.relpath(path, folder)): # boards for the chip compile into the same folder
            continue
        size = subprocess.run([prefix + 'size', path], capture_output=True, text=True, check=True).stdout
        text, data, bss = (int(n) for n in size.splitlines()[1].split()[:3])
        flash[room] += text + data
        if room == 'firmware':
            flash[f'firmware.{calls.sub_room(os.path.relpath(path, folder))}'] += text + data
        ram += data + bss
        symbols = subprocess.run([prefix + 'nm', path], capture_output=True, text=True, check=True).stdout
        for line in symbols.splitlines():
            words = line.split()
            if words[-2] == 'U':
                wanted.setdefault(words[-1], path)
            elif words[-2].isupper():
                defined.add(words[-1])
    if not flash:
        print(f'cm4: no objects in {folder}')
        return 1
    for room, size in sorted(flash.items()):
        result.add(f'cm4.{room}', size, 'bytes')
    autopilot = sum(flash[room] for room in ('firmware', 'mavlink', 'math', 'hal'))
    result.add('cm4.autopilot', autopilot, 'bytes')
    result.add('cm4.flash', autopilot + flash['world'], 'bytes')
    result.add('cm4.ram', ram, 'bytes')
    outside = {name: path for name, path in wanted.items() if name not in defined}
    print('asked of a C library: ' + ', '.join(sorted(n for n in outside if not n.startswith('__aeabi'))))
    strange = {name: path for name, path in outside.items() if not FROM_OUTSIDE.match(name)}
    for name, path in sorted(strange.items()):
        print(f'{path} needs {name}, which a microcontroller does not have')
    return 1 if strange else result.exit_code()


if __name__ == '__main__':
    sys.exit(main())
