#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""calls.py BUILD [--list]: who calls whom among the files of firmware/, from the symbols of the objects in BUILD/obj.

A file that needs a symbol stands above the symbol's home: no circle of files, and no call from a lower sub-room (ci/rooms)
into a higher one. An address counts as a call: a pointer to a function of a higher room is a call up, too. The figures
may only become smaller: ci/budgets says how many there may be. --list names all of them.
"""
import os
import re
import subprocess
import sys

from figures import Figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIRMWARE = os.path.join(TOP, 'firmware')
INCLUDE = re.compile(r'^\s*#\s*include\s*"(firmware/[^"]+)"')


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def read_rooms():
    """{file: height of its sub-room}, [names of the sub-rooms from the bottom up]"""
    order, room_of = [], {}
    with open(os.path.join(TOP, 'ci', 'rooms'), encoding='utf-8') as f:
        for line in f:
            room, _, files = line.split('#')[0].partition(':')
            if not files:
                continue
            if room not in order:
                order.append(room)
            for name in files.split():
                if name in room_of:
                    sys.exit(f'calls: ci/rooms names {name} twice')
                room_of[name] = order.index(room)
    return room_of, order


def sources():
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(FIRMWARE)
                  for name in names if name.endswith(('.c', '.h', '.def')))


def symbols(obj):
    """(defined, needed) names of an object that other files see."""
    defined, needed = set(), set()
    for line in subprocess.run(['nm', '--extern-only', obj], check=True, capture_output=True, text=True).stdout.splitlines():
        kind, name = line.split()[-2:]
        (needed if kind == 'U' else defined).add(name)
    return defined, needed


def read_calls(build):
    """{file: {file that it calls: [symbols]}}"""
    home, needs = {}, {}
    for path in sources():
        if path.endswith('.c'):
            obj = os.path.join(build, 'obj', os.path.relpath(path, TOP)[:-2] + '.o')
            if not os.path.exists(obj):
                sys.exit(f'calls: {obj} is not there: make all')
            defined, needs[stem(path)] = symbols(obj)
            home.update((name, stem(path)) for name in defined)
    calls = {name: {} for name in needs}
    for name, wanted in needs.items():
        for symbol in sorted(wanted):
            if home.get(symbol, name) != name:
                calls[name].setdefault(home[symbol], []).append(symbol)
    return calls


def reach(calls, start):
    seen, todo = set(), list(calls[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += calls[name]
    return seen


def circles(calls):
    """Sets of files of which each calls all others, by whatever way."""
    below = {name: reach(calls, name) for name in calls}
    found = []
    for name in sorted(calls):
        if name in below[name] and not any(name in circle for circle in found):
            found.append({name} | {other for other in below[name] if name in below[other]})
    return found


def upward_includes(room_of):
    found = []
    for path in sources():
        with open(path, encoding='utf-8') as f:
            for line in f:
                included = INCLUDE.match(line)
                if included and room_of[stem(included[1])] > room_of[stem(path)]:
                    found.append(f'{os.path.relpath(path, TOP)}: {included[1]}')
    return found


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else 'build'
    room_of, order = read_rooms()
    homeless = sorted({stem(path) for path in sources()} - set(room_of))
    stale = sorted(set(room_of) - {stem(path) for path in sources()})
    for name in homeless:
        print(f'ci/rooms does not say to which sub-room firmware/{name} belongs')
    for name in stale:
        print(f'ci/rooms names {name}, which is not in firmware/')
    if homeless or stale:
        return 1
    calls = read_calls(build)
    found = circles(calls)
    upward = [f'{order[room_of[a]]}/{a} calls {order[room_of[b]]}/{b}: {" ".join(calls[a][b])}'
              for a in sorted(calls) for b in sorted(calls[a]) if room_of[b] > room_of[a]]
    includes = upward_includes(room_of)
    figures = Figures()
    figures.add('rooms.circles', sum(len(circle) for circle in found), 'files')
    figures.add('rooms.upward', len(upward), 'calls')
    figures.add('rooms.includes', len(includes), 'includes')
    if figures.broken or '--list' in sys.argv:
        for circle in found:
            print('circle: ' + ' '.join(sorted(circle)))
        print('\n'.join(upward + includes))
        print('    why: what goes up is a posted event or a wake-up; a file that calls down only is tested without those above it')
    return figures.exit_code()


if __name__ == '__main__':
    sys.exit(main())
