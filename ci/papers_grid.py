# SPDX-License-Identifier: Apache-2.0
"""The listings of a published grid simulator beside the same scenarios here, for papers.py."""
import csv
import os
import re
import subprocess

SCENARIOS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'examples', 'scenarios')

# Listing 6: drone, score, estimated, actual in the order of print; Listing 7 the same with blocked cells and the effector.
LISTING_6 = [(3, '1.000', 20, 20), (2, '1.000', 25, 25), (1, '1.000', 27, 27), (3, '1.000', 25, 25), (2, '1.000', 30, 30), (1, '1.000', 35, 35),
             (2, '1.000', 30, 30), (3, '1.000', 43, 43), (1, '1.000', 36, 36)]
LISTING_7 = [(3, '0.909', 20, 22), (1, '0.844', 27, 32), (2, '0.625', 25, 40), (3, '0.862', 25, 29), (1, '0.733', 33, 45), (2, '0.800', 32, 40),
             (3, '0.915', 43, 47), (1, '0.879', 29, 33), (2, '0.810', 34, 42)]
# Listing 8: the temperatures of five cells, (4, 0) to (4, 4).
LISTING_8 = [('4', str(y), 'temperature', value) for y, value in enumerate(('36', '34', '32', '30', '28'))]
# Listing 4: who ticks, and of each drone what comes first.
LISTING_4 = ['Controller: 0 ticking', 'Drone: 1', 'Drone: 2']


def run(program, folder, scenario, *more):
    return subprocess.run([program, os.path.join(SCENARIOS, scenario), '--out', folder, *more], check=True, capture_output=True, text=True).stdout


def rows(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        return list(csv.DictReader(file))


def deliveries(program, folder, variation):
    """Its rows, and the memory that the whole run took [MB]."""
    out = run(program, folder, 'package_delivery.yaml', '--variation', variation)
    found = [(int(row['drone'].split('.')[1]), f'{float(row["score"]):.3f}', int(row['estimated']), int(row['actual'])) for row in rows(folder, 'tasks.csv')]
    return found, float(re.search(r'memory +([0-9.]+) MB', out).group(1))


def compare(program, folder, tell):
    """tell(what, published, ours, good, how) for each figure."""
    memory = 0.0
    for name, variation, published in (('6', 'plain', LISTING_6), ('7', 'interrupted', LISTING_7)):
        found, memory = deliveries(program, folder, variation)
        for i, row in enumerate(published):
            ours = found[i] if i < len(found) else None
            tell(f'Listing {name} row {i + 1}', '{} {} {} {}'.format(*row), '{} {} {} {}'.format(*ours) if ours else 'none', ours == row, 'equal')
        tell(f'Listing {name} rows', len(published), len(found), len(found) == len(published), 'equal')
    run(program, folder, 'survey_area.yaml')
    found = [(row['x'], row['y'], row['name'], row['value']) for row in rows(folder, 'messages.csv')]
    tell('Listing 8 messages', ' '.join(row[3] for row in LISTING_8), ' '.join(row[3] for row in found), found == LISTING_8, 'equal')
    run(program, folder, 'two_drones.yaml')
    with open(os.path.join(folder, 'trace.txt'), encoding='utf-8') as file:
        trace = file.read().splitlines()
    order = [re.sub(r' \(.*', '', line) for line in trace if line.startswith(('Controller', 'Drone'))]
    good = order[:6] == LISTING_4 * 2
    for drone in ('1', '2'):
        said = [line.split(':')[0].strip() for line in trace if f': drone.{drone} to ' in line]
        good = good and said.index('INFO_UPDATE') < said.index('REQ_PATH')
    tell('Listing 4 order', 'controller, 1, 2', ', '.join(line.replace(' ticking', '') for line in order[:3]), good, 'equal')
    said = [line.split(':')[0].strip() for line in trace if ': drone.1 to ' in line]
    first = list(dict.fromkeys(said))[:3]
    tell('Listing 4 messages of a drone', 'INFO_UPDATE, REQ_PATH', ', '.join(first), first == ['INFO_UPDATE', 'REQ_TASK', 'REQ_PATH'],
         'differs: it asks for a task first')
    tell('memory of package delivery [MB]', 120, memory, memory <= 10.0, 'at most 10')
