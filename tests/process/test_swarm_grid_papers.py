# SPDX-License-Identifier: Apache-2.0
"""Worlds of cells: what the figures of a published simulator show, and messages from drone to drone (docs/grid.md, docs/papers.md)."""
import math
import os
import re
import xml.etree.ElementTree

from names import assert_names
from paths import TOP
from swarm_case import SwarmCase, hash_of, options

LISTINGS = os.path.join(TOP, 'examples', 'papers', 'lds')
RELAY = os.path.join(LISTINGS, 'relay.yaml')
FIGURES = os.path.join(LISTINGS, 'figures.yaml')
# Estimated and actual ticks of Listing 7, as printed
LISTING_7 = {'drone.1': ((27, 32), (33, 45), (29, 33)), 'drone.2': ((25, 40), (32, 40), (34, 42)), 'drone.3': ((20, 22), (25, 29), (43, 47))}
# 6 x 3 cells, 100 px each: the drone flies from (0, 0) over the box to (2, 0), and drops the box there.
BOX = ('space: {cells: {size: [6, 3]}, attributes: [[1, 0, box, 1]], blocked: [[3, 0], [3, 1]]}\n'
       'entities: [{name: c, thing: charger, place: [0, 2]}, {name: d, as: agent, body: {kind: cell}, place: [0, 0], battery: {mah: 2500, move: 10},\n'
       '  actuators: [{attr: box, mode: GRAB}]}]\ncontrollers: [{scheduler: {go_home: never}, tasks: [{carry: 1, attr: box, to: [2, 0]}]}]\n')


class GridPapers(SwarmCase):
    def test_lds07_drones_tell_each_other(self):
        """LDS-07: five moves from tick 3 on, and a message; five moves from tick 7 on, and one to both others; five moves from tick 11 on."""
        self.swarm(RELAY)
        self.assertEqual([(row['tick'], row['sender'], row['receiver'], row['x'], row['y'], row['name'], row['value']) for row in self.rows('messages.csv')],
                         [('7', 'drone.1', 'drone.2', '5', '0', 'clear', 'yes'), ('11', 'drone.2', 'drone.1', '5', '1', 'done', ''),
                          ('11', 'drone.2', 'drone.3', '5', '1', 'done', '')])
        self.assertEqual([(row['drone'], row['estimated'], row['actual']) for row in self.rows('tasks.csv')],
                         [(f'drone.{n}', '5', '5') for n in (2, 1, 3)])

    def test_lds10_an_operator_speaks_for_a_drone(self):
        """LDS-10: drone 2 goes on with tick 3, when the message of tick 2 has come and its way."""
        lines = ('step 2', 'send drone.3 drone.2 clear yes', 'send drone.3 all nothing', 'send drone.3 nobody x', 'send drone.1 drone.2',
                 'send drone.1 drone.2 a b c', 'task {send: x, receiver: nobody}', 'play')
        out = self.swarm(RELAY, '--step', input='\n'.join(lines) + '\n').split('tick 2> ')
        self.assertEqual(out[1:3], ['1\n', '2\n'])
        for said, text in zip(out[3:7], ("nobody show", 'send DRONE NAME 23', 'send DRONE NAME 23', 'nobody')):
            assert_names(said, text)
        rows = self.rows('messages.csv')
        self.assertEqual([(row['tick'], row['sender'], row['receiver'], row['name']) for row in rows if row['tick'] == '2'],
                         [('2', 'drone.3', 'drone.2', 'clear'), ('2', 'drone.3', 'drone.1', 'nothing'), ('2', 'drone.3', 'drone.2', 'nothing')])
        self.assertEqual([row['tick'] for row in rows if row['name'] == 'done'], ['7', '7'])

    def test_wrong_messages_are_one_line(self):
        for task, text in (('{receiver: drone.2, goto: [1, 1]}', 'receiver send'), ('{send: a, receiver: drone.4}', 'drone.4'),
                           ('{send: a, await: b}', 'send await'), ('{send: ' + 24 * 'a' + '}', '24')):
            assert_names(self.refused(RELAY, '--set', f'controllers.0.tasks=[{task}]'), text)

    def svg(self, name):
        """{tag: its elements, in order}"""
        kinds = {}
        for element in xml.etree.ElementTree.parse(self.path(name)).getroot().iter():
            kinds.setdefault(element.tag.split('}')[1], []).append(element)
        return kinds

    def test_lds12_trust_over_time(self):
        """LDS-12: trust is the product of the printed ratios. Each way begins in tick 3 or one tick after the task before; the controller
        knows one tick after its end. The axis of time has 560 px up to the last tick with anything to do, that of trust 320 px."""
        out = self.swarm(FIGURES)
        last = int(re.search(r'to do (\d+)', out)[1])
        svg = self.svg('trust.svg')
        for line in svg['polyline']:
            points = [tuple(map(float, at.split(','))) for at in line.get('points').split()]
            trust, tick, expected = 1.0, 2, [(0, 1.0)]
            for estimated, actual in LISTING_7[line[0].text]:
                tick += actual + 1
                expected += [(tick, trust), (tick, trust * estimated / actual)]
                trust *= estimated / actual
            expected.append((last, trust))
            self.assertEqual(len(points), len(expected))
            for (x, y), (at, value) in zip(points, expected):
                self.assertAlmostEqual(x, 60 + 560 * at / last, delta=0.051)
                self.assertAlmostEqual(y, 20 + 320 * (1 - value), delta=0.051)
        products = {name: math.prod(e / a for e, a in pairs) for name, pairs in LISTING_7.items()}
        self.assertEqual([text.text for text in svg['text']][-3:], [f'{name}: {products[name]:.3f}' for name in sorted(products)])
        for name in ('trust.svg', 'costs.svg'):
            with open(os.path.join(LISTINGS, name), encoding='utf-8') as file:
                self.assertEqual(self.text(name), file.read(), f'{name} of examples/papers/lds is not what figures.yaml writes')

    def test_lds09_the_map_of_costs(self):
        """LDS-09: moves to (0, 0), the northern row first; a hidden wall at (3, 1) counts after a drone has met it, and closes the corner (3, 0)."""
        world = ('space: {cells: {size: [4, 3]}, blocked: [[1, 0], [2, 0], [1, 1]], hidden: [[3, 1]]}\n'
                 'entities: [{name: d, as: agent, body: {kind: cell}, place: [2, 2]}]\n'
                 'controllers: [{id: 7, scheduler: {go_home: never}, tasks: [{goto: GOAL}]}]\noutputs: {costs: {file: c.svg, to: [0, 0], controller: 7}}\n')
        for goal, rows, blocked in (('[2, 1]', ('2 3 4 5', '1 X 5 6', '0 X X 7'), 3), ('[3, 1]', ('2 3 4 5', '1 X 5 X', '0 X X -1'), 4)):
            with self.subTest(goal):
                self.swarm(world.replace('GOAL', goal))
                svg = self.svg('c.svg')
                texts = [text.text for text in svg['text']]
                numbers = {(float(text.get('x')), float(text.get('y'))): text.text for text in svg['text'][:texts.index('moves to (0, 0, 0)')]}
                self.assertEqual(numbers, {(20 + 150 * (x + 0.5), 20 + 150 * (y + 0.5) + 4): number for y, row in enumerate(rows)
                                           for x, number in enumerate(row.split()) if number != 'X'})
                cells = [rect for rect in svg['rect'] if rect.get('fill') == '#606060' and rect.get('stroke') is None]
                self.assertEqual(sum(float(rect.get('width')) / 150 for rect in cells), blocked)
        goal = next(rect for rect in svg['rect'] if rect.get('stroke') == '#D62728')
        self.assertEqual((goal.get('x'), goal.get('y')), ('20.0', '320.0'))
        self.assertEqual(texts[texts.index('moves to (0, 0, 0)') + 1:], ['0', '1', '2', '3', '5', 'blocked', '-1: no way'])
        self.swarm(world.replace('GOAL', '[2, 1]').replace(', to: [0, 0], controller: 7', ''))
        self.assertIn('moves to (2, 2, 0)', [text.text for text in self.svg('c.svg')['text']])
        for change, text in (('to: [0, 3]', 'outputs costs 0 3 4 x 3 x 1'), ('controller: 8', 'outputs costs 8')):
            wrong = re.sub(change[:change.index(':')] + r': (\[0, 0\]|7)', change, world.replace('GOAL', '[2, 1]'))
            assert_names(self.refused(wrong), text)

    def test_lds13_a_video(self):
        """LDS-13: without ffmpeg, a picture for each tick, from the begin on. The ways of ticks 3 and 4 lead over the box to (2, 0)."""
        out = self.swarm(BOX + 'outputs: {video: {file: v.mp4, every: 1}}\n', env={**os.environ, 'PATH': self.folder})
        frames = sorted(name for name in os.listdir(self.folder) if name.endswith('.ppm'))
        self.assertEqual(len(frames), int(re.search(r'time +(\d+) ticks', out)[1]))
        assert_names(out, f'ffmpeg {len(frames)} v-00001.ppm')

        def pixels(frame, *at):
            header, rgb = self.bytes(frames[frame]).split(b'\n255\n', 1)
            self.assertEqual((header, len(rgb)), (b'P6\n640 340', 640 * 340 * 3))
            return [rgb[(y * 640 + x) * 3:][:3].hex() for x, y in at]

        here, box, there, wall, charger, ground, border, outside = (70, 270), (170, 290), (270, 270), (370, 170), (70, 70), (570, 70), (19, 100), (10, 10)
        for frame in (0, 2):                   # before ticks 1 and 3
            self.assertEqual(pixels(frame, here, box, there, wall, charger, ground, border, outside),
                             ['1f77b4', '9cc3e6', 'f4f7fa', '606060', 'e6b800', 'f4f7fa', '303030', 'ffffff'])
        # the drone stands in the box's cell after tick 3, and carries it; its way is one pixel wide
        self.assertEqual(pixels(3, (170, 270), box, (120, 270), (120, 280), there), ['1f77b4', 'f4f7fa', '1f77b4', 'f4f7fa', 'f4f7fa'])
        self.assertEqual(pixels(-1, there, (270, 290), (170, 270)), ['1f77b4', '2ca02c', '1f77b4'])

    def test_pictures_have_a_switch(self):
        """LDS-13: without pictures the run is the same."""
        sets = options('outputs.trust=t.svg', 'outputs.costs=c.svg', 'outputs.overhead=o.svg', 'outputs.video=v.ppm')
        drawn = self.swarm(BOX, *sets)
        self.assertLessEqual({'t.svg', 'c.svg', 'o.svg', 'v-00001.ppm'}, set(os.listdir(self.folder)))
        for name in os.listdir(self.folder):
            os.unlink(self.path(name))
        plain = self.swarm(BOX, *sets, '--set', 'outputs.plots=false')
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(('svg', 'ppm'))], [])
        self.assertEqual(hash_of(drawn), hash_of(plain))
        assert_names(self.swarm(RELAY, '--checkpoint', self.path('x'), '--set', 'outputs.trust=t.svg', code=2), 'outputs trust outputs.plots')
        for name in ('trust', 'costs'):
            assert_names(self.refused('time: {end: 1}\nentities: [{name: v}]\n', '--set', f'outputs.{name}=x.svg'), 'outputs trust costs space.cells')
