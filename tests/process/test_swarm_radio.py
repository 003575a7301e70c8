# SPDX-License-Identifier: Apache-2.0
"""Radios of build/mayfly-swarm: who hears whom, how strong, in which order, and what it costs (docs/swarm-manual.md#radio)."""
import os
import re

import pytest

from names import assert_names
from paths import SCENARIOS
from swarm_case import SwarmCase, hash_of

RADIOS = os.path.join(SCENARIOS, 'radios.yaml')
# Three that stand, with radios of 0, 0 and 3 dBm, and one without.
THREE = """{medium}
swarm: 1
time: {{end: 2.5}}
entities:
  - {{name: a, as: {kind}, place: [0, 0, 2], radio: {{kind: cc2420}}, send: {{every: 1, bytes: [1, 2, 3]}}}}
  - {{name: b, as: {kind}, place: [20, 0, 2], radio: {{kind: cc2420}}, send: {{every: 2, start: 0.5}}}}
  - {{name: c, as: {kind}, place: [400, 0, 2], radio: {{kind: rf230, level: 0}}, send: {{every: 1}}}}
  - {{name: deaf, as: {kind}, place: [1, 0, 2]}}
outputs: {{radio: heard.csv, csv: {{file: all.csv, every: 2.5}}}}
"""


class Radio(SwarmCase):
    def heard(self):
        return [(row['t_s'], row['receiver'], row['sender'], row['number'], row['bytes'], float(row['strength_dbm']))
                for row in self.rows('heard.csv')]

    def test_sbe07_strengths_and_order(self):
        """Free space at 2405 MHz: 20 log10(c / 4 pi f d), by hand -66.09 dBm at 20 m, -91.67 at 380 m, -92.11 at 400 m."""
        for kind in ('agent', 'vehicle'):
            out = self.swarm(THREE.format(medium='', kind=kind))
            # a and c send at 0, 1, 2; b at 0.5 and 2.5
            a_to_b = [(f'{t}.000000', 'b', 'a', str(t), '3', -66.09) for t in range(3)]
            b_to_a = [(f'{t}.500000', 'a', 'b', str(k), '0', -66.09) for k, t in enumerate((0, 2))]
            # above the RF230's -101 dBm
            to_c = [(f'{t}.000000', 'c', 'a', str(t), '3', -92.11) for t in range(3)]
            b_to_c = [(f'{t}.500000', 'c', 'b', str(k), '0', -91.67) for k, t in enumerate((0, 2))]
            expected = a_to_b + b_to_a + to_c + b_to_c
            # with 3 dBm more, above the CC2420's -90 dBm
            expected += [(f'{t}.000000', to, 'c', str(t), '0', dbm) for t in range(3) for to, dbm in (('a', -89.11), ('b', -88.67))]
            self.assertEqual(self.heard(), sorted(expected, key=lambda r: (float(r[0]), r[1], r[2])), kind)
            assert_names(out, 'radio 3 8 sent 16 received')

    def test_sbe07_compat_and_two_rays(self):
        self.swarm(THREE.format(medium='medium: {compat: simbeeotic}', kind='agent'))
        self.assertEqual({row[5] for row in self.heard()}, {-86.09})  # 20 dB less: only 20 m are left
        # 2 m above the ground the two ways differ by 0.4 m at 20 m: 4 sin^2(2 pi 4 / (0.12465 20)) is 1.73 dB
        self.swarm(THREE.format(medium='medium: {kind: two_ray}', kind='agent'))
        self.assertIn(('0.000000', 'b', 'a', '0', '3', -64.36), self.heard())

    @pytest.mark.long
    def test_550_radios_send_and_hear_the_same_on_any_number_of_threads(self):
        """In 10 s, start inclusive, each has 101 turns, and sends 11 packets."""
        args = ('--set', 'outputs.radio.of=[bee.1, bee.550]', '--set', 'outputs.radio.file=heard.csv')
        out = self.swarm(RADIOS, *args)
        once = self.text('heard.csv'), self.text('radios.csv')
        again = self.swarm(RADIOS, *args, '--threads', '3')
        self.assertEqual((self.text('heard.csv'), self.text('radios.csv')), once)
        self.assertEqual(re.search('hash.*', out)[0], re.search('hash.*', again)[0])
        self.assertIn(f'steps     {101 * 550},', out)
        assert_names(out, f'radio 550 {11 * 550} sent')
        order = [(float(r[0]), int(r[1][4:]), int(r[2][4:]), int(r[3])) for r in self.heard()]
        self.assertEqual(order, sorted(order))
        self.assertEqual({r[1] for r in order}, {1, 550})
        self.assertTrue(all(row['sent'] == '11' for row in self.rows('radios.csv') if row['t_s'] == '10.000'))

    def test_sbe02_another_entity_changes_nobody_elses_chance(self):
        """Places, ways, noise, gusts and luck of the radio follow from names: an entity before or after others changes none of theirs."""
        scenario = 'swarm: 1\ntime: {{end: 20}}\nmedium: {{noise: [-94, 3], range: 400}}\nentities:\n{before}' \
                   '  - {{name: a, as: agent, count: 8, place: {{disc: [0, 0, 150]}}, behaviour: walk, radio: cc2420, send: 1,\n' \
                   '     sensors: [{{kind: compass, rate: 1, sigma: 0.1}}]}}\n' \
                   '  - {{name: v, count: 2, place: {{disc: [500, 0, 50]}}, behaviour: walk, settings: {{wind.speed: 5, wind.gusts: 2}}}}\n{after}' \
                   'outputs: {{radio: {{file: heard.csv, of: a}}, sensors: {{file: sensed.csv, of: a}}, csv: {{file: flown.csv, of: [a, v]}}}}\n'
        other = '  - {name: %s, as: agent, count: 3, place: [5e5, 0], radio: rf230, send: 0.1}\n'
        told = []
        for before, after in (('', ''), ('', other % 'b'), (other % 'b', ''), (other % 'b', other % 'c')):
            self.swarm(scenario.format(before=before, after=after))
            told.append([self.text(name) for name in ('heard.csv', 'sensed.csv', 'flown.csv')])
        self.assertEqual(told, 4 * [told[0]])
        self.assertGreater(min(len(text.splitlines()) for text in told[0]), 100)

    def test_a_checkpoint_holds_radios(self):
        args = ('--set', 'entities.0.count=50', '--set', 'outputs.radio.of=bee.2')
        checkpoint = self.path('c')
        whole = self.swarm(RADIOS, *args)
        heard = self.text('heard.csv')
        self.swarm(RADIOS, *args, '--checkpoint', checkpoint, '--at', '4.5')
        first = self.text('heard.csv')
        resumed = self.swarm(RADIOS, *args, '--resume', checkpoint)
        self.assertEqual(first + self.text('heard.csv'), heard)
        self.assertEqual(hash_of(whole), hash_of(resumed))

    def test_bad_input_is_one_line_and_exit_code_2(self):
        for entity, says in (('radio: {kind: cc2420, level: 30}', 'level cc2420 31 3'),
                             ('radio: {kind: generic, level: 3}', 'level generic'),
                             ('radio: {kind: cc2420, channel: 9}', 'entities.0.radio.channel 9 11 26'),
                             ('radio: lora', 'entities.0.radio lora cc2420'),
                             ('radio: {kind: rf230, axis: [0, 0, 0]}', 'a radio.axis'),
                             ('radio: {kind: rf230, pattern: [1, 2]}', 'entities.0.radio.pattern 19'),
                             ('send: {every: 1}', 'send radio'),
                             ('radio: rf230, send: {every: 1, bytes: [256]}', 'entities.0.send.bytes 256 0 255'),
                             ('radio: rf230, send: {every: 1, bytes: [0.5]}', 'entities.0.send.bytes whole'),
                             ('radio: rf230, send: {every: 0}', 'entities.0.send.every 0 0.001'),
                             (f'radio: rf230, send: {{every: 1, bytes: {[0] * 281}}}', 'entities.0.send.bytes 280')):
            assert_names(self.refused(f'time: {{end: 1}}\nentities: [{{name: a, as: agent, {entity}}}]\n'), says)
        for more, says in (('medium: {noise: [-100, -1]}', 'medium.noise'), ('medium: {range: 0}', 'medium.range 0 0.01'),
                           ('outputs: {radio: r.csv}', 'outputs radio')):
            assert_names(self.refused(f'entities: [{{name: a}}]\n{more}\n'), says)
        assert_names(self.refused('entities: [{name: a, radio: rf230, send: 1}]\n'), 'send time.end')
