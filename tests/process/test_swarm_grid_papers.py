# SPDX-License-Identifier: Apache-2.0
"""Worlds of cells: what the figures of a published simulator show, and messages from drone to drone (docs/grid.md, docs/papers.md)."""
import os

from names import assert_names
from paths import TOP
from swarm_case import SwarmCase

LISTINGS = os.path.join(TOP, 'examples', 'papers', 'lds')
RELAY = os.path.join(LISTINGS, 'relay.yaml')


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
