# SPDX-License-Identifier: Apache-2.0
"""Radios of one's own agents: behaviours of plug-ins transmit and receive (docs/plugins.md#a-radio-of-ones-own): SBE-07, SBE-12."""
import math
import os
import tempfile

from paths import PAPERS, TOP
from programs import compile_plugin
from swarm_case import SwarmCase, hash_of

BITS_PER_S = 250000   # of a CC2420
# Asker and two who answer, 10 and 20 m away; without noise a CC2420 receives all of it.
ECHO = """
swarm: 1
time: {{clock: fast, end: 3}}
plugins: [./echo.so]
{more}
entities:
  - {{name: asker, as: {kind}, place: [0, 0, 2], start: 1, radio: cc2420, behaviour: {{kind: own, name: echo, rate: 10, params: {{{params}}}}}}}
  - {{name: near, as: {kind}, place: [10, 0, 2], radio: cc2420, behaviour: {{kind: own, name: echo, rate: 10, params: {{answers: true}}}}}}
  - {{name: deaf, as: {kind}, place: [20, 0, 2], behaviour: {{kind: own, name: echo, rate: 10, params: {{burst: 1, answers: true}}}}}}
outputs: {{radio: heard.csv}}
"""


class Transmit(SwarmCase):
    @classmethod
    def setUpClass(cls):
        cls.compiled = cls.enterClassContext(tempfile.TemporaryDirectory())
        compile_plugin(os.path.join(cls.compiled, 'echo.so'), os.path.join(TOP, 'tests', 'process', 'plugin_echo.c'))
        compile_plugin(os.path.join(cls.compiled, 'figure11.so'), os.path.join(PAPERS, 'simbeeotic', 'figure11.c'))

    def setUp(self):
        super().setUp()
        os.symlink(os.path.join(self.compiled, 'echo.so'), self.path('echo.so'))

    def heard(self, params='burst: 1', kind='agent', more='', args=()):
        self.out = self.swarm(ECHO.format(params=params, kind=kind, more=more), *args)
        return [(float(row['t_s']), row['receiver'], row['sender'], int(row['number']), bytes.fromhex(row['payload']))
                for row in self.rows('heard.csv')]

    def test_sbe07_a_packet_is_answered_when_it_has_ended(self):
        """4 bytes at 250 kbit/s take 128 us. Friis at 2405 MHz and 10 m, 0 dBm: 20 log10(c / 4 pi f d) = -60.07 dBm."""
        strength = round(100 * 20 * math.log10(299792458 / (4 * math.pi * 2405e6 * 10)))
        self.assertEqual(strength, -6007)
        answer = bytes([1, 0]) + strength.to_bytes(2, 'little', signed=True) + bytes(1)
        for kind in ('agent', 'vehicle'):
            self.assertEqual(self.heard(kind=kind), [(1.0, 'near', 'asker', 0, b'\xab' * 4), (1.000128, 'asker', 'near', 0, answer)], kind)

    def test_eight_packets_wait_and_the_ninth_is_refused(self):
        """Ten packets of a turn: eight leave at once, in order; each is answered, the answers leave together."""
        heard = self.heard('burst: 10')
        self.assertEqual([row[:4] for row in heard], [(1.0, 'near', 'asker', k, ) for k in range(8)] +
                         [(1.000128, 'asker', 'near', k) for k in range(8)])
        self.assertEqual([row[4][1] for row in heard[8:]], list(range(8)))

    def test_a_packet_has_280_bytes_at_most(self):
        self.assertEqual([len(row[4]) for row in self.heard('burst: 1, size: 280')], [280, 5])
        self.assertEqual(self.heard('burst: 1, size: 281'), [])

    def test_answers_to_answers_take_their_time(self):
        """5 bytes take 160 us: a member that answers all, and one that asks and answers, talk 6,249 times in the rest of a second."""
        heard = self.heard('burst: 1, answers: true', args=('--set', 'time.end=2'))
        times = [round(row[0] * 1e6) for row in heard]
        self.assertEqual(times, [1000000, 1000128, *range(1000288, 2000001, 160)])

    def test_a_network_brings_packets_to_behaviours(self):
        """Over the built-in network of 5 ms, which knows no strength."""
        heard = self.heard(more='network: {kind: builtin, delay: 0.005}')
        self.assertEqual([row[1:] for row in heard],
                         [('near', 'asker', 0, b'\xab' * 4), ('asker', 'near', 0, bytes([1, 0, 0, 0, 0]))])
        self.assertEqual([round(row[0] * 1e6) for row in heard], [1005000, 1010001])

    def test_sbe12_figure_11_sends_as_often_as_published(self):
        """550 bees send at 0, 1, ... 100 s: 550 * 101 = 55,550 packets. Threads change nothing."""
        scenario = os.path.join(PAPERS, 'simbeeotic', 'figure11.yaml')
        plugin = ('--set', f'plugins=[{os.path.join(self.compiled, "figure11.so")}]', '--set', 'outputs.csv={file: all.csv, every: 100}')
        out = [self.swarm(scenario, *plugin, '--threads', n) for n in '14']
        self.assertEqual(hash_of(out[0]), hash_of(out[1]))
        last = [row for row in self.rows('all.csv') if float(row['t_s']) == 100.0]
        self.assertEqual([int(row['sent']) for row in last], [101] * 550)
        self.assertLessEqual(sum(int(row['heard']) for row in last), 550 * 549 * 101)
        self.assertGreater(sum(int(row['heard']) for row in last), 0)
        quiet = self.swarm(scenario, *plugin, '--variation', 'quiet', '--set', 'time.end=1')
        self.assertEqual(quiet.count(' 3074 radios, 0 packets sent, 0 received'), 1)
