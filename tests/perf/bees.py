#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bees.py MAYFLY_SWARM: Simbeeotic's figures on examples/scenarios/bees.yaml, and rigid bodies, as multiples of real time on one core, by
the processor time of a run: Fig. 6, 32 bees among obstacles; Fig. 7, the size of a swarm; Fig. 8, the same with broadcasts; Fig. 12, the
scenario as printed. Prints lines 'name value unit'; ci/figures.py puts the limits beside them."""
import os
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile

from paths import SCENARIOS
from swarm_case import options

BEES = os.path.join(SCENARIOS, 'bees.yaml')
QUIET = {'entities.1.send': '{}'}
RIGID = """swarm: 1
time: {clock: fast, end: 10}
entities:
  - name: body
    count: 1000
    as: agent
    start: 0
    place: {grid: [40, 25], spacing: 5}
    body: {kind: rigid, rate: 60, mass: 1.5, inertia: [0.02, 0.025, 0.04], forces: [{kind: follow}, {kind: drag, area: 0.02}]}
    behaviour: {kind: walk, rate: 10, height: 3}
"""
AMONG = """swarm: 1
time: {clock: fast, end: 2000}
space: {obstacles: [%s]}
entities:
  - name: bee
    count: 32
    as: agent
    place: {disc: [100, 100, 30]}
    body: {kind: bee, compat: simbeeotic}
    behaviour: {kind: walk, rate: 10}
outputs: {contacts: {file: met.csv, every: 0.1}}
"""


def used_s(swarm, scenario, sets, whole=False):
    """Seconds of a processor by a run, or by the whole process: the better of two, what disturbs a run only makes it slower."""
    args = options(*(f'{key}={value}' for key, value in sets.items()))
    best = float('inf')
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([swarm, scenario, '--out', os.path.dirname(scenario) if scenario != BEES else '', *args],
                              capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        all_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        best = min(best, all_s if whole else float(re.search(r'; ([0-9.]+) s of processors', done.stdout)[1]))
    return best


def say(name, value, unit='times'):
    print(f'bees.{name} {value:.3f} {unit}', flush=True)


def rocks(path, count):
    """So many tetrahedra half a metre wide in 200 x 200 x 20 m, as one STL file."""
    chance = random.Random(111982)
    facets = []
    for _ in range(count):
        at = [200 * chance.random(), 200 * chance.random(), 20 * chance.random()]
        corner = [at] + [[x + (0.5 if k == axis else 0) for k, x in enumerate(at)] for axis in range(3)]
        for a, b, c in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)):
            facets.append(struct.pack('<12fH', 0, 0, 0, *corner[a], *corner[b], *corner[c], 0))
    with open(path, 'wb') as f:
        f.write(bytes(80) + struct.pack('<I', len(facets)) + b''.join(facets))


def write(folder, text):
    path = os.path.join(folder, 's.yaml')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
    return path


def main():
    swarm = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        say('rigid', 10 / used_s(swarm, write(folder, RIGID), {}))
        took = {}
        for count in (0, 10, 100, 1000, 10000):
            rocks(os.path.join(folder, 'rocks.stl'), count)
            path = write(folder, AMONG % ('{kind: mesh, file: rocks.stl}' if count else ''))
            took[count] = used_s(swarm, path, {})
            say(f'obstacles.{count}', 2000 / took[count])
        say('obstacles.growth', took[10000] / took[10])
    for count in (64, 256, 1024, 3074, 8192):
        seconds = min(1000, 400000 // count)
        say(f'quiet.{count}', seconds / used_s(swarm, BEES, {'entities.1.count': count, 'time.end': seconds, **QUIET}))
    for count in (64, 256, 550, 1024, 2048):
        seconds = max(2, min(200, 8000000 // count ** 2))
        say(f'broadcast.{count}', seconds / used_s(swarm, BEES, {'entities.1.count': count, 'time.end': seconds}))
    say('figure12', 1 / used_s(swarm, BEES, {'time.end': 0.999}))  # a second without the broadcasts at its end
    say('started', used_s(swarm, BEES, {'time.end': 0.001, 'entities.1.send.start': 1}, whole=True), 's')


if __name__ == '__main__':
    main()
