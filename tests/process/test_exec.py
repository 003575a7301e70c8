# SPDX-License-Identifier: Apache-2.0
"""mayfly exec [--flag VALUE]... -- COMMAND [ARGUMENT]...: a drone for the time of one command."""
import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pytest

import daemons
import mavlink
from drone import PATIENCE_S, assert_replays, environment
from names import assert_names
from paths import MAYFLY
from process_table import children, is_alive
from waiting import wait_until

PYTHON = [sys.executable, '-S', '-E', '-c']  # a third of a start

# Says what it was told, as JSON.
TELL = PYTHON + ['import json, os; print(json.dumps({k: v for k, v in os.environ.items() if k.startswith("MAYFLY_")}))']
# A HEARTBEAT of the drone over TCP, and its state over HTTP.
TALK = PYTHON + ['''
import json, os, socket
with socket.create_connection(("127.0.0.1", int(os.environ["MAYFLY_TCP_PORT"])), 5) as s:
    s.settimeout(5)
    assert s.recv(1) == b"\\xfd"
for path in ("/readyz", "/v1/vehicle"):
    with socket.create_connection(("127.0.0.1", int(os.environ["MAYFLY_API_URL"].rpartition(":")[2])), 5) as s:
        s.sendall(f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n".encode())
        head, _, answer = b"".join(iter(lambda: s.recv(65536), b"")).partition(b"\\r\\n\\r\\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
print(json.loads(answer)["system_id"])
''']
# Says when it listens to signals, then which ones it got and how often, when told to end on its stdin.
COUNT = PYTHON + ['''
import os, signal, sys, time
came, got = os.pipe()
os.set_blocking(got, False)
signal.set_wakeup_fd(got)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda n, f: None)
print("ready", flush=True)
sys.stdin.readline()
time.sleep(0.1)
print(*(signal.Signals(n).name for n in os.read(came, 100)), flush=True)
os._exit(9)
''']


def mayfly(*args, env=None, **more):
    return subprocess.run([MAYFLY, 'exec', *args], env=environment(env), text=True, capture_output=True, timeout=60,
                          check=False, **more)


def start(*args, **more):
    return subprocess.Popen([MAYFLY, 'exec', *args], env=environment(), text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **more)


class Exec(unittest.TestCase):
    def test_the_command_finds_the_drone(self):
        done = mayfly('--sysid', '42', '--', *TALK)
        self.assertEqual((done.returncode, done.stdout), (0, '42\n'), done.stderr)

    def test_what_it_is_told(self):
        told = json.loads(mayfly('--time-socket', '0', '--', *TELL, env={'MAYFLY_UDP_PORT': '1'}).stdout)
        tcp, api, udp, time_port = (told[f'MAYFLY_{k}_PORT'] for k in ('TCP', 'API', 'UDP', 'TIME'))
        self.assertEqual(told, {
            'MAYFLY_MAVSDK_URL': f'tcpout://127.0.0.1:{tcp}', 'MAYFLY_PYMAVLINK_URL': f'tcp:127.0.0.1:{tcp}',
            'MAYFLY_API_URL': f'http://127.0.0.1:{api}', 'MAYFLY_TCP_PORT': tcp, 'MAYFLY_UDP_PORT': udp,
            'MAYFLY_API_PORT': api, 'MAYFLY_TIME_PORT': time_port, 'MAYFLY_SYSTEM_ID': '1'})
        self.assertEqual(len({tcp, api, time_port}), 3)
        self.assertTrue(all(int(port) > 1 for port in (tcp, api, udp, time_port)))
        told = json.loads(mayfly('--tcp', 'none', '--api', 'none', '--', *TELL, env={'MAYFLY_API_URL': 'old'}).stdout)
        udp = told['MAYFLY_UDP_PORT']
        self.assertEqual(told, {'MAYFLY_MAVSDK_URL': f'udpout://127.0.0.1:{udp}', 'MAYFLY_SYSTEM_ID': '1',
                                'MAYFLY_PYMAVLINK_URL': f'udpout:127.0.0.1:{udp}', 'MAYFLY_UDP_PORT': udp})

    def test_ports_that_were_chosen_stay(self):
        text = subprocess.run([MAYFLY, 'exec', '--udp', '127.0.0.1:7', '--print-config'], text=True, capture_output=True,
                              env=environment({'MAYFLY_TCP': '0.0.0.0:7'}), check=True).stdout
        for line in ('tcp: ["0.0.0.0:7"]', 'udp: ["127.0.0.1:7"]', 'udp_out: []', 'api: ["127.0.0.1:0"]', 'free_ports: true'):
            self.assertIn(line + '\n', text)

    def test_a_drone_within_a_drone(self):
        done = mayfly('--sysid', '42', '--', MAYFLY, 'exec', '--', *TALK)
        self.assertEqual((done.returncode, done.stdout), (0, '1\n'), done.stderr)

    def test_only_what_a_drone_tells_is_no_setting(self):
        done = mayfly('--', 'true', env={'MAYFLY_SYSTEM_ID': '300', 'MAYFLY_MAVSDK_URLS': 'x'})
        self.assertEqual((done.returncode, done.stderr.count('\n')), (2, 1), done.stderr)
        assert_names(done.stderr, 'MAYFLY_MAVSDK_URLS')

    def test_lockstep_has_its_controller(self):
        self.assertEqual(mayfly('--clock', 'lockstep', '--', *TALK).returncode, 0)
        done = mayfly('--clock', 'lockstep', '--api', 'none', '--', *TALK)
        self.assertEqual(done.returncode, 2)
        assert_names(done.stderr, 'lockstep --time-socket --time-server --api')

    def test_exit_codes(self):
        for command, code in ((['true'], 0), (['sh', '-c', 'exit 3'], 3), (['sh', '-c', 'kill -9 $$'], 137),
                              (['sh', '-c', 'kill -TERM $$'], 143)):
            self.assertEqual(mayfly('--', *command).returncode, code, command)

    def test_a_command_that_cannot_run(self):
        done = mayfly('--', 'no-such-command', '--flag', env={'PATH': '/usr/bin:/bin'})     # a folder that cannot be read gives 126
        self.assertEqual(done.returncode, 127)
        self.assertIn('mayfly: exec: no-such-command: No such file or directory\n', done.stderr)
        done = mayfly('--', '/dev/null')
        self.assertEqual(done.returncode, 126)
        self.assertIn('mayfly: exec: /dev/null: Permission denied\n', done.stderr)

    def test_no_command(self):
        for args in ((), ('--',), ('pytest',), ('--sysid', '3'), ('pytest', '--', )):
            done = mayfly(*args)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count('\n')), (2, '', 1), args)
            assert_names(done.stderr, 'exec mayfly exec [--flag VALUE]... -- COMMAND [ARGUMENT]...')
        self.assertIn('mayfly exec [--flag', mayfly('--help').stdout)

    def test_settings_are_checked_first(self):
        done = mayfly('--sysid', '300', '--', 'echo', 'started')
        self.assertEqual((done.returncode, done.stdout), (2, ''))
        assert_names(done.stderr, '--sysid 300 1 254')

    def test_flags_after_the_dashes_are_the_command_s(self):
        done = mayfly('--', 'printf', '%s|', '--sysid', '300', '--', '--help', '-c', '')
        self.assertEqual((done.returncode, done.stdout), (0, '--sysid|300|--|--help|-c||'))

    def test_signals_go_to_the_command(self):
        process = start('--', *COUNT)
        self.assertEqual(process.stdout.readline(), 'ready\n')
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        self.assertIsNone(process.poll())
        self.assertEqual(process.communicate('end\n', timeout=PATIENCE_S)[0], 'SIGINT SIGTERM\n')
        self.assertEqual(process.returncode, 9)

    def test_a_terminal_s_interrupt_comes_once(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(MAYFLY, [MAYFLY, 'exec', '--', *COUNT], environment())
        seen = b''
        while b'ready' not in seen:
            seen += os.read(terminal, 4096)
        os.write(terminal, b'\x03')
        time.sleep(0.2)
        os.write(terminal, b'end\n')
        with contextlib.suppress(OSError):  # Linux: the terminal's other end is closed
            while more := os.read(terminal, 4096):
                seen += more
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 9)
        self.assertEqual(seen.count(b'SIGINT'), 1, seen)
        os.close(terminal)

    def test_pipes_break_for_the_command_too(self):
        """SIGPIPE, which the drone ignores, is the command's again."""
        done = mayfly('--', 'sh', '-c', 'yes | head -1; exec 2>&1; kill -PIPE $$; echo survived')
        self.assertEqual((done.returncode, done.stdout), (128 + signal.SIGPIPE, 'y\n'))

    def test_a_drone_that_dies_takes_the_command_along(self):
        process = start('--', 'sh', '-c', 'echo $$; exec sleep 60')
        command = int(process.stdout.readline())
        process.kill()
        self.assertEqual(process.wait(PATIENCE_S), -signal.SIGKILL)
        wait_until(lambda: not is_alive(command), f'process {command} is gone')
        process.stdout.close()
        process.stdin.close()

    def start_daemons(self, then='sleep 600', args=()):
        """A drone whose command has started all daemons. @return the drone, and their word"""
        word = daemons.mark()
        self.addCleanup(daemons.end, word)
        process = start(*args, '--', *daemons.command(word, f'echo ready; {then}'))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.assertEqual(process.stdout.readline(), 'ready\n')
        wait_until(lambda: len(daemons.alive(word)) == daemons.COUNT + 3, 'all run, and drone, keeper and command')
        return process, word

    @pytest.mark.long
    def test_daemons_end_with_the_command(self):
        process, word = self.start_daemons('read line; exit 7')
        process.stdin.write('end\n')
        process.stdin.flush()
        self.assertEqual((process.wait(PATIENCE_S), daemons.alive(word)), (7, []))

    @pytest.mark.long
    def test_daemons_end_with_the_lifetime_of_the_drone(self):
        """The command itself has stopped, and is continued for SIGTERM."""
        process, word = self.start_daemons('sleep 2; kill -STOP $$', ['--lifetime', '4'])
        self.assertEqual((process.wait(PATIENCE_S), daemons.alive(word)), (128 + signal.SIGTERM, []))

    @pytest.mark.long
    def test_daemons_end_with_a_drone_that_is_killed(self):
        process, word = self.start_daemons()
        process.kill()
        process.wait(PATIENCE_S)
        daemons.wait_gone(word)

    def test_daemons_end_with_a_keeper_that_is_killed(self):
        process, word = self.start_daemons()
        keeper, = children(process.pid)
        os.kill(keeper, signal.SIGKILL)
        self.assertEqual((process.wait(PATIENCE_S), daemons.alive(word)), (128 + signal.SIGKILL, []))

    @pytest.mark.skipif(not daemons.has_groups(), reason='no cgroup v2 that this user may write to')
    def test_the_next_one_ends_daemons_of_a_drone_and_keeper_that_are_killed(self):
        process, word = self.start_daemons()
        keeper, = children(process.pid)
        os.kill(keeper, signal.SIGSTOP)     # it ends nothing when the drone is gone
        process.kill()
        process.wait(PATIENCE_S)
        os.kill(keeper, signal.SIGKILL)
        wait_until(lambda: not is_alive(keeper), 'the keeper is gone')
        self.assertEqual(mayfly('--', 'true').returncode, 0)
        daemons.wait_gone(word)

    def test_a_command_that_stops_its_drone_ends_with_the_lifetime(self):
        stop = """kill -STOP $(awk '{print $4}' /proc/$PPID/stat); """
        process, word = self.start_daemons(stop + 'sleep 600', ['--lifetime', '2'])
        self.assertEqual((process.wait(PATIENCE_S), daemons.alive(word)), (128 + signal.SIGTERM, []))

    def test_a_file_moves_the_end_of_its_life(self):
        with tempfile.TemporaryDirectory() as folder:
            path, begin_s = os.path.join(folder, 'ends'), time.time()

            def end_at(seconds):
                with open(path + '.new', 'w', encoding='utf-8') as f:
                    f.write(f'{begin_s + seconds}\n')
                os.replace(path + '.new', path)
            end_at(1.0)
            process = start('--lifetime', '60', '--lifetime-file', path, '--', 'sh', '-c', 'echo ready; sleep 600')
            self.assertEqual(process.stdout.readline(), 'ready\n')
            end_at(3.0)
            self.assertEqual(process.wait(PATIENCE_S), 128 + signal.SIGTERM)
            self.assertGreaterEqual(time.time(), begin_s + 3.0)
            process.stdout.close()
            process.stdin.close()
            done = mayfly('--lifetime-file', path, '--', 'true')
            self.assertEqual(done.returncode, 2)
            assert_names(done.stderr, 'lifetime_file ' + path)

    def test_children_of_a_shell_that_became_the_drone_live_on(self):
        word = daemons.mark()
        self.addCleanup(daemons.end, word)
        with subprocess.Popen(['sh', '-c', f"sh -c 'while :; do sleep 0.5; done' {word} & exec \"$0\" exec -- true", MAYFLY], env=environment(),
                              stderr=subprocess.DEVNULL) as shell:
            self.assertEqual(shell.wait(PATIENCE_S), 0)
        self.assertEqual(len(daemons.alive(word)), 1)

    def test_a_command_that_forks_without_end_is_ended(self):
        """Each process of the chain starts the next one and ends."""
        word = daemons.mark()
        self.addCleanup(daemons.end, word)
        chain = PYTHON + ['import os\nwhile os.fork() == 0 or os._exit(0): pass', word]
        done = mayfly('--', 'sh', '-c', '"$@" & sleep 0.2; exit 3', 'sh', *chain)
        self.assertEqual((done.returncode, daemons.alive(word)), (3, []))

    def test_the_end_of_its_life(self):
        done = mayfly('--lifetime', '0.2', '--', 'sh', '-c', 'trap "echo told; exit 5" TERM; while :; do sleep 0.02; done')
        self.assertEqual((done.returncode, done.stdout), (5, 'told\n'))

    @pytest.mark.long
    def test_a_client_that_shuts_it_down_goes_on(self):
        shut_down = PYTHON + [f'''
import os, socket, sys
sys.path.insert(0, {os.path.dirname(mavlink.__file__)!r})
import mavlink
with socket.create_connection(("127.0.0.1", int(os.environ["MAYFLY_TCP_PORT"])), 5) as s:
    s.sendall(mavlink.command(mavlink.REBOOT, 2))
    s.settimeout(5)
    while s.recv(4096):
        pass
print("it is off")
''']
        done = mayfly('--', *shut_down)
        self.assertEqual((done.returncode, done.stdout), (0, 'it is off\n'), done.stderr)

    def test_the_recording_is_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.mfr')
            self.assertEqual(mayfly('--record', path, '--', *TALK).returncode, 0)
            assert_replays(self, path)

    @pytest.mark.long
    def test_ten_at_once(self):
        drones = [start('--', *TELL) for _ in range(10)]
        ports = [json.loads(drone.communicate(timeout=PATIENCE_S)[0])['MAYFLY_TCP_PORT'] for drone in drones]
        self.assertEqual([drone.returncode for drone in drones], [0] * 10)
        self.assertEqual(len(ports), 10)

    def test_descriptors_are_not_passed_on(self):
        with tempfile.TemporaryDirectory() as folder:
            done = mayfly('--record', os.path.join(folder, 'a.mfr'), '--state', folder, '--', *PYTHON,
                          'import os; print(sorted(int(f) for f in os.listdir("/proc/self/fd") '
                          'if os.path.exists(f"/proc/self/fd/{f}")))')
            self.assertEqual(done.stdout, '[0, 1, 2]\n')
