# SPDX-License-Identifier: Apache-2.0
"""Radios of one's own agents: behaviours of plug-ins (docs/plugins.md#a-radio-of-ones-own) and controllers of the bus (docs/bus.md#radios)
transmit and receive: SBE-07, SBE-18."""
import math
import os
import struct
import tempfile

from bus_client import END, ERROR, FOR_EVER, HEARD, PACKETS, SENSED, TURN, Participant
from names import assert_names
from paths import PAPERS, TOP
from programs import compile_plugin
from swarm_case import SwarmCase, hash_of, hashes_of, options

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

    def test_sbe18_figure_11_sends_as_often_as_published(self):
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


# Who hears c is told by the bus; c stands 10 m from a, and its range sees the box 5 m ahead.
BUS = """
swarm: 1
time: {clock: fast, end: 3}
space: {obstacles: [{kind: box, at: [15, -5, 0], size: [1, 10, 10]}]}
entities:
  - {name: a, as: agent, place: [0, 0, 2], radio: cc2420}
  - {name: c, as: vehicle, place: [10, 0, 2], radio: cc2420, sensors: [{kind: range, rate: 1, reach: 30}]}
  - {name: mute, as: agent, place: [0, 10, 2]}
bus: {tick: 1, heard: [a, c], sensed: c}
outputs: {radio: heard.csv}
"""
PACKET = struct.Struct('<IIIIfI')


def packet(member, data, heard=0):
    return PACKET.pack(member, heard, 0, 0, math.nan, len(data)) + data


def heard_of(payload):
    """(member, sender, number, strength in 0.01 dB, bytes) of the packets of HEARD."""
    at, found = 0, []
    while at < len(payload):
        member, flag, sender, number, strength, size = PACKET.unpack_from(payload, at)
        assert flag == 1
        at += PACKET.size + size
        found.append((member, sender, number, round(100 * strength), payload[at - size:at]))
    return found


class Bus(SwarmCase):
    in_ledger = False   # a test begins and ends programs of its own

    def begin(self, *sets):
        process = self.start(self.scenario(BUS), '--out', self.folder, *options(f'bus.listen=unix:{self.path("bus")}', *sets))
        return process, Participant(self.path('bus'))

    def turns(self, p, acts):
        """The frames HEARD of a whole run as (time [ns], packets); acts[k]: what the controller sends in its turn k."""
        told, k = [], 0
        self.told_at = []   # number of the turn with each frame HEARD
        while True:
            kind, payload = p.frame()
            if kind == HEARD:
                told.append((p.ns, heard_of(payload)))
                self.told_at.append(k)
            elif kind == END:
                return told
            elif kind == TURN:
                for data in acts.get(k, ()):
                    p.send(PACKETS, data)
                self.times.append(p.ns)
                k += 1
                p.done(*self.until)

    def test_a_controller_transmits_and_hears_with_strength_and_sender(self):
        """Friis at 10 m, 0 dBm: -60.07 dBm. The same bytes, times and order in each run; a CC2420 has no noise here."""
        runs = []
        for _ in range(2):
            process, p = self.begin()
            self.times, self.until = [], (0,)
            runs.append(self.turns(p, {0: [packet(0, b'hi')], 1: [packet(1, b'ho') + packet(0, b'') + packet(1, b'!')]}))
            runs[-1].append(hashes_of(self.finish(process, 0)[0]))
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0][:2], [(0, [(1, 0, 0, -6007, b'hi')]),
                                       (1000000000, [(0, 1, 0, -6007, b'ho'), (0, 1, 1, -6007, b'!'), (1, 0, 1, -6007, b'')])])
        self.assertEqual(self.times, [0, 1000000000, 2000000000, 3000000000])
        self.assertEqual([(row['t_s'], row['sender'], row['payload']) for row in self.rows('heard.csv')],
                         [('0.000000', 'a', b'hi'.hex()), ('1.000000', 'c', b'ho'.hex()), ('1.000000', 'c', b'!'.hex()), ('1.000000', 'a', '')])

    def test_a_turn_comes_when_a_packet_has_ended(self):
        """A controller that wants no turn but upon packets answers each at its end: 2 bytes at 250 kbit/s are 64 us."""
        process, p = self.begin()
        self.times, self.until = [], (FOR_EVER, 1)
        told = self.turns(p, {0: [packet(0, b'hi')], 1: [packet(1, b'ho')], 2: [packet(0, b'ha')]})
        self.finish(process, 0)
        self.assertEqual([(ns, rows[0][0]) for ns, rows in told], [(0, 1), (64000, 0), (128000, 1)])
        self.assertEqual(self.times, [0, 64000, 128000, 192000])

    def test_a_packet_is_told_when_its_last_bit_has_come(self):
        """100 bytes at 250 kbit/s last 3.2 ms, so with a turn each millisecond they are told with the turn at 4 ms; 2 bytes last 64 us."""
        process, p = self.begin('bus.tick=0.001', 'time.end=0.006')
        self.times, self.until = [], (0,)
        told = self.turns(p, {0: [packet(0, bytes(100))], 2: [packet(1, b'ho')]})
        self.finish(process, 0)
        self.assertEqual([(ns, k, [row[0] for row in rows]) for (ns, rows), k in zip(told, self.told_at)], [(2000000, 3, [0]), (0, 4, [1])])

    def test_each_packet_has_a_turn_at_its_own_end_and_a_replay_the_same(self):
        """Two leave at time 0 and end after 64 us and 3.2 ms; the turns at these instants answer them, and a replay transmits at the same."""
        record = f'outputs.recording={{file: {self.path("in.rec")}}}'
        process, p = self.begin(record)
        self.times, self.until = [], (FOR_EVER, 1)
        self.turns(p, {0: [packet(0, bytes(100)) + packet(1, b'ho')], 1: [packet(0, b'a')], 3: [packet(1, b'b')]})
        out, _ = self.finish(process, 0)
        self.assertEqual(self.times, [0, 64000, 96000, 3200000, 3232000])
        rows = self.rows('heard.csv')
        self.assertEqual([round(float(row['t_s']) * 1e6) for row in rows], [0, 0, 64, 3200])
        again = self.swarm(BUS, '--replay', self.path('in.rec'), *options('bus.listen=unix:unused'))
        self.assertEqual(self.rows('heard.csv'), rows)
        self.assertEqual(hash_of(again), hash_of(out))

    def test_measurements_are_told(self):
        """c is 5 m from the box. SENSED: member, sensor, values, found, what, age, 8 values."""
        process, p = self.begin('time.end=1')
        _, seen = p.until(TURN)
        p.done()
        _, seen = p.until(TURN)
        p.done()
        p.until(END)
        self.finish(process, 0)
        self.assertEqual(struct.unpack_from('<I4x', seen[SENSED])[0], 0)
        member, sensor, values, found, what, age, value = struct.unpack_from('<IBBHIff', seen[SENSED], 8)
        self.assertEqual((len(seen[SENSED]), member, sensor, values, found, what), (8 + 48, 1, 0, 1, 0, 0))
        self.assertAlmostEqual(value, 5.0, places=5)
        self.assertLessEqual(age, 1.0)

    def test_packets_of_nobody_end_who_sends_them(self):
        for data, names in ((packet(2, b'x'), 'transmits radio'), (packet(3, b'x'), 'member'), (packet(0, b'x', heard=1), 'heard'),
                            (packet(0, bytes(281)), '281 280'), (packet(0, b'x') * 9, 'transmits 8')):
            process, p = self.begin('time.end=1')
            p.until(TURN)
            p.send(PACKETS, data)
            _, seen = p.until(ERROR)
            assert_names(seen[ERROR].decode(), names)
            self.finish(process, 0)
            p.socket.close()

    def test_bad_input_is_one_line(self):
        for sets, names in ((['bus.heard=nobody'], 'nobody'), (['bus.sensed=[c, x]'], 'x')):
            assert_names(self.swarm(BUS, *options('bus.listen=0', *sets), code=2), names)
