# SPDX-License-Identifier: Apache-2.0
"""mayfly exec --virtual -- COMMAND: programs as they are, on the drone's clock (docs/virtual-time.md)."""
import fcntl
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import pytest

from cases import cases
from drone import Drone, environment, run
from folder_case import FolderCase
from mavlink import ANY, ARM, COMMAND_ACK, GROUND_STATION, HEARTBEAT, LAND, TAKEOFF, command
from names import assert_names, one
from paths import MAYFLY, TIME_LIBRARY, TOP
from process_table import children, is_alive, state
from programs import CC, build_outsider, copy_programs, needs
from recordings import exchanged
from waiting import wait_until

# Without what a machine's Python may load by itself.
PYTHON = [os.path.realpath(sys.executable), '-S', '-c']
LIBRARY = os.path.basename(TIME_LIBRARY)
EPOCH_NS = 1767225600 * 10**9   # 2026-01-01, the date of runs in virtual time

# What tests/virtual-time/waits.c must say: milliseconds after each of its ways to wait.
WAITS = '''
nanosleep 1000
clock_nanosleep 2000
usleep 2500
sleep 3500
thrd_sleep 4500
poll 4750
ppoll 5000
select 5250
pselect 5500
0
epoll_wait 5750
-1 1
recv with a time-out 6000
1
0
epoll_wait, edge 6250
timerfd 7250
3
timerfd, three times 8250
mutex 9250
1
rwlock, too late 9750
rwlock 10250
1
sem_timedwait 10750
sem_wait 11250
1
cond_timedwait 11750
cond_wait 12250
1
futex, too late 12750
futex 13250
barrier 14250
join 15250
-1 1 8
alarm 17250
3
setitimer, pause 18750
1
timer_create, sigwaitinfo 19750
timer_create, thread 20750
fork, pipe 23750
9
waitpid 25750
4
system 27750
out
popen 28750
1000000
write 30750
SYS_nanosleep 31750
SYS_clock_nanosleep 32750
-1 1
SYS_ppoll 33000
SYS_pselect6 33250
SYS_epoll_pwait 33500
SYS_timerfd 34500
1
cancel 35500
1
'''.strip().splitlines()

LAPS = '''
import time
begin = time.monotonic()
def lap(what):
    print(what, round((time.monotonic() - begin) * 1000), flush=True)
'''

# A flight by raw frames over TCP: it says how long it took. In the air it stops itself, if it is told to.
FLIGHT = f'''
import os, signal, socket, time
link = socket.create_connection(("127.0.0.1", int(os.environ["MAYFLY_TCP_PORT"])))
def frames():
    data = b""
    while more := link.recv(65536):
        data += more
        while len(data) >= 12 and len(data) >= 12 + data[1]:
            yield int.from_bytes(data[7:10], "little"), (data[10:10 + data[1]] + bytes(9))
            data = data[12 + data[1]:]
heard = frames()
def expect(number, holds=lambda payload: True):
    assert any(number == n and holds(payload) for n, payload in heard)
begin = time.monotonic()
link.sendall({GROUND_STATION!r})
expect({HEARTBEAT})
for number, order, pause in (({ARM}, {command(ARM, 1)!r}, 1), ({TAKEOFF}, {command(TAKEOFF, -1, 0, 0, ANY, ANY, ANY, 498)!r}, 20),
                             ({LAND}, {command(LAND, 0, 0, 0, ANY, ANY, ANY, 0)!r}, 0)):
    link.sendall(order)
    expect({COMMAND_ACK}, lambda payload: payload[:3] == number.to_bytes(2, "little") + bytes(1))
    time.sleep(pause)
    if number == {TAKEOFF} and "STOPS" in os.environ: os.kill(os.getpid(), signal.SIGSTOP)
expect({HEARTBEAT}, lambda payload: not payload[6] & 128)
print(round(time.monotonic() - begin, 6))
'''


def virtual(*command, mayfly=MAYFLY, flags=(), env=None, timeout=60, **more):
    return subprocess.run([mayfly, 'exec', '--virtual', '--log-level', 'warning', *flags, '--', *command], text=True,
                          capture_output=True, timeout=timeout, check=False, env=environment(env), stdin=subprocess.DEVNULL,
                          **more)


def build(folder, source):
    program = os.path.join(folder, os.path.basename(source)[:-2])
    subprocess.run(CC + ['-D_GNU_SOURCE', '-Wno-unused-result', '-pthread', source, '-o', program], check=True,
                   timeout=120)
    return program


class Waits(unittest.TestCase):
    @pytest.mark.long
    def test_gz12_each_wait_of_c_ends_exactly_in_time(self):
        """GZ-12: locks that are contended, condition variables, a hundred threads"""
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder, os.path.join(TOP, 'tests', 'virtual-time', 'waits.c'))
            done = virtual(program)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], str(EPOCH_NS))
        self.assertEqual([re.sub(r' (\d+)000000$', r' \1', line) for line in lines[1:]], WAITS)

    def test_gz12_calls_of_c_that_are_rare(self):
        """GZ-12: each returns what it returns on the wall's clock, and in time"""
        with tempfile.TemporaryDirectory() as folder:
            done = virtual(build(folder, os.path.join(TOP, 'tests', 'virtual-time', 'calls.c')), MAYFLY)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in done.stderr.splitlines():   # it must not start a static program, by exec and by spawn
            assert_names(line, MAYFLY)
        with open(os.path.join(TOP, 'tests', 'virtual-time', 'calls.txt'), encoding='ascii') as file:
            self.assertEqual(done.stdout, file.read())

    @pytest.mark.long
    def test_python_waits(self):
        done = virtual(*PYTHON, LAPS + '''
import asyncio, queue, select, socket, threading
time.sleep(60); lap("sleep")
a, b = socket.socketpair()
a.settimeout(30)
try: a.recv(1)
except TimeoutError: lap("recv")
select.select([a], [], [], 12.5); lap("select")
try: queue.Queue().get(timeout=20)
except queue.Empty: lap("queue")
e = threading.Event()
threading.Timer(45, e.set).start(); e.wait(); lap("timer")
async def many():
    await asyncio.sleep(3600); lap("asyncio")
    await asyncio.gather(*[asyncio.sleep(i / 8) for i in range(81)]); lap("gather")
asyncio.run(many())
''')
        self.assertEqual(done.stdout.split(), 'sleep 60000 recv 90000 select 102500 queue 122500 timer 167500 '
                                              'asyncio 3767500 gather 3777500'.split(), done.stderr)

    @pytest.mark.long
    def test_gz12_children_belong_to_it(self):
        """GZ-12: fork, waitpid, programs that start programs"""
        done = virtual(*PYTHON, LAPS + '''
import multiprocessing, os, subprocess
subprocess.run(["sleep", "5"]); lap("run")
print(subprocess.check_output(["sh", "-c", "sleep 2; date +%s"], env={}).decode().strip()); lap("shell")
p = subprocess.Popen(["sleep", "100"])
try: p.wait(3)
except subprocess.TimeoutExpired: lap("time-out")
p.kill(); p.wait(); lap("killed")
def work(q): time.sleep(2); q.put(5)
q = multiprocessing.get_context("fork").Queue()
multiprocessing.get_context("fork").Process(target=work, args=(q,)).start(); print(q.get()); lap("queue")
pipe = subprocess.Popen("sleep 1; cat; sleep 1", shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(pipe.communicate(b"through")[0].decode()); lap("communicate")
''')
        self.assertEqual(done.stdout.split(), 'run 5000 1767225607 shell 7000 time-out 10000 killed 10000 5 queue 12000 '
                                              'through communicate 14000'.split(), done.stderr)

    @pytest.mark.long
    def test_gz11_who_asks_for_the_time_again_and_again_is_moved_on(self):
        """GZ-11."""
        done = virtual(*PYTHON, LAPS + '''
import select, socket
end = time.time() + 0.25
while time.time() < end: pass
a, b = socket.socketpair()
end = time.time() + 0.25
while time.time() < end: select.select([a], [], [], 0)
late = time.monotonic() - begin - 0.5
print(0 <= late < 0.001, late)
''')
        self.assertIn('True', done.stdout, done.stderr)

    @pytest.mark.long
    def test_processes_of_a_world_talk_in_an_order(self):
        """A server and three clients: what the server got is the same in each run."""
        script = '''
import os, socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
for number in range(3):
    if os.fork() == 0:
        c = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for i in range(50):
            time.sleep((number * 7919 + i * i * 31) % 1000 / 1e4)
            c.sendto(b"%d.%d" % (number, i), s.getsockname())
        os._exit(0)
s.settimeout(1)
try:
    while True: print(s.recv(100).decode(), round(time.monotonic() - 3600, 9))
except TimeoutError: pass
'''
        runs = [virtual(*PYTHON, script) for _ in range(cases(2, 10))]
        self.assertEqual(runs[0].stdout.count('\n'), 150, runs[0].stderr)
        self.assertEqual(len({run.stdout for run in runs}), 1)


class Limits(unittest.TestCase):
    MANY = LAPS + '''
import subprocess, sys
children = [subprocess.Popen(["sleep", "1"]) for _ in range(int(sys.argv[1]))]
print([child.wait() for child in children].count(0)); lap("end")
'''

    def test_more_than_64_processes(self):
        done = virtual(*PYTHON, self.MANY, '100')
        self.assertEqual((done.stdout.split(), done.stderr, done.returncode), (['100', 'end', '1000'], '', 0))

    def test_a_process_too_many_is_named(self):
        """300 descriptors, of which 256 are for others, and two for each process: 22. Python, 21 children, and 4 that are refused."""
        limits = 'ulimit -n 300; exec "$@"'
        done = subprocess.run(['sh', '-c', limits, 'sh', MAYFLY, 'exec', '--virtual', '--log-level', 'warning', '--', *PYTHON, self.MANY, '25'],
                              text=True, capture_output=True, timeout=60, check=False, env=environment(None), stdin=subprocess.DEVNULL)
        self.assertIn((done.stdout.split()[1:], done.returncode), [(['end', end], 2) for end in ('1000', '2000')], done.stderr)  # 2000: see below
        served = int(done.stdout.split()[0])
        # the descriptors of a child that ends may be free a little later, and a child that comes after others have ended is served
        self.assertIn(served, range(18, 25))
        refused = done.stderr.splitlines()
        self.assertEqual(len(refused), 25 - served, done.stderr)
        for line in refused:
            assert_names(line, '22')

    def test_a_child_that_is_stopped_and_continued(self):
        """Stopped at 1 s of 2, continued at 11 s: others go on meanwhile, and its sleep is over when it goes on."""
        done = virtual(*PYTHON, LAPS + '''
import os, signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(2); print(time.time() - 1767225600, flush=True)"])
time.sleep(1)
os.kill(child.pid, signal.SIGSTOP)
lap(os.WIFSTOPPED(os.waitpid(child.pid, os.WUNTRACED)[1]))
time.sleep(10); lap("slept")
os.kill(child.pid, signal.SIGCONT)
child.wait(); lap("end")
child = subprocess.Popen(["sleep", "5"])
child.send_signal(signal.SIGSTOP); time.sleep(10); child.kill(); lap(child.wait())
''')
        self.assertEqual(done.stdout.split(), 'True 1000 slept 11000 11.0 end 11000 -9 21000'.split(), done.stderr)

    def test_descriptors_of_the_connection(self):
        """A program may take the numbers that it wants. One that takes all of them ends, with the reason."""
        done = virtual(*PYTHON, LAPS + '''
import os, resource
most = min(2001, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
null = os.open(os.devnull, os.O_RDWR)
for number in range(3, most - 1):
    if number != null: os.dup2(null, number)
time.sleep(5); lap("some")
os.dup2(null, most - 1)
time.sleep(5); lap("all")
''')
        self.assertEqual((done.stdout.split(), done.returncode), (['some', '5000'], 2))
        assert_names(done.stderr, f'{LIBRARY} descriptors')

    def test_a_connection_that_is_closed_past_the_library(self):
        done = virtual(*PYTHON, LAPS + '''
import ctypes
close = ctypes.CDLL(None).syscall
for number in range(3, 1024): close({'x86_64': 3}.get(__import__("os").uname().machine, 57), number)
time.sleep(5); lap("no")
''')
        self.assertEqual((done.stdout, done.returncode), ('', 2))
        assert_names(done.stderr, f'{LIBRARY} 700')


class Flights(FolderCase):
    @pytest.mark.long
    def test_gz05_the_same_bytes_in_each_run(self):
        results = []
        for _ in range(cases(2, 10)):
            done = virtual(*PYTHON, FLIGHT, flags=('--record', self.path('a.mfr')))
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            results.append((done.stdout, exchanged(self.bytes('a.mfr'))))
        self.assertGreater(len(results[0][1]), 1000)
        for other in results[1:]:
            self.assertEqual(results[0], other)
        self.assertGreater(float(results[0][0]), 23)

    def stopped_child(self, parent):
        """The only child, once it has stopped itself."""
        def stopped():
            return [child for keeper in children(parent) for child in children(keeper) if state(child) == 'T']
        return wait_until(stopped, 'it has stopped')[0]

    @pytest.mark.long
    def test_pauses_of_the_command_change_nothing(self):
        results = []
        for pause_s in (0, 0.7):
            with subprocess.Popen([MAYFLY, 'exec', '--virtual', '--record', self.path('a.mfr'), '--', *PYTHON, FLIGHT], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  env=environment({'STOPS': 'yes'} if pause_s else {})) as drone:
                if pause_s:
                    child = self.stopped_child(drone.pid)
                    time.sleep(pause_s)
                    os.kill(child, signal.SIGCONT)
                results.append((drone.communicate(timeout=60)[0], exchanged(self.bytes('a.mfr'))))
        self.assertGreater(len(results[0][1]), 1000)
        self.assertEqual(results[0], results[1])

    # What the program is told of its processors, and where the system lets it and the drone run.
    PROCESSORS = LAPS + '''
import os, subprocess, sys, threading
def allowed(number):
    with open(f"/proc/{number}/status") as f:
        return next(line.split()[1] for line in f if line.startswith("Cpus_allowed_list:"))
def show():
    for _ in range(20):
        time.sleep(1)
    print(*sorted(os.sched_getaffinity(0)), *(allowed(n) for n in (threading.get_native_id(), os.getppid())), flush=True)
if len(sys.argv) == 1:
    show()
    other = threading.Thread(target=show); other.start(); other.join()
    subprocess.run([sys.executable, "-S", "-c", "import os; print(*sorted(os.sched_getaffinity(0)))"])
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    show()
'''

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, 'this machine gives its tests one processor, and they need two')
    def test_all_share_a_processor_and_do_not_see_it(self):
        """Drone and program run in turns, so one processor is enough, until the program chooses some by itself."""
        given = [str(n) for n in sorted(os.sched_getaffinity(0))]
        done = virtual(*PYTHON, self.PROCESSORS)
        self.assertEqual(done.returncode, 0, done.stderr)
        main, other, child, own = (line.split() for line in done.stdout.splitlines())
        for line in (main, other):
            self.assertEqual(line[:-2], given)
            self.assertRegex(line[-2], r'^\d+$')
            self.assertIn(line[-1], (line[-2], *self.lists(given)))   # the drone is free while the system chooses
        self.assertEqual(child, given)
        self.assertIn(own[-2], self.lists(given))

    @staticmethod
    def lists(numbers):
        """How /proc may write all of them."""
        return f'{numbers[0]}-{numbers[-1]}', ','.join(numbers)

    def test_parallel_flies_too(self):
        done = virtual(*PYTHON, FLIGHT, flags=('--parallel',))
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertGreater(float(done.stdout), 23)

    @pytest.mark.long
    def test_the_api_is_served_at_the_instant(self):
        done = virtual(*PYTHON, LAPS + '''
import json, os, urllib.request
def clock():
    with urllib.request.urlopen(os.environ["MAYFLY_API_URL"] + "/v1/clock", timeout=5) as answer:
        return json.load(answer)["vehicle_time_s"]
print(clock(), clock())
time.sleep(100)
print(clock()); lap("end")
''')
        self.assertEqual(done.stdout.split(), ['0.0', '0.0', '100.0', 'end', '100000'], done.stderr)


class Ends(unittest.TestCase):
    def test_exit_codes_and_signals(self):
        for argv, code in ((['true'], 0), (['sh', '-c', 'sleep 3; exit 3'], 3), (['sh', '-c', 'kill -9 $$'], 137)):
            self.assertEqual(virtual(*argv).returncode, code, argv)

    def test_background_processes_end_with_the_world(self):
        done = virtual('sh', '-c', 'sleep 1000 & echo $!')
        pid = int(done.stdout)
        wait_until(lambda: not is_alive(pid), f'process {pid} is gone')

    @pytest.mark.long
    def test_one_that_runs_for_ten_seconds_is_named(self):
        """Within the kernel, for a lock: the drone does not tell that from one that computes, and it takes no processor."""
        held = self.enterContext(tempfile.NamedTemporaryFile())
        fcntl.lockf(held, fcntl.LOCK_EX)
        with subprocess.Popen([MAYFLY, 'exec', '--virtual', '--log-level', 'warning', '--', *PYTHON,
                               f'import fcntl\nfcntl.lockf(open({held.name!r}, "r+"), fcntl.LOCK_EX)'], text=True,
                              stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment()) as drone:
            text = ''
            while not re.search(r'thread \d+ .*:\n(.*\n)*.*python', text):
                line = drone.stderr.readline()
                self.assertTrue(line, text)
                text += line
            drone.terminate()
            drone.stderr.read()
        self.assertRegex(text, r'process \d+ \(python\S*\) .*\b10 s .*\b0\.000000 s')


class Socket(FolderCase):
    """--virtual-socket FILE: the programs are started by somebody else, in a container of their own for example."""

    def setUp(self):
        super().setUp()
        self.world, self.library = self.path('world'), self.path('library.so')
        os.symlink(TIME_LIBRARY, self.library)      # the loader splits LD_PRELOAD at blanks

    def drone(self):
        drone = self.enterContext(Drone('--virtual-socket', self.world))
        self.wait_for_it()
        return drone

    def wait_for_it(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as guest:
            wait_until(lambda: guest.connect_ex(self.world) == 0, 'the drone listens')

    def join(self, program, port=0):
        return subprocess.run([*PYTHON, program], text=True, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
                              env=environment({'LD_PRELOAD': self.library, 'MAYFLY_TIME_WORLD': self.world, 'MAYFLY_TCP_PORT': str(port)}))

    def test_programs_join_one_after_the_other_and_time_rests_between_them(self):
        drone = self.drone()
        done = self.join(FLIGHT, drone.port())
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        flown = float(done.stdout)
        self.assertTrue(20 < flown < 60, flown)
        time.sleep(0.3)     # of the wall
        later = self.join('import time; print(time.time_ns())')
        self.assertLess(int(later.stdout) - EPOCH_NS, (flown + 1) * 10**9)
        drone.end()
        self.assertFalse(os.path.exists(self.world))

    @pytest.mark.long
    def test_a_client_that_has_not_joined_is_named(self):
        """Time stands, and the log says why: such a client may be a program without the library."""
        drone = self.drone()
        with socket.create_connection(('127.0.0.1', drone.port())) as client:
            client.sendall(GROUND_STATION)
            drone.wait_for('WARNING .*MAYFLY_TIME_WORLD')

    # Speaks the protocol of the time socket, version 3. It says which messages it has got, by their kind.
    GUEST = '''
import socket, struct, sys
guest = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
guest.connect(sys.argv[1])
for kind, value in zip(sys.argv[2::2], sys.argv[3::2]):
    guest.send(struct.pack("=Iiqq", int(kind), int(value), 0, 0))
    answer = guest.recv(100)
    print(struct.unpack("=I", answer[:4])[0] if answer else "closed")
'''

    def guest(self, *words):
        done = subprocess.run([*PYTHON, self.GUEST, self.world, *map(str, words)], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
        return done.stdout.split()

    def test_a_process_that_names_another_ones_child_is_turned_away(self):
        """The drone ends children that do not join. This one, which has not loaded the library, is a child of somebody else."""
        self.drone()
        with subprocess.Popen(['sleep', '60']) as child:
            answers = self.guest(1, 3, 4, child.pid)        # HELLO and GO, SPAWNED
            self.assertIn(answers, (['6', 'closed'], ['6']))    # the drone may end the guest before it says so
            time.sleep(0.1)
            self.assertIsNone(child.poll())
            child.kill()

    def test_another_version_of_the_library_is_turned_away(self):
        drone = self.drone()
        self.assertEqual(self.guest(1, 2), ['closed'])
        drone.end()
        assert_names(''.join(drone.lines), f'process {LIBRARY} version')

    def strangers(self, count):
        """Connections that say nothing."""
        made = [self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) for _ in range(count)]
        for one_more in made:
            one_more.settimeout(30)
            one_more.connect(self.world)
        return made

    def test_a_connection_that_says_nothing_is_closed(self):
        drone = self.drone()
        silent, other = self.strangers(2)
        other.send(struct.pack('=Iiqq', 1, 3, 0, 0))
        self.assertEqual(silent.recv(100), b'')
        self.assertEqual(struct.unpack('=I', other.recv(100)[:4]), (6,))     # HELLO has got GO, and the connection lives
        other.settimeout(0.1)
        self.assertRaises(TimeoutError, other.recv, 100)
        drone.wait_for('time .*WARNING 1 .* 2 s')

    def test_silent_connections_take_no_place_from_a_program(self):
        """A limit of 300 descriptors leaves 22 places."""
        drone = self.enterContext(subprocess.Popen(['prlimit', '--nofile=300', MAYFLY, '--free-ports', '--virtual-socket', self.world],
                                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment()))
        self.addCleanup(drone.kill)
        self.wait_for_it()
        first = self.strangers(40)[0]
        self.assertEqual(self.join('print("came")').stdout, 'came\n')
        self.assertEqual(first.recv(100), b'')

    def test_its_file_says_who_may_join(self):
        self.drone()
        self.assertEqual(os.stat(self.world).st_mode & 0o777, 0o660)

    def test_a_file_that_a_drone_left_behind_is_taken(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as old:
            old.bind(self.world)
        self.drone()
        self.assertEqual(self.join('print("came")').stdout, 'came\n')

    def test_the_file_of_a_drone_that_lives_is_refused_and_stays_its_own(self):
        drone = self.drone()
        inode = os.stat(self.world).st_ino
        done = run('--free-ports', '--virtual-socket', self.world)
        self.assertEqual(done.returncode, 2)
        assert_names(done.stderr, f'{one(self.world)} another program')
        self.assertEqual(os.stat(self.world).st_ino, inode)
        self.assertEqual(self.join('print("came")').stdout, 'came\n')
        os.unlink(self.world)
        self.write('world', 'notes')
        drone.end()
        self.assertEqual(os.path.getsize(self.world), 5)

    def test_another_file_is_left_alone(self):
        self.write('world', 'notes')
        assert_names(run('--free-ports', '--virtual-socket', self.world).stderr, f'{one(self.world)} Address already in use')
        self.assertEqual(os.path.getsize(self.world), 5)

    @unittest.skipUnless(os.geteuid() == 0, 'a PID namespace needs root: "sudo make test"')
    def test_a_process_whose_end_cannot_be_seen_is_turned_away(self):
        drone = subprocess.Popen(['unshare', '--pid', '--fork', '--kill-child', MAYFLY, '--free-ports', '--virtual-socket', self.world],
                                 stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment(), text=True)
        try:
            self.wait_for_it()
            done = self.join('print("came")')
        finally:
            drone.kill()
        assert_names(drone.communicate()[1], 'PID namespace')
        self.assertEqual((done.returncode, done.stdout), (-signal.SIGTERM, ''))


class Paths(FolderCase):
    """The loader splits LD_PRELOAD at blanks and colons, and expands what begins with a dollar sign."""

    NAMES = ('with blank', 'with:colon', 'with $LIB')
    # The programs of the shell, too, and in another folder. It prints where its library is.
    SCRIPT = 'cd / && sleep 3600 && date +%s && stat -c "%a %A" "${LD_PRELOAD%/*}" && echo "$LD_PRELOAD"'

    def run_there(self, mayfly, **env):
        done = virtual('sh', '-c', self.SCRIPT, mayfly=mayfly, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ''), mayfly)
        seconds, mode, library = done.stdout.splitlines()
        self.assertEqual(int(seconds), EPOCH_NS // 10**9 + 3600)
        return mode, library

    def test_a_library_whose_path_the_loader_would_split(self):
        os.mkdir(self.path('tmp'))
        for name in self.NAMES:
            mode, library = self.run_there(copy_programs(self.path(name)), TMPDIR=self.path('tmp'))
            self.assertEqual((mode, os.path.dirname(os.path.dirname(library))), ('700 drwx------', self.path('tmp')), name)
        self.assertEqual(os.listdir(self.path('tmp')), [])     # the links are gone

    def test_a_folder_for_temporary_files_that_it_would_split_too(self):
        mayfly = copy_programs(self.path('with blank'))
        for name in self.NAMES:
            os.makedirs(self.path(name), exist_ok=True)
        for tmp in (*map(self.path, self.NAMES), 'relative', self.path('none')):
            _, library = self.run_there(mayfly, TMPDIR=tmp)
            self.assertTrue(library.startswith('/tmp/mayfly-'), library)
            self.assertFalse(os.path.exists(os.path.dirname(library)))

    def test_an_installed_library(self):
        mayfly = copy_programs(self.path('with blank', 'bin'))
        os.makedirs(self.path('with blank', 'lib', 'mayfly'))
        os.rename(self.path('with blank', 'bin', LIBRARY), self.path('with blank', 'lib', 'mayfly', LIBRARY))
        self.run_there(mayfly)

    def test_a_process_that_outlives_its_session_becomes_no_other_program(self):
        """It computes beyond the end, for longer than the drone waits. Then there is no time for another program."""
        mayfly, left = copy_programs(self.path('with blank')), self.path('left')
        busy = ('import os\n'
                'for _ in range(10**9):\n'
                f'    if os.path.exists({self.path("over")!r}): break\n'
                f'os.execv("/bin/sh", ["sh", "-c", "echo >{left}"])')
        done = virtual('sh', '-c', f'{shlex.join([*PYTHON, busy])} & echo $!', mayfly=mayfly)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write('over', '')
        wait_until(lambda: not is_alive(int(done.stdout)), 'it is gone')
        self.assertFalse(os.path.exists(left))


class Outside(FolderCase):
    """Programs that the check before the start permits, and that do not join."""

    def setUp(self):
        super().setUp()
        self.mayfly = copy_programs(self.folder)
        self.library = self.path(LIBRARY)

    def refused(self, done, name, count=1):
        self.assertEqual(done.returncode, 2, done.stderr)
        found = re.findall(r"^mayfly: exec: '(.*)' did not join virtual time: .* \(process \d+\)$", done.stderr, re.M)
        self.assertEqual([os.path.basename(path) for path in found], [name] * count, done.stderr)

    def test_the_command(self):
        """Its loader cannot load the library. One that ends at once is refused, too; one that cannot begin has its loader's code."""
        self.write(self.library, 'this is not a library')
        self.refused(virtual('sleep', '3600', mayfly=self.mayfly), 'sleep')
        self.refused(virtual('true', mayfly=self.mayfly), 'true')
        self.refused(virtual('/bin/bash', '-c', 'sleep 3600; echo on', mayfly=self.mayfly), 'bash')     # with its child
        source, program = self.write('x.c', 'int nowhere(void); int main(void) { return nowhere(); }'), self.path('x')
        subprocess.run([*CC, '-shared', '-Wl,-soname,libnowhere.so', '-x', 'c', '-', '-o', program + '.so'], check=True, timeout=60, text=True,
                       input='int nowhere(void); int nowhere(void) { return 0; }')
        subprocess.run([*CC, source, program + '.so', '-o', program], check=True, timeout=60)
        self.assertEqual(virtual(program, mayfly=self.mayfly).returncode, 127)

    def test_programs_that_others_start(self):
        """The session has lost its library. A program that sleeps is killed; `true` ends by itself or is killed; a missing program is not named."""
        for line, name, outs in ((f'rm {self.library}; sleep 3600; echo $?', 'sleep', ('137\n',)),
                                 (f'rm {self.library}; /bin/true; echo $?', 'true', ('0\n', '137\n')),
                                 (f'rm {self.library}; exec sleep 3600', 'sleep', ('',))):
            done = virtual('sh', '-c', line, mayfly=copy_programs(self.folder))
            self.refused(done, name)
            self.assertIn(done.stdout, outs)
        script = f'import os, subprocess; os.remove({self.library!r}); print(os.posix_spawn("/bin/true", ["true"], {{}}) == os.wait()[0])'
        done = virtual(*PYTHON, script, mayfly=copy_programs(self.folder))
        self.refused(done, 'true')
        self.assertEqual(done.stdout, 'True\n')
        done = virtual('sh', '-c', f'rm {self.library}; no-such-program; echo $?', mayfly=copy_programs(self.folder))
        self.assertEqual((done.returncode, done.stdout), (0, '127\n'))

    def test_a_program_that_starts_others_past_the_c_library(self):
        """By its number in syscall() the child belongs to the world."""
        program = build_outsider(self.folder)
        self.refused(virtual(program, '/bin/sleep', '3600', mayfly=self.mayfly), 'sleep')
        self.assertEqual(virtual(program, '/bin/true', mayfly=self.mayfly).returncode, 0)
        script = self.write('script', '#!/bin/sh\nsleep 3600; exit $(($(date +%s) - 1767225600 - 3590))\n')
        os.chmod(script, 0o755)
        self.assertEqual(virtual(program, script, mayfly=self.mayfly).returncode, 10)


class Refused(unittest.TestCase):
    def test_gz10_static_programs(self):
        """GZ-10: such a program is refused by name"""
        done = virtual(MAYFLY, '--version')
        self.assertEqual(done.returncode, 2)
        assert_names(done.stderr, f'exec {one(MAYFLY)} statically')
        done = virtual(*PYTHON, f'''
import subprocess
try: subprocess.run([{MAYFLY!r}, "--version"])
except PermissionError: print("refused")
''')
        self.assertEqual(done.stdout, 'refused\n')
        assert_names(done.stderr, f'{one(MAYFLY)} statically')

    def test_scripts_are_as_good_as_their_interpreter(self):
        with tempfile.TemporaryDirectory() as folder:
            path, drone = os.path.join(folder, 'script'), os.path.join(folder, 'mayfly')
            os.symlink(MAYFLY, drone)   # the first line of a script takes no path with a space
            for interpreter, code in ((drone, 2), ('/bin/sh', 0)):
                with open(path, 'w', encoding='utf-8') as f:
                    f.write(f'#!{interpreter}\nsleep 2\n')
                os.chmod(path, 0o755)
                self.assertEqual(virtual(path).returncode, code)

    @unittest.skipUnless(os.geteuid() == 0, 'a program of another user needs root: "sudo make test"')
    def test_gz10_setuid_programs(self):
        """GZ-10: such a program is refused by name"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'sleep')
            shutil.copy('/bin/sleep', path)
            os.chown(path, 65534, 65534)
            os.chmod(path, 0o4755)
            done = virtual(path, '1')
            self.assertEqual(done.returncode, 2)
            assert_names(done.stderr, f'exec {one(path)} setuid setgid')

    def test_programs_in_go(self):
        """Linked dynamically, as with cgo: the runtime makes its system calls without the C library. This one has its section."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'go')
            subprocess.run([*CC, '-s', '-x', 'c', '-', '-o', path], check=True, timeout=60, text=True,
                           input='__attribute__((section(".go.buildinfo"))) int info = 1; int main(void) { return 0; }')
            done = virtual(path)
            self.assertEqual(done.returncode, 2)
            assert_names(done.stderr, f'exec {one(path)} Go runtime')
            self.assertEqual(virtual('sh', '-c', path).returncode, 126)

    @pytest.mark.long
    @needs('go', 'golang-go')
    def test_go_itself(self):
        """A program with cgo and one without that is linked as PIE, stripped and without build id; a library in a Python program."""
        def go(*flags, source):
            path = os.path.join(folder, 'main')
            with open(path + '.go', 'w', encoding='utf-8') as file:
                file.write(source)
            subprocess.run(['go', 'build', *flags, '-o', path, path + '.go'], check=True, timeout=600,
                           env={**os.environ, 'GOCACHE': os.path.join(folder, 'cache'), 'CGO_ENABLED': '1'})
            return path
        nap = 'package main\n{}import "time"\nfunc main() {{ time.Sleep(time.Second) }}\n'
        with tempfile.TemporaryDirectory() as folder:
            for flags, more in (((), 'import "C"\n'), (('-buildmode=pie', '-ldflags=-s -w -buildid='), '')):
                done = virtual(go(*flags, source=nap.format(more)))
                self.assertEqual(done.returncode, 2, done.stdout)
                assert_names(done.stderr, 'exec Go runtime')
            library = go('-buildmode=c-shared', source='package main\nimport "C"\n//export nap\nfunc nap() {}\nfunc main() {}\n')
            done = virtual(*PYTHON, f'import ctypes; ctypes.CDLL({library!r}).nap()')
            self.assertEqual(done.returncode, 2, done.stdout)
            assert_names(done.stderr, f'{one(library)} Go runtime')

    @unittest.skipUnless(os.geteuid() == 0, 'capabilities of files need root: "sudo make test"')
    def test_files_with_capabilities(self):
        with tempfile.TemporaryDirectory() as folder:
            mayfly = copy_programs(folder)
            shutil.copy('/bin/sleep', folder)
            os.chmod(folder, 0o755)
            path = os.path.join(folder, 'sleep')
            try:
                os.setxattr(path, 'security.capability', struct.pack('<5I', 0x02000001, 1 << 13, 0, 0, 0))   # cap_net_raw=ep
            except OSError as error:
                self.skipTest(f'{folder} keeps no capabilities of files: {error}: TMPDIR names another folder')
            done = virtual(path, '1', mayfly=mayfly, cwd='/', user=65534, group=65534, extra_groups=[])
            self.assertEqual(done.returncode, 2)
            assert_names(done.stderr, f'{one(path)} capabilities')
            self.assertEqual(virtual(path, '1').returncode, 0)      # root has them anyway

    def test_settings_that_do_not_fit(self):
        assert_names(run('--virtual').stderr, 'virtual mayfly exec --virtual -- COMMAND --virtual-socket FILE')
        for path in ('world', '/' + 'x' * 106):
            assert_names(run(f'--virtual-socket={path}').stderr, f'virtual_socket {path} 106')
        for flags in (('--clock', 'fast'), ('--transport', 'wall'), ('--start', 'connect'), ('--motion', 'event')):
            done = virtual('true', flags=flags)
            self.assertEqual(done.returncode, 2, flags)
            assert_names(done.stderr, f'virtual {flags[0][2:]}')
