# SPDX-License-Identifier: Apache-2.0
"""MAVLink of real clients over networks that are built in (docs/cosim.md): what needs no ns-3. GZ-04, GZ-15, GZ-16, GZ-17."""
import os
import re
import socket
import struct

import pytest

from examples import alone
from lost_station import StationCase
from mavlink import AUTOPILOT_VERSION, PARAM_REQUEST_LIST, REQUEST_MESSAGE, command, frame
from names import assert_names
from paths import COSIM, TOP
from swarm_case import hash_of, options

DELAY, RATE = 0.0123, 100_000
WORLD = '''
swarm: 1
time: {{clock: lockstep, end: 100}}
links: {{address: "{address}", transport: vehicle}}
network: {network}
flows: [{{client: {port}, station: gcs, vehicle: {vehicle}, via: {via}}}]
entities:
  - {{name: gcs, as: agent, place: [0, 0, 0]}}
  - {{name: drone, place: [5, 0, 0]}}
processes:
  - {{name: client, clock: virtual, run: [python3, -S, -E, {script}, "{port}", {via}, {request}]}}
'''
ASK = '''
import socket, sys, time
port, via, request = int(sys.argv[1]), sys.argv[2], bytes.fromhex(sys.argv[3])
begin = time.time()
link = socket.socket(type=socket.SOCK_STREAM if via == 'tcp' else socket.SOCK_DGRAM)
link.connect(('127.0.0.1', port))
link.settimeout(20)
time.sleep(1.5)
sent = time.time()
link.send(request)
numbers, stream = [], b''
try:
    while time.time() < sent + 20: # what was lost does not come, and other messages go on
        got = link.recv(65536)
        stream += got
        while len(stream) >= 12 and len(stream) >= 12 + stream[1]:
            assert stream[0] == 0xFD, stream[:20]
            frame, stream = stream[:12 + stream[1]], stream[12 + stream[1]:]
            if frame[7:10] == b'\\x4d\\x00\\x00':
                print('ack', round(sent - begin, 6), round(time.time() - sent, 6), len(got), flush=True)
                sys.exit()
            if frame[7:10] == b'\\x16\\x00\\x00':
                count, number = (int.from_bytes(frame[10:][k:k + 2], 'little') for k in (4, 6))
                numbers.append(number)
                if len(numbers) == count: # the first is a hash of all
                    print('parameters', len(set(numbers)), count, numbers[1:] == list(range(count - 1)), flush=True)
                    sys.exit()
except socket.timeout:
    pass
print('silence', len(numbers))
'''


REQUEST = command(REQUEST_MESSAGE, AUTOPILOT_VERSION, system=2)     # the second member


class Flows(StationCase):
    def ask(self, network, via, request, vehicle='drone', sets=(), code=0):
        """What a client in virtual time has printed; or the error."""
        script = self.write('ask.py', ASK)
        out = self.swarm(WORLD.format(network=network, address=self.address, port=self.port, via=via, script=script, request=request.hex(),
                                      vehicle=vehicle), *options(*sets), code=code)
        self.out = out
        return re.findall(r'^(?:ack|parameters|silence) .*', out, re.M) if code == 0 else out

    @pytest.mark.long
    def test_gz04_a_request_and_its_answer_take_delay_and_bits_twice(self):
        for via in ('udp', 'tcp'):
            for rate in (0, RATE):
                said = self.ask(f'{{delay: {DELAY}, rate: {rate}}}', via, REQUEST)
                sent, took, size = map(float, said[0].split()[1:])
                bits = [round(8 * n / rate, 6) if rate else 0 for n in (len(REQUEST), size)]
                self.assertEqual((len(said), sent), (1, 1.5))
                self.assertEqual(took, round(2 * DELAY + sum(bits), 6), (via, rate, said))

    def test_the_summary_has_the_bytes_that_have_crossed(self):
        """All of the client's request, and at least the answer that ended it."""
        for via in ('udp', 'tcp'):
            size = int(self.ask('{delay: 0.01}', via, REQUEST)[0].split()[3])
            up, down = map(int, re.search(r'(?m)^flows +1, (\d+) \D+ (\d+) \D+$', self.out).groups())
            self.assertEqual(up, len(REQUEST))
            self.assertGreaterEqual(down, size)

    @pytest.mark.long
    def test_beyond_the_range_nothing_comes_back(self):
        for via in ('udp', 'tcp'):
            self.assertEqual(self.ask('{range: 4}', via, REQUEST), ['silence 0'])

    @pytest.mark.long
    def test_gz15_a_stream_brings_all_in_order_and_datagrams_lose_some(self):
        request = frame(PARAM_REQUEST_LIST, struct.pack('<BB', 2, 1))
        whole = self.ask('{delay: 0.005, loss: 0.2}', 'tcp', request)
        self.assertRegex(whole[0], r'parameters (\d+) \1 True')
        self.assertEqual(self.ask('{delay: 0.005, loss: 0.2}', 'tcp', request), whole)  # equal seeds, equal runs
        said = self.ask('{delay: 0.005, loss: 0.2}', 'udp', request, sets=('seed=2',))
        self.assertRegex(said[0], r'silence (?:[12]?\d?\d|3[01]\d|320)$')  # some are lost, or the request

    def test_a_flow_crosses_its_own_network(self):
        networks = '[{name: near, nodes: drone, range: 1}, {name: far, delay: 0.25}]'
        self.assertEqual(self.ask(networks, 'udp', REQUEST)[0].split()[2], '0.5')

    @pytest.mark.long
    def test_gz16_the_file_of_ns3_runs_without_it_and_the_station_is_lost_at_a_computed_instant(self):
        for via in ('udp', 'tcp'):
            one, two = (self.lose(via, 'network.kind=builtin', 'network.delay=0.002') for _ in range(2))
            events, _, heard, out = one
            self.assertEqual((events, heard, hash_of(out)), (two[0], two[2], hash_of(two[3])))
            failsafe, = re.findall(r'^([\d.]+),drone,failsafe', events, re.M)
            # the last HEARTBEAT left at a whole second and arrived 2 ms later; the failsafe follows it by 10 s
            self.assertRegex(failsafe, r'^\d\d\.002000$')
            last = int(failsafe[:2]) - 10
            silent = [t for t, n in heard if n == 0 and t > 10]
            # it takes off to 20 m by 11.7 s and then flies 10 m/s: 300 m away after 41 s and its speeding up
            self.assertTrue(41 <= last <= 43, failsafe)
            self.assertTrue(last + 1 <= silent[0] <= last + 2, (failsafe, silent))
            # back within 300 m it is heard again; what a stream lost at 42.x s leaves again 25.4 s later, which is too early, then after 51 s
            self.assertTrue(15 < len(silent) < 40 if via == 'udp' else 50 <= len(silent) <= 52, silent)
            self.assertEqual(silent, [silent[0] + k for k in range(len(silent))])

    @pytest.mark.long
    def test_gz17_examples_run_without_ns3(self):
        self.example('lost_station', r'^\d\d\.001000,drone,failsafe', 'network.kind=builtin', 'time.end=60')  # by 1 ms

    @pytest.mark.long
    def test_gz17_two_networks_run_without_ns3(self):
        # by the slow radio 20 ms and 21 bytes at 57,600 bit/s
        self.example('two_networks', r'^\d\d\.022917,scout,failsafe', 'network.0.kind=builtin', 'network.1.kind=builtin')

    def example(self, name, failsafe, *sets):
        """A HEARTBEAT leaves at a whole second; the failsafe counts from when the last one arrived."""
        with alone(name):
            self.swarm(os.path.join(COSIM, f'{name}.yaml'), *options(*sets, f'links.address={self.address}'), cwd=TOP)
        self.assertRegex(self.text('events.csv'), re.compile(failsafe, re.M))

    def test_what_is_wrong_ends_the_run_before_it_begins(self):
        request = b'\0'
        assert_names(self.ask('{}', 'udp', request, vehicle='gcs', code=2), 'flows gcs links.address')
        assert_names(self.ask('{}', 'udp', request, vehicle='drone.2', code=2), 'flows drone.2')
        assert_names(self.swarm(self.away('udp').replace('plan: away.plan, ', ''), '--set', 'network.kind=builtin', '--checkpoint', os.devnull,
                                '--at', '1', code=2), 'flows checkpoint')
        for via, kind in (('udp', socket.SOCK_DGRAM), ('tcp', socket.SOCK_STREAM)):
            with socket.socket(type=kind) as other:
                other.bind(('127.0.0.1', self.port))
                if via == 'tcp':
                    other.listen()
                assert_names(self.ask('{}', via, request, code=2), f'flows.client {self.port}')
