#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""walk.py MAYFLY_SWARM: how many members of examples/scenarios/walkers.yaml walk at random in real time on one core, with the
whole firmware and as agents. Prints lines 'name value unit'; ci/figures.py puts the limits beside them."""
import os
import re
import subprocess
import sys

from paths import SCENARIOS
from swarm_case import options

SCENARIO = os.path.join(SCENARIOS, 'walkers.yaml')
SECONDS = 20  # of which the first one is the take-off


def walk(swarm, kind, count):
    """Members in real time, by the processor time of a run."""
    sets = {'entities.0.as': kind, 'entities.0.count': count, 'entities.0.place': '{grid: [1000, 200], spacing: 20}',
            'entities.0.start': 0, 'entities.0.behaviour.height': 3, 'time.end': SECONDS, 'outputs': '{}', 'expect': '[]'}
    args = options(*(f'{key}={value}' for key, value in sets.items()))
    done = subprocess.run([swarm, SCENARIO, *args], capture_output=True, text=True, check=True)
    used_s = float(re.search(r'; ([0-9.]+) s of processors', done.stdout)[1])
    return count * SECONDS / used_s


def main():
    swarm = sys.argv[1]
    for name, kind, count in (('vehicles', 'vehicle', 45000), ('agents', 'agent', 200000)):
        # the better of two: what disturbs a run only makes it slower
        best = max(walk(swarm, kind, count) for _ in range(2))
        print(f'walk.{name} {best:.0f} members', flush=True)


if __name__ == '__main__':
    main()
