#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [DOOR ...]: each door of README.md on a clean Debian 12, with nothing but what the README says, and a clock beside it.

The machine is a container of podman with the root of ci/clean_room.py: no make, no compiler, no Python. The commands and programs
are README's, as they stand. make run and make controller go on in another terminal, as README says; the clock runs from the first
command to the last answer. Limits: ci/budgets. Needs root, debootstrap, podman, and the network for packages.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(TOP, 'tests', 'lib'), os.path.join(TOP, 'ci')]
import clean_room  # noqa: E402
import containers  # noqa: E402
import documents  # noqa: E402
import figures  # noqa: E402

BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
IMAGE = 'docker.io/library/debian:12'
CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'     # the machine's: a proxy's may be among them
MOST_S = 900     # of a command
FIRST, SERVED = documents.commands('README.md', 'Two commands')[0], {'make run': 5760, 'make controller': 5790}


class Wrong(Exception):
    """A command of the README that does not do what it says"""


def processor_account(pid):
    """Where the control group of a process counts processor time, of either version: file, place of the number in it, its unit [s]"""
    with open(f'/proc/{pid}/cgroup', encoding='ascii') as f:
        groups = {names: path.rstrip('\n') for _, names, path in (line.split(':', 2) for line in f)}
    for names, path in groups.items():
        if 'cpuacct' in names.split(','):
            return f'/sys/fs/cgroup/cpuacct{path}/cpuacct.usage', 0, 1e-9
    return f'/sys/fs/cgroup{groups[""]}/cpu.stat', 1, 1e-6


class Machine:
    """A clean Debian with the working tree in /mayfly, and terminals"""

    def __init__(self, place, name):
        self.place, self.name, self.served = place, f'door-{name}', []
        place.must(f'podman rm --force --time 0 {self.name}')
        place.must(f'podman run --detach --name {self.name} --privileged --network slirp4netns -v {CERTIFICATES}:{CERTIFICATES}:ro '
                   f'-e PIP_CERT={CERTIFICATES} {IMAGE} sleep 7200')
        place.must(f'git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- -c | podman exec -i {self.name} tar -x',
                   timeout_s=300)
        self.pid = place.must(f"podman inspect --format '{{{{.State.Pid}}}}' {self.name}").strip()
        self.begin, self.account, self.used = time.monotonic(), processor_account(self.pid), 0
        self.type('apt-get -q update')     # not the README's, nor on its clock
        self.begin, self.used = time.monotonic(), self.processor_s()

    def seconds(self):
        return time.monotonic() - self.begin

    def processor_s(self):
        """What its processes have taken so far, of all processors"""
        path, place, unit_s = self.account
        with open(path, encoding='ascii') as f:
            return int(f.read().split()[place]) * unit_s

    def tell(self, what):
        print(f'  {self.seconds():6.1f} s  {self.processor_s() - self.used:6.1f} s of processors  {what}', flush=True)

    def terminal(self, command, **more):
        return subprocess.Popen(['podman', 'exec', '--interactive', self.name, 'bash', '-ec', command], env=self.place.env, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)

    def type(self, command, into=''):
        """What a command prints"""
        self.tell(f'$ {command.splitlines()[0]}')
        process = self.terminal(command, stdin=subprocess.PIPE)
        try:
            out, _ = process.communicate(into, timeout=MOST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f'{command}: still running after {MOST_S} s') from None
        if process.returncode != 0:
            raise Wrong(f'{command}\nexit code {process.returncode}:\n{out[-3000:]}')
        return out

    def serve(self, command, port):
        """In a terminal of its own, until the port answers"""
        self.tell(f'$ {command}   (another terminal)')
        log = os.path.join(BUILD, 'doors', f'{self.name}.log')
        with open(log, 'w', encoding='utf-8') as f:
            self.served.append(subprocess.Popen(['podman', 'exec', self.name, 'bash', '-ec', command], env=self.place.env, stdout=f, stderr=f,
                                                stdin=subprocess.DEVNULL))
        while subprocess.run(['podman', 'exec', self.name, 'bash', '-c', f'true <>/dev/tcp/127.0.0.1/{port}'], env=self.place.env,
                             stderr=subprocess.DEVNULL, check=False).returncode != 0:
            if self.served[-1].poll() is not None:
                with open(log, encoding='utf-8') as f:
                    raise Wrong(f'{command} ended:\n{f.read()[-3000:]}')
            time.sleep(0.3)

    def save(self, name, text):
        self.type(f'cat >{name}', into=text)

    def here(self, argv):
        """A program of the machine that tests, in the network of this one: a browser, a ground station"""
        self.tell(' '.join(os.path.basename(a) for a in argv))
        done = subprocess.run(['nsenter', f'--net=/proc/{self.pid}/ns/net', *argv], cwd=TOP, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=300,
                              env=dict(os.environ, NODE_PATH=os.path.join(BUILD, 'page', 'node_modules')))
        if done.returncode != 0:
            raise Wrong(f'{argv}\n{done.stdout[-3000:]}')
        return done.stdout

    def end(self):
        self.place.run(f'podman rm --force --time 0 {self.name}')
        for process in self.served:
            process.wait()


def must_say(text, *words):
    for word in words:
        if word not in text:
            raise Wrong(f'{word!r} is not in what it printed:\n{text[-2000:]}')


def program(heading):
    return documents.examples('README.md', heading, kind='python')[0]


def app_source(machine):
    machine.type(FIRST)
    machine.serve('make run', SERVED['make run'])
    fly_with_mavsdk(machine, documents.commands('README.md', 'App developers'))


def app_wheel(machine):
    """The drone out of the wheel, as docs/install.md says: no compiler, no make"""
    path, = wheels()
    machine.place.must(f'podman cp {path} {machine.name}:/mayfly/{os.path.basename(path)}')
    machine.type(FIRST)
    for line in documents.commands('docs/install.md', 'The wheel'):
        machine.type(line)
    machine.serve('venv/bin/mayfly', SERVED['make run'])
    fly_with_mavsdk(machine, documents.commands('README.md', 'App developers')[1:])


def wheels():
    """The wheel of this machine's processor and C library with the program in it, if make dist has built it"""
    return [w for w in glob.glob(os.path.join(BUILD, 'dist', '*.whl')) if 'manylinux' in w and os.uname().machine in w]


def fly_with_mavsdk(machine, lines):
    machine.save('takeoff.py', program('App developers'))
    said = [machine.type(line) for line in lines]
    must_say(said[-1], 'taking off')


def tester(machine):
    machine.type(FIRST)
    machine.save('test_gps.py', program('Testers'))
    said = [machine.type(line) for line in documents.commands('README.md', 'Testers')]
    must_say(said[-1], '1 passed', 'position lost after 300')


def operator(machine):
    machine.type(FIRST)
    machine.serve('make run', SERVED['make run'])
    machine.here([os.path.join(BUILD, 'venv', 'bin', 'python'), '-W', 'ignore', os.path.join(HERE, 'station.py')])
    said = machine.type('\n'.join(documents.commands('README.md', 'Operators')))
    must_say(said, '{"mission":6,', '"accepted"', '"mode":"Mission"')
    machine.here(['node', os.path.join(HERE, 'look.cjs')])


def platform(machine):
    machine.type(FIRST)
    give_podman(machine)
    podman, controller = documents.examples('README.md', 'Platform engineers')
    said = [machine.type(line) for line in podman.splitlines()]
    must_say(said[-1] or machine.type('podman logs drone 2>&1'), 'system id 1')
    machine.type('podman rm --force --time 0 drone')
    for line in documents.commands('docs/containers.md', 'Three drones and a client'):
        machine.type(line)
    machine.serve('make controller', SERVED['make controller'])
    said = [machine.type(line) for line in controller.splitlines()]
    must_say(said[0], '-4 ready tcpout://')
    print('  ' + machine.here([os.path.join(BUILD, 'venv-manifests', 'bin', 'python'), os.path.join(HERE, 'manifests.py')]).splitlines()[-1])


def give_podman(machine):
    """What a machine without systemd, within a container, needs beside podman's own defaults"""
    machine.type('mkdir -p /etc/containers')
    for name, text in containers.CONFIGURATION.items():
        machine.save(f'/etc/containers/{name}', text.replace('{0}/run', '/run/containers/storage').replace('{0}/root', '/var/lib/containers/storage')
                     .replace('{0}', '/etc/containers'))


def image_from_sources(place):
    """docs/not-on-linux.md: podman and Docker run its command in a Linux there, and here on this one"""
    build, = [line for line in documents.commands('docs/not-on-linux.md', 'The image') if 'podman build' in line]
    print(f'  $ {build}', flush=True)
    place.must(build.replace('podman build', 'podman build --isolation chroot --network host'), timeout_s=MOST_S)
    must_say(place.must('podman run --rm --network host localhost/mayfly --version'), 'mayfly ')


def embedded(machine):
    machine.type(FIRST)
    said = [machine.type(line) for line in documents.commands('README.md', 'Embedded engineers')]
    must_say(said[1], 'HEARTBEAT: armed', 'HEARTBEAT: disarmed')
    must_say(said[2], ' passed in ')


def researcher(machine):
    machine.type(FIRST)
    said = [machine.type(line) for line in documents.commands('README.md', 'Researchers')]
    must_say(said[2], 'vehicles  50, 50 of 50 missions finished', 'ok      everybody: finished')
    must_say(said[3], 'sweep     3 runs')
    must_say(said[4], 'wrote     /tmp/sweep/ring-tracks.svg')
    must_say(said[5], 'vehicles  10000, 10000 of 10000 missions finished')


DOORS = {'app.source': app_source, 'app.wheel': app_wheel, 'tester': tester, 'operator': operator, 'platform': platform, 'embedded': embedded,
         'researcher': researcher, 'image': image_from_sources}


def main():
    wanted = sys.argv[1:] or list(DOORS)
    missing = containers.missing((*containers.PROGRAMS, 'debootstrap', 'slirp4netns'))
    if missing:
        print(f'doors: skipped: {missing}')
        return 1 if os.environ.get('DEMAND') else 0
    os.makedirs(os.path.join(BUILD, 'doors'), exist_ok=True)
    root = clean_room.make_root()
    place, kept, passed, failed = containers.Place(tempfile.mkdtemp(prefix='mayfly-doors-', dir='/var/tmp'), alone=False), figures.Figures(), 0, 0
    try:
        place.must(f"tar -C {root} -c . | podman import --change 'WORKDIR /mayfly' - {IMAGE}", timeout_s=300)
        shutil.rmtree(root)
        for name in wanted:
            if name == 'app.wheel' and not wheels():
                print('app.wheel: skipped: no wheel in build/dist (make dist)')
                continue
            print(f'door {name}', flush=True)
            machine, begin = None, time.monotonic()
            try:
                if name == 'image':
                    image_from_sources(place)
                else:
                    machine = Machine(place, name)
                    begin = machine.begin
                    DOORS[name](machine)
                    machine.tell('done')
                kept.add(f'door.{name}', time.monotonic() - begin, 's')
                passed += 1
            except (Wrong, AssertionError) as wrong:
                print(f'door {name}: after {time.monotonic() - begin:.0f} s: {wrong}')
                failed += 1
            finally:
                if machine:
                    machine.end()
    finally:
        place.close()
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else kept.exit_code()


if __name__ == '__main__':
    sys.exit(main())
