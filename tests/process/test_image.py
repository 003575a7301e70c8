#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The container image under the limits it must live with: start, memory, end.

Needs build/mayfly-image.tar (`make image`), podman and a machine that lets containers run. Where one of them is missing
the tests are skipped and say so; with CI set, podman installed and the image built, that is a failure.
"""
import ctypes
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'perf'))
import wire  # noqa: E402

BUILD = os.environ.get('BUILD', 'build')
ARCHIVE = os.path.join(BUILD, 'mayfly-image.tar')
STORE = os.path.abspath(os.path.join(BUILD, 'containers'))
NAME = f'mayfly-test-{os.getpid()}'
LIMITS = ['--memory', '256m', '--cpus', '0.25', '--read-only', '--cap-drop', 'ALL', '--user', '65532',
          '--security-opt', 'no-new-privileges', '--ulimit', 'nofile=1024:1024',
          '--ulimit', 'nproc=1024:1024']
CLONE_NEWNET = 0x40000000


def podman(*arguments, check=True):
    """Everything podman keeps lies under build/, nothing is left on the machine."""
    command = ['podman', '--root', f'{STORE}/test-root', '--runroot', f'{STORE}/test-run', '--storage-driver', 'vfs',
               '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if check and done.returncode != 0:
        raise RuntimeError(f'{" ".join(command[:1] + list(arguments))}: {done.stderr.strip()}')
    return done.stdout.strip()


def why_not():
    """What is missing here, or None."""
    if shutil.which('podman') is None or shutil.which('runc') is None:
        return 'podman and runc are not installed'
    if os.geteuid() != 0:
        return 'not root: the network of a container cannot be entered'
    if not os.path.exists(ARCHIVE):
        return f'no {ARCHIVE}; "make image" builds it'
    return None


class InNetworkOf:
    """This thread's sockets live in the network of another process: the container's own, with its own ports."""

    def __init__(self, pid):
        self.pid = pid
        self.libc = ctypes.CDLL(None, use_errno=True)

    def enter(self, path):
        with open(path, 'rb') as f:
            if self.libc.setns(f.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), 'setns')

    def __enter__(self):
        self.home = os.open('/proc/self/ns/net', os.O_RDONLY)
        self.enter(f'/proc/{self.pid}/ns/net')

    def __exit__(self, *_):
        self.libc.setns(self.home, CLONE_NEWNET)
        os.close(self.home)


def wait_until(condition, timeout_s, what):
    """The first true value of condition(), which may fail to connect on the way."""
    limit = time.monotonic() + timeout_s
    while time.monotonic() < limit:
        try:
            value = condition()
        except OSError:
            value = None
        if value:
            return value
        time.sleep(0.002)
    raise AssertionError(f'{what}: not within {timeout_s} s')


def cgroup_memory(pid):
    """Bytes that the container's control group accounts for, on either version of them."""
    with open(f'/proc/{pid}/cgroup', encoding='ascii') as f:
        lines = [line.strip().split(':', 2) for line in f]
    for _, controllers, path in lines:
        for base, name in ((f'/sys/fs/cgroup/memory{path}', 'memory.usage_in_bytes'),
                           (f'/sys/fs/cgroup{path}', 'memory.current')):
            if ('memory' in controllers.split(',') or not controllers) and os.path.exists(f'{base}/{name}'):
                with open(f'{base}/{name}', encoding='ascii') as f:
                    return int(f.read())
    return None


def files_of(archive):
    """The files in all layers of an OCI archive."""
    files = []
    with tarfile.open(archive) as tar:
        def blob(digest):
            return tar.extractfile('blobs/' + digest.replace(':', '/'))

        index = json.load(tar.extractfile('index.json'))
        manifest = json.load(blob(index['manifests'][0]['digest']))
        for layer in manifest['layers']:
            with tarfile.open(fileobj=io.BytesIO(blob(layer['digest']).read())) as content:
                files += [member.name for member in content.getmembers() if not member.isdir()]
    return files


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = why_not()
        if not reason:
            try:
                cls.image = podman('load', '--quiet', '--input', ARCHIVE).split()[-1]
                podman('create', '--name', NAME, '--network', 'none', *LIMITS, cls.image)
                cls.t0 = time.monotonic()
                podman('start', NAME)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                podman('rm', '--force', '--time', '0', NAME, check=False)
                reason = f'containers cannot run here: {error}'
        if reason:
            if os.environ.get('CI') and shutil.which('podman') and os.path.exists(ARCHIVE):
                raise AssertionError(reason)
            raise unittest.SkipTest(reason)
        cls.started = time.monotonic()
        cls.pid = int(podman('inspect', '--format', '{{.State.Pid}}', NAME))

    @classmethod
    def tearDownClass(cls):
        podman('rm', '--force', '--time', '0', NAME, check=False)

    def connect(self):
        """A client within the container's network, once it has read a HEARTBEAT."""
        with InNetworkOf(self.pid):
            client = wire.Client('tcp', 5760)
        wait_until(lambda: any(m.name == 'HEARTBEAT' for m in client.read()), 2, 'HEARTBEAT')
        return client

    def test_1_sim013_accepts_mavlink_within_a_second(self):
        client = wait_until(self.connect, 1.5, 'HEARTBEAT after the start of the container')
        seconds = time.monotonic() - self.t0
        client.close()
        print(f'figure: HEARTBEAT {seconds:.3f} s after "podman start" was typed, '
              f'which itself took {self.started - self.t0:.3f} s')
        self.assertLessEqual(seconds, 1.5)

    def test_2_sim011_image_is_small(self):
        size = os.path.getsize(ARCHIVE)
        print(f'figure: image of {size} bytes compressed')
        self.assertLessEqual(size, 2_000_000)

    def test_3_sim012_lives_within_its_limits(self):
        client = self.connect()
        end = time.monotonic() + 3
        frames = 0
        while time.monotonic() < end:
            client.read()
            frames = client.parser.frames
            time.sleep(0.05)
        client.close()
        memory = cgroup_memory(self.pid)
        self.assertIsNotNone(memory, 'the control group tells no memory')
        print(f'figure: {memory} bytes in the control group, {frames} frames read in 3 s')
        self.assertLessEqual(memory, 256_000_000)
        self.assertLessEqual(memory, 10_000_000, 'far below its limit is what makes many fit')
        self.assertGreater(frames, 60)

    def test_4_sim009_sim010_nothing_but_the_binary(self):
        self.assertEqual(files_of(ARCHIVE), ['mayfly'])

    def test_5_runs_as_nobody_without_rights(self):
        with open(f'/proc/{self.pid}/status', encoding='ascii') as f:
            status = dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)
        self.assertEqual(status['Uid'].split(), ['65532'] * 4)
        self.assertEqual(int(status['CapEff'], 16), 0)
        self.assertEqual(status['NoNewPrivs'], '1')

    def test_6_ends_at_once_and_cleanly(self):
        t0 = time.monotonic()
        podman('stop', '--time', '5', NAME)
        seconds = time.monotonic() - t0
        print(f'figure: ended {seconds:.3f} s after "podman stop" was typed')
        self.assertLess(seconds, 2.0)
        self.assertEqual(podman('inspect', '--format', '{{.State.ExitCode}}', NAME), '0')


if __name__ == '__main__':
    unittest.main(verbosity=2)
