#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hosts.py MAYFLY_SWARM: 100 vehicles that walk at random and are looked at ten times a second, carried by two leaves on this machine, against
one process: how many times as long by the wall, the median of five pairs. All runs have one hash. Prints a line 'name value unit';
ci/figures.py puts the limit beside it."""
import os
import re
import statistics
import subprocess
import sys
import tempfile

WORLD = '''swarm: 1
time: {clock: fast, end: 60}
gzuav: {listen: 0, tick: 0.1}
entities:
  - {name: drone, count: 100, place: {grid: [10, 10], spacing: 20}, behaviour: {kind: walk, rate: 10}}
outputs: {csv: {file: places.csv, every: 0.1}}
'''


def main():
    hashes, ratios = set(), []
    with tempfile.TemporaryDirectory() as folder:
        world = os.path.join(folder, 'hosts.yaml')
        with open(world, 'w', encoding='utf-8') as f:
            f.write(WORLD)

        def wall_s(*args):
            done = subprocess.run([sys.argv[1], world, '--out', folder, '--trace', os.path.join(folder, 'trace'), *args],
                                  capture_output=True, text=True, check=True)
            hashes.add(tuple(re.findall(r'^(?:hash|trace) .*', done.stdout, re.M)))
            return float(re.search(r'simulated in ([0-9.]+) s', done.stdout)[1])

        for _ in range(5):
            flat = wall_s()
            ratios.append(wall_s('--set', 'hosts.start=2') / flat)
    if len(hashes) != 1:
        sys.exit('hosts: two levels and one process differ')
    print(f'hosts.levels {statistics.median(ratios):.3f} times')


if __name__ == '__main__':
    main()
