# SPDX-License-Identifier: Apache-2.0
"""build/mayfly as its users see it: exit codes, error lines, signals, links, files. MAYFLY names the binary."""
import datetime
import json
import os
import pty
import random
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

from drone import PATIENCE_S, QUIET, Drone, Peer, run
from mavlink import (ATTITUDE, AUTOPILOT_VERSION, BARRIER, COMMAND_ACK, HEARTBEAT, HOLD, REBOOT, REQUEST_MESSAGE, SYSTEM_TIME,
                     command, read_param, set_param)
from names import assert_names
from paths import MAYFLY
from ports import free_instance
from waiting import wait_until


class Refusals(unittest.TestCase):
    def refused(self, *args, what, env=None):
        result = run(*args, env=env)
        self.assertEqual(result.returncode, 2, (args, result.stderr))
        self.assertEqual(result.stdout, '')
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        assert_names(lines[0], 'mayfly ' + what)

    def test_wrong_flags_and_variables(self):
        self.refused('--tpc', '5760', what='--tpc --tcp')
        self.refused('--tcp', '70000', what='--tcp 70000 0 65535')
        self.refused('--tcp', 'nosuch.invalid:5760', what='--tcp nosuch.invalid')
        self.refused('--udp', '::1:5760', what='--udp ::1:5760 [HOST:]PORT')
        self.refused('--serial', '/dev/ttyS0:1', what='--serial 1 1200 4000000 57600 115200 921600')
        self.refused('--home', '91,0,0', what='--home 91 -90 90 deg')
        self.refused('--battery-remaining', '130', what='--battery-remaining 130 0 100 percent')
        self.refused('--param', 'NO_SUCH_PARAM_X=1', what='--param NO_SUCH_PARAM_X')
        self.refused('--param', 'MPC_XY_CRUSE=1', what='--param MPC_XY_CRUSE MPC_XY_CRUISE')
        self.refused('--stream', 'ATITUDE=1', what='--stream ATITUDE ATTITUDE')
        self.refused(env={'MAYFLY_FAULTS': 'gps_of'}, what='MAYFLY_FAULTS gps_of gps_off')
        self.refused(env={'PX4_HOME_LAT': 'x'}, what='PX4_HOME_LAT x number -90 90 deg')

    def test_parameters_out_of_range_name_the_range(self):
        result = run('--param', 'MPC_XY_CRUISE=-1e9')
        self.assertEqual(result.returncode, 2)
        assert_names(result.stderr, 'mayfly --param MPC_XY_CRUISE -1000000000 0.1 100')

    def test_missing_files_and_directories(self):
        self.refused('--config', '/nosuch.yaml', what='/nosuch.yaml')
        self.refused('--signing-key', '/nosuch', what='--signing-key /nosuch')
        self.refused('--signing-key', '/dev/null', what='--signing-key /dev/null 64')
        self.refused('--state', '/nosuch', what='state /nosuch')
        self.refused(*QUIET, '--tcp', '0', '--serial', '/dev/nosuch:57600', what='serial /dev/nosuch')

    def test_a_file_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'drone.yaml')
            for text, what in (('battery:\n  voltage: 15\n  remaining: 130\n', '3 battery.remaining 130 0 100 percent'),
                               ('\nudp: [0, 99999]\n', '2 udp 99999 0 65535'),
                               ('streams:\n  ATITUDE: 1\n', '2 streams ATITUDE ATTITUDE'),
                               ('params: {\n  MPC_XY_CRUSE: 1}\n', '2 params MPC_XY_CRUSE MPC_XY_CRUISE')):
                with open(path, 'w', encoding='utf-8') as f:
                    f.write(text)
                self.refused('--config', path, what=f'{path} {what}')

    def test_a_port_that_is_taken(self):
        with Drone('--tcp', '0') as first:
            port = first.port()
            self.refused(*QUIET, '--tcp', str(port), what=f'tcp 127.0.0.1:{port} 0')
        with Drone('--udp', '0', base=['--tcp', 'none', '--udp-out', 'none']) as first:
            port = first.port('udp')
            self.refused('--tcp', 'none', '--udp', str(port), '--udp-out', 'none', what=f'udp 127.0.0.1:{port} 0')

    def test_a_damaged_state_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'PARAM.mfst')
            with open(path, 'wb') as f:
                f.write(b'not ours at all, but long enough')
            self.refused(*QUIET, '--tcp', '0', '--state', folder, what=path)


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

    def test_the_greeting_fits_and_ends_with_what_is_next(self):
        with Drone('--api', '0', '--wind-speed', '5', '--gnss-satellites', '12', '--faults', 'gps_off@30s,gps_glitch=30/40/0@1m,battery_low@2m') as drone:
            drone.wait_for('^  http://')
            drone.wait_for(r'^  .* docs/clients\.md .* Ctrl-C ')
            greeting = [line.rstrip('\n') for line in drone.lines if line.startswith(('Mayfly', '  '))]
            self.assertGreater(len([line for line in greeting if line.startswith('    ')]), 3)      # some go on in a second line
            self.assertLessEqual(max(map(len, greeting)), 100)

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
                    self.assertIsNotNone(drone.tcp().expect(HEARTBEAT))
                    code, seconds = drone.end(number)
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
            self.assertEqual(drone.tcp().command(REBOOT, 2), 0)
            self.assertEqual(drone.process.wait(PATIENCE_S), 0)


class Links(unittest.TestCase):
    def answered(self, peer):
        self.assertEqual(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION), 0)

    def test_sim013_sim014_tcp_and_udp_clients_at_once(self):
        with Drone('--tcp', '0', '--udp', '0', base=['--udp-out', 'none']) as drone:
            a, b, c, d = drone.tcp(), drone.tcp(), drone.udp(), drone.udp()
            for peer in (c, d):
                peer.send(command(REQUEST_MESSAGE, AUTOPILOT_VERSION))
            for peer in (a, b, c, d):
                self.assertIsNotNone(peer.expect(HEARTBEAT))
            for peer in (a, b, c, d):
                self.answered(peer)
            a.close()
            for peer in (b, c, d):
                self.answered(peer)

    def test_a_drone_that_nobody_watched_begins_its_streams_now(self):
        with Drone('--tcp', '0') as drone:
            time.sleep(1.5)
            self.assertGreater(struct.unpack('<I', (drone.tcp().expect(ATTITUDE) + bytes(4))[:4])[0], 1400)

    def test_sim042_time_begins_with_the_first_message(self):
        """Not with a connection; a barrier that comes first finds exactly 0, at the given UTC."""
        with Drone('--tcp', '0', '--start', 'connect', '--epoch', '1000000000') as drone:
            peer = drone.tcp()
            time.sleep(0.1)
            self.assertEqual(peer.command(BARRIER, HOLD), 0)
            peer.send(command(REQUEST_MESSAGE, SYSTEM_TIME))
            utc_us, boot_ms = struct.unpack('<QI', (peer.expect(SYSTEM_TIME) + bytes(12))[:12])
            self.assertEqual((utc_us, boot_ms), (1000000000 * 1000000, 0))

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
        instance = free_instance()
        listeners = []
        for port in (14550, 14549):
            sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try:
                sock.bind(('127.0.0.1', port))
            except OSError:
                self.skipTest(f'a program holds UDP port {port}, such as a ground station: end it')
            sock.settimeout(PATIENCE_S)
            listeners.append(sock)
        with Drone('--instance', str(instance), base=[]) as drone:
            drone.wait_for(r'^  .* 9 .* PX4: --udp-out HOST:PORT ')
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
            self.assertIsNotNone(drone.tcp().expect(HEARTBEAT))
        try:
            socket.create_server(('::1', 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest('the loopback interface has no IPv6 address: "sysctl net.ipv6.conf.lo.disable_ipv6=0"')
        for where in ('[::1]:0', '[::]:0'):
            with Drone('--tcp', where) as drone:
                for host in ('::1', '127.0.0.1') if where.startswith('[::]') else ('::1',):
                    self.assertIsNotNone(drone.tcp(host).expect(HEARTBEAT))

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

    def test_random_bytes_then_a_good_command(self):
        noise = random.Random(1)
        with Drone('--tcp', '0', '--udp', '0', base=['--udp-out', 'none']) as drone:
            for peer in (drone.tcp(), drone.udp()):
                good = command(REQUEST_MESSAGE, AUTOPILOT_VERSION)
                for _ in range(200):
                    peer.send(noise.randbytes(noise.randrange(1, 1200)))
                    peer.send(good[:noise.randrange(1, len(good))])
                    broken = bytearray(good)
                    broken[noise.randrange(1, len(good))] ^= 1 << noise.randrange(8)
                    peer.send(bytes(broken))

                def answer():   # a begun frame may swallow the first good one on a stream
                    peer.send(command(520))
                    return peer.expect(COMMAND_ACK, lambda p: p[:2] == b'\x08\x02', 0.3)
                wait_until(answer, 'an acknowledgement')
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
            drone.wait_for('--api-token')
            drone.end()
            self.assertEqual(len([line for line in drone.lines if not line.startswith('    ')]), 1, drone.lines)    # of two lines

    def test_events_have_their_fields_in_the_log_without_an_api(self):
        """A flight of two items with a fault; what text says, JSON says for programs, too."""
        with Drone('--tcp', '0', '--api', 'none', '--log', 'json', '--log-level', 'debug', '--clock', 'x50',
                   '--faults', 'battery_low@1s+1s') as drone:
            drone.fly('--side', '20').check_returncode()
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
    def test_without_state_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder, Drone('--tcp', '0', cwd=folder) as drone:
            peer = drone.tcp()
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            peer.send(set_param('MPC_XY_CRUISE', 7.0))
            self.assertIsNotNone(peer.param('MPC_XY_CRUISE'))
            time.sleep(0.5)
            self.assertEqual(os.listdir(folder), [])
            pid = drone.process.pid
            for fd in os.listdir(f'/proc/{pid}/fd'):
                self.assertRegex(os.readlink(f'/proc/{pid}/fd/{fd}'), r'^(socket:|pipe:|/dev/null|anon_inode:)')
            with open(f'/proc/{pid}/io', encoding='ascii') as f:
                self.assertIn('\nwrite_bytes: 0\n', f.read())

    def test_parameters_outlive_kill_9(self):
        with tempfile.TemporaryDirectory() as folder:
            with Drone('--tcp', '0', '--state', folder) as drone:
                peer = drone.tcp()
                peer.send(set_param('MPC_XY_CRUISE', 7.25))
                self.assertIsNotNone(peer.param('MPC_XY_CRUISE'))
                wait_until(lambda: 'PARAM.mfst' in os.listdir(folder), 'the parameters are saved')
                drone.end(signal.SIGKILL)
            self.assertEqual(os.listdir(folder), ['PARAM.mfst'])
            with Drone('--tcp', '0', '--state', folder) as drone:
                peer = drone.tcp()
                peer.send(read_param('MPC_XY_CRUISE'))
                self.assertEqual(peer.param('MPC_XY_CRUISE'), 7.25)
                second = run(*QUIET, '--tcp', '0', '--state', folder)
                self.assertEqual(second.returncode, 2)
                assert_names(second.stderr, f'mayfly state {folder}')

    def test_an_epoch_soon_after_1970(self):
        with Drone('--epoch', '5') as drone:
            payload = drone.tcp().expect(SYSTEM_TIME, lambda p: len(p) >= 8)
            self.assertIsNotNone(payload)
            self.assertLess(struct.unpack('<Q', payload[:8])[0], 60 * 10**6)

    @pytest.mark.long
    def test_a_reboot_keeps_links_and_starts_time_again(self):
        with Drone('--tcp', '0', '--param', 'MPC_XY_CRUISE=6.5') as drone:
            peer = drone.tcp()
            late = peer.expect(SYSTEM_TIME, lambda p: struct.unpack('<I', (p + bytes(12))[8:12])[0] > 2000)
            self.assertIsNotNone(late)
            self.assertEqual(peer.command(REBOOT, 1), 0)
            early = peer.expect(SYSTEM_TIME, lambda p: struct.unpack('<I', (p + bytes(12))[8:12])[0] < 1500)
            self.assertIsNotNone(early)
            peer.send(read_param('MPC_XY_CRUISE'))
            self.assertEqual(peer.param('MPC_XY_CRUISE'), 6.5)


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


@unittest.skipUnless(os.geteuid() == 0, 'chroot() needs root: "sudo make test"')
class Scratch(unittest.TestCase):
    """As in an image FROM scratch: the binary and the two files that Kubernetes mounts, nothing else."""

    def test_host_names_from_scratch(self):
        with open(MAYFLY, 'rb') as f:
            if b'/ld-linux' in f.read(4096):
                self.skipTest('build/mayfly needs a dynamic loader; that of "make" without SAN does not')
        names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            names.bind(('127.0.0.1', 53))
        except OSError:
            self.skipTest('a program holds UDP port 53, such as systemd-resolved: end it')
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
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, 'mayfly --tcp nobody')
