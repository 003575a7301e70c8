# SPDX-License-Identifier: Apache-2.0
"""A host that ends, limits and starves the process (SIM-007): signals at any moment, ulimits, files that must not grow. Each is an
orderly end, or one line and exit code 2. MF_SEED chooses the moments at which a start meets a signal."""
import os
import random
import re
import resource
import signal
import subprocess
import tempfile
import time
import unittest

import pytest

from cases import cases
from drone import PATIENCE_S, QUIET, Drone, assert_replays, environment
from mavlink import HEARTBEAT, PARAM_VALUE, STATUSTEXT, read_param, set_param
from names import assert_names
from paths import MAYFLY

STARTS = cases(20, 60)
SEED = int(os.environ.get('MF_SEED', str(random.randrange(1 << 30))))
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
WARNING, INFO = 4, 6     # MAV_SEVERITY
QUIETLY = [*QUIET, '--tcp', '0', '--api', 'none']
MB = 1 << 20


def launch(*args, before=None, base=(MAYFLY,)):
    return subprocess.Popen([*base, *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True, env=environment(), preexec_fn=before)  # pylint: disable=subprocess-popen-preexec-fn


def setUpModule():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also where these tests run under nohup: what starts inherits it


class Signals(unittest.TestCase):
    @pytest.mark.long
    def test_a_signal_at_any_moment_of_the_start_ends_it_in_order(self):
        """The C library's own start, before main(), cannot be guarded from inside: a signal then is kept back by the mask that
        the parent hands on, and arrives as soon as the program can take it."""
        rng = random.Random(SEED)
        for i in range(STARTS):
            number, pause_s = rng.choice(ENDING), rng.uniform(0.0, 0.003)
            process = launch(*QUIETLY, before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ENDING))
            time.sleep(pause_s)
            process.send_signal(number)
            _, said = process.communicate(timeout=PATIENCE_S)
            self.assertEqual(process.returncode, 0, f'MF_SEED={SEED}, start {i}: {number!r} after {pause_s:.6f} s: {said}')
            assert_names(said, 'signal')

    def test_a_signal_while_the_configuration_is_read(self):
        """A FIFO holds the start at its first file, for as long as the test wants."""
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, 'drone.yaml')
            os.mkfifo(fifo)
            for number in ENDING:
                for base, code in (((MAYFLY,), 0), ((MAYFLY, 'exec'), 128 + number)):
                    more = [] if code == 0 else ['--', 'true']  # of a command nobody may think that it has run
                    process = launch('--config', fifo, *QUIETLY, *more, base=base)
                    writer = os.open(fifo, os.O_WRONLY)  # it has come to read
                    process.send_signal(number)
                    _, said = process.communicate(timeout=PATIENCE_S)
                    os.close(writer)
                    self.assertEqual((process.returncode, said.count('\n')), (code, 1), said)

    def test_a_terminal_that_goes_away_ends_it_but_not_under_nohup(self):
        with Drone('--tcp', '0') as drone:
            drone.port()
            self.assertEqual(drone.end(signal.SIGHUP)[0], 0)
        with Drone('--tcp', '0', preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as drone:
            drone.port()
            drone.process.send_signal(signal.SIGHUP)
            self.assertIsNotNone(drone.tcp().expect(HEARTBEAT))
            self.assertEqual(drone.end()[0], 0)

    def test_a_command_gets_the_hangup_and_has_signals_as_any_program(self):
        process = launch(*QUIETLY, '--', 'sleep', '60', base=(MAYFLY, 'exec'))
        while 'http' not in (line := process.stderr.readline()) and 'tcp' not in line:
            self.assertTrue(line)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 128 + signal.SIGHUP)
        done = subprocess.run([MAYFLY, 'exec', *QUIETLY, '--', 'grep', '^Sig[IB]', '/proc/self/status'], check=False, text=True,
                              capture_output=True, env=environment(), restore_signals=False, timeout=PATIENCE_S)
        masks = dict(re.findall(r'^(\w+):\s+([0-9a-f]+)$', done.stdout, re.M))
        for number in (*ENDING, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            self.assertFalse(any(int(mask, 16) >> number - 1 & 1 for mask in masks.values()), (number, done.stdout))
        self.assertEqual(sorted(masks), ['SigBlk', 'SigIgn'])


class Limits(unittest.TestCase):
    def start(self, *args, **limits):
        """(exit code, stderr) of a short flight under limits of the process, named as Python has them"""
        def before():
            for name, value in limits.items():
                resource.setrlimit(getattr(resource, name), (value, value))
        process = launch(*QUIETLY[:-2], '--lifetime', '0.05', *args, before=before)
        return (process.communicate(timeout=PATIENCE_S)[1], process.returncode)[::-1]

    def check(self, result, refusal=''):
        code, said = result
        if code != 0:
            self.assertEqual(code, 2, said)
            self.assertRegex(said, rf'^mayfly: [^\n]*{refusal}[^\n]*\n$')
        return code

    @pytest.mark.long
    def test_descriptors(self):
        """With 3 there are none but stdin and its like."""
        codes = [self.check(self.start('--udp', '0', RLIMIT_NOFILE=n), 'Too many open files') for n in range(3, 12)]
        self.assertEqual((codes[0], codes[-1]), (2, 0))
        with tempfile.TemporaryDirectory() as folder:
            codes = [self.check(self.start('--state', folder, '--record', os.path.join(folder, 'r'), RLIMIT_NOFILE=n),
                                'Too many open files') for n in range(3, 14)]
            self.assertEqual((codes[0], codes[-1]), (2, 0))

    @pytest.mark.long
    def test_address_space(self):
        """From 7 MB on, the program's own image, it says so; below, the system refuses the program itself."""
        for megabytes in (8, 16, 19, 20, 23):
            code, said = self.start(RLIMIT_AS=megabytes * MB)
            self.assertEqual(code, 2, said)
            self.assertRegex(said, r"\b\d+\.\d MB\b.*'ulimit -v'")
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as f:
            f.write('params: {MIS_TAKEOFF_ALT: 5}\n')
            f.flush()
            codes = [self.check(self.start('--config', f.name, RLIMIT_AS=kb << 10)) for kb in range(24000, 28000, 250)]
        self.assertEqual((codes[0], codes[-1]), (2, 0))

    def test_stack_and_processes(self):
        self.assertEqual(self.start(RLIMIT_STACK=256 << 10)[0], 0)

    def test_files_that_must_not_grow(self):
        """ulimit -f: each writer meets EFBIG as it meets a full disk."""
        def before():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with tempfile.TemporaryDirectory() as folder:
            with Drone('--tcp', '0', '--state', folder, '--record', os.path.join(folder, 'r'), preexec_fn=before) as drone:
                peer = drone.tcp()
                self.assertIsNotNone(peer.expect(HEARTBEAT))
                drone.wait_for(r'^ *[\d.]+ record ')
                peer.send(set_param('MIS_TAKEOFF_ALT', 5.0))
                self.assertIsNotNone(peer.expect(PARAM_VALUE))
                self.assertEqual(drone.end()[0], 0)
            self.assertEqual(os.path.getsize(os.path.join(folder, 'r')), 4096)

    @pytest.mark.long
    def test_sim042_a_recording_ends_at_its_limit_and_the_flight_goes_on(self):
        """Between two records: what is there is a recording that replays."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'r')
            with Drone('--tcp', '0', '--record', path, '--record-max', '100000', '--clock', 'x20') as drone:
                peer = drone.tcp()
                drone.wait_for(r'^ *[\d.]+ record .*record_max')
                for _ in range(3):
                    self.assertIsNotNone(peer.expect(HEARTBEAT))
                self.assertEqual(drone.end()[0], 0)
            self.assertTrue(50_000 < os.path.getsize(path) <= 100_000, os.path.getsize(path))
            assert_replays(self, path)

    @pytest.mark.long
    def test_parameters_that_cannot_be_saved_are_told_to_whoever_comes(self):
        """The answer to PARAM_SET comes before its value is saved; the loss is repeated until a save works."""
        def before():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))  # less than a header
        with tempfile.TemporaryDirectory() as folder:
            with Drone('--tcp', '0', '--state', folder, preexec_fn=before) as drone:
                first = drone.tcp()
                first.send(set_param('MIS_TAKEOFF_ALT', 5.0))
                self.assertIsNotNone(first.expect(STATUSTEXT, lambda p: (p[0], p[1:12]) == (WARNING, b'Parameters ')))
                later = drone.tcp()
                self.assertIsNotNone(later.expect(STATUSTEXT, lambda p: (p[0], p[1:12]) == (WARNING, b'Parameters '),
                                                  patience_s=30))
                resource.prlimit(drone.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                later.send(set_param('RTL_TYPE', 1))
                self.assertIsNotNone(later.expect(STATUSTEXT, lambda p: (p[0], p[1:12]) == (INFO, b'Parameters ')))
                drone.end(signal.SIGKILL)
            with Drone('--tcp', '0', '--state', folder) as drone:
                peer = drone.tcp()
                peer.send(read_param('MIS_TAKEOFF_ALT'))
                self.assertEqual(peer.param('MIS_TAKEOFF_ALT'), 5.0)
