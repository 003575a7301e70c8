# SPDX-License-Identifier: Apache-2.0
"""Worlds of cells as scenarios: examples, outputs, memory, JSON of a published simulator, and what is refused (docs/grid.md)."""
import contextlib
import json
import os
import re
import subprocess
import xml.etree.ElementTree

import pytest

from drone import Drone
from names import assert_names
from paths import DATA, SCENARIOS, SWARM, TOP
from swarm_case import SwarmCase, hash_of, options

GRID = os.path.join(DATA, 'grid')
LISTINGS = os.path.join(TOP, 'examples', 'papers', 'lds')
WORLDS = ('package_delivery', 'survey_area', 'two_drones', 'search_and_rescue', 'fire_watch', 'field_survey', 'relief_delivery', 'inspection')
PACKAGES = os.path.join(SCENARIOS, 'package_delivery.yaml')


class Grid(SwarmCase):
    def test_lds22_each_world_holds_what_it_expects(self):
        """LDS-22."""
        for name in WORLDS:
            with self.subTest(name):
                out = self.swarm(os.path.join(SCENARIOS, name + '.yaml'))
                again = self.swarm(os.path.join(SCENARIOS, name + '.yaml'))
                self.assertEqual(hash_of(out), hash_of(again))
                self.assertRegex(out, r'cells +\d+\D+(\d+) of \1\D')

    def test_lds24_listing_7_as_a_file(self):
        self.swarm(PACKAGES, '--variation', 'interrupted')
        rows = self.rows('tasks.csv')
        self.assertEqual([f'{float(row["score"]):.3f}' for row in rows], '0.909 0.844 0.625 0.862 0.733 0.800 0.915 0.879 0.810'.split())
        self.assertEqual([row['drone'] for row in rows], [f'drone.{n}' for n in (3, 1, 2, 3, 1, 2, 3, 1, 2)])

    def test_lds12_a_task_that_takes_no_tick_keeps_trust(self):
        """The drone stands where each of these tasks sends it, so that the estimates are 0 ticks."""
        here = '[{goto: [0, 2]}, {wait: 0}, {do: [{assign: x, value: 1}]}, {grab: package}, {do: [{go_home: true}]}]'
        self.swarm(PACKAGES, '--set', 'expect=[]', '--set', f'controllers.0.tasks={here}', '--set', 'space.attributes=[[0, 2, package, 1]]',
                   '--set', 'entities.1.count=1', '--set', 'entities.1.place=[0, 2]', '--set',
                   'entities.1.actuators=[{attr: package, mode: GRAB}, {attr: x, mode: ASSIGN}]')
        rows = self.rows('tasks.csv')
        self.assertEqual([(row['estimated'], row['score'], row['trust'], row['outcome']) for row in rows], [('0', '1.000000', '1.000000', 'done')] * 5)

    def test_lds14_memory(self):
        """LDS-14: the most memory of a run"""
        out = self.swarm(PACKAGES)
        self.assertLess(float(re.search(r'memory +([0-9.]+) MB', out)[1]), 10.0)

    def test_lds05_messages_once(self):
        self.swarm(os.path.join(SCENARIOS, 'survey_area.yaml'))
        self.assertEqual([(row['x'], row['y'], row['value']) for row in self.rows('messages.csv')],
                         [('4', '0', '36'), ('4', '1', '34'), ('4', '2', '32'), ('4', '3', '30'), ('4', '4', '28')])

    def test_lds20_what_messages_say(self):
        """LDS-20: states, places and instructions of the two drones of Listing 4. From (0, 0) to (5, 7) are 12 moves: the way begins in tick 3, and
        in tick 14 the drone is there and asks for more."""
        self.swarm(os.path.join(SCENARIOS, 'two_drones.yaml'), *options('outputs.messages=m.csv', 'outputs.trace=t.txt'))
        told = [(row['tick'], row['x'], row['y'], row['state']) for row in self.rows('m.csv') if row['type'] == 'INFO_UPDATE' and row['sender'] == 'drone.1']
        self.assertEqual(told[:3], [('1', '0', '0', 'idle'), ('2', '0', '0', 'asking'), ('3', '1', '0', 'underway')])
        self.assertEqual(told[12:14], [('13', '5', '6', 'underway'), ('14', '5', '7', 'idle')])
        self.assertEqual({row['state'] for row in self.rows('m.csv') if row['type'] != 'INFO_UPDATE'}, {''})
        lines = self.text('t.txt').splitlines()
        tick_2 = lines[lines.index('Tick: 2') + 1:lines.index('Tick: 3')]
        self.assertEqual([line.split(':')[0].strip() for line in tick_2],
                         ['Controller', 'TASK', 'TASK', 'Drone', 'REQ_PATH', 'INFO_UPDATE', 'Drone', 'REQ_PATH', 'INFO_UPDATE'])
        self.assertEqual(tick_2[7].split(', ', 1)[1], '(2, 0, 0), task 2: GOTO (7, 5, 0)')
        self.assertEqual(tick_2[8].split(', ', 1)[1], '(2, 0, 0) asking, task 2: GOTO (7, 5, 0)')

    def test_lds22_switches_of_outputs(self):
        """LDS-22."""
        out = self.swarm(PACKAGES, '--set', 'outputs.map={every: 50}', '--set', 'outputs.csv=places.csv',
                    '--set', 'outputs.trace=trace.txt', '--set', 'outputs.messages={file: m.csv, type: TASK}')
        maps = out.split('tick ')[1:]
        self.assertEqual([int(part.split('\n')[0]) for part in maps], [50, 100, 150])
        last = maps[-1].split('\n\n')[0]
        self.assertEqual(last.count('A'), 9)
        self.assertEqual(len(last.split('\n')), 25)
        places = self.rows('places.csv')
        self.assertEqual(len(places), 3 * 164)
        self.assertEqual((places[0]['x'], places[0]['north_m'], places[0]['east_m']), ('0', '25.000', '5.000'))
        self.assertEqual(len(self.rows('m.csv')), 9)
        self.assertTrue(self.text('trace.txt').startswith('Tick: 1\nController: 0 ticking\nDrone: 1 (drone.1)\n'))

    def test_lds22_a_row_for_each_tick(self):
        """LDS-22: fifteen times 0.2 s are not 3 s in numbers of a computer: the row of that instant was left out."""
        self.swarm('time: {clock: fast, tick: 0.2, end: 10}\nspace: {cells: {size: [10, 1, 1], metres: 10}}\n'
                   'entities: [{name: drone, as: agent, body: {kind: cell, speed: 1}, place: {list: [[0, 0]]}, battery: {mah: 2500, move: 1}}]\n'
                   'controllers: [{id: 0, tasks: [{wait: 100}]}]\noutputs: {csv: {file: ticks.csv, every: 0.2}}\n')
        self.assertEqual([row['time_s'] for row in self.rows('ticks.csv')], [f'{k * 0.2:.6f}' for k in range(1, 51)])

    def test_lds03_json_as_printed(self):
        yaml = self.run_program(SWARM, 'convert', *(os.path.join(GRID, name) for name in ('environment.json', 'drones.json', 'scheduler.json')))
        self.swarm(yaml)
        self.assertEqual([(row['drone'], row['estimated']) for row in self.rows('tasks.csv')], [('drone2', '25'), ('drone1', '27'), ('drone2', '70')])
        self.assertIn('[1, 6, 0, "package", "3"]', yaml)  # its key was broken by the end of a line

    def test_lds03_json_with_a_typing_error(self):
        with open(os.path.join(GRID, 'drones.json'), encoding='utf-8') as file:
            text = file.read()
        for wrong, right, error in (('batery_max', 'battery_max', 'drones.0 batery_max battery_max'),
                                    ('"mode": "GRIP"', '"mode": "GRAB"', 'actuators.0.mode GRIP GRAB DROP ASSIGN CHANGE'),
                                    ('"drone"', '"drones"', 'drone drones'), ('', '},', 'YAML')):
            out = self.run_program(SWARM, 'convert', self.write('wrong.json', text.replace(right, wrong, 1)), code=2)
            self.assertEqual(out.count('\n'), 1)
            assert_names(out, error)

        assert_names(self.run_program(SWARM, 'convert', code=2), 'convert files')

    def convert(self, *files, code=0):
        """(scenario, lines on stderr) of these files, each a path or what it holds"""
        paths = [name if os.path.exists(name) else self.write(f'{k}.json', name) for k, name in enumerate(files)]
        done = subprocess.run([SWARM, 'convert', *paths], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr.splitlines()

    def test_lds03_listings_as_printed(self):
        """LDS-03: Listing 1, whose drone has no sensors ("{}"), and Listing 5, which lacks its last brackets. From (2, 1) to (5, 7) are 9 moves,
        from there to (7, 5) are 4. Listing 3 gives that drone what it can grab with."""
        yaml, notes = self.convert(*(os.path.join(LISTINGS, f'listing{k}.json') for k in (1, 3, 5)))
        self.assertRegex(notes[0], r'listing5\.json:9: .*\] \} \] \}$')
        assert_names(notes[1], 'size 8')
        self.assertEqual(len(notes), 2)
        self.swarm(yaml)
        self.assertEqual([(row['drone'], row['estimated'], row['actual'], row['score']) for row in self.rows('tasks.csv')],
                         [('drone8', '9', '9', '1.000000'), ('drone8', '4', '4', '1.000000')])
        self.assertIn('{attr: "parcel", direction: BACKWARD, range: 1, mode: GRAB}', yaml)
        self.assertEqual(self.convert(os.path.join(LISTINGS, 'listing1.json'))[0].count('drone8'), 1)
        for alone in (3, 5):
            self.assertRegex(self.convert(os.path.join(LISTINGS, f'listing{alone}.json'), code=2)[1][-1], rf'listing{alone}\.json:1: .*\bdrones')

    def test_lds03_parts_of_listings(self):
        """LDS-03: the same without the outermost braces, with the key IType, as one controller, and the brackets of a list left out."""
        with open(os.path.join(LISTINGS, 'listing1.json'), encoding='utf-8') as file:
            drones = file.read().strip()[1:-1]
        whole = self.convert(os.path.join(LISTINGS, 'listing1.json'), os.path.join(LISTINGS, 'listing5.json'))[0]
        tasks = '"tasks": [[{"IType": "GOTO", "Priority": "LOW", "\n Position": [5, 7, 0]}], [{"IType": "GOTO", "Priority": "LOW", "Position": [7, 5, 0]}'
        yaml, notes = self.convert(drones, f'"controllers": {{{tasks}}}')
        self.assertEqual(yaml.split('\nswarm: 1')[1], whole.split('\nswarm: 1')[1])
        self.assertRegex(notes[0], r'/1\.json:2: .*\] \]$')
        yaml, notes = self.convert(drones, tasks + ']]')
        self.assertEqual(yaml.split('\nswarm: 1')[1], whole.split('\nswarm: 1')[1])
        self.assertEqual(len(notes), 1)

    def test_lds03_nothing_is_invented(self):
        """LDS-03: Listing 1 without one of its keys, two drones of one id, and instructions that lack what they need."""
        with open(os.path.join(LISTINGS, 'listing1.json'), encoding='utf-8') as file:
            text = file.read()
        for key in ('id', 'battery_max', 'battery_move_cost', 'speed', 'init_pos'):
            error = self.convert(re.sub(rf'"{key}": [^\n]*\n', '', text), code=2)[1]
            self.assertEqual(len(error), 1)
            self.assertRegex(error[0], rf'/0\.json:4: .*\b{key}$')
        one = json.loads(text)['drones'][0]
        for change, error in (({'drones': [one, one]}, 'two drones 8'), ({'tasks': [[{'Position': [1, 1, 0]}]]}, 'IType'),
                              ({'tasks': [[{'IType': 'GOTO'}]]}, 'GOTO position'), ({'tasks': [[{'IType': 'WAIT'}]]}, 'WAIT time'),
                              ({'tasks': [[{'IType': 'ASSIGN', 'attr': 'x'}]]}, 'ASSIGN value'),
                              ({'tasks': [[{'IType': 'GRAB', 'attr': 'parcel'}]]}, 'grab parcel actuator'),
                              ({'tasks': [[{'IType': 'GOTO', 'Position': [1.5, 1, 0]}]]}, '1.5'),
                              ({'tasks': [[{'IType': 'GOTO', 'Position': [1, 1, 0], 'drone': 9}]]}, 'drone 9'),
                              ({'size': [4, 4, 1], 'cells': [{'Position': [4, 0, 0], 'blocked': True}]}, '[4, 0, 0] 4 x 4 x 1'),
                              ({'cells': [{'Position': [1, 1, 0], 'attr': 'x', 'value': 1}] * 2}, 'x twice'),
                              ({'sensors': [{'range': 1}]}, 'sensor attr'), ({'actuators': [{'attr': 'x'}]}, 'actuator mode')):
            with self.subTest(error):
                found = self.convert(json.dumps({'drones': [one], **change}), code=2)[1]
                self.assertEqual(len(found), 1, found)
                assert_names(found[0], error)

    def test_lds08_a_task_names_its_controller_and_its_number(self):
        """LDS-08: a task of the paper has an id, a controller, a drone. Tasks listed apart go to theirs; an id is the number that the run gives."""
        drone = {'id': 4, 'battery_max': 100, 'battery_move_cost': 1, 'speed': 1, 'init_pos': [0, 0, 0]}

        def go(x, **keys):
            return [{'type': 'GOTO', 'Position': [x, 0, 0], **keys}]

        def world(tasks, controllers=()):
            return json.dumps({'drones': [drone], 'tasks': tasks, 'controllers': list(controllers)})

        yaml, _ = self.convert(world([go(1, controller=2, id=3), go(2, id=1), go(3, controller=2, id=4)], [{'id': 2, 'tasks': [go(4, id=2)]}]))
        self.assertEqual(re.findall(r'id: (\d+)|goto: \[(\d)', yaml[yaml.index('controllers:'):]),
                         [('0', ''), ('', '2'), ('2', ''), ('', '4'), ('', '1'), ('', '3')])
        for wrong, error in ((world([go(1, id=2)]), 'task 1 id 2'),
                             (world([go(1, id=1) + go(2, id=7)]), 'task 1 id 7'),
                             (world([], [{'id': 2, 'tasks': [go(1, controller=5)]}]), 'controller 5 task controller 2'),
                             (world([go(1, controller=1) + go(2, controller=3)]), 'controller 3 task controller 1')):
            found = self.convert(wrong, code=2)[1]
            self.assertEqual(len(found), 1, found)
            assert_names(found[0], error)

    def test_lds16_instructions_of_actuators(self):
        """LDS-16: a drone grabs the parcel beside it, paints its goal, drops the parcel there, and opens the valve."""
        yaml, _ = self.convert(json.dumps({
            'cells': [{'Position': [1, 0, 0], 'attr': 'parcel', 'value': 7}, {'Position': [3, 2, 0], 'attr': 'valve', 'value': 'shut'}],
            'drones': [{'id': 4, 'battery_max': 100, 'battery_move_cost': 1, 'speed': 1, 'init_pos': [0, 0, 0], 'actuators': [
                {'attr': attr, 'mode': mode} for attr, mode in (('parcel', 'GRAB'), ('paint', 'ASSIGN'), ('valve', 'CHANGE'))]}],
            'tasks': [[{'IType': 'GOTO', 'Position': [1, 0, 0]}, {'IType': 'GRAB', 'attr': 'parcel'}, {'IType': 'GOTO', 'Position': [3, 2, 0]},
                       {'IType': 'ASSIGN', 'attr': 'paint', 'value': 'red'}, {'IType': 'CHANGE', 'attr': 'valve', 'value': 'open'},
                       {'IType': 'DROP', 'attr': 'parcel'}]]}))
        self.swarm(yaml, '--set', 'outputs.map={file: map.txt, every: 1}')
        self.assertEqual([(row['drone'], row['estimated'], row['outcome']) for row in self.rows('tasks.csv')], [('drone4', '5', 'done')])
        self.assertEqual(self.text('map.txt').split('tick ')[-1].split('\n')[1:4], ['...A', '....', '1...'])

    def test_lds16_listing_3_carries(self):
        """LDS-16: the drone of Listing 1, at (2, 1), grabs what is behind it, as Listing 3 says. The parcel of (4, 1) is behind it at (5, 1), 3 moves
        away; (2, 5) is behind it at (2, 6) or (1, 5), 8 moves on."""
        yaml, _ = self.convert(*(os.path.join(LISTINGS, f'listing{k}.json') for k in (1, 3)), json.dumps({
            'size': [8, 8, 1], 'cells': [{'Position': [4, 1, 0], 'attr': 'parcel', 'value': 1}],
            'tasks': [[{'IType': 'CARRY', 'attr': 'parcel', 'value': 1, 'Position': [2, 5, 0]}]]}))
        for sets, moves in (([], '11'), (['entities.0.cell={heading: north}'], '11'), (['entities.0.actuators.0.direction=NONE'], '5'),
                            (['entities.0.actuators.0.direction=FORWARD', 'entities.0.cell={heading: east}'], '5')):
            with self.subTest(sets):
                self.swarm(yaml, *options(*sets, 'outputs.map={file: map.txt, every: 1}'))
                self.assertEqual([(row['estimated'], row['actual'], row['outcome']) for row in self.rows('tasks.csv')], [(moves, moves, 'done')])
                self.assertEqual(self.text('map.txt').split('tick ')[-1].split('\n')[3][2], 'A')
        for wrong in ('up', 'EAST'):
            assert_names(self.refused(yaml, '--set', f'entities.0.cell={{heading: {wrong}}}'), f'{wrong} east west north south')

    def test_lds16_vehicles_stand_where_agents_stand(self):
        """LDS-16: nine packages that are grabbed backwards; a mission leads through the cell with the package to the one after it."""
        for kind in ('plain', 'vehicles'):
            out = self.swarm(PACKAGES, '--variation', kind, *options('entities.1.actuators.0.direction=BACKWARD', 'entities.1.actuators.0.range=1',
                                                                     'outputs.map={file: map.txt, every: 1}', 'expect=[]'))
            self.assertRegex(out, r'cells +\d+\D+9\D+9\D')
            self.assertEqual(self.text('map.txt').split('tick ')[-1].count('A'), 9)

    def test_lds03_as_many_as_there_are(self):
        """LDS-03: 70 drones and 300 tasks, of which each drone does one after the other; 1,500 blocked cells and 1,600 of 3,200 with a value."""
        drone = {'battery_max': 9000, 'battery_move_cost': 1, 'speed': 1, 'sensors': {'attr': 'heat', 'direction': 'NONE', 'range': 0}}
        cells = [{'Position': [x, y, 0], 'blocked': True} for x in range(30) for y in range(30, 80)]
        cells += [{'Position': [x, y, 0], 'attr': 'heat', 'value': x + 100 * y} for x in range(40) for y in range(80) if (x + y) % 2 or y == 29]
        cells = [cell for cell in cells if not (cell['Position'][0] < 30 <= cell['Position'][1] and 'attr' in cell)]
        yaml, _ = self.convert(json.dumps({'size': [40, 80, 1], 'cells': cells, 'drones': [
            {'id': k, 'init_pos': [k % 30, k // 30, 0], **drone} for k in range(70)], 'tasks': [[{'IType': 'GOTO', 'Position': [k % 30, 29, 0]}]
                                                                                              for k in range(300)]}))
        out = self.swarm(yaml, '--set', 'outputs.messages={file: m.csv, type: CELL_ATTR, once: true}')
        self.assertRegex(out, r'cells +70\D+300\D+300\D')
        heat = {(int(row['x']), int(row['y'])): int(row['value']) for row in self.rows('m.csv')}
        self.assertGreater(len(heat), 100)
        self.assertEqual({at: x + 100 * y for at in heat for x, y in (at,)}, heat)
        self.assertTrue({(x, 29) for x in range(30)} <= set(heat))

    def test_lds21_values_of_all_cells(self):
        """LDS-21: a million cells have a temperature each, x + 1000 y; the northern row stands first, and one cell has none."""
        rows = '\n'.join('      ' + ' '.join('.' if (x, y) == (2, 1) else str(x + 1000 * y) for x in range(1000)) for y in reversed(range(1000)))
        head = 'space:\n  cells: {size: [1000, 1000]}\n  attributes:\n  - attr: temperature\n    rows: |\n'
        tail = ('\nentities: [{name: d, as: agent, body: {kind: cell}, place: [999, 999], battery: {mah: 2500, move: 10},\n'
                '  sensors: [{attr: temperature, range: 1}]}, {name: e, as: agent, body: {kind: cell}, place: [1, 1], battery: {mah: 2500, move: 10},\n'
                '  sensors: [{attr: temperature, range: 1}]}]\ncontrollers: [{tasks: []}]\noutputs: {messages: {file: m.csv, type: CELL_ATTR}}\n')
        self.swarm(head + rows + tail)
        self.assertEqual({(row['x'], row['y'], row['value']) for row in self.rows('m.csv')},
                         {('999', '999', '999999'), ('998', '999', '999998'), ('999', '998', '998999'),
                          ('1', '1', '1001'), ('0', '1', '1000'), ('1', '0', '1'), ('1', '2', '2001')})
        small = head.replace('1000, 1000', '3, 2')
        for rows, text in (('      1 2 3', '8 0 3'), ('      1 2 3\n      4 5', '8 2 3'), ('      1 2 3\n      4 5 6\n      7 8 9', '2 rows'),
                           (f'      1 2 3\n      4 5 {"x" * 30}', f'8 {"x" * 24}')):
            assert_names(self.refused(small + rows + tail.replace('999, 999', '2, 0')), text)
        self.swarm(small + f'      1 2 3\n      4 5 {"x" * 23}' + tail.replace('999, 999', '2, 0'))
        self.assertIn('x' * 23, [row['value'] for row in self.rows('m.csv')])

    def step(self, *lines, code=0):
        """What is printed when a person says this on stdin, without the summary's memory and time."""
        return self.swarm(PACKAGES, '--step', input='\n'.join(lines) + '\n', code=code)

    def test_lds10_who_only_watches_changes_nothing(self):
        """LDS-10."""
        plain = hash_of(self.swarm(PACKAGES))
        out = self.step('', '', 'show', 'step 7', 'pause', 'run echo $((6 * 7))', 'play')
        self.assertEqual(re.findall('tick ([0-9]+)>', out), ['0', '1', '2', '2', '9', '9', '9'])
        self.assertIn('tick 9> 42\n', out)
        self.assertRegex(out, r'drone\.3 +asking +at 0,6,0')
        self.assertEqual(hash_of(out), plain)
        self.assertEqual(hash_of(self.step('play')), plain)

    def test_lds10_a_person_changes_the_world(self):
        """LDS-10: A fourth drone takes the fourth task from the first tick on; the first one has to charge, the second goes where it is sent;
        a wall that the third one has to find costs it a tick and two moves; the last task ends in another cell."""
        out = self.step('add 0,1', 'block 5,12', 'set drone.1.battery 500', 'step 2', 'goto drone.2 1,1', 'target 9 0,0', 'step 20',
                        'release drone.2', 'show', 'step 110', 'show', 'play')
        rows = self.rows('tasks.csv')
        self.assertEqual({row['task'] for row in rows if row['drone'] == 'added.1'} & {'4'}, {'4'})
        self.assertEqual([(row['estimated'], row['actual']) for row in rows if row['task'] == '3'], [('20', '23')])
        self.assertRegex(out, r'drone\.2 +(operated|asking|underway) +at 1,1,0')
        self.assertRegex(out, r'cells +4\D+9\D+9\D')
        self.assertEqual(re.findall(r'^[.0-9A-Zp]{24}$', out, re.M)[-1][0], 'A')

    @pytest.mark.long
    def test_lds10_what_is_wrong_is_said_and_changes_nothing(self):
        plain = hash_of(self.swarm(PACKAGES))
        for line, text in (('shwo', 'shwo show help'), ('add 24,0', '24,0 x 0 23 y 0 23 z 0 0'),
                           ('add 3', '3 4,2 4,2,0'), ('step 0', 'step ticks'),
                           ('target 10 1,1', 'task 10 1 9'),
                           ('goto drone.9 1,1', 'drone drone.9 drone.1 show'),
                           ('task {crry: 7, to: [1, 1]}', 'crry carry'),
                           ('task {grab: shoe}', 'grab shoe'), ('set drone.1.mass 3', 'drone battery'),
                           ('set task.1.priority 3', 'task deadline'), ('set task.12.deadline 3', 'task 12 1 9'),
                           ('set drone.1 3', 'drone drone drone.1'), ('run', 'run COMMAND'), ('x' * 300, 'help')):
            with self.subTest(line):
                out = self.step(line, 'play')
                assert_names(re.search('tick 0> (.*)', out)[1], text)
                self.assertEqual(hash_of(out), plain)
        out = self.step('', 'exit', code=1)     # its expectation does not hold
        self.assertRegex(out, r'cells +\d+\D+0\D+9\D')
        assert_names(self.swarm(os.path.join(SCENARIOS, 'flock.yaml'), '--step', code=2), '--step')

    def test_lds22_a_menu_of_a_folder(self):
        """LDS-22."""
        menu = sorted(name for name in os.listdir(SCENARIOS) if name.endswith('.yaml'))
        out = self.swarm(SCENARIOS, '--step', input=f'{menu.index("two_drones.yaml") + 1}\n\nplay\n')
        self.assertEqual(re.findall(r'^ *[0-9]+  (\S+\.yaml)', out, re.M), menu)
        self.assertIn('tick 1> ', out)
        assert_names(self.swarm(SCENARIOS, input='99\n', code=2), f'mayfly-swarm 1 {len(menu)} 200')
        assert_names(self.swarm(self.folder, code=2), self.folder)

    def test_lds22_json_runs_by_itself(self):
        """LDS-22: a file of the published simulator is in the menu, and runs; a scenario of ours in JSON is none of them."""
        with open(os.path.join(LISTINGS, 'listing1.json'), encoding='utf-8') as file:
            text = file.read()
        os.mkdir(self.path('lists'))
        self.write('lists/1.json', text.replace('\n}', ', "tasks": [[{"IType": "GOTO", "Position": [5, 7, 0]}]]\n}'))
        self.write('lists/2.json', json.dumps({'swarm': 1, 'space': {'cells': {'size': [4, 4]}}, 'controllers': [{'tasks': [{'goto': [3, 3]}]}],
                                               'entities': [{'name': 'd', 'as': 'agent', 'body': {'kind': 'cell'}, 'place': [0, 0]}]}))
        out = self.swarm(self.path('lists'), '--step', input='1\nplay\n')
        self.assertEqual(re.findall(r'^ *[0-9]+  (\S+\.json)', out, re.M), ['1.json', '2.json'])
        self.assertRegex(out, r'drone8 +1\.000 +9 +9 ')
        self.assertRegex(self.swarm(self.path('lists'), input='2\n'), r'\bd +1\.000 +6 +6 ')
        self.assertRegex(self.swarm(self.path('lists/1.json')), r'drone8 +1\.000 +9 +9 ')
        before = self.text('lists/1.json')
        assert_names(self.swarm(self.path('lists/1.json'), '--junit', self.path('lists/1.json'), code=2), '--junit')
        self.assertEqual(self.text('lists/1.json'), before)

    def test_lds10_lines_after_the_last_task(self):
        """LDS-10: both drones are done and home after tick 26, and 32 ticks later the world rests. A task that comes then is done from there on: from
        (0, 0) to (1, 1) are 2 moves, which begin with the second tick."""
        two = os.path.join(SCENARIOS, 'two_drones.yaml')
        out = self.swarm(two, '--step', input='step 100\nshow\ntask {goto: [1, 1]}\nshow\nexit\n')
        self.assertEqual(re.findall(r'tick ([0-9]+)>', out), ['0', '58', '58', '95', '95'])
        self.assertRegex(out, r'cells +2\D+3\D+3\D')
        self.assertEqual(hash_of(self.swarm(two, '--step', input='play\n')), hash_of(self.swarm(two)))

    def test_lds13_a_picture_from_above(self):
        """LDS-13: a field of 6 x 3 cells, 100 px each. The drone flies over the box, around the wall at (3, 0), and drops the box at (5, 0)."""
        self.swarm('space: {cells: {size: [6, 3]}, attributes: [[1, 0, box, 1]], blocked: [[3, 0], [3, 1]]}\n'
                   'entities: [{name: c, thing: charger, place: [0, 2]}, {name: d, as: agent, body: {kind: cell}, place: [0, 0], battery: {mah: 2500, move: 10},\n'
                   '  actuators: [{attr: box, mode: GRAB}]}]\ncontrollers: [{scheduler: {go_home: never}, tasks: [{carry: 1, attr: box, to: [5, 0]}]}]\n'
                   'outputs: {overhead: o.svg}')
        tree = xml.etree.ElementTree.parse(self.path('o.svg')).getroot()
        rects = [(float(r.get('x')), float(r.get('y')), float(r.get('width')), r.get('fill')) for r in [r for r in tree if r.tag.endswith('rect')][2:]]
        self.assertEqual(rects, [(320, 220, 100, '#606060'), (520, 220, 100, '#2CA02C'), (320, 120, 100, '#606060'), (20, 20, 100, '#E6B800')])
        way = [tuple(map(float, at.split(','))) for at in next(r for r in tree if r.tag.endswith('polyline')).get('points').split()]
        self.assertEqual((way[0], way[1], way[-1]), ((70, 270), (170, 270), (570, 270)))
        self.assertEqual(len(way), 1 + 5 + 4)
        self.assertIn((370, 70), way)
        self.assertEqual([r.text for r in tree if r.tag.endswith('text')], ['blocked', 'delivered', 'charger', 'd'])
        self.swarm(PACKAGES, *options('outputs.overhead=none.svg', 'outputs.plots=false'))
        self.assertFalse(os.path.exists(self.path('none.svg')))

    HOMES = ('47.3979669,8.5456602,488', '47.3981467,8.5456602,488', '47.3983266,8.5456602,488')  # below the cells (0, 2), (0, 4), (0, 6)

    RECORDED = ('--set', 'outputs.recording={file: ghosts.rec}')

    def fly_in_real_time(self, sets, clock):
        """One drone whose time passes by itself. Returns what is printed, and the arguments of the run."""
        with Drone('--clock', clock, '--home', self.HOMES[0]) as drone:
            args = [PACKAGES, *self.RECORDED, *options(*sets, f'time.clock={clock}', (
                f'entities=[{{name: drone, as: ghost, link: "tcpout:127.0.0.1:{drone.port()}", body: {{kind: cell}}, place: [0, 2], '
                'actuators: [{attr: package, mode: GRAB}]}]'))]
            return self.swarm(*args), args

    def fly_ghosts(self, homes, *more, code=0):
        """The same world over three drones of their own."""
        with contextlib.ExitStack() as flying:
            drones = [flying.enter_context(Drone('--clock', 'lockstep', '--time-socket', '0', '--home', home)) for home in homes]
            links = ', '.join(f'"tcpout:127.0.0.1:{drone.port()}"' for drone in drones)
            times = ', '.join(f'"127.0.0.1:{drone.time_port()}"' for drone in drones)
            args = [PACKAGES, *self.RECORDED, *options('entities.1.as=ghost', f'entities.1.link={{list: [{links}]}}',
                                                       f'entities.1.time_socket={{list: [{times}]}}', 'outputs.map={file: map.txt, every: 1}'), *more]
            return self.swarm(*args, code=code), args

    def replay(self, args, code=0):
        """What is recorded flies again, without drones, and writes the same files."""
        out = self.swarm(*args[:1], '--replay', self.path('ghosts.rec'), *args[1:], out='again', code=code)
        for name in os.listdir(self.path('again')) if code == 0 else ():
            self.assertEqual(self.bytes('again', name), self.bytes(name), name)
        return out

    @staticmethod
    def told(out):
        """Without the time that it took, memory, and written files."""
        return [line for line in re.sub(r', in \S+ s, .*', '', out).splitlines() if not line.startswith(('memory', 'wrote'))]

    @pytest.mark.long
    def test_lds24_one_scenario_three_kinds(self):
        """Agents, vehicles and drones over MAVLink deliver in one order. What flies takes longer than an agent: 5 m up before the
        first move, and in each task the time until the end of a way is seen. Vehicles and ghosts fly the same, to the tick."""
        found, texts = {}, {}
        for kind in ('plain', 'vehicles', 'ghosts'):
            args = ['--variation', kind, '--set', 'outputs.map={file: map.txt, every: 1}']
            out, args = self.fly_ghosts(self.HOMES) if kind == 'ghosts' else (self.swarm(PACKAGES, *args), args)
            self.assertRegex(out, r'cells +\d+\D+9\D+9\D')
            self.assertEqual(bool(re.search(r'flown +3\D+3\D', out)), kind != 'plain')
            found[kind] = self.rows('tasks.csv')
            self.assertEqual(self.text('map.txt').split('tick ')[-1].count('A'), 9)
            texts[kind] = self.text('tasks.csv')
        for key in ('drone', 'task', 'estimated', 'outcome'):
            rows = [[row[key] for row in found[kind]] for kind in found]
            self.assertEqual(rows[0], rows[1], key)
            self.assertEqual(rows[0], rows[2], key)
        self.assertEqual([row['task'] for row in found['plain']], list('321456879'))
        self.assertEqual(texts['vehicles'], texts['ghosts'])
        self.assertEqual(self.told(self.replay(args)), self.told(out))
        for row in found['vehicles']:
            self.assertLess(int(row['estimated']), int(row['actual']))
            self.assertLessEqual(int(row['actual']), int(row['estimated']) + 4)

    def test_lds24_vehicles_are_where_they_are_seen(self):
        """drone.3 gets its way in the tick that begins at 2 s: 5 m up at 3 m/s until 3.667 s, 10 m to the package at 10 m/s until 4.667 s.
        The world sees this at 5 s, four cells east until 9 s, then north. It lands below its cell."""
        self.swarm(PACKAGES, '--variation', 'vehicles', '--set', 'outputs.csv={file: places.csv, every: 1}')
        places = [(float(row['time_s']), float(row['north_m']), float(row['east_m']), float(row['up_m'])) for row in self.rows('places.csv')
                  if row['drone'] == 'drone.3']
        for at, north, east, up in ((places[0], 65, 5, 0), (places[2], 65, 5, 3), (places[3], 65, 5 + 10 / 3, 5), (places[4], 65, 15, 5),
                                    (places[8], 65, 55, 5), (places[9], 75, 55, 5), (places[-1], 65, 5, 0)):
            for one, other in zip(at[1:], (north, east, up)):
                self.assertAlmostEqual(one, other, delta=0.02, msg=at)
        self.assertLessEqual(max(abs(b[1] - a[1]) + abs(b[2] - a[2]) for a, b in zip(places, places[1:])), 14.2)  # 10 m/s, around a corner

    @pytest.mark.long
    def test_lds24_a_ghost_on_its_own_clock(self):
        """It carries a package over five cells, does not go home, and lands where it is."""
        self.in_ledger = False
        out, args = self.fly_in_real_time(('expect=[{task: 1, by: 60}]', 'controllers.0.scheduler.go_home=never',
                                           'controllers.0.tasks=[{carry: 1, to: [4, 4]}]'), 'x20')
        self.assertRegex(out, r'cells +\d+\D+1\D+1\D')
        self.assertRegex(out, r'flown +1\D+1\D')
        self.assertEqual(self.told(self.replay(args)), self.told(out))
        error = self.replay([arg.replace('carry: 1', 'carry: 3') for arg in args], code=2)
        self.assertRegex(error, r'--replay .+: .*scenario .*orders .*\d+\.000 s')

    def test_lds24_a_ghost_in_the_wrong_place_learns_its_home(self):
        error, _ = self.fly_ghosts((self.HOMES[0], self.HOMES[1], '47.3984166,8.5456602,488'), code=2)
        self.assertRegex(error, r'^mayfly-swarm: .+:12: drone\.3 .*: 10 m .*47\.398326\d,8\.54566\d\d,488\.0, .*--home\n$')

    def test_lds24_vehicles_with_blocked_cells_walls_and_bodies(self):
        """A wall that nobody knows of across the first way, blocked cells and a slow effector, the body with physics."""
        out = self.swarm(PACKAGES, '--variation', 'vehicles', '--set', 'space.hidden=[[3, 2], [3, 4], [3, 6]]')
        self.assertRegex(out, r'cells +\d+\D+9\D+9\D')
        out = self.swarm(PACKAGES, '--variation', 'interrupted', '--set', 'entities.1.as=vehicle', '--set', 'expect=[]')
        self.assertRegex(out, r'flown +3\D+3\D[\s\S]*drone\.3 +[0-9.]+ +20 +2[0-9] +3\n')
        self.assertRegex(out, r'cells +\d+\D+9\D+9\D')
        out = self.swarm(PACKAGES, '--variation', 'vehicles', '--set', 'entities.1.body={kind: physics, speed: 1}', '--set', 'expect=[]')
        self.assertRegex(out, r'cells +\d+\D+9\D+9\D')

    def test_lds16_a_grab_with_nothing_there_fails(self):
        """By a mission's last item, and by a command where no way leads to."""
        self.swarm(PACKAGES, '--variation', 'vehicles', '--set', 'expect=[]', '--set',
              'controllers.0.tasks=[{do: [{goto: [1, 3]}, {grab: package}]}, {grab: package}]')
        self.assertEqual([(row['outcome'], row['reason']) for row in self.rows('tasks.csv')], [('failed', 'nothing to grab')] * 2)
        # a ghost, whose autopilot has no gripper: the world answers the commands, twice with a package in the drone's own cell
        self.fly_ghosts(self.HOMES, '--set', 'expect=[]', '--set', 'space.attributes=[[0, 2, package, 1]]', '--set',
                        'controllers.0.tasks=[{do: [{grab: package}, {drop: package}, {grab: package}]}, {grab: package, drone: drone.2}]')
        self.assertEqual([(row['task'], row['outcome'], row['reason']) for row in self.rows('tasks.csv')],
                         [('1', 'done', ''), ('2', 'failed', 'nothing to grab')])

    def test_lds16_an_operator_commands_grippers(self):
        """drone.1 flies to package 1 and grabs it by its mission; DO_GRIPPER then drops it one cell farther, where nothing else is."""
        for kind in ('agent', 'vehicle'):
            with self.subTest(kind):
                out = self.swarm(PACKAGES, '--step', '--set', f'entities.1.as={kind}', '--set', 'expect=[]',
                                 input='gripper drone.1 grab\nstep 12\ngripper drone.1 grab\ngripper drone.1 release\ngripper drone.1 release\n'
                                 'gripper drone.1 grab\ngripper drone.1 drop\ngripper drone.9 grab\nplay\n')
                self.assertEqual(re.findall(r'tick [0-9]+> ([A-Z]+)$', out, re.M), ['FAILED', 'FAILED', 'ACCEPTED', 'FAILED', 'ACCEPTED'])
                assert_names(out, 'gripper DRONE grab gripper DRONE release drone drone.9')
                self.assertRegex(out, r'cells +\d+\D+9\D+9\D')

    def test_lds11_chance(self):
        """Off: nothing happens. On: the seed decides, and an effect more changes no other one's draws."""
        def run(*more):
            out = self.swarm(PACKAGES, '--set', 'expect=[]', '--set', 'effector.prolong=[0]', *more)
            return hash_of(out), [row['actual'] for row in self.rows('tasks.csv')]
        one, two = ('{kind: prolong, chance: 0.1, ticks: 3}', '{kind: edit, chance: 0.05, attr: seen, value: yes, from: [20, 0], to: [23, 1]}')
        script = ('--set', f'effector.script=[{one}]')
        plain = run()
        self.assertEqual(run(*script), plain)
        first = run('--set', 'effector.on=true', *script)
        self.assertNotEqual(first[1], plain[1])
        self.assertEqual(run('--set', 'effector.on=true', *script), first)
        self.assertNotEqual(run('--set', 'effector.on=true', '--set', 'seed=2', *script)[1], first[1])
        self.assertEqual(run('--set', 'effector.on=true', '--set', f'effector.script=[{one}, {two}]')[1], first[1])

    def test_an_expectation_that_does_not_hold(self):
        out = self.swarm(PACKAGES, '--set', 'expect=[{task: 9, by: 50}, {found: smoke}]', code=1)
        self.assertRegex(out, 'task 9 done: late, at 10[0-9] s')
        self.assertIn('found smoke: never', out)

    def test_expectations_as_junit(self):
        """A case for each: one holds, one is late, one never happens."""
        self.swarm(PACKAGES, '--set', 'expect=[{task: 1, by: 60}, {task: 9, by: 50}, {found: smoke}]', '--junit', self.path('j.xml'), code=1)
        suite = xml.etree.ElementTree.parse(self.path('j.xml')).getroot()
        self.assertEqual((suite.get('tests'), suite.get('failures')), ('3', '2'))
        self.assertEqual([(case.get('name'), len(case)) for case in suite], [('task 1 done', 0), ('task 9 done', 1), ('found smoke', 1)])

    def test_a_profile_counts_ticks(self):
        out = self.swarm(PACKAGES, '--profile', self.path('costs.csv'))
        ticks = int(re.search(r'time +(\d+) ticks', out)[1])
        self.assertEqual(sum(int(row['bodies_steps']) for row in self.rows('costs.csv')), ticks)

    def resumed(self, at_s, *more):
        """A run, and the same run in two processes: their hashes, and the tables of tasks that they print."""
        csv = ('--set', 'outputs.csv={file: at.csv, every: 2}', '--set', 'outputs.messages={file: m.csv}')
        checkpoint = self.path('grid.checkpoint')
        outs = [self.swarm(PACKAGES, *csv, *more, *args, out=out) for out, args in (
            ('whole', ()), ('first', ('--checkpoint', checkpoint, '--at', str(at_s))), ('second', ('--resume', checkpoint)))]
        for name in ('at.csv', 'm.csv', 'tasks.csv'):
            first, second = self.text('first', name), self.text('second', name)
            self.assertEqual(first + second.split('\n', 1)[1], self.text('whole', name), name)
        self.assertNotEqual(hash_of(outs[1]), hash_of(outs[0]))
        self.assertEqual(self.told(outs[2]), self.told(outs[0]))

    def test_sbe01_another_process_goes_on(self):
        """SBE-01: At the end of a tick, within one, and before the first one."""
        for at_s in (40, 40.5, 0):
            with self.subTest(at_s):
                self.resumed(at_s)

    def test_sbe01_another_process_flies_on(self):
        """SBE-01: Vehicles are in the air at the checkpoint."""
        self.resumed(41, '--variation', 'vehicles')

    def test_a_sweep_merges_tasks(self):
        self.run_program(SWARM, 'sweep', PACKAGES, '--out', self.folder, '--set', 'sweep.over=variations')
        rows = self.rows('tasks.csv')
        self.assertEqual([row['run'] for row in rows], ['0'] * 9 + ['1'] * 9 + ['2'] * 9)

    def test_bad_input_is_one_line(self):
        for change, text in (
                ('entities.1.actuators.0.attr=box', 'grab package actuator'),
                ('entities.1.as=ghost', 'drone ghost link'),
                ('outputs.kml=a.kml', 'outputs tasks messages csv map trace'),
                ('effector={on: true, script: [{kind: weather, from: [1, 1], to: [2, 2]}]}', 'effector ticks'),
                ('expect=[{event: landed}]', 'task found')):
            with self.subTest(change):
                assert_names(self.refused(PACKAGES, '--set', change), text)
