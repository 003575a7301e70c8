# SPDX-License-Identifier: Apache-2.0
"""build/mayfly as its users see it: exit codes, error lines, signals, links, files. MAYFLY names the binary."""
import binascii
import datetime
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time
import tty
import unittest

import pytest

MAYFLY = os.path.abspath(os.environ.get('MAYFLY', 'build/mayfly'))
FLY = os.path.abspath(os.environ.get('FLY', 'build/fly'))
PATIENCE_S = 10.0
QUIET = ['--udp', 'none', '--udp-out', 'none']

HEARTBEAT, SYSTEM_TIME, PARAM_REQUEST_READ, PARAM_VALUE, PARAM_SET = 0, 2, 20, 22, 23
ATTITUDE, COMMAND_LONG, COMMAND_ACK, AUTOPILOT_VERSION = 30, 76, 77, 148
CRC_EXTRA = {HEARTBEAT: 50, PARAM_REQUEST_READ: 214, PARAM_SET: 168, COMMAND_LONG: 152, 117: 128, 119: 116}


REVERSED = bytes(int(f'{byte:08b}'[::-1], 2) for byte in range(256))


def crc16(data):
    """MAVLink's: the polynomial of crc_hqx, the lowest bit first."""
    crc = binascii.crc_hqx(data.translate(REVERSED), 0xFFFF)
    return REVERSED[crc & 0xFF] << 8 | REVERSED[crc >> 8]


def frame(msgid, payload, seq=0):
    body = struct.pack('<BBBBBBHB', len(payload), 0, 0, seq, 255, 190, msgid & 0xFFFF, msgid >> 16) + payload
    return b'\xfd' + body + struct.pack('<H', crc16(body + bytes([CRC_EXTRA[msgid]])))


def command(number, param1=0.0):
    return frame(COMMAND_LONG, struct.pack('<7fHBBB', param1, 0, 0, 0, 0, 0, 0, number, 1, 1, 0))


def param_name(name):
    return name.encode().ljust(16, b'\0')


class Frames:
    """Takes MAVLink 2 frames apart; ours are good, so only their lengths matter."""

    def __init__(self):
        self.data, self.found = b'', []

    def feed(self, data):
        data = self.data + data
        at, end = 0, len(data)
        while end - at >= 12:
            if data[at] != 0xFD:
                at += 1
                continue
            length = data[at + 1] + 12
            if end - at < length:
                break
            msgid = data[at + 7] | data[at + 8] << 8 | data[at + 9] << 16
            self.found.append((msgid, data[at + 10:at + length - 2]))
            at += length
        self.data = data[at:]


class Peer:
    """One end of a link: a socket or a file descriptor."""

    def __init__(self, sock=None, fd=None):
        self.sock, self.fd, self.frames = sock, sock.fileno() if sock else fd, Frames()

    def send(self, data):
        if self.sock:
            self.sock.sendall(data)
        else:
            os.write(self.fd, data)

    def expect(self, msgid, accept=lambda payload: True, patience_s=PATIENCE_S):
        """The payload of the next message of that kind that is accepted, or None."""
        end = time.monotonic() + patience_s
        while True:
            while self.frames.found:
                found, payload = self.frames.found.pop(0)
                if found == msgid and accept(payload):
                    return payload
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return None
            data = os.read(self.fd, 65536)
            if not data:
                return None
            self.frames.feed(data)

    def ack(self, number):
        """The result of a command's acknowledgement."""
        payload = self.expect(COMMAND_ACK, lambda p: p[0] | (p[1] if len(p) > 1 else 0) << 8 == number)
        return None if payload is None else (payload + bytes(3))[2]

    def close(self):
        if self.sock:
            self.sock.close()
        else:
            os.close(self.fd)


def environment(extra=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith(('MAYFLY_', 'PX4_'))}
    env.update(extra or {})
    return env


class Drone:
    """A running process; its stderr is read on the side."""

    def __init__(self, *args, env=None, base=QUIET, **more):
        self.lines = []
        if base is QUIET and '--tcp' not in args and '--config' not in args:
            base = [*base, '--tcp', '0']    # beside whatever else runs on this machine
        self.process = subprocess.Popen([MAYFLY, *base, *args], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stdin=subprocess.DEVNULL, env=environment(env), text=True, **more)
        self.reader = threading.Thread(target=lambda: self.lines.extend(iter(self.process.stderr.readline, '')),
                                       daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.end(signal.SIGKILL)

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for line in list(self.lines):
                found = re.search(pattern, line)
                if found:
                    return found
            if self.process.poll() is not None and not self.reader.is_alive():
                break
            time.sleep(0.01)
        raise AssertionError(f'no line with {pattern!r} in {"".join(self.lines)!r}')

    def port(self, kind='tcp'):
        return int(self.wait_for(rf'{kind} \S+:(\d+): MAVSDK')[1])

    def tcp(self, host='127.0.0.1'):
        return Peer(socket.create_connection((host, self.port()), PATIENCE_S))

    def udp(self):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.connect(('127.0.0.1', self.port('udp')))
        return Peer(sock)

    def end(self, number=signal.SIGTERM):
        """@return exit code and how long it took [s]"""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        took = time.monotonic() - start
        self.reader.join()
        self.process.stderr.close()
        return code, took


def run(*args, env=None, **more):
    return subprocess.run([MAYFLY, *args], env=environment(env), capture_output=True, text=True, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL, check=False, **more)


def assert_replays(test, path):
    """A fresh vehicle does with the recording's input what the recorded one did."""
    replay = os.path.join(os.environ.get('BUILD', 'build'), 'replay')
    result = subprocess.run([replay, path], capture_output=True, text=True, timeout=60, check=False)
    test.assertEqual(result.returncode, 0, result.stdout + result.stderr)
    test.assertIn(': equal: ', result.stdout)


class Refusals(unittest.TestCase):
    def refused(self, *args, what, env=None):
        result = run(*args, env=env)
        self.assertEqual(result.returncode, 2, (args, result.stderr))
        self.assertEqual(result.stdout, '')
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertEqual(lines[0], 'mayfly: ' + what)

    def test_wrong_flags_and_variables(self):
        self.refused('--tpc', '5760', what='--tpc: unknown flag, did you mean --tcp?')
        self.refused('--tcp', '70000', what='--tcp: port 70000 is out of range, allowed: 0 .. 65535')
        self.refused('--tcp', 'nosuch.invalid:5760', what="--tcp: host 'nosuch.invalid' is not known")
        self.refused('--udp', '::1:5760', what="--udp: '::1:5760' is no address, allowed: [HOST:]PORT")
        self.refused('--serial', '/dev/ttyS0:1', what='--serial: 1 baud is no usual speed, allowed: 1200 .. 4000000 in '
                     'the usual steps, such as 57600, 115200, 921600')
        self.refused('--home', '91,0,0', what='--home: 91 is out of range, allowed: -90 .. 90 deg')
        self.refused('--battery-remaining', '130',
                     what='--battery-remaining: 130 is out of range, allowed: 0 .. 100 percent')
        self.refused('--param', 'NO_SUCH_PARAM_X=1', what='--param: NO_SUCH_PARAM_X: unknown parameter')
        self.refused('--param', 'MPC_XY_CRUSE=1',
                     what='--param: MPC_XY_CRUSE: unknown parameter, did you mean MPC_XY_CRUISE?')
        self.refused('--stream', 'ATITUDE=1', what="--stream: 'ATITUDE' is no message with a rate, did you mean ATTITUDE?")
        self.refused(env={'MAYFLY_FAULTS': 'gps_of'},
                     what="MAYFLY_FAULTS: fault 'gps_of' is not known, did you mean gps_off?")
        self.refused(env={'PX4_HOME_LAT': 'x'}, what="PX4_HOME_LAT: 'x' is not a number, allowed: -90 .. 90 deg")

    def test_parameters_out_of_range_name_the_range(self):
        result = run('--param', 'MPC_XY_CRUISE=-1e9')
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r'^mayfly: --param: MPC_XY_CRUISE: -1000000000 is out of range, allowed: '
                                        r'[-0-9.e+]+ \.\. [-0-9.e+]+\n$')

    def test_missing_files_and_directories(self):
        self.refused('--config', '/nosuch.yaml', what='/nosuch.yaml: No such file or directory')
        self.refused('--signing-key', '/nosuch', what='--signing-key: /nosuch: No such file or directory')
        self.refused('--signing-key', '/dev/null', what='--signing-key: /dev/null is no key, allowed: 64 hexadecimal '
                                                        'digits, or a passphrase')
        self.refused('--state', '/nosuch', what='state directory /nosuch: No such file or directory')
        self.refused(*QUIET, '--tcp', '0', '--serial', '/dev/nosuch:57600',
                     what='serial /dev/nosuch: cannot open: No such file or directory')

    def test_a_file_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'drone.yaml')
            for text, what in (('battery:\n  voltage: 15\n  remaining: 130\n',
                                ':3: battery.remaining: 130 is out of range, allowed: 0 .. 100 percent'),
                               ('\nudp: [0, 99999]\n', ':2: udp: port 99999 is out of range, allowed: 0 .. 65535'),
                               ('streams:\n  ATITUDE: 1\n',
                                ":2: streams: 'ATITUDE' is no message with a rate, did you mean ATTITUDE?"),
                               ('params: {\n  MPC_XY_CRUSE: 1}\n',
                                ':2: params: MPC_XY_CRUSE: unknown parameter, did you mean MPC_XY_CRUISE?')):
                with open(path, 'w', encoding='utf-8') as f:
                    f.write(text)
                self.refused('--config', path, what=path + what)

    def test_a_port_that_is_taken(self):
        with Drone('--tcp', '0') as first:
            port = first.port()
            self.refused(*QUIET, '--tcp', str(port), what=f'tcp 127.0.0.1:{port}: the port is taken by another program: '
                         'port 0 takes any free one')
        with Drone('--udp', '0', base=['--tcp', 'none', '--udp-out', 'none']) as first:
            port = first.port('udp')
            self.refused('--tcp', 'none', '--udp', str(port), '--udp-out', 'none',
                         what=f'udp 127.0.0.1:{port}: the port is taken by another program: '
                         'port 0 takes any free one')

    def test_a_damaged_state_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'PARAM.mfst')
            with open(path, 'wb') as f:
                f.write(b'not ours at all, but long enough')
            self.refused(*QUIET, '--tcp', '0', '--state', folder,
                         what=f"{path}: is no file of Mayfly's; move it away to start without it")


class Answers(unittest.TestCase):
    def test_help_version_and_configuration(self):
        for flag in ('--help', '--version', '--print-config'):
            result = run(flag)
            self.assertEqual((result.returncode, result.stderr), (0, ''))
            self.assertTrue(result.stdout)
        self.assertRegex(run('--version').stdout, r'^mayfly \S+\n$')

    def test_the_greeting_says_what_was_asked_for(self):
        with Drone('--clock', 'event', '--wind-speed', '5', '--faults', 'gps_off@30s,gps_glitch=30/40/0@1m', '--api-token',
                   'secret-secret') as drone:
            drone.wait_for(r'^  wind\.speed: 5, faults: \[gps_off@30s, gps_glitch=30:40:0@1min\], clock: event$')
            self.assertNotIn('secret', ''.join(drone.lines))
        with Drone() as drone:
            drone.wait_for('^  tcp ')
            self.assertEqual([line for line in drone.lines if 'clock' in line], [])

    def test_the_printed_configuration_reads_back(self):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as given, tempfile.NamedTemporaryFile('w', suffix='.yaml') as f:
            given.write('serial: [{address: "/dev/a,b:57600"}]\n')     # one device, where a list in text would be two
            given.flush()
            first = run('--print-config', '--config', given.name, '--instance', '3', '--home', '1,2,3',
                        env={'MAYFLY_GNSS_SATELLITES': '12'}).stdout
            self.assertIn('\nserial: [{address: "/dev/a,b:57600"}]\n', first)
            f.write(first)
            f.flush()
            self.assertEqual(run('--print-config', '--config', f.name).stdout, first)


class Ending(unittest.TestCase):
    def test_signals_end_it_within_100_ms(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            took = []
            for _ in range(3):
                with Drone('--tcp', '0') as drone:
                    with_client = drone.tcp()
                    self.assertIsNotNone(with_client.expect(HEARTBEAT))
                    code, seconds = drone.end(number)
                    with_client.close()
                    self.assertEqual(code, 0)
                    took.append(seconds)
            self.assertLess(min(took), 0.1)

    @pytest.mark.long
    def test_a_flood_of_input_does_not_keep_sigterm_out(self):
        with Drone('--udp', '0', base=['--tcp', 'none', '--udp-out', 'none']) as drone:
            peer, stop = drone.udp(), threading.Event()

            def flood():
                while not stop.is_set():
                    try:
                        peer.sock.send(bytes(1000))
                    except OSError:
                        pass

            thread = threading.Thread(target=flood, daemon=True)
            thread.start()
            time.sleep(0.05)
            code, took = drone.end()
            stop.set()
            thread.join()
            peer.close()
            self.assertEqual(code, 0)
            self.assertLess(took, 1.0)

    def test_sim006_lifetime(self):
        start = time.monotonic()
        with Drone('--tcp', '0', '--lifetime', '0.4') as drone:
            self.assertEqual(drone.process.wait(PATIENCE_S), 0)
            self.assertGreater(time.monotonic() - start, 0.35)
            drone.wait_for('lifetime')

    def test_shutdown_by_command(self):
        with Drone('--tcp', '0') as drone:
            peer = drone.tcp()
            peer.send(command(246, 2.0))
            self.assertEqual(peer.ack(246), 0)
            self.assertEqual(drone.process.wait(PATIENCE_S), 0)
            peer.close()


class Links(unittest.TestCase):
    def answered(self, peer):
        peer.send(command(512, float(AUTOPILOT_VERSION)))
        self.assertEqual(peer.ack(512), 0)

    def test_sim013_sim014_tcp_and_udp_clients_at_once(self):
        with Drone('--tcp', '0', '--udp', '0', base=['--udp-out', 'none']) as drone:
            a, b, c, d = drone.tcp(), drone.tcp(), drone.udp(), drone.udp()
            for peer in (c, d):
                peer.send(command(512, float(AUTOPILOT_VERSION)))
            for peer in (a, b, c, d):
                self.assertIsNotNone(peer.expect(HEARTBEAT))
            for peer in (a, b, c, d):
                self.answered(peer)
            a.close()
            for peer in (b, c, d):
                self.answered(peer)
                peer.close()

    def test_a_drone_that_nobody_watched_begins_its_streams_now(self):
        with Drone('--tcp', '0') as drone:
            time.sleep(1.5)
            peer = drone.tcp()
            self.assertGreater(struct.unpack('<I', (peer.expect(ATTITUDE) + bytes(4))[:4])[0], 1400)
            peer.close()

    def test_sim042_time_begins_with_the_first_message(self):
        """Not with a connection; a barrier that comes first finds exactly 0, at the given UTC."""
        with Drone('--tcp', '0', '--start', 'connect', '--epoch', '1000000000') as drone:
            peer = drone.tcp()
            time.sleep(0.1)
            peer.send(command(31010, 1.0))
            self.assertEqual(peer.ack(31010), 0)
            peer.send(command(512, float(SYSTEM_TIME)))
            utc_us, boot_ms = struct.unpack('<QI', (peer.expect(SYSTEM_TIME) + bytes(12))[:12])
            self.assertEqual((utc_us, boot_ms), (1000000000 * 1000000, 0))
            peer.close()

    def test_udp_out_talks_first(self):
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listener.bind(('127.0.0.1', 0))
        with Drone('--tcp', 'none', '--udp', 'none', '--udp-out', f'127.0.0.1:{listener.getsockname()[1]}', base=[]):
            listener.settimeout(PATIENCE_S)
            _, address = listener.recvfrom(65536)
            listener.connect(address)
            peer = Peer(listener)
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.answered(peer)
            peer.close()

    def test_default_ports_are_those_of_px4(self):
        instance = 211  # its ports are nobody's
        listeners = []
        for port in (14550, 14549):
            sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try:
                sock.bind(('127.0.0.1', port))
            except OSError:
                self.skipTest(f'UDP port {port} is taken')
            sock.settimeout(PATIENCE_S)
            listeners.append(sock)
        with Drone('--instance', str(instance), base=[]) as drone:
            drone.wait_for(r'^  instances 9 and up share that port, as in PX4: --udp-out HOST:PORT gives')
            for sock, local in zip(listeners, (18570, 14580)):
                data, address = sock.recvfrom(65536)
                while address[1] != local + instance:    # another drone's, which has these defaults, too
                    data, address = sock.recvfrom(65536)
                self.assertEqual(data[5], instance + 1)  # the system id
                sock.close()
            with socket.create_connection(('127.0.0.1', 5760 + instance), PATIENCE_S) as sock:
                self.assertIsNotNone(Peer(sock).expect(HEARTBEAT))

    def test_tcp_out_connects_again(self):
        with socket.create_server(('127.0.0.1', 0)) as server:
            server.settimeout(PATIENCE_S)
            with Drone('--tcp', 'none', '--tcp-out', f'localhost:{server.getsockname()[1]}'):
                for _ in range(2):
                    peer = Peer(server.accept()[0])
                    self.assertIsNotNone(peer.expect(HEARTBEAT))
                    self.answered(peer)
                    peer.close()

    def test_ipv6_and_host_names(self):
        with Drone('--tcp', 'localhost:0') as drone:
            peer = drone.tcp()
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            peer.close()
        try:
            socket.socket(socket.AF_INET6).bind(('::1', 0))
        except OSError:
            self.skipTest('no IPv6 here')
        for where in ('[::1]:0', '[::]:0'):
            with Drone('--tcp', where) as drone:
                for host in ('::1', '127.0.0.1') if where.startswith('[::]') else ('::1',):
                    peer = drone.tcp(host)
                    self.assertIsNotNone(peer.expect(HEARTBEAT))
                    peer.close()

    def test_two_hundred_connections(self):
        with Drone('--tcp', '0') as drone:
            port = drone.port()
            for i in range(200):
                sock = socket.create_connection(('127.0.0.1', port), PATIENCE_S)
                if i % 3 == 0:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
                if i % 5 == 0:
                    sock.sendall(b'\xfd\x09\x00')
                sock.close()
            peer = drone.tcp()
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.answered(peer)
            peer.close()

    def test_random_bytes_then_a_good_command(self):
        noise = random.Random(1)
        with Drone('--tcp', '0', '--udp', '0', base=['--udp-out', 'none']) as drone:
            for peer in (drone.tcp(), drone.udp()):
                good = command(512, float(AUTOPILOT_VERSION))
                for _ in range(200):
                    peer.send(noise.randbytes(noise.randrange(1, 1200)))
                    peer.send(good[:noise.randrange(1, len(good))])
                    broken = bytearray(good)
                    broken[noise.randrange(1, len(good))] ^= 1 << noise.randrange(8)
                    peer.send(bytes(broken))
                end = time.monotonic() + PATIENCE_S  # a begun frame may swallow the first good one on a stream
                answer = None
                while answer is None and time.monotonic() < end:
                    peer.send(command(520))
                    payload = peer.expect(COMMAND_ACK, lambda p: p[:2] == b'\x08\x02', 0.3)
                    answer = payload
                self.assertIsNotNone(answer)
                peer.close()
            self.assertIsNone(drone.process.poll())

    def test_sim014_a_serial_port(self):
        master, slave = pty.openpty()
        tty.setraw(master)
        name = os.ttyname(slave)
        with Drone('--tcp', 'none', '--serial', f'{name}:57600') as drone:
            drone.wait_for('serial ' + name)
            peer = Peer(fd=master)
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.answered(peer)
            self.assertEqual(termios.tcgetattr(slave)[4], termios.B57600)
            os.close(slave)
            peer.close()

    @pytest.mark.long
    def test_a_client_that_does_not_read_stalls_nobody(self):
        with Drone('--tcp', '0', *(x for name in ('ATTITUDE', 'GLOBAL_POSITION_INT', 'LOCAL_POSITION_NED')
                                   for x in ('--stream', name + '=1000'))) as drone:
            slow = socket.socket()
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(('127.0.0.1', drone.port()))
            peer = drone.tcp()
            start = time.monotonic()
            while not any('dropped' in line for line in drone.lines):
                self.assertLess(time.monotonic() - start, 60)
                self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.answered(peer)
            peer.close()
            slow.close()

    def test_the_log_as_json(self):
        with Drone('--tcp', '0', '--log', 'json', '--instance', 'mayfly-3', '--api', 'none') as drone:
            port = drone.port()
            self.assertEqual(drone.end()[0], 0)
            events = [json.loads(line) for line in drone.lines]
        for event in events:
            self.assertEqual(list(event)[:5], ['t', 'utc', 'instance', 'severity', 'event'])
            self.assertEqual(event['instance'], 3)
            utc = datetime.datetime.strptime(event['utc'], '%Y-%m-%dT%H:%M:%S.%f%z').timestamp()
            self.assertLess(abs(utc - time.time()), 60)
        self.assertEqual([e['address'] for e in events if e.get('link') == 'tcp'], [f'127.0.0.1:{port}'])

    def test_log_levels(self):
        for level, quiet in (('info', False), ('warning', True), ('error', True)):
            with self.subTest(level=level), Drone('--tcp', '127.0.0.1:0', '--api', '127.0.0.1:0', '--log-level', level) as drone:
                if quiet:
                    time.sleep(0.3)
                else:
                    drone.wait_for('MAVSDK')
                self.assertEqual(drone.end()[0], 0)
                self.assertEqual(drone.lines == [], quiet, drone.lines)
        with Drone('--tcp', '0', '--api', '0.0.0.0:0', env={'MAYFLY_LOG_LEVEL': 'warning'}) as drone:
            drone.wait_for('without --api-token it refuses everybody')
            drone.end()
            self.assertEqual(len(drone.lines), 1, drone.lines)

    def test_events_have_their_fields_in_the_log_without_an_api(self):
        """A flight of two items with a fault; what text says, JSON says for programs, too."""
        with Drone('--tcp', '0', '--api', 'none', '--log', 'json', '--log-level', 'debug', '--clock', 'x50',
                   '--faults', 'battery_low@1s+1s') as drone:
            subprocess.run([FLY, f'tcp:127.0.0.1:{drone.port()}', '--side', '20'], check=True, capture_output=True,
                           timeout=60)
            drone.end()
            events = [json.loads(line) for line in drone.lines]

        def those(kind):
            return [e for e in events if e['event'] == kind]
        self.assertEqual([e['armed'] for e in those('armed')], [True, False])
        self.assertEqual([e['text'] for e in those('armed')], ['yes', 'no'])
        self.assertEqual([e['landed_state'] for e in those('landed')][-4:], ['takeoff', 'in_air', 'landing', 'on_ground'])
        self.assertIn('Mission', [e['mode'] for e in those('mode')])
        self.assertTrue(all(e['text'].endswith(' -> ' + e['mode']) for e in those('mode')), those('mode'))
        items = [e['item'] for e in those('waypoint')]
        self.assertEqual(items, sorted(set(items)))
        self.assertGreater(len(items), 3)
        self.assertEqual([(e['fault'], e['active'], e['severity']) for e in those('fault')],
                         [('battery_low', True, 'notice'), ('battery_low', False, 'notice')])
        arm = [e for e in those('command') if e['command'] == 400]
        self.assertEqual({(e['result'], e['severity']) for e in arm}, {(0, 'debug')})
        self.assertTrue(those('statustext') and all('text' in e for e in those('statustext')))
        self.assertFalse(those('text'))
        self.assertEqual(len(those('boot')), 1)


class State(unittest.TestCase):
    def set_param(self, peer, name, value):
        peer.send(frame(PARAM_SET, struct.pack('<fBB16sB', value, 1, 1, param_name(name), 9)))
        self.assertIsNotNone(peer.expect(PARAM_VALUE, lambda p: p[8:24].rstrip(b'\0') == name.encode()))

    def get_param(self, peer, name):
        peer.send(frame(PARAM_REQUEST_READ, struct.pack('<hBB16s', -1, 1, 1, param_name(name))))
        payload = peer.expect(PARAM_VALUE, lambda p: p[8:24].rstrip(b'\0') == name.encode())
        return struct.unpack('<f', payload[:4])[0]

    def test_without_state_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder, Drone('--tcp', '0', cwd=folder) as drone:
            peer = drone.tcp()
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.set_param(peer, 'MPC_XY_CRUISE', 7.0)
            time.sleep(0.5)
            self.assertEqual(os.listdir(folder), [])
            pid = drone.process.pid
            for fd in os.listdir(f'/proc/{pid}/fd'):
                self.assertRegex(os.readlink(f'/proc/{pid}/fd/{fd}'), r'^(socket:|pipe:|/dev/null|anon_inode:)')
            with open(f'/proc/{pid}/io', encoding='ascii') as f:
                self.assertIn('\nwrite_bytes: 0\n', f.read())
            peer.close()

    def test_parameters_outlive_kill_9(self):
        with tempfile.TemporaryDirectory() as folder:
            with Drone('--tcp', '0', '--state', folder) as drone:
                peer = drone.tcp()
                self.set_param(peer, 'MPC_XY_CRUISE', 7.25)
                end = time.monotonic() + PATIENCE_S
                while 'PARAM.mfst' not in os.listdir(folder) and time.monotonic() < end:
                    time.sleep(0.02)
                drone.end(signal.SIGKILL)
                peer.close()
            self.assertEqual(os.listdir(folder), ['PARAM.mfst'])
            with Drone('--tcp', '0', '--state', folder) as drone:
                peer = drone.tcp()
                self.assertEqual(self.get_param(peer, 'MPC_XY_CRUISE'), 7.25)
                peer.close()
                second = run(*QUIET, '--tcp', '0', '--state', folder)
                self.assertEqual(second.returncode, 2)
                self.assertEqual(second.stderr, f'mayfly: state directory {folder}: in use by another vehicle\n')

    def test_an_epoch_soon_after_1970(self):
        with Drone('--epoch', '5') as drone:
            peer = drone.tcp()
            payload = peer.expect(SYSTEM_TIME, lambda p: len(p) >= 8)
            self.assertIsNotNone(payload)
            self.assertLess(struct.unpack('<Q', payload[:8])[0], 60 * 10**6)
            peer.close()
            drone.end()

    @pytest.mark.long
    def test_a_reboot_keeps_links_and_starts_time_again(self):
        with Drone('--tcp', '0', '--param', 'MPC_XY_CRUISE=6.5') as drone:
            peer = drone.tcp()
            late = peer.expect(SYSTEM_TIME, lambda p: struct.unpack('<I', (p + bytes(12))[8:12])[0] > 2000)
            self.assertIsNotNone(late)
            peer.send(command(246, 1.0))
            self.assertEqual(peer.ack(246), 0)
            early = peer.expect(SYSTEM_TIME, lambda p: struct.unpack('<I', (p + bytes(12))[8:12])[0] < 1500)
            self.assertIsNotNone(early)
            self.assertEqual(self.get_param(peer, 'MPC_XY_CRUISE'), 6.5)
            peer.close()


def name_server(sock, stop, names):
    """Answers questions for an IPv4 address, and nothing else."""
    while not stop.is_set():
        try:
            query, address = sock.recvfrom(512)
        except OSError:
            continue
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += query[at] + 1
        question = query[12:at + 5]
        found = names.get('.'.join(labels)) if question[-4:-2] == b'\0\1' else None
        head = query[:2] + (b'\x81\x80' if found else b'\x81\x83') + b'\0\1' + (b'\0\1' if found else b'\0\0') + bytes(4)
        answer = b'\xc0\x0c\0\1\0\1\0\0\0\x05\0\x04' + socket.inet_aton(found) if found else b''
        sock.sendto(head + question + answer, address)


@unittest.skipUnless(os.geteuid() == 0, 'needs root for chroot')
class Scratch(unittest.TestCase):
    """As in an image FROM scratch: the binary and the two files that Kubernetes mounts, nothing else."""

    def test_host_names_from_scratch(self):
        with open(MAYFLY, 'rb') as f:
            if b'/ld-linux' in f.read(4096):
                self.skipTest('the binary is not static')
        names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            names.bind(('127.0.0.1', 53))
        except OSError:
            self.skipTest('UDP port 53 is taken')
        names.settimeout(0.1)
        stop = threading.Event()
        self.addCleanup(names.close)
        self.addCleanup(stop.set)
        threading.Thread(target=name_server, daemon=True,
                         args=(names, stop, {'onboard.drones.svc.cluster.test': '127.0.0.1'})).start()
        with tempfile.TemporaryDirectory() as folder, socket.create_server(('127.0.0.1', 0)) as server:
            os.chmod(folder, 0o755)
            os.mkdir(os.path.join(folder, 'etc'))
            shutil.copy(MAYFLY, os.path.join(folder, 'mayfly'))
            with open(os.path.join(folder, 'etc/hosts'), 'w', encoding='ascii') as f:
                f.write('127.0.0.1 localhost\n::1 pod\n127.0.0.1\tpod pod.local # ours\n')
            with open(os.path.join(folder, 'etc/resolv.conf'), 'w', encoding='ascii') as f:
                f.write('nameserver 127.0.0.1\nsearch drones.svc.cluster.test\noptions ndots:5 timeout:1\n')
            server.settimeout(PATIENCE_S)
            for host in ('onboard', 'onboard.drones.svc.cluster.test', 'pod.local', 'localhost', '127.0.0.1'):
                process = subprocess.Popen(
                    ['/mayfly', '--tcp', 'none', *QUIET, '--tcp-out', f'{host}:{server.getsockname()[1]}'],
                    preexec_fn=lambda: (os.chroot(folder), os.chdir('/')), env={}, stderr=subprocess.DEVNULL)
                peer = Peer(server.accept()[0])
                self.assertIsNotNone(peer.expect(HEARTBEAT), host)
                peer.close()
                process.terminate()
                self.assertEqual(process.wait(PATIENCE_S), 0)
            result = subprocess.run(['/mayfly', '--tcp', 'nobody:1'], capture_output=True, text=True, env={},
                                    preexec_fn=lambda: (os.chroot(folder), os.chdir('/')), timeout=30, check=False)
            self.assertEqual((result.returncode, result.stderr), (2, "mayfly: --tcp: host 'nobody' is not known\n"))
