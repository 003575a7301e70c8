#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""search.py MAYFLY_SWARM: what sharks.yaml and package_delivery.yaml of examples/scenarios take, which other simulators have published.
Prints lines 'name value unit'; ci/figures.py puts the limits beside them."""
import os
import re
import subprocess
import sys
import tempfile

from paths import SCENARIOS

SCENARIO = os.path.join(SCENARIOS, 'sharks.yaml')
PACKAGES = os.path.join(SCENARIOS, 'package_delivery.yaml')


def run(swarm, scenario, folder, *args):
    """What it prints, milliseconds of a processor for the whole process, and its most memory [MB]."""
    with subprocess.Popen([swarm, scenario, '--out', folder, *args], stdout=subprocess.PIPE, text=True) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f'{args}: exit code {process.returncode}')
    return out, (usage.ru_utime + usage.ru_stime) * 1000.0, float(re.search(r'memory +([0-9.]+) MB', out)[1])


def fly(swarm, folder, *args):
    """Steps a second of a processor before the others."""
    out, ms, mb = run(swarm, SCENARIO, folder, *args)
    return float(re.search(r', ([0-9]+) a second of a processor', out)[1]), ms, mb


def main():
    swarm = sys.argv[1]
    plain = '--set', 'outputs.coverage.cell=0'
    with tempfile.TemporaryDirectory() as folder:
        # the best of five: what disturbs a run only makes it slower
        detection, coverage, vehicles = ([fly(swarm, folder, *args) for _ in range(5)] for args in (plain, (), ('--variation', 'vehicles', *plain)))
        cells = [run(swarm, PACKAGES, folder) for _ in range(5)]
    print(f'grid.run {min(ms for _, ms, _ in cells):.1f} ms')
    print(f'grid.memory {max(mb for _, _, mb in cells):.1f} MB')
    print(f'search.detection {max(rate for rate, _, _ in detection):.0f} steps/s')
    print(f'search.coverage {max(rate for rate, _, _ in coverage):.0f} steps/s')
    print(f'search.run {min(ms for _, ms, _ in coverage):.0f} ms')
    print(f'search.memory {max(mb for _, _, mb in detection):.1f} MB')
    print(f'search.vehicles {max(rate for rate, _, _ in vehicles):.0f} steps/s')


if __name__ == '__main__':
    main()
