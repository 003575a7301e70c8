# SPDX-License-Identifier: Apache-2.0
"""Sockets of programs in virtual time that cross the simulated network of a swarm (docs/cosim.md): GZ-04, GZ-15, GZ-17."""
import contextlib
import os
import re
import socket
import subprocess
import time

import pytest

from cases import cases
from names import assert_names
from node_programs import NodeCase
from paths import SWARM
from programs import copy_programs
from swarm_case import needs_ns3

TALK = '''
import os, socket, sys, time
me, begin = os.environ['SWARM_ADDRESS'], time.time()
s = socket.socket(type=socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
s.bind(('', 5000))
assert s.getsockname() == (me, 5000)
s.settimeout(1)
if me == '10.0.0.1':
    time.sleep(0.51)
    s.sendto(b'to all', ('10.255.255.255', 5000))
    s.sendto(b'to 3', ('10.0.0.3', 5000))
    s.sendto(b'to a port of nobody', ('10.0.0.3', 5001))
try:
    while True:
        data, sender = s.recvfrom(100)
        print(me[-1], round(time.time() - begin, 6), data.decode(), 'of', *sender, flush=True)
        if data == b'to 3':
            other = socket.socket(type=socket.SOCK_DGRAM)
            other.connect(sender)
            assert other.getpeername() == sender
            other.send(b'back')
except socket.timeout:
    print(me[-1], round(time.time() - begin, 6), 'nothing', flush=True)
'''
OVER_TWO = '''
import os, socket, time
me, begin = os.environ['SWARM_ADDRESS'], time.time()
s = socket.socket(type=socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
s.bind(('', 5000))
s.settimeout(1)
if me == '10.0.0.1':
    assert os.environ['SWARM_ADDRESS_near'] == me and os.environ['SWARM_ADDRESS_far'] == '10.1.0.1'
    time.sleep(0.51)
    for to in ('10.255.255.255', '10.1.255.255', '10.1.0.3', '10.1.0.2', '10.0.0.3', '10.2.0.3', '10.1.0.1'):
        s.sendto(to.encode(), (to, 5000))
elif me == '10.0.0.2':
    assert 'SWARM_ADDRESS_far' not in os.environ
try:
    while True:
        data, sender = s.recvfrom(100)
        print(me[-1], round(time.time() - begin, 6), data.decode(), 'of', *sender, flush=True)
        if data == b'10.1.0.3':
            s.sendto(b'back', sender)
except socket.timeout:
    print(me[-1], round(time.time() - begin, 6), 'nothing', flush=True)
'''
COUNT = '''
import os, socket, sys, time
s = socket.socket(type=socket.SOCK_DGRAM)
if os.environ['SWARM_ADDRESS'] == '10.0.0.1':
    s.connect(('10.0.0.2', 7))
    for k in range(150):
        s.send(bytes([k % 251]) * (1 + 9 * k))
        time.sleep(0.002)
else:
    s.bind(('10.0.0.2', 7))
    s.settimeout(5)
    got = []
    try:
        while True:
            got.append(s.recv(2000))
    except socket.timeout:
        print(len(got), sum(map(len, got)), all(len(set(d)) == 1 for d in got), got == sorted(got, key=got.index), flush=True)
'''

# Each length at a second of its own.
LENGTHS = '''
import os, socket, time
begin = time.time()
s = socket.socket(type=socket.SOCK_DGRAM)
if os.environ['SWARM_ADDRESS'] == '10.0.0.1':
    s.bind(('', 5000))
    for k, n in enumerate((1, 0, 1400)):
        time.sleep(1 + k - (time.time() - begin))
        s.sendto(bytes(n), ('10.0.0.2', 5000))
else:
    s.bind(('', 5000))
    for k in range(3):
        data, sender = s.recvfrom(2000)
        print(2, len(data), round((time.time() - begin - 1 - k) * 1e6), *sender, flush=True)
'''
STREAM = '''
import os, socket, time
begin = time.time()
if os.environ['SWARM_ADDRESS'] == '10.0.0.1':
    time.sleep(1)
    s = socket.create_connection(('10.0.0.2', 7))
    print(1, round((time.time() - begin) * 1e6), flush=True)
    s.sendall(bytes(1401))
else:
    t = socket.create_server(('10.0.0.2', 7))
    s, _ = t.accept()
    while data := s.recv(2000):
        print(2, len(data), round((time.time() - begin) * 1e6), flush=True)
'''
# A connection to itself.
OWN = '''
import os, socket, threading
t = socket.create_server((os.environ['SWARM_ADDRESS'], 7))
def serve():
    s, _ = t.accept()
    data = b''
    while part := s.recv(100000):
        data += part
    print(1, len(data), data == bytes(k % 251 for k in range(100000)), flush=True)
thread = threading.Thread(target=serve)
thread.start()
with socket.create_connection(t.getsockname()) as s:
    s.sendall(bytes(k % 251 for k in range(100000)))
thread.join()
'''

# DHCP and HTTP, whose ports the system keeps for root.
LOW = '''
import os, socket, time
me = os.environ['SWARM_ADDRESS']
u = socket.socket(type=socket.SOCK_DGRAM)
t = socket.socket()
if me == '10.0.0.1':
    time.sleep(0.5)
    u.bind(('', 68))
    u.sendto(b'ask', ('10.0.0.2', 67))
    print(1, 'heard', *u.recvfrom(100), u.getsockname(), flush=True)
    t.bind(('', 1023))
    t.connect(('10.0.0.2', 80))
    print(1, 'connected', t.getsockname(), t.getpeername(), flush=True)
else:
    u.bind((me, 67))
    other = socket.socket(type=socket.SOCK_DGRAM)
    other.bind((me, 1024 + 67))     # another one
    data, who = u.recvfrom(100)
    print(2, 'heard', data, who, u.getsockname(), other.getsockname(), flush=True)
    u.sendto(b'offer', who)
    t.bind(('', 80))
    try: socket.socket().bind(('', 80))
    except OSError as error: print(2, error.strerror, flush=True)
    t.listen()
    s, who = t.accept()
    print(2, 'accepted', who, s.getsockname(), t.getsockname(), flush=True)
'''


class Sockets(NodeCase):
    def world_of(self, network, program, nodes, *lines):
        return self.world(network, dict.fromkeys(nodes, self.python('program.py', program)), *lines)

    def run_it(self, *world, code=0):
        """What programs at nodes have printed; or the error."""
        out, err = self.finish(self.start(self.scenario(self.world_of(*world)), '--out', self.folder), code)
        return self.said(out) if code == 0 else err

    @pytest.mark.long
    def test_gz04_datagrams_arrive_at_the_very_microsecond(self):
        said = self.run_it('{kind: builtin, delay: 0.0123, range: 100}', TALK, ('n.1', 'n.2', 'n.3'))
        self.assertEqual(sorted(said), ['1 0.5346 back of 10.0.0.3 40000', '1 1.5346 nothing', '2 0.5223 to all of 10.0.0.1 5000',
                                        '2 1.5223 nothing', '3 0.5223 to 3 of 10.0.0.1 5000', '3 0.5223 to all of 10.0.0.1 5000',
                                        '3 1.5223 nothing'])

    @needs_ns3
    def test_gz04_datagrams_of_ns3_take_the_bits_of_ip_and_udp_too(self):
        for radio in ('point_to_point', 'lr_wpan'):
            said = self.run_it(f'{{kind: ns3, params: {{radio: {radio}, delay: 0.02, rate: 57600}}}}', LENGTHS if radio != 'lr_wpan'
                               else LENGTHS.replace('1400', '114'), ('n.1', 'n.2'))
            if radio == 'point_to_point':
                # 20 + 8 bytes of headers: 29 * 8 / 57600 = 4.0278 ms, 28 * 8 / 57600 = 3.8889 ms, 1428 * 8 / 57600 = 198.333 ms
                self.assertEqual(said, ['2 1 24028 10.0.0.1 5000', '2 0 23889 10.0.0.1 5000', '2 1400 218334 10.0.0.1 5000'])
            else:   # 127 bytes of a frame less 11 of its header and 2 of its check
                self.assertEqual([line.split()[1] for line in said], ['1', '0', '114'])

    def test_built_in_streams_take_the_bits_of_their_payload(self):
        said = self.run_it('{kind: builtin, delay: 0.02, rate: 57600}', STREAM, ('n.1', 'n.2'))
        # the SYN and its answer have no payload; 1400 * 8 / 57600 = 194.444 ms; the last byte waits for those before it
        self.assertEqual(said, ['1 1040000', '2 1401 1254444'])

    @needs_ns3
    def test_a_program_may_connect_to_itself_whatever_the_network(self):
        for network in ('{kind: builtin}', '{kind: ns3, params: {radio: adhoc}}'):
            self.assertEqual(self.run_it(network, OWN, ('n.1',)), ['1 100000 True'])

    def test_programs_end_with_a_swarm_that_is_killed(self):
        path = self.scenario(self.world_of('{kind: builtin}', 'import time\ntime.sleep(1e6)\n', ('n.1', 'n.2')))
        for k in range(0, 10, cases(3, 1)):
            with subprocess.Popen([SWARM, path, '--out', self.folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as swarm:
                time.sleep(k / 50)  # somewhere in its beginning
                swarm.kill()
                swarm.communicate(timeout=60)  # all who have its output are gone

    @pytest.mark.long
    def test_where_others_have_left_sockets_no_swarm_begins(self):
        with contextlib.ExitStack() as left:
            for octet in set(range(128, 254)) - set(range(128, 254, 8)):
                s = left.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) if octet % 2 else socket.socket(type=socket.SOCK_DGRAM))
                low = octet - 128   # where a datagram socket of port 7 is: 1,024 ports for each network, at two addresses
                at = (f'127.{254 + low // 63}.200.1', 1024 * (1 + low % 63) + 7) if octet % 4 == 2 else (f'127.{octet}.200.1', 7000)
                with contextlib.suppress(OSError):  # or another test has it
                    s.bind(f'\0mayfly-world/127.{octet}.200.1:7' if octet % 2 else at)
            for _ in range(3):
                said = self.run_it('{kind: builtin}', "import os\nprint(1, os.environ['MAYFLY_WORLD_NODE'])\n", ('n.1',))
                self.assertEqual(int(said[0].split('.')[1]) % 8, 0, said)

    @pytest.mark.long
    def test_gz04_an_address_names_its_network(self):
        near, far = '{name: near, delay: 0.0123, range: 50}', '{name: far, nodes: [n.1, n.3], delay: 0.2}'
        said = self.run_it(f'[{near}, {far}]', OVER_TWO, ('n.1', 'n.2', 'n.3'))
        self.assertEqual(sorted(said), ['1 0.51 10.1.0.1 of 10.1.0.1 5000', '1 0.91 back of 10.1.0.3 5000', '1 1.91 nothing',
                                        '2 0.5223 10.255.255.255 of 10.0.0.1 5000', '2 1.5223 nothing',
                                        '3 0.71 10.1.0.3 of 10.1.0.1 5000', '3 0.71 10.1.255.255 of 10.1.0.1 5000', '3 1.71 nothing'])
        # a network that has nobody at n.3 carries nothing there: the first that has is another one
        said = self.run_it(f'[{near.replace("near,", "near, nodes: [n.1, n.2],")}, {far}]', TALK, ('n.1', 'n.2'))
        self.assertEqual(sorted(said), ['1 1.51 nothing', '2 0.5223 to all of 10.0.0.1 5000', '2 1.5223 nothing'])

    @needs_ns3
    def test_gz17_the_same_file_over_ns3_and_without(self):
        over = [self.run_it('{kind: ns3, params: {radio: adhoc, loss: range, range: 100}}', TALK, ('n.1', 'n.2', 'n.3')) for _ in range(2)]
        self.assertEqual(over[0], over[1])
        self.assertTrue(any('back of 10.0.0.3' in line for line in over[0]))
        without = self.run_it('{kind: builtin, range: 100, params: {radio: adhoc, loss: range, range: 100}}', TALK, ('n.1', 'n.2', 'n.3'))
        talk = [sorted(line.split(' ', 2)[::2] for line in said if 'of' in line) for said in (over[0], without)]
        self.assertEqual(*talk)

    def test_ports_below_1024_need_no_privileges(self):
        """As an ordinary user, which finds all programs in a folder that it may read."""
        path, more = self.scenario(self.world_of('{kind: builtin, delay: 0.0123}', LOW, ('n.1', 'n.2'))), {}
        swarm = SWARM
        if os.geteuid() == 0:
            swarm = copy_programs(self.folder, SWARM)
            os.chmod(self.folder, 0o755)
            more = {'user': 65534, 'group': 65534, 'extra_groups': [], 'cwd': '/'}
        done = subprocess.run([swarm, path], capture_output=True, text=True, timeout=120, check=False, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(re.findall('^[12] .*', done.stdout, re.M)), sorted([
            "1 heard b'offer' ('10.0.0.2', 67) ('10.0.0.1', 68)", "1 connected ('10.0.0.1', 1023) ('10.0.0.2', 80)",
            "2 heard b'ask' ('10.0.0.1', 68) ('10.0.0.2', 67) ('10.0.0.2', 1091)", '2 Address already in use',
            "2 accepted ('10.0.0.1', 1023) ('10.0.0.2', 80) ('10.0.0.2', 80)"]))

    @pytest.mark.long
    def test_gz15_what_is_received_is_what_was_sent(self):
        said = self.run_it('{kind: builtin, delay: 0.03}', COUNT, ('n.2', 'n.1'))
        self.assertEqual(said, [f'150 {sum(1 + 9 * k for k in range(150))} True True'])

    def test_a_node_must_be_a_member_and_the_program_in_virtual_time(self):
        for line, text in (('{node: n.9, clock: virtual, run: ["true"]}', 'processes node n.9'),
                           ('{node: n, clock: virtual, run: ["true"]}', "processes node 'n'"),
                           ('{node: n.1, run: ["true"]}', 'processes node clock: virtual')):
            assert_names(self.run_it('{kind: builtin}', TALK, ('n.1',), '  - ' + line, code=2), text)

    def test_what_a_program_needs_is_looked_at_before(self):
        text = self.run_it('{kind: builtin}', TALK, ('n.1',), '  - {name: x, run: ["true"], needs: "echo no such thing >&2; exit 1"}', code=2)
        self.assertIn('no such thing\n', text)
        assert_names(text, "processes 'x' 'echo no such thing >&2; exit 1'")
        self.run_program(SWARM, self.path('s.yaml'), '--check', code=2)
