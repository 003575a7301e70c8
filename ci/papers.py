#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""papers.py BUILD [SEEDS]: published figures of simulators of swarms, beside those of the same scenarios here (docs/papers.md).

Prints a line per figure; the exit code is 1 if one that must be equal is not. It found seven quirks of UavSim that its paper does
not name.
"""
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile

import papers_bees
import papers_grid
import papers_gzuav

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARKS = os.path.join(TOP, 'examples', 'scenarios', 'sharks.yaml')

# UavSim, Table III: energy [N s] and part covered of each drone, and of all; Table VI: seconds, steps, pictures.
BCD = [('uav.1', 11001, .325), ('uav.2', 12722, .345), ('uav.3', 12906, .348), ('Total', 36629, .949)]
BCD_TIME = (358.07, 35807, 7626 + 8730 + 8951)
# Table V: energy of the two drones that only look [N s]. They hover until all are home, so chance changes it where the third is the last.
LOOKERS = [('uav.1', 14545.71), ('uav.2', 15982.995)]
# Tables IV and V: energy and seconds, of one run whose chance was not published.
CHANCE = {'avbcd': (41555, 388), 'bdbcd': (49168, 470)}
# Steps a second of the published program.
SPEED = {'bcd': 51, 'avbcd': 49, 'bdbcd': 24}

failed = []


def tell(what, published, ours, good, how):
    print(f'{what:34} {published:>16} {ours:>28}  {how}{"" if good else "  DIFFERS"}')
    if not good:
        failed.append(what)


def fly(program, folder, variation, seed, *more):
    """Runs the scenario. Returns its statistics by name, and what it printed."""
    out = subprocess.run([program, SHARKS, '--out', folder, '--variation', variation, '--set', f'seed={seed}', *more],
                         check=True, capture_output=True, text=True).stdout
    with open(os.path.join(folder, 'sharks.csv'), encoding='utf-8') as file:
        return {row['Name']: row for row in csv.DictReader(file)}, out


def number(pattern, text):
    return float(re.search(pattern, text).group(1))


def exact(program, folder):
    rows, out = fly(program, folder, 'bcd', 1)
    for name, energy, covered in BCD:
        got = float(rows[name]['Energy_Used'])
        tell(f'III {name} energy [N s]', energy, f'{got:.2f}', abs(got - energy) <= 1.0, '+-1')
        got = float(rows[name]['PCT_Covered'])
        tell(f'III {name} covered', f'{covered:.3f}', f'{got:.4f}', round(got, 3) == covered or abs(got - covered) < 0.0005, '3 digits')
    got = number(r'time +([0-9.]+) s', out)
    tell('VI BCD simulated [s]', BCD_TIME[0], got, abs(got - BCD_TIME[0]) < 1e-6, 'equal')
    got = int(number(r'steps +([0-9]+),', out))
    tell('VI BCD steps', BCD_TIME[1], got, got == BCD_TIME[1], 'equal')
    got = int(number(r'([0-9]+) pictures', out))
    tell('BCD pictures', BCD_TIME[2], got, got == BCD_TIME[2], 'equal')
    for seed in (2, 3):  # their third drone is home first
        rows = fly(program, folder, 'bdbcd', seed, '--set', 'outputs.coverage.cell=0')[0]
        for name, energy in LOOKERS:
            got = float(rows[name]['Energy_Used'])
            tell(f'V {name} energy, seed {seed} [N s]', energy, f'{got:.3f}', abs(got - energy) < 0.0005, 'equal')


def in_three_ways(program, folder):
    """The plan of a plug-in and of a program on the bus: the energies of the plan that is built in, to the last digit."""
    built_in = [row['Energy_Used'] for row in fly(program, folder, 'bcd', 1)[0].values()]
    plugin = os.path.join(folder, 'bcd.so')
    subprocess.run([*os.environ.get('CC', 'gcc').split(), '-std=c11', '-O2', '-shared', '-fPIC', '-I', TOP, os.path.join(TOP, 'examples', 'plugins', 'bcd.c'),
                    '-o', plugin], check=True)
    own = ('--set', f'plugins=[{plugin}]', '--set', 'plan.kind=own', '--set', 'plan.name=squares', '--set', 'plan.params.partial=false')
    got = [row['Energy_Used'] for row in fly(program, folder, 'bcd', 1, *own)[0].values()]
    tell('BCD as a plug-in, energy [N s]', built_in[-1], got[-1], got == built_in, 'last digit')
    try:
        sys.path.insert(0, os.path.join(TOP, 'tools', 'python'))
        import mayfly_bus
    except ImportError as error:
        print(f'BCD in Python: left out: {error} (pip install numpy)')
        return
    with mayfly_bus.Swarm(SHARKS, {'plan.kind': 'bus', 'seed': 1}, program=program) as swarm:
        for member, path in enumerate(mayfly_bus.boustrophedon(swarm.area, partial=False)):
            swarm.path(member, path)
        got = [f'{energy:.3f}' for energy in swarm.run().statistics['energy']]
    tell('BCD in Python by the bus, energy', built_in[-1], got[-1], got == built_in, 'last digit')


def spread(values):
    return f'{values[0]:.4g} [{statistics.median(values):.4g}] {values[-1]:.4g}' if values[-1] < 10 else \
           f'{values[0]:.0f} [{statistics.median(values):.0f}] {values[-1]:.0f}'


def totals(table, runs):
    """Precision, recall, F1 and part spotted of all, which one draw decided. Their printed values are not part of this repository."""
    worst = 0.0
    for column in ('Precision', 'Recall', 'F1', 'PCT_Spotted'):
        print(f'{table + " total " + column:34} {"one draw":>16} {spread(sorted(float(rows["Total"][column]) for rows, _ in runs)):>28}')
    for rows, _ in runs:
        for row in rows.values():
            if row['F1']:
                precision, recall = float(row['Precision']), float(row['Recall'])
                worst = max(worst, abs(float(row['F1']) - 2 * precision * recall / (precision + recall)))
    tell(f'{table} F1 of precision and recall', '0.001', f'{worst:.6f}', worst < 0.001, f'of {len(runs)} seeds')


def by_chance(program, folder, seeds):
    energies_of, seconds_of = [36629], [BCD_TIME[0]]
    no_raster = '--set', 'outputs.coverage.cell=0'
    totals('III', [fly(program, folder, 'bcd', seed, *no_raster) for seed in range(1, seeds + 1)])
    for variation, dive, (energy, seconds) in ((v, dive, CHANCE[v]) for v, dive in (('avbcd', 10), ('avbcd', 15), ('bdbcd', 10))):
        runs = [fly(program, folder, variation, seed, *no_raster, '--set', f'plan.dive={dive}') for seed in range(1, seeds + 1)]
        table = {'avbcd': f'IV dive {dive} m', 'bdbcd': 'V'}[variation]
        energies = sorted(float(rows['Total']['Energy_Used']) for rows, _ in runs)
        times = sorted(number(r'time +([0-9.]+) s', out) for _, out in runs)
        for what, published, all_of in (('energy [N s]', energy, energies), ('simulated [s]', seconds, times)):
            tell(f'{table} {what}', published, spread(all_of), all_of[0] - 1 <= published <= all_of[-1] + 1, f'within, of {seeds} seeds')
        totals(table, runs)
        if (variation, dive) != ('avbcd', 15):
            energies_of.append(statistics.median(energies))
            seconds_of.append(statistics.median(times))
    for what, medians in (('energy', energies_of), ('time', seconds_of)):
        tell(f'{what} BCD < AVBCD < BDBCD', 'yes', ' < '.join(f'{m:.0f}' for m in medians), medians == sorted(medians), 'medians')


def speed(program, folder):
    for variation, published in SPEED.items():
        for what, cell, then in (('with detection', 0, ''), ('and a raster of 0.5 m', 0.5, published)):
            _, out = fly(program, folder, variation, 1, '--set', f'outputs.coverage.cell={cell}')
            now = number(r', ([0-9]+) a second of a processor', out)
            print(f'{variation + " steps/s " + what:34} {then:>16} {now:>28.0f}' + (f'  x{now / then:.0f}' if then else ''))


def main():
    program = os.path.join(sys.argv[1], 'mayfly-swarm')
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    print(f'{"":34} {"published":>16} {"here":>28}')
    with tempfile.TemporaryDirectory() as folder:
        papers_grid.compare(program, folder, tell)
        papers_bees.compare(program, folder, tell)
        papers_gzuav.compare(program, folder, tell)
        exact(program, folder)
        in_three_ways(program, folder)
        by_chance(program, folder, seeds)
        speed(program, folder)
    sys.exit(1 if failed else 0)


main()
