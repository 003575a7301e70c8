# SPDX-License-Identifier: Apache-2.0
"""Programs that a scenario starts (docs/cosim.md): beside the swarm, and unmodified ones on its clock; GZ-05, GZ-16 by the examples."""
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys

import pytest

import daemons
from cases import cases
from examples import alone
from mavlink import ANY, ARM, GROUND_STATION, LAND, TAKEOFF, command
from names import assert_names
from paths import COSIM, MAYFLY, SWARM, TOP
from ports import free_port, free_ports
from process_table import children, is_alive
from programs import copy_programs
from swarm_case import RunCase, hash_of, needs_ns3, options
from waiting import wait_until

DRONES = '''
swarm: 1
time: {clock: fast, end: 30}
network: {range: 100}
entities:
  - {name: own, place: [0, 0, 0]}
  - {name: drone, as: ghost, count: 2, place: {grid: [2, 1], spacing: 10}}
outputs: {csv: {file: swarm.csv, every: 1}}
'''
# A drone of a few lines, which does at 10 s what it is told to. The second is a whole one.
STANDIN = '''
import os, signal, socket, sys, time
s = socket.socket(fileno=3)
lines = s.makefile("r")
truth = "next never events 0 armed 0 landed 1 in 0 out 0 lat 47.5 lon 8.5 alt 500 vn 0 ve 0 vd 0 yaw 0"
s.sendall(b"mayfly 1 sysid 2 clock lockstep\\nnow 0 next never\\n")
for line in lines:
    word, *at = line.split()
    if at == ["10000000"]:
        if sys.argv[1] == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(20)
    if word != "watch":
        s.sendall(f"at {at[0] if at else 0} {truth}\\n".encode())
'''
# Knows nothing of simulations: arms the drone at PORT, takes off, flies a while, lands.
PILOT = '''
import socket, sys, time
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
for wait, order in ORDERS:
    time.sleep(wait)
    link.sendall(order)
print("landed", time.monotonic() > 0)
'''
ORDERS = ((0, GROUND_STATION), (5, command(ARM, 1, 21196)), (1, command(TAKEOFF, ANY, 0, 0, ANY, ANY, ANY, 493)),
          (7, command(LAND, 0, 0, 0, ANY, ANY, ANY, ANY)), (14, b''))
PLAIN = '''
swarm: 1
time: {clock: x5, end: 10}
bus: {listen: 0, controllers: 0}
entities:
  - {name: d, as: agent}
'''

# An autopilot over ArduPilot's JSON that ignores SIGTERM before it sends a frame. argv: port
STUBBORN = '''
import signal, socket, struct, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
link, frame = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 1
link.settimeout(1)
link.connect(("127.0.0.1", int(sys.argv[1])))
while True:
    try:
        link.send(struct.pack("<HHI16H", 18458, 50, frame, *[1000] * 16))
        link.recv(2048)
        frame += 1
    except OSError:
        time.sleep(0.02)
'''


class Processes(RunCase):
    def run_it(self, scenario, *sets, code=0, more=()):
        """(stdout, stderr) of a whole run"""
        process = self.start(self.scenario(scenario), '--out', self.folder, *more, *options(*sets))
        return self.finish(process, code)

    def example(self, name, *sets):
        with alone(name):
            return self.swarm(os.path.join(COSIM, f'{name}.yaml'), *options(*sets), cwd=TOP)

    def plain(self, *processes, code=0):
        return self.run_it(PLAIN + 'processes:\n' + ''.join(f'  - {p}\n' for p in processes), code=code)

    @pytest.mark.long
    def test_a_program_finds_the_swarm_in_its_environment_and_is_told_to_end(self):
        said = self.path('said')
        out, _ = self.plain(f'{{name: teller, run: [sh, -c, "echo $SWARM_BUS_LISTEN $X >{said}; exec sleep 100"], env: {{X: y z}}}}')
        self.assertRegex(self.text('said'), r'^127\.0\.0\.1:\d+ y z\n$')
        self.assertRegex(out, r'(?m)^process   teller +10\.000000 +\d+\.\d{3}  signal 15, ')

    @pytest.mark.long
    def test_the_environment_of_one_is_not_that_of_the_next(self):
        said = self.path('said')
        self.plain('{run: [sh, -c, "exit 0"], env: {HOME: /elsewhere, NEW: 1}}', f'{{run: [sh, -c, "echo $HOME $NEW. >{said}"]}}')
        self.assertEqual(self.text('said'), os.environ['HOME'] + ' .\n')

    @pytest.mark.long
    def test_its_code_counts_if_it_ends_by_itself(self):
        self.assertRegex(self.plain('{run: [sh, -c, "exit 7"]}', code=1)[0], r'(?m)^process   sh +10\.000000 +\d+\.\d{3}  code 7$')

    def test_one_that_fails_while_time_0_waits_ends_the_run(self):
        for waits in ('gzuav: {listen: 0, expect: [1, 0]}', 'bus: {listen: 0}', '  - {name: b, as: body, autopilot: {ac: @ac}}'):
            out, err = self.run_it(PLAIN.replace('bus: {listen: 0, controllers: 0}\n', '') + waits.replace('@', self.folder + '/') +
                                   '\nprocesses: [{name: early, run: [sh, -c, "exit 7"]}]\n', code=3)
            assert_names(err, '/s.yaml:7 processes early code 7 time 0')
            self.assertRegex(out, r'(?m)^process   early +0\.000000 +\d+\.\d{3}  code 7$')

    @pytest.mark.long
    def test_autopilots_that_ignore_sigterm_end_together(self):
        """GZ-07: each is killed 5 s after SIGTERM, which all get at once: the last does not outlive the first by another 5 s."""
        script, first = self.write('stubborn.py', STUBBORN), free_ports(21)
        programs = ''.join(f'  - {{name: pilot {n}, run: [python3, -S, -E, {script}, "{first + 10 * n}"]}}\n' for n in range(3))
        out, _ = self.run_it('time: {clock: fast, end: 1}\nentities:\n  - {name: copter, count: 3, as: body, '
                             f'autopilot: {{json: {first}}}}}\nprocesses:\n{programs}')
        walls = [float(wall) for wall in re.findall(r'(?m)^process   pilot \d +1\.000000 +(\d+\.\d+)  signal 9, told to end$', out)]
        self.assertEqual(len(walls), 3)
        self.assertLess(max(walls) - min(walls), 5)

    def start_daemons(self, script, end):
        """A run with a program and a component that have started daemons. @return its process, and their word"""
        word = daemons.mark()
        self.addCleanup(daemons.end, word)
        program, component = self.write('program.sh', script + 'sleep 600'), self.write('component.sh', script + 'cat > /dev/null')
        process = self.start(self.scenario(PLAIN.replace('end: 10', f'end: {end}').replace('x5', 'real') +
                                           f'components: [{{run: sh {component} {word}}}]\nprocesses: [{{run: [sh, {program}, {word}]}}]\n'),
                             '--out', self.folder)
        wait_until(lambda: len(daemons.alive(word)) > 2 * (script.count('\n') + 1), 'daemons run', 20)
        return process, word

    def test_daemons_end_with_the_run(self):
        process, word = self.start_daemons(daemons.QUICK, 1)
        self.finish(process, 0)
        self.assertEqual(daemons.alive(word), [])

    @pytest.mark.long
    def test_daemons_end_with_a_swarm_or_a_keeper_that_is_killed(self):
        process, word = self.start_daemons(daemons.SCRIPT, 600)
        process.kill()
        process.communicate()
        daemons.wait_gone(word)
        process, word = self.start_daemons(daemons.SCRIPT, 4)
        for keeper in children(process.pid):
            os.kill(keeper, signal.SIGKILL)
        process.communicate()
        self.assertEqual((process.returncode, daemons.alive(word)), (1, []))

    @pytest.mark.long
    @pytest.mark.skipif(not daemons.has_groups(), reason='no cgroup v2 that this user may write to')
    def test_the_next_swarm_ends_daemons_of_one_whose_keepers_are_killed_too(self):
        process, word = self.start_daemons(daemons.SCRIPT, 600)
        keepers = children(process.pid)
        for keeper in keepers:
            os.kill(keeper, signal.SIGSTOP)     # it ends nothing when the swarm is gone
        process.kill()
        process.wait()
        for keeper in keepers:
            os.kill(keeper, signal.SIGKILL)
        wait_until(lambda: not any(map(is_alive, keepers)), 'the keepers are gone')
        self.plain('{run: ["true"]}')
        daemons.wait_gone(word)
        process.communicate()

    def test_what_is_missing_is_refused_before_anything_starts(self):
        for process, text in (('{run: [nowhere-program]}', 'processes nowhere-program'),
                              ('{name: x}', 'processes x run: [PROGRAM, ...]'),
                              ('{run: sh}', 'processes.0.run 1 24'),
                              ('{run: [sh], clock: virtual}', 'processes time.clock lockstep')):
            assert_names(self.plain(process, code=2)[1], text)

    def test_the_check_finds_what_a_run_would(self):
        with socket.socket() as taken, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
            taken.bind(('127.0.0.1', 0))
            taken.listen()
            port = taken.getsockname()[1]
            datagrams.bind(('127.0.0.1', port))
            for more, text in (('processes: [{run: [nowhere-program]}]', 'processes nowhere-program'),
                               ('processes: [{run: [sh], members: d}]', 'd processes ghosts'),
                               ('network: {kind: ns3, run: /nowhere/bridge}', 'network /nowhere/bridge'),
                               (f'network: {{kind: ns3, run: /bin/true}}\nflows: [{{client: {port}, station: d, vehicle: d}}]',
                                f'flows.client {port}'),
                               (f'  - {{name: b, as: body, autopilot: {{json: {port - 10}}}, count: 2}}',
                                f'autopilot.json {port}'),
                               (f'gzuav: {{listen: {port}}}', f'gzuav.listen {port}'),
                               (f'gzuav: {{listen: 0, relay: {port}}}', f'gzuav.relay {port}')):
                assert_names(self.refused(PLAIN + more + '\n', '--check'), text)
        self.assertEqual(self.run_it(PLAIN + f'gzuav: {{listen: {port}}}\n', more=('--check',))[1], '')

    @pytest.mark.long
    def test_gz05_an_unmodified_program_on_the_swarms_clock(self):
        told = set()
        for _ in range(2):
            out = self.example('virtual', 'processes.0.run=[python3, -S, -E, examples/cosim/listen.py, 127.64.13.1, "5862", "10"]')
            self.assertRegex(out, r'(?m)^process   .* virtual .* +10\.0\d+ +\d+\.\d{3}  code 0\nprocess   listener +10\.0\d+ .*code 0$')
            told.add((re.search(r'\d+ bytes in [\d.]+ s', out)[0], hash_of(out)))
        self.assertEqual(len(told), 1, told)
        self.assertIn('bytes in 10.000 s', next(iter(told))[0])

    def in_virtual_time(self, swarm, code=0):
        """A program of a swarm that sleeps for an hour."""
        path = self.write('world.yaml', PLAIN.replace('clock: x5, end: 10', 'clock: lockstep, end: 7200')
                          + 'processes: [{name: sleeper, clock: virtual, run: [sleep, "3600"]}]\n')
        done = subprocess.run([swarm, path], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_programs_follow_the_clock_in_folders_with_blanks_and_colons(self):
        done = self.in_virtual_time(copy_programs(self.path('a blank, a:colon'), SWARM))
        self.assertRegex(done.stdout, r'(?m)^process   sleeper +3600\.000000 .* code 0$')

    def test_programs_that_do_not_join_end_the_run(self):
        swarm = copy_programs(self.path('broken'), SWARM)
        self.write('broken/libmayflytime.so', 'this is not a library')
        done = self.in_virtual_time(swarm, code=1)
        self.assertRegex(done.stderr, r"(?m)^mayfly: exec: '.*' .*libmayflytime\.so .* \(process \d+\)$")
        self.assertRegex(done.stdout, r'(?m)^process   .* virtual .* +0\.000000 .*  code 2$')

    @pytest.mark.long
    def test_gz07_a_program_in_virtual_time_that_is_killed_leaves_at_its_instant(self):
        runs = set()
        scenario = ('time: {clock: lockstep, end: 60}\nlinks: {transport: vehicle}\nentities:\n  - {name: v}\nprocesses:\n'
                    '  - {name: killed, clock: virtual, run: [python3, -S, -E, -c, "import os, time; time.sleep(5); os.kill(os.getpid(), 9)"]}\n'
                    '  - {name: other, clock: virtual, run: [python3, -S, -E, -c, "import time; time.sleep(20); print(time.monotonic())"]}\n')
        for run in range(cases(2, 10)):
            out = self.swarm(scenario, '--trace', self.path(f'{run}'), code=1)
            self.assertRegex(out, r'(?m)^process   killed +5\.\d{6} +\d+\.\d{3}  signal 9$')
            self.assertRegex(out, r'(?m)^process   other +20\.\d{6} +\d+\.\d{3}  code 0$')
            runs.add((*re.findall('(?:hash|trace) .*', out), *re.findall(r'(?m)^process   (\w+ +[\d.]+)', out)))
        self.assertEqual(len(runs), 1, runs)

    def test_gz05_controllers_and_subscribers_are_programs_in_virtual_time(self):
        """A controller of the bus with a turn each 0.25 s, and a subscriber of gzuav with a phase 0 each 0.1 s: their own clock is the run's,
        which time 0 of both awaits; the second sleeps as long as its time lasts."""
        port, path, lib = free_port(), self.path('bus'), os.path.join(TOP, 'tests', 'lib')
        controller = self.write('controller.py', f'''
import sys, time
sys.path.insert(0, {lib!r})
from bus_client import TURN, Participant
bus, begin = Participant({path!r}), time.monotonic()
while True:
    kind, _ = bus.frame()
    if kind == TURN:
        print("turn", bus.ns // 1000, round(1e6 * (time.monotonic() - begin)), flush=True)
        time.sleep(float(sys.argv[1]))
        bus.done()
''')
        subscriber = self.write('subscriber.py', f'''
import sys, time
sys.path.insert(0, {lib!r})
from gzuav_client import Subscriber
gzuav, begin = Subscriber({port}, 0), time.monotonic()
for k in range(10):
    t, _ = gzuav.begin()
    print("phase", round(1e6 * t), round(1e6 * (time.monotonic() - begin)), flush=True)
    gzuav.end()
''')
        world = (f'time: {{clock: lockstep, end: 1}}\nbus: {{listen: "unix:{path}", tick: 0.25, patience: 0.3}}\n'
                 f'gzuav: {{listen: {port}, tick: 0.1, expect: [1, 0]}}\nentities: [{{name: a, as: agent, behaviour: walk}}]\nprocesses:\n'
                 f'  - {{name: controller, clock: virtual, run: [python3, -S, -E, {controller}, "%s"]}}\n'
                 f'  - {{name: subscriber, clock: virtual, run: [python3, -S, -E, {subscriber}]}}\n')
        runs = set()
        for run in range(2):
            out = self.swarm(world % 0, '--trace', self.path(f'{run}'))
            for word, period_us, first in (('turn', 250000, 0), ('phase', 100000, 1)):
                told = [tuple(map(int, row)) for row in re.findall(rf'(?m)^{word} (\d+) (\d+)$', out)]
                self.assertEqual([at for at, _ in told], [period_us * k for k in range(first, 1000000 // period_us + 1)], word)
                self.assertLessEqual(max(abs(at - own) for at, own in told), 1, told)  # the swarm acts 1 us before members come to the instant
            runs.add(tuple(re.findall('(?:hash|trace) .*', out)))
        self.assertEqual(len(runs), 1, runs)
        done = subprocess.run([SWARM, self.scenario(world % 0.1)], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^mayfly-swarm: bus: controller 'test'.* clock: virtual.* 0\.3 s at 0\.000000 s$")

    def drones(self, process, *sets, code=0, text=DRONES, more=''):
        """(stdout, stderr, trace)"""
        scenario = f'{text}processes:\n  - {{name: drones, members: drone, {process}}}\n{more}'
        out, err = self.run_it(scenario, *sets, code=code, more=('--trace', self.path('trace')))
        return out, err, self.text('trace')

    def test_drones_that_are_processes_are_members(self):
        out, _, trace = self.drones(f'run: [{MAYFLY}, --free-ports]')
        for name in ('drone.1', 'drone.2'):
            self.assertRegex(out, rf'(?m)^process   {name} +30\.000000 +\d+\.\d{{3}}  code 0, ')
        last = {row['member']: row for row in self.rows('swarm.csv')}
        for key in ('lat_deg', 'lon_deg'):
            self.assertEqual(last['own'][key], last['drone.1'][key])        # both stand at the origin
        self.assertAlmostEqual(float(last['drone.2']['lon_deg']) - float(last['drone.1']['lon_deg']), 10 / 75458.3, delta=2e-7)     # 10 m to the east
        self.assertIn('30000000000 drone.2: lat 47.397742000 lon 8.545726', trace)
        self.assertEqual(self.drones(f'run: [{MAYFLY}, --free-ports]')[2], trace)

    @pytest.mark.long
    def test_gz05_an_unmodified_program_flies_a_drone_in_another_process(self):
        port, pilot = free_port(), self.write('pilot.py', PILOT.replace('ORDERS', repr(ORDERS)))
        told = set()
        for _ in range(2):
            out, err, trace = self.drones(f'run: [sh, -c, "[ %n = 2 ] || exec \'{MAYFLY}\' --free-ports; exec \'{MAYFLY}\' --free-ports --sysid 1 --tcp {port}"]',
                                          'time.clock=lockstep', 'time.end=3600',
                                          more=f'  - {{name: pilot, clock: virtual, run: [{sys.executable}, -S, -E, {pilot}, "{port}"]}}\n')
            heights = [float(h) for h in re.findall(r'drone\.1: .* alt (\S+) ', trace)]
            self.assertTrue(any(round(h, 1) == 493 for h in heights))        # member 2, which is the first of the drones
            self.assertAlmostEqual(heights[-1], 488, delta=0.1)
            self.assertEqual({float(h) for h in re.findall(r'drone\.2: .* alt (\S+) ', trace)}, {488.0})
            self.assertRegex(out, r'(?m)^process   pilot +27\.\d+ .*code 0$')
            self.assertNotIn('Mayfly', err)     # no banners of drones and worlds
            told.add(hashlib.sha256(trace.encode()).hexdigest())
        self.assertEqual(len(told), 1)

    def standin(self, what):
        """The first of the drones, and Mayfly as the second."""
        path = self.write('standin.py', STANDIN)
        return f'run: [sh, -c, "[ %n = 2 ] && exec \'{sys.executable}\' -S -E {path} {what}; exec \'{MAYFLY}\' --free-ports"]'

    def test_gz07_a_drone_that_is_killed_leaves_at_the_tick(self):
        told = set()
        for _ in range(cases(2, 10)):
            out, err, trace = self.drones(self.standin('dies'), code=1)
            assert_names(err, 'mayfly-swarm drone.1 10.000000 s')
            self.assertIn('10000000000 drone.1 has left\n', trace)
            self.assertIn('30000000000 drone.2: ', trace)
            self.assertNotIn('30000000000 drone.1: ', trace)
            told.add((trace, hash_of(out)))
        self.assertEqual(len(told), 1)

    @pytest.mark.long
    def test_gz07_a_drone_that_is_silent(self):
        """5 s of the wall, since they count for the other drone and for the start of both, too."""
        for silent, code in (('stop', 3), ('drop', 1)):
            _, err, trace = self.drones(self.standin('silent') + f', patience: 5, silent: {silent}', code=code)
            self.assertRegex(err, r'processes: drone\.1 .*silent .*5 s .*9\.000000 s')
            self.assertEqual(bool(re.search(r'processes: drone\.1 .*5 s .*9\.000000 s: .*processes\.patience', err)), silent == 'stop')
            self.assertEqual('30000000000 drone.2: ' in trace, silent == 'drop')

    def test_drones_that_cannot_be_are_refused(self):
        for process, sets, text in (
                ('run: [sh, -c, "exit 9"]', (), 'processes drone.1 code 9 time 0'),
                ('run: [sh], clock: virtual', (), 'processes members clock'),
                ('run: [sh]', ('processes.0.members=own',), 'own processes ghosts'),
                ('run: [sh]', ('processes.0.members=nobody',), 'ghost link mocap'),
                ('run: [sh]', ('outputs.recording.file=x',), 'outputs.recording')):
            assert_names(self.drones(process, *sets, code=2)[1], text)

    @needs_ns3
    def test_gz16_the_example_of_a_lost_station(self):
        hashes = set()
        for _ in range(2):
            out = self.example('lost_station')
            said = re.findall(r'station: (\d+) s: (.*)', out)
            self.assertEqual([what for _, what in said], ['hears nothing', 'hears the drone', 'hears nothing', 'hears the drone'], said)
            hashes.add((tuple(said), self.text('events.csv'), hash_of(out)))
        self.assertEqual(len(hashes), 1)
