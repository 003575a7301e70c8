# SPDX-License-Identifier: Apache-2.0
"""The container images: what they contain and say of themselves, and the drone under the limits it must live with.

Needs build/mayfly-image.tar (`make image`), build/mayfly-tools-image.tar (`make tools-image`), for other processors
build/mayfly-images.tar (`make dist`) and qemu-user-static; podman, runc and a machine that lets containers run. Where one of
them is missing its tests are skipped and say so; with CI set, podman installed and the image built, that is a failure.
"""
import contextlib
import hashlib
import json
import os
import re
import shutil
import ssl
import subprocess
import tempfile
import time
import unittest

from geoid_case import noaa_bin
from images import IMAGE, INDEX, LABEL, LIMITS, TOOLS, Archive, Container, fresh, place_of, revision
from paths import GEOID, MAYFLY
from waiting import wait_until


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


def of_debian(package):
    return subprocess.run(['dpkg-query', '-W', '-f', '${Version}', package], capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(os.path.exists(IMAGE) and fresh(IMAGE, MAYFLY), f'no {IMAGE}, or an old one; "make image" builds it')
class Content(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.archive = Archive(IMAGE)
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

    @unittest.skipUnless(shutil.which('dpkg'), 'no dpkg, which knows the versions of libraries: run it on Debian')
    def test_list_of_contents(self):
        text = self.files['mayfly.spdx.json']
        with open(IMAGE.replace('.tar', '.spdx.json'), 'rb') as f:
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
        def begin(place):
            image = place.pull(IMAGE)
            return place, image, Container(place, image)
        cls.place, cls.image, cls.container = place_of(cls, IMAGE, begin=begin)
        cls.pid = cls.container.pid

    def test_1_sim013_accepts_mavlink_within_a_second(self):
        container = Container(self.place, self.image)
        client = wait_until(container.connect, 'HEARTBEAT after the start of the container', 1.5, pause_s=0.002)
        seconds = time.monotonic() - container.t0
        client.close()
        print(f'figure: HEARTBEAT {seconds:.3f} s after "podman start" was typed, '
              f'which itself took {container.started - container.t0:.3f} s')
        self.assertLessEqual(seconds, 1.5)

    def test_2_sim011_image_is_small(self):
        size = os.path.getsize(IMAGE)
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
        wait_until(lambda: self.container.status('/readyz') == 200, '/readyz answers 200')
        self.assertEqual([self.container.status(path) for path in ('/', '/healthz', '/metrics')], [200] * 3)
        self.assertEqual(self.container.status('/v1/vehicle'), 403)

    def test_5_runs_as_nobody_without_rights(self):
        with open(f'/proc/{self.pid}/status', encoding='ascii') as f:
            status = dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)
        self.assertEqual(status['Uid'].split(), ['65532'] * 4)
        self.assertEqual(int(status['CapEff'], 16), 0)
        self.assertEqual(status['NoNewPrivs'], '1')

    def test_6_ends_at_once_and_cleanly(self):
        container = Container(self.place, self.image)
        t0 = time.monotonic()
        self.assertEqual(container.end(5), '0')
        seconds = time.monotonic() - t0
        print(f'figure: ended {seconds:.3f} s after "podman stop" was typed')
        self.assertLess(seconds, 2.0)


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

        def begin(place):
            image = place.pull(INDEX, '--arch', cls.PROCESSOR)
            cls.start = lambda self: Container(place, image, *options)
            cls.start(None)
        place_of(cls, INDEX, begin=begin)
        cls.archive = Archive(INDEX, cls.PROCESSOR)
        cls.addClassCleanup(cls.archive.close)

    def test_1_it_flies_in_qemu(self):
        container = self.start()
        wait_until(lambda: container.connect(10), 'HEARTBEAT').close()
        print(f'figure: {self.PROCESSOR} in qemu: HEARTBEAT {time.monotonic() - container.t0:.3f} s after "podman start" was typed')
        wait_until(lambda: container.status('/readyz') == 200, '/readyz answers 200')

    def test_2_ends_cleanly(self):
        container = self.start()
        wait_until(lambda: container.connect(10), 'HEARTBEAT').close()
        self.assertEqual(container.end(10), '0')

    def test_3_the_index_has_all_and_the_same_image_for_this_machine(self):
        self.assertEqual(sorted(self.archive.of_processor), ['amd64', 'arm64', 'riscv64'])
        self.assertEqual(self.archive.config['architecture'], self.PROCESSOR)
        alone = Archive(IMAGE)
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
        cls.place, cls.image = place_of(cls, TOOLS, begin=lambda place: (place, place.pull(TOOLS)))
        cls.archive = Archive(TOOLS)
        cls.addClassCleanup(cls.archive.close)
        cls.files = cls.archive.files()

    def run_in(self, *command, options=()):
        """What a program in the container prints, which must not complain."""
        done = subprocess.run(['podman', 'run', '--rm', *LIMITS, *options, self.image, *command], capture_output=True, text=True,
                              timeout=60, check=False, env=self.place.env)
        self.assertEqual((done.returncode, done.stderr), (0, ''), command)
        return done.stdout

    def test_each_program_runs(self):
        programs = [os.path.basename(name) for name in self.files if name.startswith('usr/bin/')]
        self.assertGreaterEqual(set(programs), {'geoid', 'elevation', 'fly'})
        for program in programs:
            self.assertIn(f'usage: {program}', self.run_in(program, '--help'))
        self.assertEqual(self.run_in('geoid', 'at', '47.3769,8.5417'),
                         subprocess.run([GEOID, 'at', '47.3769,8.5417'], capture_output=True, text=True, check=True).stdout)

    def test_a_pack_that_needs_projs_database(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            noaa_bin(os.path.join(folder, 'g2018u3.bin'))
            made = self.run_in('geoid', 'pack', '--out', 'navd88.mfpk', 'g2018u3.bin', options=['--volume', f'{folder}:/data'])
            self.assertRegex(made, r'frame +itrf2014')
            self.assertTrue(os.path.exists(os.path.join(folder, 'navd88.mfpk')))

    def test_elevation_serves_and_geoid_fetches_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            service = Container(self.place, self.image, '--add-host', 'planner.test:127.0.0.1', '--volume', f'{folder}:/data',
                                command=['elevation', '--listen', '0.0.0.0:8089'])
            self.place.podman('exec', service.name, 'geoid', 'fetch', 'http://planner.test:8089', '--model', 'egm96', '--cache', 'none')
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
