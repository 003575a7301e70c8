# SPDX-License-Identifier: Apache-2.0
"""The container images: what they contain and say of themselves, and the drone under the limits it must live with.

Needs build/mayfly-image.tar (`make image`), build/mayfly-tools-image.tar (`make tools-image`), for other processors
build/mayfly-images.tar (`make dist`) and qemu-user-static; podman, runc and a machine that lets containers run. Where one of
them is missing its tests are skipped and say so; with CI set, podman installed and the image built, that is a failure.
"""
import contextlib
import ctypes
import hashlib
import http.client
import io
import json
import os
import re
import shutil
import ssl
import subprocess
import tarfile
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
import test_geoid
import mavlink

BUILD = os.environ.get('BUILD', 'build')
MAYFLY = os.path.join(BUILD, 'mayfly')
ARCHIVE = os.path.join(BUILD, 'mayfly-image.tar')
INDEX = os.path.join(BUILD, 'mayfly-images.tar')
TOOLS = os.path.join(BUILD, 'mayfly-tools-image.tar')
STORE = os.path.abspath(os.path.join(BUILD, 'containers'))
LABEL = 'org.opencontainers.image.'
LIMITS = ['--network', 'none', '--memory', '256m', '--cpus', '0.25', '--read-only', '--cap-drop', 'ALL', '--user', '65532',
          '--security-opt', 'no-new-privileges', '--ulimit', 'nofile=1024:1024',
          '--ulimit', 'nproc=1024:1024']
CLONE_NEWNET = 0x40000000


# Everything podman keeps lies under build/, nothing is left on the machine.
PODMAN = ['podman', '--root', f'{STORE}/test-root', '--runroot', f'{STORE}/test-run', '--storage-driver', 'vfs',
          '--cgroup-manager', 'cgroupfs', '--runtime', 'runc']


def podman(*arguments, check=True):
    done = subprocess.run([*PODMAN, *arguments], capture_output=True, text=True, timeout=120)
    if check and done.returncode != 0:
        raise RuntimeError(f'podman {" ".join(arguments)}: {done.stderr.strip()}')
    return done.stdout.strip()


def why_not(archive, goal):
    """What is missing here to run this image, or None."""
    if shutil.which('podman') is None or shutil.which('runc') is None:
        return 'podman and runc are not installed'
    if os.geteuid() != 0:
        return 'not root: the network of a container cannot be entered'
    if not os.path.exists(archive):
        return f'no {archive}; "make {goal}" builds it'
    return None


def image_of(archive, *options):
    """The image of an archive, among podman's."""
    return podman('pull', '--quiet', *options, f'oci-archive:{archive}').split()[-1]


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


def tearDownModule():
    if os.path.isdir(f'{STORE}/test-root'):
        podman('rmi', '--all', '--force', check=False)


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


def revision():
    """Of the tree, as the image has it; empty if it has none."""
    if not shutil.which('git'):
        return ''
    return subprocess.run(['git', 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], cwd=TOP, capture_output=True,
                          text=True, check=False).stdout.strip()


def of_debian(package):
    return subprocess.run(['dpkg-query', '-W', '-f', '${Version}', package], capture_output=True, text=True, check=True).stdout


class Container:
    """A container of an image, which runs under its limits and without a network."""

    def __init__(self, image, *options, command=()):
        self.name = f'mayfly-test-{os.getpid()}-{image[:8]}'
        podman('create', '--name', self.name, *LIMITS, *options, image, *command)
        self.t0 = time.monotonic()
        try:
            podman('start', self.name)
        except (RuntimeError, subprocess.TimeoutExpired):
            self.remove()
            raise
        self.started = time.monotonic()
        self.pid = int(podman('inspect', '--format', '{{.State.Pid}}', self.name))

    def remove(self):
        podman('rm', '--force', '--time', '0', self.name, check=False)

    def connect(self, timeout_s=2):
        """A client within the container's network, once it has read a HEARTBEAT."""
        with InNetworkOf(self.pid):
            client = mavlink.Client('tcp', 5760)
        wait_until(lambda: any(m.name == 'HEARTBEAT' for m in client.read()), timeout_s, 'HEARTBEAT')
        return client

    def status(self, path):
        """Of a request without a token to the address that a kubelet asks."""
        with InNetworkOf(self.pid):
            connection = http.client.HTTPConnection('127.0.0.1', 5759, timeout=5)
            connection.request('GET', path)
            status = connection.getresponse().status
            connection.close()
        return status


def fresh(archive, program):
    """Is the archive of the program that is built?"""
    return not os.path.exists(program) or os.path.getmtime(archive) >= os.path.getmtime(program)


def run_class(cls, archive, goal, program, start):
    """start() for all tests of a class, which are skipped where containers cannot run; with CI set they fail."""
    reason = why_not(archive, goal)
    if not reason:
        if not fresh(archive, program):
            raise unittest.SkipTest(f'{cls.__name__}: {archive} is older than {program}; "make {goal}" builds it anew')
        try:
            return start()
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            reason = f'containers cannot run here: {error}'
    if os.environ.get('CI') and shutil.which('podman') and os.path.exists(archive):
        raise AssertionError(reason)
    raise unittest.SkipTest(f'{cls.__name__}: {reason}')


@unittest.skipUnless(os.path.exists(ARCHIVE) and fresh(ARCHIVE, MAYFLY), f'{ARCHIVE} is not there or old; "make image" builds it')
class Content(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.archive = Archive(ARCHIVE)
        cls.addClassCleanup(cls.archive.close)
        cls.files = cls.archive.files()

    def test_name_and_configuration(self):
        self.assertEqual(self.archive.entry['annotations'][LABEL + 'ref.name'], 'localhost/mayfly:latest')
        config = self.archive.config['config']
        self.assertLessEqual({'MAYFLY_TCP=0.0.0.0:5760', 'MAYFLY_UDP=0.0.0.0:5760', 'MAYFLY_API=0.0.0.0:5759'}, set(config['Env']))
        self.assertEqual(set(config['ExposedPorts']), {'5759/tcp', '5760/tcp', '5760/udp'})
        self.assertEqual((config['User'], config['Entrypoint']), ('65532:65532', ['/mayfly']))

    def test_labels(self):
        version = subprocess.run([MAYFLY, '--version'], capture_output=True, text=True, check=True).stdout
        self.assertEqual('mayfly ' + self.archive.labels[LABEL + 'version'] + '\n', version)
        self.assertEqual(self.archive.labels[LABEL + 'title'], 'mayfly')
        self.assertIn('PX4', self.archive.labels[LABEL + 'description'])
        self.assertEqual(self.archive.labels[LABEL + 'licenses'],
                         'Apache-2.0 AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1 AND MIT AND LicenseRef-EGM96')
        if revision():
            self.assertRegex(self.archive.labels[LABEL + 'revision'], r'^[0-9a-f]{40}(-dirty)?$')
        self.assertFalse([name for name in self.archive.labels if not name.startswith(LABEL)], 'whose are these?')

    def test_sim009_sim010_nothing_but_the_binary_and_its_list(self):
        self.assertEqual(sorted(self.files), ['mayfly', 'mayfly.spdx.json'])

    @unittest.skipUnless(shutil.which('dpkg'), 'the packages of Debian are not here')
    def test_list_of_contents(self):
        text = self.files['mayfly.spdx.json']
        with open(ARCHIVE.replace('.tar', '.spdx.json'), 'rb') as f:
            self.assertEqual(f.read(), text)
        listed = json.loads(text)
        self.assertEqual(listed['spdxVersion'], 'SPDX-2.3')
        packages = {p['name']: p for p in listed['packages']}
        compiler = next(name for name in packages if name.startswith('libgcc-'))
        self.assertEqual(sorted(packages), sorted(['mayfly', 'EGM96 geoid grid', 'libc6-dev', 'libhttp-parser-dev', 'libyaml-dev',
                                                   compiler]))
        for name in ('libc6-dev', 'libhttp-parser-dev', 'libyaml-dev', compiler):
            self.assertEqual(packages[name]['versionInfo'], of_debian(name))
            self.assertIn(f'/{name}@', packages[name]['externalRefs'][0]['referenceLocator'])
            self.assertIn('opyright', packages[name]['attributionTexts'][0])
        self.assertEqual(packages['EGM96 geoid grid']['versionInfo'], of_debian('proj-data'))
        self.assertEqual(packages['mayfly']['checksums'], [{'algorithm': 'SHA256',
                                                            'checksumValue': hashlib.sha256(self.files['mayfly']).hexdigest()}])
        # every identifier that is used is defined, once
        known = [e['SPDXID'] for e in (listed, *listed['packages'])]
        self.assertEqual(len(known), len(set(known)))
        used = {r[end] for r in listed['relationships'] for end in ('spdxElementId', 'relatedSpdxElement')}
        self.assertEqual(used, set(known))


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.container = run_class(cls, ARCHIVE, 'image', MAYFLY, lambda: Container(image_of(ARCHIVE)))
        cls.addClassCleanup(cls.container.remove)
        cls.pid = cls.container.pid

    def test_1_sim013_accepts_mavlink_within_a_second(self):
        client = wait_until(self.container.connect, 1.5, 'HEARTBEAT after the start of the container')
        seconds = time.monotonic() - self.container.t0
        client.close()
        print(f'figure: HEARTBEAT {seconds:.3f} s after "podman start" was typed, '
              f'which itself took {self.container.started - self.container.t0:.3f} s')
        self.assertLessEqual(seconds, 1.5)

    def test_2_sim011_image_is_small(self):
        size = os.path.getsize(ARCHIVE)
        print(f'figure: image of {size} bytes compressed')
        self.assertLessEqual(size, 2_000_000)

    def test_3_sim012_lives_within_its_limits(self):
        client = self.container.connect()
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

    def test_4_a_kubelet_can_ask_and_strangers_learn_no_more(self):
        wait_until(lambda: self.container.status('/readyz') == 200, 5, '/readyz answers 200')
        self.assertEqual([self.container.status(path) for path in ('/', '/healthz', '/metrics')], [200] * 3)
        self.assertEqual(self.container.status('/v1/vehicle'), 403)

    def test_5_runs_as_nobody_without_rights(self):
        with open(f'/proc/{self.pid}/status', encoding='ascii') as f:
            status = dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)
        self.assertEqual(status['Uid'].split(), ['65532'] * 4)
        self.assertEqual(int(status['CapEff'], 16), 0)
        self.assertEqual(status['NoNewPrivs'], '1')

    def test_6_ends_at_once_and_cleanly(self):
        t0 = time.monotonic()
        podman('stop', '--time', '5', self.container.name)
        seconds = time.monotonic() - t0
        print(f'figure: ended {seconds:.3f} s after "podman stop" was typed')
        self.assertLess(seconds, 2.0)
        self.assertEqual(podman('inspect', '--format', '{{.State.ExitCode}}', self.container.name), '0')


class Foreign:
    """The index, and its image for another processor in qemu-user."""

    @classmethod
    def setUpClass(cls):
        qemu = shutil.which(f'qemu-{cls.QEMU}-static')
        if not qemu:
            raise unittest.SkipTest(f'{cls.__name__}: qemu-{cls.QEMU}-static is not here; "make nightly" installs it')
        if os.path.exists(INDEX):
            with contextlib.closing(Archive(INDEX, 'amd64')) as archive:
                if cls.PROCESSOR not in archive.of_processor:
                    raise unittest.SkipTest(f'{cls.__name__}: {INDEX} has no {cls.PROCESSOR}; "make dist" builds it for all')
        options = ['--volume', f'{qemu}:/qemu:ro', '--entrypoint', '["/qemu", "/mayfly"]']
        cls.container = run_class(cls, INDEX, 'images', os.path.join(BUILD, cls.PROCESSOR, 'mayfly'),
                                  lambda: Container(image_of(INDEX, '--arch', cls.PROCESSOR), *options))
        cls.addClassCleanup(cls.container.remove)
        cls.archive = Archive(INDEX, cls.PROCESSOR)
        cls.addClassCleanup(cls.archive.close)

    def test_1_it_flies_in_qemu(self):
        client = wait_until(lambda: self.container.connect(10), 20, 'HEARTBEAT')
        client.close()
        print(f'figure: {self.PROCESSOR} in qemu: HEARTBEAT {time.monotonic() - self.container.t0:.3f} s after "podman start" was typed')
        wait_until(lambda: self.container.status('/readyz') == 200, 20, '/readyz answers 200')

    def test_2_ends_cleanly(self):
        podman('stop', '--time', '10', self.container.name)
        self.assertEqual(podman('inspect', '--format', '{{.State.ExitCode}}', self.container.name), '0')

    def test_3_the_index_has_all_and_the_same_image_for_this_machine(self):
        self.assertEqual(sorted(self.archive.of_processor), ['amd64', 'arm64', 'riscv64'])
        self.assertEqual(self.archive.config['architecture'], self.PROCESSOR)
        alone = Archive(ARCHIVE)
        self.addCleanup(alone.close)
        if alone.labels.get(LABEL + 'revision') == self.archive.labels.get(LABEL + 'revision') == revision():
            self.assertEqual(self.archive.of_processor[alone.config['architecture']], alone.digest)
        for config in (self.archive.config['config'], alone.config['config']):
            config['Labels'].pop(LABEL + 'revision', None)
            config['Labels'][LABEL + 'licenses'] = sorted(config['Labels'][LABEL + 'licenses'].split(' AND '))
        self.assertEqual(self.archive.config['config'], alone.config['config'])

    def test_4_sim011_is_small(self):
        print(f'figure: image for {self.PROCESSOR} of {self.archive.bytes_compressed()} bytes compressed')
        self.assertLessEqual(self.archive.bytes_compressed(), 2_000_000)

    def test_5_is_of_debians_libraries_for_it(self):
        files = self.archive.files()
        self.assertEqual(files['mayfly'][18:20], self.MACHINE)
        listed = {p['name']: p for p in json.loads(files['mayfly.spdx.json'])['packages']}
        for name in self.LIBRARIES:
            self.assertIn(f'?arch={self.PACKAGED}&', listed[name]['externalRefs'][0]['referenceLocator'])


class Arm64(Foreign, unittest.TestCase):
    PROCESSOR, QEMU, MACHINE = 'arm64', 'aarch64', b'\xb7\0'  # EM_AARCH64
    LIBRARIES, PACKAGED = ('libc6-dev', 'libyaml-dev', 'libhttp-parser-dev'), 'arm64'


class Riscv64(Foreign, unittest.TestCase):
    PROCESSOR, QEMU, MACHINE = 'riscv64', 'riscv64', b'\xf3\0'  # EM_RISCV
    LIBRARIES, PACKAGED = ('libyaml', 'http-parser'), 'source'


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.image = run_class(cls, TOOLS, 'tools-image', os.path.join(BUILD, 'geoid'), lambda: image_of(TOOLS))
        cls.archive = Archive(TOOLS)
        cls.addClassCleanup(cls.archive.close)
        cls.files = cls.archive.files()

    def run_in(self, *command, options=()):
        """What a program in the container prints, which must not complain."""
        done = subprocess.run([*PODMAN, 'run', '--rm', *LIMITS, *options, self.image, *command], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''), command)
        return done.stdout

    def test_each_program_runs(self):
        programs = [os.path.basename(name) for name in self.files if name.startswith('usr/bin/')]
        self.assertGreaterEqual(set(programs), {'geoid', 'elevation', 'fly'})
        for program in programs:
            self.assertIn(f'usage: {program}', self.run_in(program, '--help'))
        self.assertEqual(self.run_in('geoid', 'at', '47.3769,8.5417'),
                         subprocess.run([os.path.join(BUILD, 'geoid'), 'at', '47.3769,8.5417'], capture_output=True, text=True,
                                        check=True).stdout)

    def test_a_pack_that_needs_projs_database(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            test_geoid.noaa_bin(os.path.join(folder, 'g2018u3.bin'))
            made = self.run_in('geoid', 'pack', '--out', 'navd88.mfpk', 'g2018u3.bin', options=['--volume', f'{folder}:/data'])
            self.assertRegex(made, r'frame +itrf2014')
            self.assertTrue(os.path.exists(os.path.join(folder, 'navd88.mfpk')))

    def test_elevation_serves_and_geoid_fetches_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            service = Container(self.image, '--add-host', 'planner.test:127.0.0.1', '--volume', f'{folder}:/data',
                                command=['elevation', '--listen', '0.0.0.0:8089'])
            self.addCleanup(service.remove)
            podman('exec', service.name, 'geoid', 'fetch', 'http://planner.test:8089', '--model', 'egm96', '--cache', 'none')
            self.assertGreater(os.path.getsize(os.path.join(folder, 'egm96.pack')), 900_000)

    def test_certificates_are_debians(self):
        bundle = self.files['etc/ssl/certs/ca-certificates.crt'].decode()
        context = ssl.create_default_context(cadata=bundle)
        self.assertGreater(len(context.get_ca_certs()), 100)
        packaged = '/usr/share/ca-certificates/mozilla'
        self.assertEqual(bundle.count('BEGIN CERTIFICATE'), len(os.listdir(packaged)), 'those of this machine are not for others')

    def test_list_of_contents(self):
        listed = json.loads(self.files['mayfly-tools.spdx.json'])
        versions = {p['name']: p['versionInfo'] for p in listed['packages']}
        for package in ('libproj25', 'libcurl4', 'libmicrohttpd12', 'libjansson4', 'libc6', 'ca-certificates'):
            self.assertEqual(versions[package], of_debian(package))
        texts = {i['licenseId'] for i in listed['hasExtractedLicensingInfos']}
        self.assertEqual({p['licenseDeclared'] for p in listed['packages'] if p['licenseDeclared'].startswith('LicenseRef')}, texts)

    def test_nothing_but_programs_libraries_and_data(self):
        strangers = [name for name in self.files if not re.fullmatch(
            r'usr/bin/[\w-]+|(usr/)?lib(64)?/([\w-]+/)?[\w.+-]+\.so[.\d]*|etc/ssl/certs/ca-certificates\.crt'
            r'|usr/share/proj/proj\.db|mayfly-tools\.spdx\.json', name)]
        self.assertEqual(strangers, [])
