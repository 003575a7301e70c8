# SPDX-License-Identifier: Apache-2.0
"""Bodies of a swarm that autopilots of others fly (docs/foreign-autopilots.md): in this process, over ArduPilot's JSON and gzuav's ticks, and
those of Gazebo, whose plugins are bodies and clock of the run while the swarm stands as gzuav's channel. GZ-01, GZ-02, GZ-03, GZ-07, GZ-20."""
import hashlib
import json
import math
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from autopilot import Autopilot
from cases import cases
from examples import alone
from foreign_swarm import ForeignCase
from gzuav_client import SCRIPT, Subscriber
from names import assert_names
from paths import COSIM, TOP
from ports import free_port, free_ports
from swarm_case import RunCase

# A plugin of Gazebo as the channel sees it, with a body that only rises and falls: it says its name, gets END-TICK-AC, steps, sends
# BEGIN-TICK-AC. argv: socket, name, ticks, place east and north.
PLUGIN = '''
import math, socket, struct, sys
path, name, ticks, east, north = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.connect(path)
s.send(name.encode())
DT, MASS, G, MOST = 0.004, 3.0, 9.80665, 3.0 * 9.80665 / 0.39
up = rise = 0.0
for k in range(1, ticks + 1):
    end = s.recv(1024)
    if len(end) != 76:
        sys.exit(0 if end == b"" else "no END-TICK-AC of 76 bytes")
    motors = struct.unpack("<16f3f", end)[:4]
    x = [max(0.0, min(1.0, (m - 0.15) / 0.8)) for m in motors]
    accel = sum(MOST / 4 * (0.35 * part + 0.65 * part * part) for part in x) / MASS
    rise = max(rise + (accel - G) * DT, 0.0 if up == 0.0 else -100.0)
    up = max(0.0, up + rise * DT)
    feel = -accel if up > 0.0 else -G
    begin = struct.pack("<23d", k * DT, east, north, up, 0, 0, 0, 0, 0, feel, 1, 0, 0, 0, 0, 0, -rise, north, east, -up, 0, 0, 0)
    s.send(begin)
    print(begin.hex(), end.hex())
'''


class Pilot(threading.Thread):
    """The reference autopilot on its side of gzuav's ticks: END-TICK-AC first, as ArduCopter that is patched does it."""

    def __init__(self, path, name, route, rate=250):
        super().__init__(daemon=True)
        self.path, self.name_, self.route, self.rate = path, name, route, rate
        self.got, self.sent, self.last, self.error = [], [], None, None
        self.start()

    def run(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as link:
            link.settimeout(60)
            link.connect(self.path)
            link.send(self.name_)
            pilot, motors = Autopilot(), [0.0] * 16
            pilot.on = True
            try:
                while True:
                    end = struct.pack('<16f3f', *motors, 0, 0, 0)
                    link.send(end)
                    begin = link.recv(1024)
                    if not begin:
                        return
                    self.sent.append(end)
                    self.got.append(begin)
                    t = struct.unpack('<23d', begin)
                    self.last = t
                    state = {'imu': {'gyro': t[4:7], 'accel_body': t[7:10]}, 'quaternion': t[10:14], 'velocity': t[14:17], 'position': t[17:20]}
                    pilot.target = self.route(t[0])
                    motors = [(us - 1000) / 1000 for us in pilot.pulses(state, 1 / self.rate)] + [0.0] * 12
            except (ConnectionResetError, BrokenPipeError):
                pass  # the run is over
            except OSError as error:
                self.error = error


def square(t):
    """Up, then a corner every second."""
    return ((0, 0, -2), (0.5, 0, -2), (0.5, 0.5, -2), (0, 0, -2))[min(3, int(t))]


def trace_of(data):
    """The end of a trace's line for bytes."""
    return f'{len(data)}:{hashlib.sha256(data).hexdigest()[:16]}'


def place_on_earth(home, position):
    """Coordinates from the centre of WGS84 [m] of a place NED of a home: latitude, longitude [deg], as if the home were on the ellipsoid,
    where distances are those of maps."""
    lat, lon = math.radians(home[0]), math.radians(home[1])
    radius = 6378137 / math.sqrt(1 - 0.0066943799901413165 * math.sin(lat) ** 2)
    north, east, down = position
    out = radius - down  # along the normal of the ellipsoid
    axis = out * math.cos(lat) - north * math.sin(lat)
    return (axis * math.cos(lon) - east * math.sin(lon), axis * math.sin(lon) + east * math.cos(lon),
            (out - 0.0066943799901413165 * radius) * math.sin(lat) + north * math.cos(lat))


class Bodies(ForeignCase):
    """Mayfly's body in the swarm's lockstep."""
    WORLD = '''
swarm: 1
time: {clock: fast, end: 5}
outputs: {csv: {file: track.csv, every: 1}, events: events.csv}
entities:
  - {name: walker, as: agent, place: [50, 0, 0], behaviour: {kind: walk, rate: 10}}
  - {name: copter, count: 2, as: body, place: {grid: [2, 1], spacing: 30}, autopilot: {ac: @ac, rate: 250}}
'''

    def fly(self, trace):
        self.begin(self.WORLD, trace=trace)
        path = self.come('ac')
        pilots = [Pilot(path, b'copter.1', square), Pilot(path, b'2', lambda t: (0, 30, -3))]
        out, _ = self.end()
        for pilot in pilots:
            pilot.join(60)
            self.assertIsNone(pilot.error)
        return pilots, out

    @pytest.mark.long
    def test_gz20_a_body_is_a_member_that_the_reference_autopilot_flies_over_ticks(self):
        pilots, out = self.fly('first')
        self.assertRegex(out, r'bodies +2\D+2500\D+0\D')
        self.assertGreater(pilots[0].last[0], 4.99)  # it is one tick behind, and may not read the last one
        self.assertLess(math.dist(pilots[0].last[17:20], (0, 0, -2)), 0.5)
        self.assertLess(math.dist(pilots[1].last[17:20], (0, 30, -3)), 0.5)
        # the members' places in the swarm are those that the autopilots were told
        told = {round(struct.unpack_from('<d', begin)[0], 6): struct.unpack('<23d', begin)[17:20] for begin in pilots[0].got}
        checked = 0
        for row in self.rows('track.csv'):
            if row['member'] == 'copter.1' and float(row['t_s']) in told:
                north, _, down = told[float(row['t_s'])]
                self.assertAlmostEqual(float(row['alt_amsl_m']), 488 - down, delta=0.0011)
                self.assertAlmostEqual((float(row['lat_deg']) - 47.397742) * 111170, north, delta=0.05)
                checked += 1
        self.assertGreaterEqual(checked, 4)
        events = self.rows('events.csv')
        self.assertEqual([event['event'] for event in events if event['member'] == 'copter.1'], ['armed', 'in_air'])
        again, second = self.fly('second')
        self.assertEqual(again[0].got[:1249], pilots[0].got[:1249])
        self.assertEqual(self.text('first'), self.text('second'))
        self.assertEqual(re.findall('hash .*', out), re.findall('hash .*', second))

    def test_gz20_a_body_over_json_and_a_frame_that_comes_again(self):
        port = free_port()
        world = 'swarm: 1\ntime: {clock: fast, end: 5}\nentities:\n  - {name: copter, as: body, autopilot: {json: %d}}\n' % port
        self.begin(world)
        pilot, frame, answers = Autopilot(), 0, {}
        pilot.on, pilot.target = True, (0, 0, -2)
        state = {'imu': {'gyro': [0, 0, 0]}, 'quaternion': [1, 0, 0, 0], 'velocity': [0, 0, 0], 'position': [0, 0, 0]}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.settimeout(1)
            link.connect(('127.0.0.1', port))
            while frame < 250 * 5 - 1:
                frame += 1
                data = struct.pack('<HHI16H', 18458, 250, frame, *pilot.pulses(state, 0.004), *[1000] * 12)
                for _ in range(60):
                    try:
                        link.send(data)
                        answers[frame] = link.recv(2048)
                        break
                    except (ConnectionRefusedError, TimeoutError):  # nobody is there yet
                        time.sleep(0.05)
                if frame == 500:
                    link.send(data)
                    self.assertEqual(link.recv(2048), answers[frame])
                state = json.loads(answers[frame])
                self.assertAlmostEqual(state['timestamp'], 0.004 * frame)
            link.send(struct.pack('<HHI16H', 18458, 250, frame + 1, *[1000] * 16))
            self.assertLess(math.dist(state['position'], pilot.target), 0.5)
            out, _ = self.end()
        self.assertRegex(out, r'bodies +1\D+1250\D+0\D')

    @pytest.mark.long
    def test_gz03_phase_1_is_told_where_bodies_are(self):
        self.begin(self.WORLD.replace('end: 5', 'end: 4').replace('swarm: 1', 'swarm: 1\ngzuav: {listen: 0, tick: 0.1, expect: [0, 1]}'))
        client = Subscriber(self.port(), 1)
        path = self.come('ac')
        pilots = [Pilot(path, name, lambda t, east=east: (t / 2, east, -2)) for name, east in ((b'copter.1', 0), (b'copter.2', 30))]
        seen = []
        for _ in range(40):
            seen.append(client.begin())
            client.end()
        client.close()
        self.end()
        for member, pilot in enumerate(pilots, 1):
            pilot.join(60)
            told = {round(struct.unpack_from('<d', begin)[0], 6): struct.unpack('<23d', begin)[1:4] for begin in pilot.got}
            for t, places in seen[:-1]:
                number, east, north, up = places[member]
                self.assertEqual(number, member)
                self.assertLess(math.dist((east, north, up), told[round(t, 6)]), 0.001)
        self.assertGreater(max(places[1][2] for _, places in seen), 1)

    def answers(self, number):
        """What the trace says that the autopilot of a member gets: (time [ns], length and hash)."""
        return [(int(at), data) for at, data in re.findall(rf'^(\d+) autopilot of {number} gets: (\S+)$', self.text('trace.txt'), re.M)]

    def test_gz03_peers_over_ticks_are_told_places_of_one_frame(self):
        """GZ-03: copter.2 begins 30 m east of copter.1, and both rise by the same motors. Then the frame begins 100 m south, 8 m below."""
        south = 47.397742 - math.degrees(100 / 6370064)  # the meridian's radius of curvature there [m]
        for gzuav, north, up in (('', 0, 0), ('gzuav: {listen: 0, origin: [%.9f, 8.545594, 480]}' % south, 100, 8)):
            self.begin(self.WORLD.replace('end: 5', 'end: 1').replace('swarm: 1', 'swarm: 1\n' + gzuav))
            links = [self.join(self.come('ac'), name) for name in (b'copter.1', b'copter.2')]
            got = self.ticks(links, 250)
            told = [[struct.unpack('<23d', begin) for begin in one] for one in got]
            _, err = self.end()
            self.assertEqual([self.answers(number)[:250] for number in (1, 2)],
                             [[(4000000 * k, trace_of(begin)) for k, begin in enumerate(one)] for one in got])
            self.assertLess(math.dist(told[0][0][1:4], (0, north, up)), 0.001)
            self.assertLess(told[0][249][19], -up - 1)  # it has risen
            for one, other in zip(*told):
                self.assertLess(math.dist(other[1:4], (one[1] + 30, one[2], one[3])), 0.001)
                self.assertLess(math.dist(other[17:20], (one[17], one[18] + 30, one[19])), 0.001)
                self.assertEqual(other[17:20], (other[2], other[1], -other[3]))
            home = f'{south:.9f},8.545594000,480.0000,0' if gzuav else '47.397742000,8.545594000,488.0000,0'
            self.assertIn(f"autopilot of copter: {self.path('ac')}, --home {home}\n", err)

    def test_gz03_peers_over_json_have_a_home_each(self):
        """GZ-03: an ArduPilot is where --home and the answer's position are together; peers 30 m apart are so on WGS84."""
        first = free_ports(11)
        world = ('swarm: 1\ntime: {clock: fast, end: 1}\nentities:\n  - {name: copter, count: 2, as: body, place: {grid: [2, 1], spacing: 30}, '
                 'autopilot: {json: %d, yaw: 90}}\n' % first)
        self.begin(world)
        homes = []
        for number in (1, 2):
            line = self.process.stderr.readline()
            self.assertIn(f'copter.{number}: UDP port {first + 10 * (number - 1)}', line)
            homes.append([float(x) for x in re.search(r'--home (\S+)$', line)[1].split(',')])
        self.assertEqual([home[2:] for home in homes], [[488, 90]] * 2)
        links = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in homes]
        for number, link in enumerate(links):
            self.addCleanup(link.close)
            link.settimeout(30)
            link.connect(('127.0.0.1', first + 10 * number))
        for frame in range(1, 251):
            for link in links:
                link.send(struct.pack('<HHI16H', 18458, 250, frame, *[1700] * 16))
            answers = [link.recv(2048) for link in links]
            places = [place_on_earth(home, json.loads(answer)['position']) for home, answer in zip(homes, answers)]
            self.assertAlmostEqual(math.dist(*places), 30, delta=0.001)
        self.end()
        self.assertEqual([self.answers(number)[-1] for number in (0, 1)], [(1000000000, trace_of(answer)) for answer in answers])

    def test_gz07_an_autopilot_that_is_gone_has_no_power_and_the_world_goes_on(self):
        self.begin(self.WORLD)
        path = self.come('ac')
        Pilot(path, b'copter.1', square)
        with self.join(path, b'copter.2') as link:
            for _ in range(250):
                link.recv(1024)
                link.send(struct.pack('<19f', *[0.8] * 4, *[0.0] * 15))
        _, err = self.end()
        self.assertRegex(err, r'autopilot .*copter\.2 left .*1\.\d+ s')
        self.assertIn('autopilot of 2 left', self.text('trace.txt'))
        events = self.rows('events.csv')
        self.assertEqual([event['event'] for event in events if event['member'] == 'copter.2'], ['armed', 'in_air', 'disarmed', 'landed'])

    def ticks(self, links, count, *come):
        """So many ticks of autopilots that rise, and what each is told. Who comes before the last answer takes part after it."""
        told, joined = [[] for _ in links], []
        for k in range(count):
            for link, got in zip(links, told):
                got.append(link.recv(1000))
            if k == count - 1:
                joined = [self.join(self.path('ac'), name) for name in come]
            for link in links:
                link.send(struct.pack('<19f', *[0.7] * 4, *[0.0] * 15))
        return told + joined

    def test_gz07_an_autopilot_that_comes_late_or_again_joins_between_ticks(self):
        runs = set()
        for run in range(cases(3, 10)):
            self.begin(self.WORLD.replace('end: 5', 'end: 1').replace('rate: 250', 'rate: 250, expect: 1'), trace=str(run))
            first = self.join(self.come('ac'), b'copter.1')
            alone, second = self.ticks([first], 50, b'copter.2')
            both = self.ticks([first, second], 50)
            first.close()
            rest, again = self.ticks([second], 50, b'1')
            last = self.ticks([second, again], 100)
            for one, other in (both, last):
                self.assertEqual([begin[:8] for begin in one], [begin[:8] for begin in other])
            # copter.2 waited on the ground; copter.1 flew on, and fell in between
            self.assertEqual([struct.unpack('<23d', begin)[19] for begin in (alone[0], both[1][0])], [0.0, 0.0])
            before, after, later = (struct.unpack('<23d', begin)[16:20:3] for begin in (both[0][-1], last[1][0], last[1][-1]))
            self.assertLess(before[0], -0.5)  # it rises
            self.assertAlmostEqual(after[0], before[0] + 9.8 * 0.2, delta=0.3)
            self.assertLess(later[0], after[0])
            out, err = self.end()
            for text in (r'copter\.2 connected .*0\.196000 s', r'copter\.1 left .*0\.400000 s', r'copter\.1 connected .*0\.596000 s'):
                self.assertRegex(err, 'autopilot .*' + text)
            self.assertRegex(out, r'(?m)^autopilot copter.1 +0\.400000 +\d+\.\d{3}  left$')
            self.assertRegex(out, r'(?m)^autopilot copter.1 +1\.000000 +\d+\.\d{3}  stayed$')
            runs.add((re.search('hash .*', out).group(), re.search('trace .*', out).group(), *map(tuple, (alone, *both, rest, *last))))
        self.assertEqual(len(runs), 1)

    def test_gz07_an_autopilot_of_json_comes_late(self):
        port = free_port()
        self.begin('swarm: 1\ntime: {clock: fast, end: 1}\nentities:\n  - {name: a, as: body, autopilot: {ac: @ac, rate: 250}}\n'
                   '  - {name: j, as: body, autopilot: {json: %d, expect: 0, patience: 0.5, silent: drop}}\n' % port)
        pace = self.join(self.come('ac'), b'a')
        self.ticks([pace], 50)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.settimeout(30)
            link.connect(('127.0.0.1', port))
            for frame in range(1, 51):
                link.send(struct.pack('<HHI16H', 18458, 250, frame, *[1700] * 16))
                self.ticks([pace], 1)
                state = json.loads(link.recv(2048))
                self.assertAlmostEqual(state['timestamp'], 0.004 * frame)  # its own time, which begins with it
            self.assertLess(state['position'][2], -0.02)
        pace.close()
        _, err = self.end()
        self.assertRegex(err, r'autopilot .*j connected .*0\.(19\d|200)000 s')
        self.in_ledger = False

    def test_gz07_one_that_is_silent_is_named_and_then_as_configured(self):
        for silent, code in (('stop', 3), ('drop', 0)):
            port = free_port()
            self.begin('swarm: 1\ntime: {clock: fast, end: 1}\nentities:\n  - {name: copter, as: body, autopilot: '
                       '{json: %d, patience: 0.2, silent: %s}}\n' % (port, silent))
            self.process.stderr.readline()  # where it connects
            line = self.process.stderr.readline()  # time 0 waits, however long
            assert_names(line, f'time 0 autopilot copter UDP port {port}')
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
                link.sendto(struct.pack('<HHI16H', 18458, 250, 1, *[1000] * 16), ('127.0.0.1', port))
                _, err = self.end(code)
            self.assertRegex(err, r'autopilot .*copter .*silent .*0\.2 s .*0\.004000 s')
            self.assertEqual(bool(re.search(r'copter .*0\.2 s .*0\.004000 s: .*autopilot\.patience', err)), silent == 'stop')

    def test_a_name_of_nobody_and_one_that_is_there_are_let_go(self):
        self.begin(self.WORLD.replace('end: 5', 'end: 1'))
        path = self.come('ac')
        links = []
        for name in (b'nobody', b'walker', b'1', b'copter.1'):
            links.append(self.join(path, name))
            if name != b'1':
                self.assertEqual(links[-1].recv(10), b'')
        links[2].close()
        Pilot(path, b'2', lambda t: tuple(map(sum, zip(square(t), (0, 30, 0)))))  # around its own place
        _, err = self.end()
        self.assertRegex(err, f"{path}: 'nobody' ")
        self.assertRegex(err, f'{path}: 2 ')   # lines left out: one a second is enough

    def test_what_cannot_be_is_refused_by_name(self):
        body = '  - {name: b, as: body, autopilot: {ac: @ac}}'
        for entity, text in (
                ('  - {name: b, as: body}', 'b body autopilot {json: PORT} {ac: SOCKET}'),
                ('  - {name: b, as: body, autopilot: {json: 9002, ac: x}}', 'b body autopilot {json: PORT} {ac: SOCKET}'),
                ('  - {name: b, as: body, count: 9, autopilot: {json: 65500}}', 'autopilot.json 65535'),
                ('  - {name: b, as: body, autopilot: {json: 9002, plugin: x}}', 'autopilot.plugin ac'),
                ('  - {name: b, as: body, autopilot: {ac: x, plugin: x}}', 'autopilot.plugin ac'),
                ('  - {name: b, as: agent, autopilot: {ac: x}}', 'b autopilot body'),
                (body.replace('{ac', '{wind: 3, ac'), 'wind'),
                (body.replace('@ac', '@ac, expect: 2'), 'autopilot.expect'),
                (body[:-1] + ', behaviour: {kind: walk}}', 'b body autopilot'),
                (body[:-1] + ', plan: x.plan}', 'b plan'),
                (body[:-1] + ', body: physics}', 'b body')):
            self.refuse('swarm: 1\ntime: {clock: fast, end: 5}\nentities:\n' + entity + '\n', text)
        world = 'swarm: 1\ntime: {clock: %s, end: %s}\nentities:\n  - {name: b, as: body, autopilot: {ac: @ac%s}}\n'
        self.refuse(world % ('fast', 'idle', ''), 'b time.end')
        self.refuse(world % ('real', '5', ', plugin: @gz'), 'b autopilot.plugin time.clock fast')
        self.refuse(world % ('lockstep', '5', ', plugin: @gz'), 'b autopilot.plugin time.clock fast')
        gazebo = world.replace('swarm: 1', 'swarm: 1\ngzuav: {listen: 0, tick: 0.1}') % ('fast', '5', ', plugin: @gz')
        self.refuse(gazebo, 'b autopilot.plugin gzuav.tick')
        self.refuse(world % ('fast', '5', ', plugin: @gz, gusts: 2'), 'b autopilot.plugin gusts')
        self.refuse(world % ('fast', '5', ', plugin: @gz, rate: 500'), 'autopilot.rate ac plugin')
        self.refuse(world.replace('ac: @ac', 'json: 9002') % ('fast', '5', ', rate: 500'), 'autopilot.rate ac plugin')
        self.refuse(world % ('fast', '5', ''), 'b checkpoint ghosts', '--checkpoint', self.path('c'), '--at', '1')


# An autopilot over ticks that rises. It prints how far its clock is from the time that it is told, at most. argv: socket, name, ticks
CLIMBER = '''
import socket, struct, sys, time
begin = time.time()
link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
link.connect(sys.argv[1])
link.send(sys.argv[2].encode())
apart = 0.0
for _ in range(int(sys.argv[3])):
    told, = struct.unpack_from("<d", link.recv(1000))
    apart = max(apart, abs(time.time() - begin - told))
    link.send(struct.pack("<19f", *[0.7] * 4, *[0.0] * 15))
print("apart %.9f" % apart)
'''
# An autopilot over JSON whose motors stand still, which sleeps for a second before its first frame or behind its tenth. argv: port, frame
SLEEPER = '''
import socket, struct, sys, time
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.settimeout(10)
for frame in range(100):
    if frame == int(sys.argv[2]):
        time.sleep(1)
    link.sendto(struct.pack("<HHI16H", 18458, 50, frame + 1, *[1000] * 16), ("127.0.0.1", int(sys.argv[1])))
    link.recv(2048)
'''


class Virtual(ForeignCase):
    """Autopilots in virtual time, where the run stood at time 0 for ever."""
    WORLD = '''
swarm: 1
time: {clock: lockstep, end: %s}
entities:
%s
processes:
%s
'''

    def test_gz05_autopilots_in_virtual_time_fly_the_same_in_each_run(self):
        """GZ-05: one over JSON, the example's, holds 2 m; one over ticks of 1/300 s, no whole microseconds, sees the swarm's time pass."""
        port, script = free_port(), self.write('climber.py', CLIMBER)
        world = self.WORLD % (
            5, f'  - {{name: j, as: body, autopilot: {{json: {port}}}}}\n  - {{name: t, as: body, autopilot: {{ac: @ac, rate: 300}}}}',
            f'  - {{name: pilot, run: [python3, {COSIM}/pilot.py, "{port}", "2"], clock: virtual}}\n'
            f'  - {{name: climber, run: [python3, {script}, @ac, t, "600"], clock: virtual}}\n'
            'expect: [{of: j, position: [0, 0, 2], within: 0.2}]')
        runs = set()
        for run in range(3):
            self.begin(world, trace=str(run))
            out, err = self.end()
            self.assertLess(float(re.search(r'(?m)^apart (\S+)$', out)[1]), 0.000002)  # microseconds, and those of time.time()
            self.assertRegex(err, r't left at 2\.000000 s')
            runs.add((re.search('hash .*', out)[0], re.search('trace .*', out)[0]))
        self.assertEqual(len(runs), 1, runs)

    def test_gz07_one_that_sleeps_in_virtual_time_is_named(self):
        """GZ-07: before its first frame, and within its flight, as silent says."""
        for frame, silent, at, code in ((0, 'stop', '0.0', 3), (10, 'stop', '0.2', 3), (0, 'drop', '1.0', 0)):
            port, script = free_port(), self.write('sleeper.py', SLEEPER)
            self.begin(self.WORLD % (2, f'  - {{name: j, as: body, autopilot: {{json: {port}, patience: 0.3, silent: {silent}}}}}',
                                     f'  - {{name: sleeper, run: [python3, {script}, "{port}", "{frame}"], clock: virtual}}'))
            _, err = self.end(code)
            self.assertRegex(err, r'(?m)^mayfly-swarm: autopilot: .*\bj\b.* clock: virtual.* 0\.3 s at 0\.[02]00000 s$')
            if silent == 'stop':
                self.assertRegex(err, rf'/s\.yaml:5: autopilot: .*\bj\b.* 0\.3 s at {at}00000 s: .*autopilot\.patience\b.*autopilot\.silent')
            else:
                self.assertIn(f'autopilot of j connected at {at}00000 s', err)

    def test_a_program_that_fails_while_time_0_waits_ends_the_run(self):
        for clock in ('wall', 'virtual'):
            self.begin(self.WORLD % (2, f'  - {{name: j, as: body, autopilot: {{json: {free_port()}}}}}',
                                     '  - {name: other, run: [python3, -c, "import time; time.sleep(9)"], clock: virtual}\n'
                                     f'  - {{name: early, run: [sh, -c, "exit 7"], clock: {clock}}}'))
            _, err = self.end(3)
            assert_names(err, '/s.yaml:8 processes early code 7 time 0')


class Example(RunCase):
    @pytest.mark.long
    def test_gz20_the_example_of_bodies(self):
        with alone('body'):
            out = self.swarm(os.path.join(COSIM, 'body.yaml'), '--set', 'time.end=8', cwd=TOP)
        self.assertEqual(len(re.findall('^ok .* within 0.5 m', out, re.M)), 2)


class Channel(ForeignCase):
    """Gazebo's plugins are bodies and clock."""
    WORLD = '''
swarm: 1
time: {clock: fast, end: 100}
gzuav: {listen: 0, expect: [1, 2]}
entities:
  - {name: walker, as: agent, place: [50, 0, 0], start: 0, behaviour: {kind: walk, rate: 10}}
  - {name: copter, count: 2, as: body, autopilot: {ac: @ac, plugin: @gz, patience: 20}}
'''
    PLACES = ((b'copter.1', 12.5, -3.25), (b'2', 0.1, 40.0))

    def run_script(self, script, *args):
        """What it prints, read as it comes: a pipe that is full would hold it up."""
        process = subprocess.Popen([sys.executable, '-S', '-E', '-c', script, *map(str, args)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        said = []
        reader = threading.Thread(target=lambda: said.extend(line.split() for line in process.stdout))
        reader.start()
        return reader, said

    def fly(self, ticks, trace):
        self.begin(self.WORLD, trace=trace)
        port = self.port()
        clients = [self.run_script(SCRIPT, port, phase, ticks) for phase in (0, 1)]
        exact, seen = Subscriber(port, 1), []

        def watch():
            try:
                while True:
                    seen.append(exact.begin())
                    exact.end()
            except (EOFError, OSError):
                pass
        watcher = threading.Thread(target=watch)
        watcher.start()
        plugins = [self.run_script(PLUGIN, self.come('gz'), name.decode(), ticks, east, north) for name, east, north in self.PLACES]
        pilots = [Pilot(self.come('ac'), name, lambda t, at=at: (at[1], at[0], -2)) for name, *at in self.PLACES]
        for reader, _ in clients + plugins:
            reader.join(100)
        out, err = self.end()
        watcher.join()
        exact.close()
        return pilots, [said for _, said in plugins], [said for _, said in clients], seen, out, err

    @pytest.mark.long
    def test_gz02_the_swarm_is_gzuavs_channel_byte_for_byte(self):
        ticks = 750
        pilots, plugins, told, seen, out, err = self.fly(ticks, 'first')
        assert_names(err, 'plugin 3.000000 s')
        for pilot, plugin in zip(pilots, plugins):
            self.assertEqual(len(plugin), ticks)
            # what the plugin sends is what the autopilot gets, and the other way round, byte for byte
            self.assertEqual([begin.hex() for begin in pilot.got[:ticks - 1]], [begin for begin, _ in plugin][:ticks - 1])
            self.assertEqual([end.hex() for end in pilot.sent[:ticks - 1]], [end for _, end in plugin][:ticks - 1])
            self.assertAlmostEqual(struct.unpack('<23d', bytes.fromhex(plugin[-1][0]))[3], 2, delta=0.5)
        times = [struct.unpack_from('<d', bytes.fromhex(begin))[0] for begin, _ in plugins[0]]
        self.assertEqual(told[0], [[f'{t:.9f}'] for t in times])
        self.assertEqual([line[:1] for line in told[1]], told[0])
        # GZ-03: places of Gazebo's world to the last bit; those of Mayfly's members in the same frame
        self.assertEqual([t for t, _ in seen], times)
        for k, (_, places) in enumerate(seen):
            self.assertEqual([number for number, *_ in places], [0, 1, 2])
            for number, plugin in ((1, plugins[0]), (2, plugins[1])):
                self.assertEqual(places[number][1:], struct.unpack_from('<3d', bytes.fromhex(plugin[k][0]), 8))
        self.assertGreater(len({places[0] for _, places in seen}), 50)
        # GZ-01: BEGIN-TICK-AC, phase 0, END-TICK-AC, phase 1, for each tick
        lines = [re.sub(r':? (\d+:\w+|of \d+)', '', line.split(' ', 1)[1]) for line in self.text('first').splitlines() if 'came' not in line]
        tick = ['plugin'] * 2 + ['gzuav: phase 0 begins', 'gzuav: phase 0 ends'] + ['autopilot'] * 2 + ['gzuav: phase 1 begins', 'gzuav: phase 1 ends']
        lines = [line for line in lines if 'left' not in line]
        self.assertEqual(lines, ['autopilot'] * 2 + tick * ticks)
        _, _, _, _, second, _ = self.fly(ticks, 'second')
        self.assertEqual(re.findall('hash .*', out), re.findall('hash .*', second))
        first, again = ([line for line in self.text(name).splitlines() if not re.search(' (left|came)$', line)] for name in ('first', 'second'))
        self.assertEqual(first, again)

    WITHOUT = '''
swarm: 1
time: {clock: fast, end: 100}
entities:
  - {name: copter, count: 2, as: body, autopilot: {ac: @ac, plugin: @gz, patience: %s}}
'''

    @staticmethod
    def tick(t, place=0.0, size=184):
        return struct.pack('<23d', t, place, 0, 0, 0, 0, 0, 0, 0, -9.8, 1, *[0] * 12)[:size]

    def test_gz07_an_autopilot_of_gazebo_comes_again_and_a_late_plugin_is_sent_away(self):
        self.begin((self.WITHOUT % 20).replace('count: 2, ', ''))
        plugin, pilot = self.join(self.come('gz'), b'copter'), self.join(self.come('ac'), b'0')
        motors = struct.pack('<19f', *[0.5] * 19)
        come = None
        for k in range(1, 7):
            if k == 2:
                pilot.close()
            elif k != 3:
                pilot.send(motors)
            self.assertEqual(plugin.recv(100), bytes(76) if k in (2, 3) else motors)
            if k == 2:
                come = self.join(self.path('gz'), b'copter')
            elif k == 3:  # it begins with motors, as it does before time 0
                pilot = self.join(self.path('ac'), b'copter')
            plugin.send(self.tick(0.01 * k))
            if k not in (2, 3):
                self.assertEqual(pilot.recv(1000), self.tick(0.01 * k))
        self.assertEqual(come.recv(10), b'')
        plugin.close()
        pilot.send(motors)
        _, err = self.end()
        self.assertRegex(err, r'autopilot .*copter left .*0\.010000 s\n')
        self.assertRegex(err, r'autopilot .*copter connected .*0\.030000 s\n')
        self.assertRegex(err, f"plugin .*{self.path('gz')}: 'copter' .*time 0\n")
        self.assertIn('autopilot of 0 came', self.text('trace.txt'))

    def test_gz07_who_is_gone_or_wrong_on_either_side_leaves(self):
        tick = self.tick
        for bad, why in ((tick(0.02, size=183), '184 bytes'), (tick(math.nan), 'time .*0 .*1e9 s'),
                         (tick(0.01), 'time'), (tick(0.03), 'time .*plugins'),
                         (tick(0.02, math.inf), '-1e6 .*1e6')):
            self.begin(self.WITHOUT % 20)
            plugins = [self.join(self.come('gz'), name) for name in (b'copter.1', b'copter.2')]
            pilots = [self.join(self.come('ac'), name) for name in (b'copter.1', b'copter.2')]
            motors = struct.pack('<19f', *[0.5] * 19)
            for pilot in pilots:
                pilot.send(motors)
            for plugin in plugins:
                self.assertEqual(plugin.recv(100), motors)
                plugin.send(tick(0.01))
            for pilot in pilots:
                self.assertEqual(pilot.recv(1000), tick(0.01))
            pilots[0].close()  # an autopilot that is gone: its motors stand still
            pilots[1].send(motors)
            self.assertEqual(plugins[0].recv(100), bytes(76))
            self.assertEqual(plugins[1].recv(100), motors)
            plugins[0].send(tick(0.02))
            plugins[1].send(bad)
            self.assertEqual(plugins[1].recv(100), b'', why)
            self.assertEqual(pilots[1].recv(1000), b'')
            self.assertEqual(plugins[0].recv(100), bytes(76))
            plugins[0].close()
            _, err = self.end()
            self.assertRegex(err, r'autopilot .*copter\.1 left .*0\.010000 s')
            self.assertRegex(err, rf'plugin .*copter\.2 left .*0\.010000 s: .*{why}')
            self.assertRegex(err, r'autopilot .*copter\.2 left .*0\.010000 s: .*plugin')
            self.assertRegex(err, r'plugin .*0\.020000 s')

    def test_gz07_a_plugin_that_is_silent_stops_the_run(self):
        self.begin(self.WITHOUT.replace('count: 2, ', '') % 0.2)
        plugin, pilot = self.join(self.come('gz'), b'copter'), self.join(self.come('ac'), b'0')
        pilot.send(bytes(76))
        self.assertEqual(plugin.recv(100), bytes(76))
        _, err = self.end(3)
        self.assertRegex(err, r'plugin .*copter .*0\.2 s .*0\.000000 s')
