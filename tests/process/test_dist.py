# SPDX-License-Identifier: Apache-2.0
"""make dist: what a release consists of, for each processor that it was made for, flown in qemu-user where that is another one.

Needs build/dist (`make dist`; DIST_ARCHS=amd64 in CI, all in `make nightly`). With DIST=yes, which .ci/run sets, the slow ones run,
too: a second build elsewhere has the same checksums, and a wheel in an empty environment (pip fetches pytest) flies.
"""
import base64
import contextlib
import csv
import functools
import glob
import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import socketserver
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest
import urllib.request
import zipfile

import pytest

import containers
from names import assert_names
from paths import MAYFLY, TOP, built
from programs import needs
from waiting import listens_at, wait_until

try:
    import yaml
except ImportError:
    yaml = None

import documents
import figures
import images

DIST = built('dist')
needs_yaml = unittest.skipUnless(yaml, 'no PyYAML: "apt-get install python3-yaml" installs it')
SLOW = os.environ.get('DIST') == 'yes'
PROGRAMS = ['conform', 'fly', 'mayfly', 'mayfly-swarm', 'replay']
PLOT = 'mayfly-swarm-plot'  # in Python
LIBRARY = 'libmayflytime.so'     # of virtual time
# processor: number in an ELF header, what qemu and Python call it
PROCESSORS = {'amd64': (62, 'x86_64'), 'arm64': (183, 'aarch64'), 'riscv64': (243, 'riscv64')}
HERE = {'x86_64': 'amd64', 'aarch64': 'arm64', 'riscv64': 'riscv64'}.get(os.uname().machine)
PT_INTERP = 3


def slow(what):
    """Minutes, which call() watches."""
    skipped = unittest.skipUnless(SLOW, f'it takes {what}: DIST=yes makes it')
    return lambda test: pytest.mark.timeout(1800)(skipped(test))


def call(*argv, **more):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=600, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f'{" ".join(argv)}: {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def version():
    return call(MAYFLY, '--version').split()[1]


def segments(program):
    """Machine of an ELF program of 64 bits, little-endian, and the types of its segments."""
    at, = struct.unpack_from('<Q', program, 32)
    size, count = struct.unpack_from('<HH', program, 54)
    return struct.unpack_from('<H', program, 18)[0], [struct.unpack_from('<I', program, at + i * size)[0] for i in range(count)]


@unittest.skipUnless(os.path.exists(f'{DIST}/SHA256SUMS') and images.fresh(f'{DIST}/SHA256SUMS', MAYFLY),
                     f'no {DIST}, or an old one; "make dist" builds it')
class Dist(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.processors = [p for p in PROCESSORS if os.path.exists(f'{DIST}/mayfly-linux-{p}.tar.gz')]
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix='mayfly-dist-'))
        for processor in cls.processors:
            with tarfile.open(f'{DIST}/mayfly-linux-{processor}.tar.gz') as tar:
                tar.extractall(os.path.join(cls.folder, processor))
            # one way to start them all, as find_binary() and exec know it
            for program in PROGRAMS:
                qemu = shutil.which(f'qemu-{PROCESSORS[processor][1]}-static')
                path = os.path.join(cls.folder, f'{program}-{processor}')
                with open(path, 'w', encoding='ascii') as f:
                    f.write(f'#!/bin/sh\nexec {"" if processor == HERE else qemu} {cls.program(processor, program)} "$@"\n')
                os.chmod(path, 0o755)

    @classmethod
    def program(cls, processor, name):
        return os.path.join(cls.folder, processor, 'mayfly', 'bin', name)

    @staticmethod
    def sums(folder):
        """{file: checksum}"""
        with open(f'{folder}/SHA256SUMS', encoding='ascii') as f:
            return dict(line.rstrip('\n').split('  ')[::-1] for line in f)

    def library(self, processor):
        return os.path.join(self.folder, processor, 'mayfly', 'lib', 'mayfly', LIBRARY)

    def content(self, processor, name):
        with open(self.program(processor, name), 'rb') as f:
            return f.read()

    def runnable(self):
        for processor in self.processors:
            if processor == HERE or shutil.which(f'qemu-{PROCESSORS[processor][1]}-static'):
                yield processor
            else:
                print(f'skipped: {processor} is not flown: qemu-user-static is not here; "make nightly" installs it')

    def test_checksums_are_of_all_files(self):
        sums = self.sums(DIST)
        self.assertEqual(sorted(sums), sorted(set(os.listdir(DIST)) - {'SHA256SUMS'}))
        for name, wanted in sums.items():
            with open(os.path.join(DIST, name), 'rb') as f:
                self.assertEqual(hashlib.sha256(f.read()).hexdigest(), wanted, name)

    def test_sim009_programs_are_static_and_of_their_processor(self):
        self.assertIn('amd64', self.processors)
        for processor in self.processors:
            self.assertEqual(sorted(os.listdir(os.path.dirname(self.program(processor, '')))), sorted([*PROGRAMS, PLOT]))
            for name in PROGRAMS:
                machine, kinds = segments(self.content(processor, name))
                self.assertEqual(machine, PROCESSORS[processor][0], (processor, name))
                self.assertNotIn(PT_INTERP, kinds, (processor, name))

    def test_release_notes_are_of_this_version(self):
        changes = pathlib.Path(TOP, 'CHANGELOG.md').read_text(encoding='utf-8')
        section = re.search(rf'(?ms)^## {re.escape(version())} [^\n]*\n(.*?)(?=^## |\Z)', changes)[1]
        self.assertEqual(pathlib.Path(DIST, 'RELEASE_NOTES.md').read_text(encoding='utf-8').split(), section.split())

    def test_archives_tell_nothing_of_the_machine_that_made_them(self):
        for processor in self.processors:
            with tarfile.open(f'{DIST}/mayfly-linux-{processor}.tar.gz') as tar:
                members = tar.getmembers()
            names = [m.name for m in members]
            self.assertEqual({(m.uid, m.gid, m.uname, m.gname) for m in members}, {(0, 0, '', '')})
            self.assertEqual(len({m.mtime for m in members}), 1)
            self.assertEqual(names, sorted(names, key=lambda name: name.split('/')))
            for path in ('share/man/man1/mayfly.1', 'share/bash-completion/completions/mayfly', 'share/zsh/site-functions/_mayfly',
                         'share/doc/mayfly/LICENSE', 'share/doc/mayfly/mayfly.spdx.json', 'share/doc/mayfly/fly.spdx.json'):
                self.assertIn(f'mayfly/{path}', names)
            self.assertIn(f'mayfly/lib/mayfly/{LIBRARY}', names)

    def test_the_library_of_virtual_time_is_of_its_processor_and_needs_glibc_alone(self):
        for processor in self.processors:
            path = self.library(processor)
            with open(path, 'rb') as f:
                self.assertEqual(segments(f.read())[0], PROCESSORS[processor][0])
            tags = call('readelf', '--dynamic', '--wide', path)
            self.assertLessEqual(set(re.findall(r'\(NEEDED\).*\[(.+?)\]', tags)), {'libc.so.6', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1',
                                                                                        'ld-linux-riscv64-lp64d.so.1'})
            self.assertNotIn('RUNPATH', tags)
            needs = re.findall(r'GLIBC_2\.(\d+)\b', call('readelf', '--version-info', '--wide', path))
            self.assertLessEqual(max(map(int, needs)), 34, 'docs/virtual-time.md says 2.34')

    def waits_in_virtual_time(self, mayfly):
        """A program of Python sleeps for an hour, on a clock that begins at the date of such runs."""
        told = call(mayfly, 'exec', '--virtual', '--log-level', 'warning', '--', sys.executable, '-S', '-c',
                    'import time; time.sleep(3600); print(round(time.time()))', cwd='/', env={'PATH': '/usr/bin:/bin'})
        self.assertEqual(told, f'{1767225600 + 3600}\n')     # 2026-01-01 01:00

    def test_the_archive_has_virtual_time(self):
        self.waits_in_virtual_time(self.program(HERE, 'mayfly'))

    def test_programs_of_each_processor_join_the_time_of_this_machines_drone(self):
        source, world = os.path.join(self.folder, 'waits.c'), os.path.join(self.folder, 'world')
        pathlib.Path(source).write_text('#include <poll.h>\n#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\n'
                                        'int main(void) { time_t t = time(NULL); sleep(3600); poll(NULL, 0, 2500); sleep(1); '
                                        'printf("%d\\n", (int)(time(NULL) - t)); return 0; }\n', encoding='ascii')
        for processor in self.runnable():
            name = PROCESSORS[processor][1]
            root, qemu, compiler = ('/', [], 'gcc') if processor == HERE else \
                (f'/usr/{name}-linux-gnu', [f'qemu-{name}-static', '-L', f'/usr/{name}-linux-gnu'], f'{name}-linux-gnu-gcc')
            if not os.path.exists(f'{root}/lib') or not shutil.which(compiler):
                print(f'skipped: {processor} is not asked: no {compiler}; "make nightly" installs it')
                continue
            call(compiler, source, '-o', f'{source}.{processor}')
            drone = subprocess.Popen([MAYFLY, '--free-ports', '--virtual-socket', world, '--log-level', 'warning'])
            try:
                wait_until(lambda: listens_at(world), 'the drone listens')
                env = {'LD_PRELOAD': self.library(processor), 'MAYFLY_TIME_WORLD': world}
                if qemu:
                    qemu += [word for pair in env.items() for word in ('-E', '='.join(pair))]
                self.assertEqual(call(*qemu, f'{source}.{processor}', env={'PATH': os.environ['PATH'], **({} if qemu else env)}), '3603\n', processor)
            finally:
                drone.terminate()
                drone.wait()

    def test_the_swarm_of_an_archive_flies(self):
        scenario = os.path.join(TOP, 'examples/scenarios/ring.yaml')
        told = {processor: call(os.path.join(self.folder, f'mayfly-swarm-{processor}'), scenario, '--out', self.folder, cwd='/') for processor in self.runnable()}
        for processor, text in told.items():
            self.assertRegex(text, r'vehicles +50\D+50\D+50\D', processor)
        self.assertEqual(len({re.search(r'(?m)^hash +(\S+)', text)[1] for text in told.values()}), 1, 'one hash on all processors')

    def test_each_flies_and_repeats_the_flight_of_this_machine(self):
        """A recording that this machine's drone made is flown again by the others, byte for byte; then they make one themselves."""
        recording = os.path.join(self.folder, 'here.mfr')
        self.fly(HERE, recording)
        for processor in self.runnable():
            again = os.path.join(self.folder, f'{processor}.mfr')
            self.fly(processor, again)
            replay, conform = (os.path.join(self.folder, f'{name}-{processor}') for name in ('replay', 'conform'))
            for file in (recording, again):
                self.assertRegex(call(replay, '--conform', conform, file), r': equal: \d+ records')

    def fly(self, processor, recording):
        drone, ground = (os.path.join(self.folder, f'{name}-{processor}') for name in ('mayfly', 'fly'))
        said = call(drone, 'exec', '--clock', 'event', '--record', recording, '--', 'sh', '-c', f'{ground} "$MAYFLY_PYMAVLINK_URL"')
        self.assertIn('disarmed', said)

    @needs('dpkg-deb', 'dpkg')
    def test_debian_packages(self):
        for processor in self.processors:
            deb = f'{DIST}/mayfly_{version()}_{processor}.deb'
            fields = dict(line.split(': ', 1) for line in call('dpkg-deb', '--field', deb).splitlines() if not line.startswith(' '))
            self.assertEqual((fields['Package'], fields['Version'], fields['Architecture']), ('mayfly', version(), processor))
            self.assertNotIn('Depends', fields)
            root = os.path.join(self.folder, f'deb-{processor}')
            call('dpkg-deb', '--raw-extract', deb, root)
            for name in PROGRAMS:
                with open(os.path.join(root, 'usr/bin', name), 'rb') as f:
                    self.assertEqual(f.read(), self.content(processor, name))
            self.assertTrue(os.path.exists(f'{root}/usr/share/man/man1/mayfly.1.gz'))
            self.assertTrue(os.path.exists(f'{root}/usr/share/doc/mayfly/copyright'))
            if processor == HERE:
                self.waits_in_virtual_time(f'{root}/usr/bin/mayfly')
            call('md5sum', '--check', '--quiet', 'DEBIAN/md5sums', cwd=root)
            self.assertEqual({line.split()[1] for line in call('dpkg-deb', '--contents', deb).splitlines()}, {'root/root'})

    def wheel(self, processor):
        path, = glob.glob(f'{DIST}/pytest_mayfly-*{PROCESSORS[processor][1]}.whl')
        return path

    def test_wheels_have_the_programs_in_them(self):
        for processor in self.processors:
            name = PROCESSORS[processor][1]
            path = self.wheel(processor)
            self.assertEqual(os.path.basename(path),
                             f'pytest_mayfly-{version()}-py3-none-manylinux_2_17_{name}.musllinux_1_1_{name}.whl')
            info = f'pytest_mayfly-{version()}.dist-info/'
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
                for row in csv.reader(io.StringIO(archive.read(info + 'RECORD').decode())):
                    if row[1]:
                        digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(row[0])).digest()).decode().rstrip('=')
                        self.assertEqual(row[1:], [f'sha256={digest}', str(len(archive.read(row[0])))])
                    names.remove(row[0])
                self.assertEqual(names, [], 'not in RECORD')
                for program in PROGRAMS:
                    entry = archive.getinfo(f'pytest_mayfly/bin/{program}')
                    self.assertEqual(entry.external_attr >> 16, 0o100755)
                    self.assertEqual(archive.read(entry), self.content(processor, program))
                self.assertIn(f'pytest_mayfly/bin/{LIBRARY}', archive.namelist())
                self.assertIn(f'Tag: py3-none-musllinux_1_1_{name}\n', archive.read(info + 'WHEEL').decode())
                self.assertIn('[console_scripts]\nmayfly = mayfly.__main__:main\n', archive.read(info + 'entry_points.txt').decode())
                self.assertIn('[pytest11]\nmayfly = pytest_mayfly.plugin\n', archive.read(info + 'entry_points.txt').decode())
                self.assertEqual(json.loads(archive.read(info + 'sboms/mayfly.spdx.json'))['name'], 'mayfly')

    def test_pip_chooses_the_wheel_of_a_platform(self):
        for processor in self.processors if SLOW else self.processors[:1]:
            for platform in ('manylinux_2_17', 'musllinux_1_1'):
                with tempfile.TemporaryDirectory() as folder:
                    call(sys.executable, '-m', 'pip', '--disable-pip-version-check', 'download', '--quiet', '--no-deps', '--no-index', '--find-links', DIST,
                         '--platform', f'{platform}_{PROCESSORS[processor][1]}', '--only-binary', ':all:', '-d', folder, 'pytest-mayfly')
                    self.assertEqual(os.listdir(folder), [os.path.basename(self.wheel(processor))])

    def test_images_have_the_same_programs(self):
        for processor in self.processors:
            with contextlib.closing(images.Archive(f'{DIST}/mayfly-image.tar', processor)) as archive:
                self.assertEqual(sorted(archive.of_processor), self.processors)
                self.assertEqual(archive.config['architecture'], processor)
                self.assertEqual(archive.labels[images.LABEL + 'version'], version())
                files = archive.files()
            self.assertEqual(files['mayfly'], self.content(processor, 'mayfly'))
            with open(f'{DIST}/mayfly-linux-{processor}.spdx.json', 'rb') as f:
                self.assertEqual(f.read(), files['mayfly.spdx.json'])

    @slow('a second storage of podman')
    @unittest.skipIf(images.missing(images.INDEX), images.missing(images.INDEX))
    def test_podman_loads_the_image_of_this_machine(self):
        place = containers.Place(built('containers/dist'), alone=False)
        self.addCleanup(place.close)
        place.podman('load', '--input', f'{DIST}/mayfly-image.tar')
        self.assertEqual(place.podman('image', 'inspect', '--format', '{{.Architecture}}', 'localhost/mayfly'), HERE)

    @slow('a second build')
    def test_two_builds_have_one_digest(self):
        """The second one is compiled from the same sources elsewhere, by another umask, at another time."""
        tree = os.path.join(self.folder, 'tree')
        shutil.copytree(TOP, tree, ignore=lambda path, names: [n for n in names if path == TOP and (n == '.git' or n.startswith('build'))])
        env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'BUILD', 'CI')}
        env['CCACHE_DISABLE'] = '1'  # objects of the first build would prove nothing
        if images.revision():
            env |= {'GIT_DIR': call('git', 'rev-parse', '--absolute-git-dir', cwd=TOP).strip(), 'GIT_WORK_TREE': TOP}
        call('make', '-s', 'DEPS=no', 'dist', f'DIST_ARCHS={" ".join(self.processors)}', cwd=tree, env=env, umask=0o077)
        first, again = self.sums(DIST), self.sums(f'{tree}/build/dist')
        self.assertEqual([name for name in first if again.get(name) != first[name]], [])
        self.assertEqual(sorted(again), sorted(first))
        print(f'figure: two builds for {", ".join(self.processors)}, one digest of each of {len(first)} files')

    @slow('an environment of its own, with pytest of PyPI')
    def test_the_page_of_installing_is_true_and_a_wheel_flies(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('MAYFLY', 'PYTEST_', 'PYTHON', 'PIP_NO'))}
        for name in os.listdir(DIST):
            os.symlink(os.path.join(DIST, name), os.path.join(self.folder, name))
        example, = documents.examples('docs/install.md', kind='python')
        pathlib.Path(self.folder, 'test_first.py').write_text(example + (
            '\ndef test_inside(mayfly):\n    import mayfly as module\n'
            '    assert mayfly.binary == module.find_binary()\n'
            '    assert mayfly.binary.endswith("/site-packages/pytest_mayfly/bin/mayfly")\n'
            '\ndef test_fails(mayfly):\n    assert mayfly.vehicle() is None\n'), encoding='utf-8')
        make, install = documents.commands('docs/install.md', 'The wheel, for Python')
        call('sh', '-ec', make, cwd=self.folder, env=env)
        begin = time.monotonic()
        call('sh', '-ec', install, cwd=self.folder, env=env)
        first = subprocess.run(['venv/bin/pytest', '-q', '-p', 'no:cacheprovider', 'test_first.py'], cwd=self.folder, env=env,
                               capture_output=True, text=True, timeout=600, check=False)
        print()
        figures.Figures().add('wheel.flight', time.monotonic() - begin, 's')
        self.assertIn('1 failed, 2 passed', first.stdout, first.stderr)
        for heading in ('The program', 'What is in it'):
            for line in documents.commands('docs/install.md', heading):
                call('sh', '-ec', line, cwd=self.folder, env=env)
        # the failed one's flight, by the replay of the wheel, as its line is printed
        left, = glob.glob(f'{self.folder}/mayfly-failures/*/drone1.txt')
        line, = re.findall(r'^.*pytest_mayfly/bin/replay .*$', pathlib.Path(left).read_text(encoding='utf-8'), re.M)
        call('sh', '-c', line.strip(), cwd=self.folder, env=env)
        # the command is the program, whatever MAYFLY and the PATH name
        command = os.path.join(self.folder, 'venv/bin/mayfly')
        self.assertEqual(call(command, '--version', env=dict(env, MAYFLY=command)), f'mayfly {version()}\n')
        self.assertEqual(call('venv/bin/python', '-m', 'mayfly', '--version', env=env, cwd=self.folder), f'mayfly {version()}\n')
        self.waits_in_virtual_time(command)


class ReleaseNotes(unittest.TestCase):
    """ci/dist.sh in a tree of three files, for no processor: notes and an empty image."""

    def dist(self, changes):
        """Exit code, error text, and the folder of the products."""
        tree = self.enterContext(tempfile.TemporaryDirectory(prefix='mayfly-notes-'))
        for name in ('firmware/state/version.h', 'tools/pytest-mayfly/src/pytest_mayfly/__init__.py'):
            os.makedirs(os.path.dirname(f'{tree}/{name}'))
            shutil.copy(f'{TOP}/{name}', f'{tree}/{name}')
        pathlib.Path(tree, 'CHANGELOG.md').write_text(changes, encoding='utf-8')
        os.mkdir(f'{tree}/build')
        with tarfile.open(f'{tree}/build/mayfly-images.tar', 'w') as tar:
            tar.addfile(tarfile.TarInfo('index.json'))
        done = subprocess.run(['sh', f'{TOP}/ci/dist.sh', 'build'], cwd=tree, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stderr, f'{tree}/build/dist'

    def test_notes_are_the_section_of_the_version_with_an_item_per_line(self):
        code, text, folder = self.dist(f'# Changelog\n\n## Unreleased\n\nLater.\n\n## {version()} - 2026-11-30\n\n### Testers\n\n'
                                       f'* One,\n  in two lines.\n* Two.\n\n## 0.0.1\n\nOld.\n')
        self.assertEqual((code, text), (0, ''))
        self.assertEqual(pathlib.Path(folder, 'RELEASE_NOTES.md').read_text(encoding='utf-8'), '### Testers\n\n* One, in two lines.\n* Two.\n')
        self.assertEqual(sorted(Dist.sums(folder)), ['RELEASE_NOTES.md', 'mayfly-image.tar'])

    def test_a_version_without_a_section_or_text_is_no_release(self):
        for changes in ('## Unreleased\n\nLater.\n', f'## Unreleased\n\n## {version()} - 2026-11-30\n\n## 0.0.1\n\nOld.\n'):
            code, text, folder = self.dist(changes)
            self.assertEqual(code, 1)
            assert_names(text, f'CHANGELOG.md {version()}')
            self.assertFalse(os.path.exists(folder))


class Module(unittest.TestCase):
    @pytest.mark.long
    def test_without_the_program_it_says_where_to_get_it(self):
        env = {'PATH': '/nonexistent', 'PYTHONPATH': os.path.join(TOP, 'tools/pytest-mayfly/src')}
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, '-m', 'mayfly'], env=env, cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        assert_names(done.stderr, 'mayfly pytest-mayfly mayfly PyPI')


class Releases(http.server.SimpleHTTPRequestHandler):
    """What the host of the repository answers: a release v1, which is the latest."""

    def translate_path(self, path):
        found = re.fullmatch(r'/o/mayfly/releases/(?:download/v1|latest/download)/([\w.-]+)', path)
        return os.path.join(self.directory, found[1] if found else 'none')

    def log_message(self, *_):
        pass


@needs('curl')
@needs_yaml
class Action(unittest.TestCase):
    """action/action.yml, by executing its steps as a runner does."""

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(TOP, 'action/action.yml'), encoding='utf-8') as f:
            cls.action = yaml.safe_load(f)
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix='mayfly-action-'))
        name = f'mayfly-linux-{HERE}.tar.gz'
        with tarfile.open(os.path.join(cls.folder, name), 'w:gz') as tar:
            tar.add(MAYFLY, 'mayfly/bin/mayfly')
        with open(os.path.join(cls.folder, name), 'rb') as archive, open(os.path.join(cls.folder, 'SHA256SUMS'), 'w', encoding='ascii') as sums:
            sums.write(f'{hashlib.sha256(archive.read()).hexdigest()}  {name}\n{"0" * 64}  another.deb\n')
        cls.server = socketserver.ThreadingTCPServer(('127.0.0.1', 0), functools.partial(Releases, directory=cls.folder))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)

    def run_action(self, **inputs):
        """Exit code of the first step that fails, what it said, {output of the action}, {variable of later steps}"""
        runner = tempfile.mkdtemp(dir=self.folder)
        values = {'github.server_url': f'http://127.0.0.1:{self.server.server_address[1]}', 'runner.temp': runner,
                  'github.action_repository || github.repository': 'o/mayfly'}
        values |= {f'inputs.{name}': given['default'] for name, given in self.action['inputs'].items()}
        values |= {f'inputs.{name}': value for name, value in inputs.items()}

        def expand(text):
            return re.sub(r'\$\{\{ (.+?) \}\}', lambda found: values[found[1]], text)

        files = {name: os.path.join(runner, name) for name in ('GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT')}
        for path in files.values():
            with open(path, 'w', encoding='ascii'):
                pass
        self.addCleanup(self.end, runner)
        for step in self.action['runs']['steps']:
            self.assertEqual(step['shell'], 'bash')
            env = {k: v for k, v in os.environ.items() if not k.startswith('MAYFLY')} | files | {k: expand(v) for k, v in step['env'].items()}
            done = subprocess.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step['run']], env=env, cwd=runner,
                                  capture_output=True, text=True, timeout=60, check=False)
            if done.returncode != 0:
                return done.returncode, done.stdout + done.stderr, {}, {}
            if 'id' in step:
                values |= {f'steps.{step["id"]}.outputs.{k}': v for k, v in self.pairs(files['GITHUB_OUTPUT']).items()}
        outputs = {name: expand(output['value']) for name, output in self.action['outputs'].items()}
        with open(files['GITHUB_PATH'], encoding='ascii') as f:
            self.assertEqual(f.read(), f'{runner}/mayfly/bin\n')
        return 0, '', outputs, self.pairs(files['GITHUB_ENV'])

    @staticmethod
    def ask(outputs, name):
        with urllib.request.urlopen(f'{outputs["api-url"]}/v1/{name}', timeout=10) as answer:
            return answer.read().decode()

    @staticmethod
    def pairs(path):
        with open(path, encoding='ascii') as f:
            return dict(line.rstrip('\n').split('=', 1) for line in f)

    @staticmethod
    def end(runner):
        """The drone that a step left behind, as the end of a job does it."""
        for folder in glob.glob('/proc/[0-9]*'):
            with contextlib.suppress(OSError):
                if os.readlink(f'{folder}/exe').startswith(runner):
                    os.kill(int(os.path.basename(folder)), 15)

    @pytest.mark.long
    def test_the_drone_is_there_for_later_steps(self):
        code, said, outputs, env = self.run_action(clock='fast', faults='gps_off@30s')
        self.assertEqual((code, said), (0, ''))
        self.assertEqual(outputs['mavsdk-url'], env['MAYFLY_MAVSDK_URL'])
        self.assertRegex(outputs['mavsdk-url'], r'^tcpout://127\.0\.0\.1:\d+$')
        self.assertRegex(outputs['pymavlink-url'], r'^tcp:127\.0\.0\.1:\d+$')
        self.assertEqual(call(env['MAYFLY'], '--version'), f'mayfly {version()}\n')
        with open(outputs['recording'], 'rb') as f:
            self.assertEqual(f.read(4), b'MFRC')
        self.assertEqual(json.loads(self.ask(outputs, 'clock'))['mode'], 'fast')
        self.assertRegex(self.ask(outputs, 'config'), r'(?m)^faults: \[?"?gps_off@30s')

    @pytest.mark.long
    def test_versions(self):
        self.assertEqual(self.run_action(version='v1')[0], 0)
        code, said, _, _ = self.run_action(version='v2')
        self.assertEqual(code, 1)
        self.assertRegex(said, r'::error::.* http://\S+/releases/download/v2/mayfly-linux-')

    @pytest.mark.long
    def test_a_wrong_input_ends_the_step_with_the_drones_words(self):
        code, said, _, _ = self.run_action(faults='gps_fail')
        self.assertEqual(code, 1)
        self.assertRegex(said, '::error::.*gps_fail')

    @pytest.mark.long
    def test_a_damaged_archive_is_refused(self):
        path = os.path.join(self.folder, 'SHA256SUMS')
        with open(path, encoding='ascii') as f:
            good = f.read()
        self.addCleanup(pathlib.Path(path).write_text, good, encoding='ascii')
        pathlib.Path(path).write_text('0' * 64 + good[64:], encoding='ascii')
        code, said, _, _ = self.run_action()
        self.assertEqual(code, 1)
        self.assertIn('FAILED', said)


class Places(unittest.TestCase):
    """Files that GitHub and editors read."""

    @needs_yaml
    def test_a_release_is_what_make_dist_makes(self):
        with open(os.path.join(TOP, '.github/workflows/release.yml'), encoding='utf-8') as f:
            workflow = yaml.safe_load(f)
        self.assertEqual(workflow[True], {'push': {'tags': ['v*']}})  # "on" is true to YAML 1.1
        dist, attach = workflow['jobs']['dist'], workflow['jobs']['attach']
        runs = [step['run'] for step in dist['steps'] if 'run' in step]
        self.assertEqual([run for run in runs if 'make' in run and 'apt-get' not in run], ['make dist'])
        uploaded = next(step['with'] for step in dist['steps'] if 'upload-artifact' in step.get('uses', ''))
        self.assertEqual(uploaded['path'], 'build/dist')
        self.assertEqual(attach['permissions'], {'contents': 'write'})
        self.assertRegex(attach['steps'][-1]['run'], r'^gh release create "\$GITHUB_REF_NAME" .* dist/\*$')

    @pytest.mark.long
    def test_the_devcontainer_builds(self):
        with open(os.path.join(TOP, '.devcontainer/devcontainer.json'), encoding='utf-8') as f:
            container = json.load(f)
        self.assertEqual(container['forwardPorts'], [5759, 5760])
        goals = re.findall(r'make ([\w-]+)', container['postCreateCommand'])
        self.assertEqual(goals, ['deps-test', 'all'])
        call('make', '-n', 'DEPS=no', *goals, cwd=TOP, env={k: v for k, v in os.environ.items() if k != 'MAKEFLAGS'})
