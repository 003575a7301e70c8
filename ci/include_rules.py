#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who includes what: the table of the rooms in ARCHITECTURE.md, as code.

An include may point down or sideways to what a room is listed to use, never up. Every finding names the line, the rule
it breaks, and why the rule exists. Its rules came with moves of files, such as the firmware's headers that a host may see; no
commit records an include that it found later.
"""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Headers that exist on a microcontroller without an operating system and bring neither state, input, output nor heap.
FREESTANDING = {'stdbool.h', 'stddef.h', 'stdint.h', 'stdarg.h', 'limits.h', 'float.h', 'inttypes.h', 'string.h',
                'stdalign.h', 'stdnoreturn.h', 'iso646.h'}
ANY = None  # every system header

PURE_WHY = ('it runs on a flight controller and ten thousand times in one process: no input, output, heap, clock or '
            'operating system is beneath it')

# room: what it may include of the project, which system headers, and why no more
RULES = {
    'mavlink': ({'mavlink'}, FREESTANDING,
                'the codec serves vehicle and ground alike, so it knows neither; ' + PURE_WHY),
    'math': ({'math'}, FREESTANDING, 'the lowest room stands on nothing; ' + PURE_WHY),
    'hal': ({'hal'}, FREESTANDING, 'contracts know none of their two sides; ' + PURE_WHY),
    'firmware': ({'firmware', 'hal', 'mavlink', 'math'}, FREESTANDING,
                 'firmware that knows only contracts is testable, portable and hostable by the thousand; ' + PURE_WHY),
    'world': ({'world', 'hal', 'math'}, FREESTANDING,
              'the world must not know who flies in it, else its truth could bend to the autopilot; ' + PURE_WHY),
    'drone': ({'drone', 'firmware', 'world', 'hal', 'mavlink', 'math'}, FREESTANDING,
              'one drone must fit every board, from a microcontroller to ten thousand in a process; ' + PURE_WHY),
    'host': ({'host', 'drone', 'hal', 'math', 'mavlink'}, ANY,
             'what boards share must fit every board: contracts only, the vehicle through its public calls'),
    'hal-posix': ({'hal-posix', 'drone', 'hal', 'math'}, ANY, 'a device implements a contract and knows nothing of its user'),
    'hal-sim': ({'hal-sim', 'drone', 'world', 'hal', 'mavlink', 'math'}, FREESTANDING | {'pthread.h', 'stdatomic.h'},
                'it hosts drones by the thousand and knows nothing of who looks at them: no input, output or heap'),
    'fleet': ({'fleet', 'mavlink', 'world', 'math', 'hal'}, ANY,
              'what gives orders must not learn what obeys them: a vehicle here, an agent or a drone elsewhere'),
    'hal-stm32': ({'hal-stm32', 'drone', 'hal', 'math'}, FREESTANDING | {'stdatomic.h'},
                  'a device implements a contract and knows nothing of its user; it runs beneath every C library'),
    'boards': ({'mavlink', 'math', 'hal', 'firmware', 'world', 'drone', 'host', 'hal-posix', 'hal-sim', 'hal-stm32', 'fleet'}, ANY,
               'a board chooses from what is below; siblings have nothing in common that is not in host/'),
    'tools': ({'mavlink', 'math', 'world', 'host'}, ANY,
              'ground software talks MAVLink, so that it works with a real vehicle too'),
    'tests': (ANY, ANY, ''),
}

# Single files with a right of their own: (including file, what it includes): why
EXCEPTIONS = {
    ('math/trig.c', 'math.h'): 'sqrt, NAN and INFINITY; sqrt is exact in IEEE 754, everything else of libm is not',
}
# Headers that a room may include though it stands below or beside them: an assertion, so that it names its instance
# everywhere; of a vehicle what the host may call, not what stands behind it; of a release its number.
PUBLIC = {('mavlink', 'hal/assert.h'), ('math', 'hal/assert.h'), ('tools', 'firmware/state/version.h'),
          *(('host', 'firmware/' + header) for header in
             ('report/snapshot.h', 'flight/items.h', 'core/param.h', 'flight/faults.h', 'flight/mode.h', 'state/journal.h',
              'state/link_stats.h')),
          *(('hal-sim', 'firmware/' + header) for header in ('flight/items.h', 'state/items.h')),
          *(('fleet', 'host/base/' + header) for header in ('yaml_tree.h', 'value.h', 'filekind.h'))}
# The layout of a drone and of its vehicle, and who alone includes it in a board with more files than one.
LAYOUT = {'drone/drone.h', 'firmware/state/vehicle.h'}
HOLDER = {'boards/posix': 'boards/posix/memory.c', 'hal-sim': 'hal-sim/crowd.c'}
# Tools that share code of another one: whose file formats they serve, and what serves them over HTTP. Those that are shipped
# static find hosts as the drone does: the C library's own way would load shared objects. Commands end by one keeper everywhere.
SHARED = {('boards/view', 'boards/swarm'), ('tools/elevation', 'tools/geoid'), ('tools/elevation', 'tools/web'), ('tools/simctl', 'tools/web'),
          ('tools/standin', 'tools/fly'), ('tools/standin', 'tools/web'), ('tools/fly', 'hal-posix'), ('tools/body', 'fleet'),
          ('tools/body', 'hal-posix'), ('tools/replay', 'hal-posix'), ('tools/simctl', 'hal-posix')}

# Rooms within a tool: what each may include of it. Files beside them are the program, and see all.
INNER = {'tools/simctl': {'base': {'base'}, 'api': {'api', 'base'}, 'kube': {'kube', 'base'}, 'local': {'local', 'base'}}}
INNER_WHY = 'a backend knows no API, and the API no backend: both meet in base/backend.h'

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SYSTEM_WHY = {
    'math.h': 'its functions differ in the last bits between C libraries: the same flight would not give the same bytes',
    'stdlib.h': 'nothing is allocated after init', 'stdio.h': 'output is the log contract\'s', 'time.h': 'time is an input',
}


def room_of(path):
    parts = path.split('/')
    return parts[0], '/'.join(parts[:2]) if parts[0] in ('boards', 'tools') else parts[0]


def check_project(path, target):
    """The broken rule, or None."""
    room, home = room_of(path)
    allowed, _, why = RULES[room]
    if allowed is ANY:
        return None
    if target.startswith('.'):
        return 'includes name the path from the top of the tree', 'a file must mean the same wherever it is included'
    other, other_home = room_of(target)
    if '/' not in target:
        return f'"{target}" is no file of the project by its path from the top', 'includes name the room they reach into'
    if target in LAYOUT and HOLDER.get(home, path) != path:
        return f'{home}/ sees a drone through drone/calls.h; {HOLDER[home]} alone includes {target}', \
            'what does not know a layout cannot depend on it, and is not compiled again when it changes'
    inner = INNER.get(home, {}).get(path[len(home) + 1:].split('/')[0])
    if inner and other_home == home and target[len(home) + 1:].split('/')[0] not in inner:
        return f"{os.path.dirname(path)}/ may include {', '.join(sorted(inner))} of {home}/", INNER_WHY
    if other_home == home or other in allowed or (room, target) in PUBLIC \
            or (home, other_home) in SHARED:
        return None
    listed = ', '.join(sorted(allowed | {home}))
    return f'{home}/ may include {listed}; not {other_home}/', why


def check_system(path, header):
    room, home = room_of(path)
    _, allowed, why = RULES[room]
    if allowed is ANY or header in allowed or (path, header) in EXCEPTIONS \
            or (home + '/*', header) in EXCEPTIONS:
        return None
    return f'{home}/ may not include <{header}>', SYSTEM_WHY.get(header, why)


def check_file(path, findings):
    count = 0
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        for number, line in enumerate(f, 1):
            found = 'include' in line and INCLUDE.match(line)
            if not found:
                continue
            count += 1
            broken = check_project(path, found[1]) if found[1] else check_system(path, found[2])
            if broken:
                findings.append(f'{path}:{number}: {line.strip()}\n    rule: {broken[0]}\n    why:  {broken[1]}')
    return count


def main():
    findings, files, includes = [], 0, 0
    for room in RULES:
        for folder, _, names in os.walk(os.path.join(TOP, room)):
            for name in sorted(names):
                if name.endswith(('.c', '.h', '.def')):
                    path = os.path.relpath(os.path.join(folder, name), TOP)
                    includes += check_file(path, findings)
                    files += 1
    for finding in findings:
        print(finding)
    print(f'include rules: {includes} includes in {files} files, {len(findings)} against the rules')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
