#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""memory.py BUILD: where the RAM goes, for those who audit it.

The static map (largest objects of .data and .bss of build/mayfly.debug), the buffers that are mapped at the start, the stack of each function (largest ten, from
-fstack-usage), and every limit in the headers named limits.h with its value. Nothing else exists: there is no heap
after init.
"""
import os
import re
import subprocess
import sys

import figures

LIMITS = ('firmware/state/limits.h', 'boards/posix/limits.h')
LARGEST = 10


def static_map(binary):
    """[(bytes, section letter, name)] of mutable data, largest first; read-only data is no RAM of a microcontroller."""
    out = subprocess.run(['nm', '-S', '--size-sort', '-r', binary], capture_output=True, text=True, check=True).stdout
    found = []
    for line in out.splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in 'bBdD':
            found.append((int(words[1], 16), words[2], words[3]))
    return found


def sections(binary):
    out = subprocess.run(['size', '-A', '-d', binary], capture_output=True, text=True, check=True).stdout
    return {w[0]: int(w[1]) for w in (line.split() for line in out.splitlines()) if len(w) >= 2 and w[0].startswith('.')}


def mapped(binary):
    """Bytes of buffers that are mapped at the start (boards/posix/pools.h): the value of a constant."""
    symbols = subprocess.run(['nm', binary], capture_output=True, text=True, check=True).stdout
    at = int(re.search(r'^([0-9a-f]+) R board_pool_bytes$', symbols, re.M)[1], 16)
    dump = subprocess.run(['objdump', '-s', f'--start-address={at}', f'--stop-address={at + 4}', binary],
                          capture_output=True, text=True, check=True).stdout
    return int.from_bytes(bytes.fromhex(re.search(rf'^ {at:x} ([0-9a-f]{{8}})', dump, re.M)[1]), 'little')


def stacks(build):
    """[(bytes, function, file:line, kind)] of the functions of our rooms, largest first."""
    found = []
    for folder, _, names in os.walk(os.path.join(build, 'obj')):
        for name in names:
            if name.endswith('.su'):
                with open(os.path.join(folder, name), encoding='utf-8') as f:
                    for line in f:
                        place, size, kind = line.rstrip('\n').split('\t')
                        file, number, _, function = place.split(':', 3)
                        file = os.path.normpath(file)
                        if not file.startswith(('tests/', 'tools/')):
                            found.append((int(size), function, f'{file}:{number}', kind))
    return sorted(found, reverse=True)


def limits():
    """[(file, name, value as written, what the comment says)]; the values are then computed by the compiler."""
    found = []
    for path in LIMITS:
        if not os.path.exists(path):
            continue
        comment = ''
        with open(path, encoding='utf-8') as f:
            for line in f:
                define = re.match(r'#define\s+(\w+)\s+([^/]+?)\s*(?:/\*+<?\s*(.*?)\s*\*/)?$', line)
                text = re.match(r'/\*\*\s*(.*?)\s*(\*/)?$', line)
                if define and not define[1].endswith('_H'):
                    found.append((path, define[1], define[2], define[3] or comment))
                elif text:
                    comment = text[1]
    return found


def main():
    build = sys.argv[1]
    binary = os.path.join(build, 'mayfly.debug')
    result = figures.Figures()

    print('static RAM map: the largest objects')
    for size, letter, name in static_map(binary)[:2 * LARGEST]:
        print(f'  {size:9d}  {"bss " if letter in "bB" else "data"}  {name}')
    parts = sections(binary)
    ram = {k: v for k, v in parts.items() if k in ('.data', '.bss', '.tdata', '.tbss', '.data.rel.ro', '.got', '.got.plt')}
    print('sections: ' + ', '.join(f'{k} {v}' for k, v in sorted(ram.items())))
    print(f'buffers that are mapped at the start (boards/posix/pools.h): {mapped(binary)}')
    result.add('memory.static', parts.get('.data', 0) + parts.get('.bss', 0) + mapped(binary), 'bytes')

    print(f'stack: the largest {LARGEST} frames of our own functions [bytes]')
    frames = stacks(build)
    for size, function, place, kind in frames[:LARGEST]:
        print(f'  {size:6d}  {function}  {place}  {kind}')
    unbounded = [f for f in frames if 'dynamic' in f[3] and 'bounded' not in f[3]]
    for frame in unbounded:
        print(f'  unbounded: {frame[1]}  {frame[2]}')
    result.add('memory.stack', frames[0][0] if frames and not unbounded else None, 'bytes')

    print('limits')
    for path, name, value, text in limits():
        print(f'  {name} = {value}  ({path}) {text}')
    return result.exit_code()


if __name__ == '__main__':
    sys.exit(main())
