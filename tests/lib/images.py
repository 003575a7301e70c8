# SPDX-License-Identifier: Apache-2.0
"""OCI images: what an archive of `make image` and its like contains, and containers of it."""
import io
import itertools
import json
import os
import shutil
import subprocess
import tarfile
import time
import unittest

import containers
import http_client
import mavlink
from containers import InNetworkOf, Place
from paths import GEOID, MAYFLY, TOP, built
from waiting import wait_until

IMAGE, INDEX, TOOLS = (built(f'mayfly-{name}.tar') for name in ('image', 'images', 'tools-image'))
GOALS = {IMAGE: ('image', MAYFLY), INDEX: ('dist', built('ship/mayfly')), TOOLS: ('tools-image', GEOID)}     # and programs in them
LABEL = 'org.opencontainers.image.'
LIMITS = ['--network', 'none', '--memory', '256m', '--cpus', '0.25', '--read-only', '--cap-drop', 'ALL', '--user', '65532',
          '--security-opt', 'no-new-privileges', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']


def fresh(archive, program):
    """Is the archive of the program that is built?"""
    return not os.path.exists(program) or os.path.getmtime(archive) >= os.path.getmtime(program)


def revision():
    """Of the tree, as the image has it; empty if it has none."""
    if not shutil.which('git'):
        return ''
    return subprocess.run(['git', 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], cwd=TOP, capture_output=True,
                          text=True, check=False).stdout.strip()


def missing(archive, programs=('podman', 'runc')):
    """What containers of an archive need and is not here, in words; None: nothing."""
    goal, program = GOALS[archive]
    if not os.path.exists(archive):
        return f'no {archive}; "make {goal}" builds it'
    if not fresh(archive, program):
        return f'{archive} is older than {program}; "make {goal}" builds it anew'
    return containers.missing(programs)


def place_of(cls, *archives, programs=('podman', 'runc'), alone=False, begin=lambda place: place):
    """begin() with a Place for all tests of a class, which are skipped where containers cannot run; with CI set they fail."""
    reason = next(filter(None, (missing(archive, programs) for archive in archives)), None)
    if reason is None:
        place = Place(built(f'containers/{cls.__name__.lower()}'), alone)
        cls.addClassCleanup(place.close)
        try:
            return begin(place)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            reason = f'containers cannot run here: {error}'
    if os.environ.get('CI') and shutil.which('podman') and all(map(os.path.exists, archives)):
        raise AssertionError(reason)
    raise unittest.SkipTest(f'{cls.__name__}: {reason}')


class Archive:
    """An OCI archive with one image, or with an index of one for each processor."""

    def __init__(self, path, processor=None):
        self.tar = tarfile.open(path)
        (self.entry,) = json.load(self.tar.extractfile('index.json'))['manifests']
        self.digest, self.of_processor = self.entry['digest'], {}
        self.manifest = self.blob(self.digest)
        if 'manifests' in self.manifest:
            self.of_processor = {m['platform']['architecture']: m['digest'] for m in self.manifest['manifests']}
            self.digest = self.of_processor[processor]
            self.manifest = self.blob(self.digest)
        self.config = self.blob(self.manifest['config']['digest'])
        self.labels = self.config['config']['Labels']

    def close(self):
        self.tar.close()

    def raw(self, digest):
        return self.tar.extractfile('blobs/' + digest.replace(':', '/')).read()

    def blob(self, digest):
        return json.loads(self.raw(digest))

    def bytes_compressed(self):
        return sum(part['size'] for part in (*self.manifest['layers'], self.manifest['config']))

    def files(self):
        """{path: content} of all layers"""
        found = {}
        for layer in self.manifest['layers']:
            with tarfile.open(fileobj=io.BytesIO(self.raw(layer['digest']))) as content:
                found |= {m.name: content.extractfile(m).read() for m in content.getmembers() if m.isfile()}
        return found


class Container:
    """A container of an image, which runs under its limits and without a network."""
    numbers = itertools.count(1)

    def __init__(self, place, image, *options, command=()):
        self.place, self.name = place, f'mayfly-{next(self.numbers)}'
        place.podman('create', '--name', self.name, *LIMITS, *options, image, *command)
        self.t0 = time.monotonic()
        place.podman('start', self.name)
        self.started = time.monotonic()
        self.pid = int(place.podman('inspect', '--format', '{{.State.Pid}}', self.name))

    def connect(self, timeout_s=2):
        """A client within the container's network, once it has read a HEARTBEAT."""
        with InNetworkOf(self.pid):
            client = mavlink.Client('tcp', 5760)
        wait_until(lambda: any(m.name == 'HEARTBEAT' for m in client.read()), 'HEARTBEAT', timeout_s, pause_s=0.002)
        return client

    def status(self, path):
        """Of a request without a token to the address that a kubelet asks."""
        with InNetworkOf(self.pid):
            return http_client.ask(5759, 'GET', path)[0]

    def end(self, time_s):
        """@return its exit code"""
        self.place.podman('stop', '--time', str(time_s), self.name)
        return self.place.podman('inspect', '--format', '{{.State.ExitCode}}', self.name)
