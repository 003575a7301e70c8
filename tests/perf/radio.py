#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""radio.py MAYFLY_SWARM: what radios of examples/scenarios/radios.yaml cost, by the processor time of a run. Prints lines
'name value unit'; ci/figures.py puts the limits beside them."""
import math
import os
import re
import subprocess
import sys

from paths import SCENARIOS
from swarm_case import options

SCENARIO = os.path.join(SCENARIOS, 'radios.yaml')
AREA = '{grid: [100, 100], spacing: 20}'  # 2 x 2 km
# name, unit, members, simulated seconds, other values
RUNS = (('paper', 'times', 550, 20, {}),
        ('members', 'members', 4000, 5, {'medium.range': 100}),  # nobody is beyond 35 m at the start, or 55 m at the end
        ('agents', 'times', 10000, 10, {'entities.0.place': AREA}),
        ('vehicles', 'times', 10000, 10, {'entities.0.place': AREA, 'entities.0.as': 'vehicle'}))


def used_s(swarm, count, seconds, more):
    """Seconds of a processor by the run."""
    sets = {'entities.0.count': count, 'time.end': seconds, 'outputs': '{}', **more}
    args = options(*(f'{key}={value}' for key, value in sets.items()))
    done = subprocess.run([swarm, SCENARIO, *args], capture_output=True, text=True, check=True)
    return float(re.search(r'; ([0-9.]+) s of processors', done.stdout)[1])


def main():
    for name, unit, count, seconds, more in RUNS:
        # the better of two: what disturbs a run only makes it slower
        times = seconds / min(used_s(sys.argv[1], count, seconds, more) for _ in range(2))
        # receptions grow with the square of members, and are nearly all of the time
        value = count * math.sqrt(times) if unit == 'members' else times
        print(f'radio.{name} {value:.2f} {unit}', flush=True)


if __name__ == '__main__':
    main()
