#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""processes.py MAYFLY_SWARM: drones that are processes of a scenario (docs/cosim.md), all on one core, which stand at each tick of 10 ms:
multiples of real time, by the processor time of swarm and drones together, without their start. Prints lines 'name value unit';
ci/figures.py puts the limits beside them."""
import os
import resource
import subprocess
import sys
import tempfile

DRONES = 50
SCENARIO = """swarm: 1
time: {{clock: fast, end: {end}}}
bus: {{listen: 0, tick: 0.01, controllers: 0}}
entities:
  - {{name: drone, as: ghost, count: {drones}, place: {{grid: [10, 5], spacing: 10}}}}
processes:
  - {{name: drones, run: [{run}], members: drone}}
"""


def used_s(swarm, folder, run, end):
    """Seconds of a processor by swarm and drones: the best of three, what disturbs a run only makes it slower."""
    path = os.path.join(folder, 's.yaml')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(SCENARIO.format(end=end, drones=DRONES, run=run))
    best = float('inf')
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([swarm, path], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def main():
    swarm = sys.argv[1]
    program = os.path.join(os.path.dirname(os.path.abspath(swarm)), 'mayfly')
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        for name, run in (('drones', f'{program}, --free-ports'),
                          ('streams', f'{program}, --free-ports, --udp-out, "127.0.0.1:9"')):
            took_s = used_s(swarm, folder, run, 22) - used_s(swarm, folder, run, 2)
            print(f'processes.{name} {20 / took_s:.3f} times', flush=True)


if __name__ == '__main__':
    main()
