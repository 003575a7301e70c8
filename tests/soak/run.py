#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py MAYFLY [--hours H] [--wall S] [--seed N]: a drone under random flights, faults, misbehaviour, links and clients.

Vehicle time runs at --clock fast, in steps that the control API grants; between them one random thing is done. Every few
hours the drone ends and the next one begins with what it kept, in the other motion. What must hold: the process lives, asserts
nothing, uses no heap and no more memory; it answers every whole command, whatever came in front of it and in however many pieces
it came; HEARTBEAT comes once a second of either clock, unless a fault or a rule holds it back; the true position moves no faster
than the vehicle can; after all faults have ended it flies a clean mission; its recording replays bit for bit. It ends after H hours
of vehicle time in each motion, or after S seconds. A failure prints one line that repeats the same choices. Python 3
standard library only.
"""
import argparse
import contextlib
import http.client
import json
import math
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
import mavlink  # noqa: E402

NAN = float('nan')
LAT, LON = 473977420, 85455940
LIFE_S = 4 * 3600.0  # of vehicle time, at most, between two starts
PATIENCE_S = 30.0
RSS_MAX = 24e6       # everything static touched, and the program
MOTIONS = ['constant', 'physics']
STALL_MAX_S = 0.8    # between two pieces of a frame: after a second the drone gives it up
ANSWER_S = 1.0       # the longest that stray bytes hold up a command behind them
TRUTH_HZ = 10.0
SPEED_MAX_MPS = 35.0 # of any manoeuvre that is asked for; what falls, is blown or drifts says its speed itself
HEARTBEAT_S, HEARTBEAT_PATIENCE_S = 1.0, 3.0
HEARTBEATS_LATE = ['heartbeat_off', 'heartbeat_late']
SET_MESSAGE_INTERVAL, MODE_HOLD = 511, (4, 3)
MODES = [(1, 0), (2, 0), (3, 0), (4, 2), (4, 3), (4, 4), (4, 5), (4, 6), (4, 8), (5, 0), (6, 0), (7, 0), (10, 0), (9, 9)]
STEERED = {'Manual', 'Altitude', 'Position', 'Orbit', 'Follow Target', 'Acro', 'Offboard', 'Stabilized'}
PARAMS = ['MPC_XY_CRUISE', 'MPC_Z_VEL_MAX_UP', 'MPC_Z_VEL_MAX_DN', 'RTL_RETURN_ALT', 'RTL_DESCEND_ALT', 'MIS_TAKEOFF_ALT',
          'COM_DISARM_LAND', 'NAV_DLL_ACT', 'COM_LOW_BAT_ACT', 'GF_ACTION', 'GF_MAX_HOR_DIST', 'NAV_RCL_ACT', 'SYS_FAILURE_EN',
          'BAT_LOW_THR', 'COM_OBL_RC_ACT', 'NO_SUCH_PARAM']
QUALITIES = ['none', 'none', 'loss=10%', 'loss=2%,burst=1%:5', 'delay=20ms,jitter=10ms', 'duplicate=5%,reorder=5%', 'corrupt=5%',
             'rate=20000', 'rate=2000,loss=5%', 'in:loss=30%', 'silent=20s+5s', 'disconnect=10s+2s']
RULES_AT_ONCE = 8
RULE_WORDS = {'COMMAND': ['takeoff', 'arm', 'set_mode', 'land', 'inject', 'request', '176', '511'],
              'MESSAGE': ['HEARTBEAT', 'HOME_POSITION', 'COMMAND_ACK', 'MISSION_CURRENT', 'PARAM_VALUE', '24'],
              'PLAN': ['mission', 'fence', 'rally'],
              'PARAMETER': ['MPC_XY_CRUISE', 'GF_ACTION', 'SYS_FAILURE_EN'],
              'OPERATION': ['list', 'open', 'read', 'burst_read'],
              'ITEM': ['0', '1', '3', '40'], 'ERROR': ['1', '2', '10'], 'DELAY': ['100ms', '1s']}
PATHS = ['/healthz', '/readyz', '/metrics', '/v1/vehicle', '/v1/faults', '/v1/links', '/v1/config', '/openapi.json', '/nothing', '/']
now = time.monotonic


class Failure(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failure(what)


class Truth:
    """HIL_STATE_QUATERNION of one life: a place follows from the one before it and from a speed that the vehicle can have."""

    def __init__(self):
        self.last = None

    def forget(self):
        """What moves the vehicle next is allowed to: a teleport, or a place of a simulation that begins anew."""
        self.last = None

    def see(self, m):
        last, self.last = self.last, m
        if last is None or m.usec <= last.usec:  # another boot
            return
        seconds = (m.usec - last.usec) * 1e-6
        north, east = (m.lat - last.lat) * 0.0111319, (m.lon - last.lon) * 0.0111319 * math.cos(math.radians(m.lat * 1e-7))
        moved = math.hypot(north, east, (m.alt - last.alt) * 1e-3)
        speed = max(math.hypot(x.vx, x.vy, x.vz) * 1e-2 for x in (last, m))
        check(moved <= (SPEED_MAX_MPS + speed) * seconds + 0.5,
              f'the position jumps by {moved:.1f} m in {seconds:.3f} s at {m.usec * 1e-6:.3f} s, at {speed:.1f} m/s')


class Pulse:
    """HEARTBEAT of one life: when the last one came by the wall, and how many since they were counted last."""

    def __init__(self):
        self.came, self.wall, self.held_back = 0, now(), False

    def beat(self):
        self.came, self.wall = self.came + 1, now()

    def look(self, held_back):
        """@param held_back: may a fault or a rule keep it? Then, and just afterwards, none is missed."""
        if held_back or self.held_back:
            self.held_back, self.wall = held_back, now()
        check(now() - self.wall <= HEARTBEAT_S + HEARTBEAT_PATIENCE_S, f'no HEARTBEAT for {now() - self.wall:.1f} s')

    def all_came(self, seconds):
        """While so much vehicle time passed, on a clock that leaves out none?"""
        return self.held_back or self.came >= seconds / HEARTBEAT_S - 2

    def count(self, seconds):
        check(self.all_came(seconds), f'{self.came} times HEARTBEAT in {seconds:.1f} s')
        self.came = 0


class Drone:
    """A process, its pilot on a perfect link, and everybody else who talks to it."""

    def __init__(self, binary, folder, rng, number, motion):
        self.rng, self.number = rng, number
        self.recording = os.path.join(folder, f'life{number}.mfr')
        state = os.path.join(folder, 'state')
        os.makedirs(state, exist_ok=True)
        links = [f'{{address: "127.0.0.1:0", profile: min, quality: "{rng.choice(QUALITIES)}"}}' for _ in range(3)]
        config = os.path.join(folder, 'drone.yaml')
        with open(config, 'w', encoding='utf-8') as f:
            f.write(f'tcp: [{{address: "127.0.0.1:0", profile: min}}, {", ".join(links)}]\n'
                    f'udp: [{{address: "127.0.0.1:0", quality: "{rng.choice(QUALITIES)}"}}]\nudp_out: none\n')
        self.log_path = os.path.join(folder, f'life{number}.log')
        self.log = open(self.log_path, 'w+b')
        self.process = subprocess.Popen(
            [binary, '--config', config, '--clock', 'fast', '--motion', motion, '--seed', str(rng.randrange(1 << 30)), '--api',
             '127.0.0.1:0', '--state', state, '--record', self.recording, '--gnss-noise', '0.5', '--battery-capacity', '20000'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        self.ports = {'tcp': [], 'udp': [], 'http': []}
        end = now() + PATIENCE_S
        while len(self.ports['http']) == 0:
            check(now() < end and self.process.poll() is None, 'it does not start')
            time.sleep(0.005)
            self.read_ports()
        self.clients, self.web, self.garbage = [], [], b''
        self.seen, self.rules = {}, 0
        self.truth, self.pulse, self.late, self.fast = Truth(), Pulse(), False, True
        self.pilot = mavlink.Client('tcp', self.ports['tcp'][0])
        self.api = None
        self.set_fast()
        self.show_truth()
        self.heap = self.heap_size()

    def read_ports(self):
        found = {'tcp': [], 'udp': [], 'http': []}
        with open(self.log_path, encoding='utf-8', errors='replace') as f:
            for line in f:
                words = line.split()
                if len(words) > 1 and words[0] in ('tcp', 'udp') and ': MAVSDK' in line:
                    found[words[0]].append(int(words[1].rstrip(':').rsplit(':', 1)[1]))
                elif words and words[0].startswith('http://'):
                    found['http'].append(int(words[0].split(':')[2].rstrip('/')))
        if found['http']:
            self.ports = found

    def heap_size(self):
        with open(f'/proc/{self.process.pid}/maps', encoding='ascii') as f:
            return [line.split()[0] for line in f if '[heap]' in line]

    def resident(self):
        with open(f'/proc/{self.process.pid}/statm', encoding='ascii') as f:
            return int(f.read().split()[1]) * os.sysconf('SC_PAGESIZE')

    # ---- the control API

    def ask(self, method, path, body=None):
        for again in (True, False):  # it may have closed the connection, to make room or because it was idle
            try:
                if self.api is None:
                    self.api = http.client.HTTPConnection('127.0.0.1', self.ports['http'][0], timeout=PATIENCE_S)
                self.api.request(method, path, json.dumps(body) if body is not None else None,
                                 {'Content-Type': 'application/json'} if body is not None else {})
                answer = self.api.getresponse()
                text = answer.read().decode()
                return answer.status, json.loads(text) if 'json' in answer.getheader('Content-Type') else text
            except (OSError, http.client.HTTPException) as error:
                self.api = None
                check(again and self.process.poll() is None, f'{method} {path}: {error!r}, exit code {self.process.poll()}')
                self.pump()
                time.sleep(0.05)
        return None

    def vehicle(self):
        return self.ask('GET', '/v1/vehicle')[1]

    def set_fast(self):
        self.ask('POST', '/v1/clock', {'action': 'hold', 'mode': 'fast'})
        self.pulse.came, self.fast = 0, True

    def faults(self, only_active=True):
        return [f['fault'] for f in self.ask('GET', '/v1/faults')[1]['faults'] if f['active'] or not only_active]

    def see_faults(self):
        self.late = any(f in HEARTBEATS_LATE for f in self.faults())

    def run(self, seconds):
        """Let vehicle time pass. @return how much did: a reboot begins it anew"""
        status, clock = self.ask('POST', '/v1/clock', {'action': 'run', 'for_s': seconds})
        check(status == 202, f'the clock: {clock}')
        begin, end = clock['vehicle_time_s'], now() + PATIENCE_S + seconds
        while True:
            self.pump()
            clock = self.ask('GET', '/v1/clock')[1]
            if clock['standing'] and not clock['pending']:
                passed = max(0.0, clock['vehicle_time_s'] - begin)
                counted, late = passed if self.fast else 0.0, now() + HEARTBEAT_S + HEARTBEAT_PATIENCE_S
                while self.pump() or (not self.pulse.all_came(counted) and now() < late):  # all that was sent meanwhile
                    pass
                self.pulse.count(counted)
                return passed
            check(now() < end, f'vehicle time does not pass: {clock}')
            time.sleep(0.0005)

    # ---- the pilot

    def pump(self):
        """Everybody reads, some slowly; the pilot's messages are kept by kind, but for those that are judged at once.
        @return were there any?"""
        judge = {'HIL_STATE_QUATERNION': self.truth.see, 'HEARTBEAT': lambda m: self.pulse.beat()}
        messages = self.pilot.read()
        for message in messages:
            judge.get(message.name, self.seen.setdefault(message.name, []).append)(message)
        self.pulse.look(self.rules > 0 or self.late)
        for client in list(self.clients):
            try:
                for _ in range(16):
                    if not client.sock.recv(client.appetite) and client.kind == 'tcp':
                        raise ConnectionError
                    if client.appetite < 1000:
                        break
            except BlockingIOError:
                pass
            except OSError:
                self.drop(client)
        for sock in list(self.web):
            try:
                if not sock.recv(65536):
                    raise ConnectionError
            except BlockingIOError:
                pass
            except OSError:
                self.web.remove(sock)
                sock.close()
        return bool(messages)

    def show_truth(self):
        """After a boot; the answer is not waited for."""
        self.truth.forget()
        self.send('COMMAND_LONG', command=SET_MESSAGE_INTERVAL, p1=115.0, p2=1e6 / TRUTH_HZ)

    def drop(self, client):
        client.close()
        self.clients.remove(client)

    def send(self, name, client=None, **values):
        values.setdefault('system', 1)
        values.setdefault('component', 1)
        try:
            (client or self.pilot).send(name, **values)
        except BlockingIOError:
            pass
        except OSError:
            check(client is not None, 'the drone closed the pilot\'s connection')

    def expect(self, name, accept=lambda m: True, patience_s=5.0):
        end = now() + patience_s
        while now() < end:
            self.pump()
            for message in self.seen.pop(name, []):
                if accept(message):
                    return message
            time.sleep(0.0005)
        return None

    def command(self, number, p1=0.0, p2=0.0, p3=0.0, p4=NAN, p5=NAN, p6=NAN, p7=NAN):
        """The result; every command is answered, unless a rule of misbehaviour may keep it (None)."""
        self.pump()
        self.seen.pop('COMMAND_ACK', None)
        self.send('COMMAND_LONG', command=number, p1=p1, p2=p2, p3=p3, p4=p4, p5=p5, p6=p6, p7=p7)
        ack = self.expect('COMMAND_ACK', lambda m: m.command == number, 0.2 if self.rules else 5.0)
        check(ack is not None or self.rules, f'command {number} is not answered')
        return ack and ack.result

    def mode(self, main, sub):
        return self.command(176, 1.0, float(main), float(sub))

    def upload(self, items, kind=0):
        self.seen.pop('MISSION_ACK', None)
        self.seen.pop('MISSION_REQUEST_INT', None)
        self.send('MISSION_COUNT', count=len(items), kind=kind)
        end = now() + 1.0
        while now() < end:
            self.pump()
            acks = self.seen.pop('MISSION_ACK', [])
            if acks:
                return acks[-1].type
            for request in self.seen.pop('MISSION_REQUEST_INT', []):
                self.send('MISSION_ITEM_INT', item=request.item, kind=kind, **items[min(request.item, len(items) - 1)])
                end = now() + 1.0
            time.sleep(0.0005)
        return None


    def download(self, kind=0):
        """How many items came of how many, in whatever order; it gives up early."""
        self.pump()
        for name in ('MISSION_COUNT', 'MISSION_ITEM_INT'):
            self.seen.pop(name, None)
        self.send('MISSION_REQUEST_LIST', kind=kind)
        patience_s = 0.2 if self.rules else 5.0
        count = self.expect('MISSION_COUNT', patience_s=patience_s)
        came = set()
        for item in range(count.count if count else 0):
            if item not in came:
                self.send('MISSION_REQUEST_INT', item=item, kind=kind)
                self.expect('MISSION_ITEM_INT', lambda m: came.add(m.item) or m.item >= item, patience_s)
        self.send('MISSION_ACK', type=0, kind=kind)
        return len(came), count.count if count else 0


def waypoint(north, east, height, command=16, **more):
    return {'command': command, 'frame': 6, 'x': LAT + north, 'y': LON + east, 'z': height, 'auto': 1, 'p4': NAN, **more}


class Soak:
    """What is done: one random thing after the other."""

    def __init__(self, binary, replay, folder, seed, hours, wall_s):
        self.binary, self.replay, self.folder = binary, replay, folder
        self.rng = random.Random(seed)
        self.end_s, self.end_wall = hours * 3600.0, now() + wall_s
        self.flown = dict.fromkeys(MOTIONS, 0.0)
        self.motion = MOTIONS[0]
        self.count = {}
        self.resident = []
        self.drone = None
        self.last = 'the start'
        self.acts = [(name[4:], getattr(self, name)) for name in dir(self) if name.startswith('act_')]

    def note(self, what, n=1):
        self.count[what] = self.count.get(what, 0) + n

    def over(self):
        return min(self.flown.values()) >= self.end_s or now() >= self.end_wall

    def fly(self, seconds):
        self.flown[self.motion] += self.drone.run(seconds)

    # ---- flights

    def plan(self):
        rng = self.rng
        items = [waypoint(0, 0, rng.uniform(5, 60), 22)]
        for _ in range(rng.randint(1, 10)):
            items.append(waypoint(rng.randint(-9000, 9000), rng.randint(-9000, 9000), rng.uniform(5, 60),
                                  *([19] if rng.random() < 0.2 else []), p1=rng.uniform(0, 20)))
        if rng.random() < 0.3:
            items.append({'command': rng.choice([178, 177, 206, 183, 2000]), 'frame': 2, 'p1': 1.0, 'p2': 2.0, 'auto': 1})
        if rng.random() < 0.8:
            items.append(rng.choice([{'command': 20, 'frame': 2, 'auto': 1}, waypoint(500, 0, 0, 21)]))
        return items

    def act_mission(self, d):
        if self.rng.random() < 0.7:
            d.ask('DELETE', '/v1/faults')
        if d.upload(self.plan()) == 0 and d.command(400, 1.0) == 0 and d.mode(4, 4) == 0:
            self.note('missions')

    act_mission_again = act_mission

    def act_takeoff(self, d):
        d.command(400, 1.0)
        d.command(22, p7=488.0 + self.rng.uniform(3, 80))

    def act_mode(self, d):
        d.mode(*self.rng.choice(MODES))

    def act_command(self, d):
        rng = self.rng
        number = rng.choice([20, 21, 22, 34, 84, 85, 115, 178, 179, 192, 193, 195, 197, 201, 205, 209, 211, 241, 300, 400, 410, 500,
                             511, 512, 520, 2500, 3000, rng.randrange(65536)])
        if number in (246, 42600):  # a reboot and a barrier are asked for elsewhere
            return
        d.command(number, *[rng.choice([0.0, 1.0, NAN, 47.4, 1e9, -3.0]) for _ in range(7)])

    def act_reposition(self, d):
        rng = self.rng
        d.send('COMMAND_INT', command=192, frame=6, p1=-1.0, p2=1.0, p4=NAN, x=LAT + rng.randint(-20000, 20000),
               y=LON + rng.randint(-20000, 20000), z=rng.uniform(5, 80))

    def act_steer(self, d):
        rng = self.rng
        for _ in range(rng.randint(1, 20)):
            if rng.random() < 0.5:
                d.send('MANUAL_CONTROL', x=rng.randint(-1000, 1000), y=rng.randint(-1000, 1000), z=rng.randint(0, 1000))
            else:
                d.send('SET_POSITION_TARGET_GLOBAL_INT', lat=LAT, lon=LON, alt=500.0, vx=rng.uniform(-5, 5), mask=3, frame=5)
            self.advance(rng.uniform(0.05, 0.5))

    def act_fence_and_rally(self, d):
        vertex = [{'command': 5001, 'frame': 5, 'p1': 4.0, 'x': LAT + a * 30000, 'y': LON + b * 30000}
                  for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
        d.upload(self.rng.choice([[], vertex, vertex[:2]]), 1)
        d.upload([{'command': 5100, 'frame': 3, 'x': LAT + 3000, 'y': LON, 'z': 20.0}], 2)

    def act_reboot(self, d):
        if self.rng.random() < 0.3 and not d.vehicle()['armed']:
            self.note('reboots', d.command(246, 1.0) == 0)
            d.show_truth()

    # ---- faults, parameters

    def act_fault(self, d):
        fault = self.rng.choice(d.faults(only_active=False))
        body = {'fault': fault}
        if fault == 'prearm':
            body['text'] = 'soak'
        status, answer = d.ask('POST', '/v1/faults', body)
        check(status in (200, 409), f'{fault}: {answer}')  # 409: another one hides it
        self.note('faults', status == 200)
        if fault == 'breach_teleport':
            d.pump()
            d.truth.forget()

    act_fault_again = act_fault

    def act_inject(self, d):
        unit = self.rng.choice([0, 1, 2, 3, 4, 100, 101, 104, 105, 107])
        self.note('faults', d.command(420, float(unit), float(self.rng.randrange(8)), 0.0) == 0)

    def act_clear(self, d):
        active = d.faults()
        if active and self.rng.random() < 0.5:
            d.ask('DELETE', '/v1/faults/' + self.rng.choice(active))
        else:
            d.ask('DELETE', '/v1/faults')

    def act_param(self, d):
        value = self.rng.choice([0.0, 1.0, 2.0, 5.0, 30.0, -1.0, NAN, 1e20])
        kind = self.rng.choice([9, 6])
        bits, _ = mavlink.param_bits(int(value) if kind == 6 and abs(value) < 1e9 else value)
        d.send('PARAM_SET', bits=bits, param=self.rng.choice(PARAMS).encode(), type=kind)
        self.note('parameters')

    # ---- protocol misbehaviour

    def act_misbehave(self, d):
        rng = self.rng
        if d.rules >= RULES_AT_ONCE:
            return
        rule = rng.choice(d.ask('GET', '/v1/misbehaviour')[1]['known'])
        text, takes = rule['name'], re.match(r'(?:\((\w+)\))?(?:=(\w+))?', rule['takes'])
        if takes[1] and (takes[1] == 'MESSAGE' or rng.random() < 0.7):
            text += f'({rng.choice(RULE_WORDS[takes[1]])})'
        if takes[2] and rng.random() < 0.7:
            text += '=' + rng.choice(RULE_WORDS[takes[2]])
        text += rng.choice(['', '*1', '*3', '+1min', '+10min'])
        status, answer = d.ask('POST', '/v1/misbehaviour', {'rule': text})
        check(status in (200, 201), f'{text}: {answer}')
        d.rules += 1
        self.note('rules')

    act_misbehave_again = act_misbehave

    def act_download(self, d):
        came, count = d.download(self.rng.choice([0, 0, 1, 2]))
        check(came == count or d.rules, f'{came} of {count} items came')
        self.note('downloads')

    def act_behave(self, d):
        rules = d.ask('GET', '/v1/misbehaviour')[1]['rules']
        check(len(rules) == d.rules, f'{len(rules)} rules, not {d.rules}')
        self.note('rules fired', sum(rule['fired'] > 0 for rule in rules))
        if rules and self.rng.random() < 0.5:
            d.ask('DELETE', f'/v1/misbehaviour/{self.rng.choice(rules)["id"]}')
            d.rules -= 1
        else:
            self.behave()

    act_behave_again = act_behave

    def behave(self):
        d = self.drone
        d.ask('DELETE', '/v1/misbehaviour')
        check(d.ask('GET', '/v1/misbehaviour')[1]['rules'] == [], 'rules do not end')
        d.rules = 0

    # ---- clients

    def act_client(self, d):
        if len(d.clients) > 40:
            return
        kind = self.rng.choice(['tcp', 'tcp', 'udp'])
        try:
            client = mavlink.Client(kind, self.rng.choice(d.ports[kind]))
        except OSError:  # a link that is disconnected takes none
            return
        client.kind, client.appetite = kind, self.rng.choice([65536, 65536, 4096, 900])
        d.clients.append(client)
        self.note('clients')
        with contextlib.suppress(OSError):
            client.heartbeat()
            d.send('PARAM_REQUEST_LIST', client)

    act_client_again = act_client

    def act_goodbye(self, d):
        for client in self.rng.sample(d.clients, len(d.clients) // 3):
            d.drop(client)

    def act_garbage(self, d):
        rng = self.rng
        if not d.clients:
            return
        client = rng.choice(d.clients)
        name = rng.choice([n for n, m in sorted(mavlink.MESSAGES.items()) if 's' not in m[2]])
        good = mavlink.encode(name, rng.randrange(256), **{'component': 1} if 'component' in mavlink.MESSAGES[name][3] else {})
        spoilt = bytearray(good)
        spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        size = struct.calcsize(mavlink.MESSAGES[name][2])
        any_payload = bytearray(mavlink.encode(name, 0)[:10]) + rng.randbytes(size)
        any_payload[1] = size
        any_payload += struct.pack('<H', mavlink.crc16(bytes(any_payload[1:]) + bytes([mavlink.MESSAGES[name][1]])))
        data = rng.choice([rng.randbytes(rng.randint(1, 600)), good[:rng.randrange(1, len(good))], bytes(spoilt),
                           bytes(any_payload), b'\xfd' * 300, b'\xfe\x09' + rng.randbytes(40)])
        if b'\xf6\x00' in data:  # may be a command to reboot or shut down
            return
        with contextlib.suppress(OSError):
            client.sock.send(data)
            self.note('garbage')

    act_garbage_again = act_garbage

    def act_pieces(self, d):
        """A command behind stray bytes, in pieces, with pauses, after connections that ended inside a frame: it is answered."""
        rng = self.rng
        number = rng.choice([512, 520, 511, 300, 179])
        frame = mavlink.encode('COMMAND_LONG', rng.randrange(256), command=number, system=1, component=1, p1=rng.choice([0.0, 33.0, 148.0]))
        cut = rng.randrange(1, len(frame))
        for _ in range(rng.choice([0, 0, 1, 5])):
            with contextlib.suppress(OSError), contextlib.closing(mavlink.Client('tcp', d.ports['tcp'][0])) as other:
                other.sock.send(frame[:cut])
        unknown = bytes([0xFD, rng.randrange(256), 0, 0, 1, 255, 190, *rng.randbytes(3)])
        stray = rng.choice([b'', rng.randbytes(rng.randint(1, 60)), frame[:cut], unknown, b'\xfe' + rng.randbytes(5)])
        data = stray + frame
        cuts = sorted(rng.sample(range(1, len(data)), rng.choice([0, 1, 2, 5])))
        with contextlib.closing(mavlink.Client('tcp', d.ports['tcp'][0])) as client:
            for begin, end in zip([0, *cuts], [*cuts, len(data)]):
                client.sock.send(data[begin:end])
                self.pause(d, client, rng.choice([0, 0, 0.02, rng.uniform(0, STALL_MAX_S)]) if end < len(data) else 0)
            end = now() + ANSWER_S + PATIENCE_S / 6
            while not any(m.name == 'COMMAND_ACK' and m.command == number for m in client.read()):
                check(now() < end or d.rules, f'command {number} in pieces is not answered: {data.hex()} cut at {cuts}')
                if now() >= end - PATIENCE_S / 6 and d.rules:
                    break
                d.pump()
                time.sleep(0.001)
        self.note('commands in pieces')

    def pause(self, d, client, seconds):
        end = now() + seconds
        while now() < end:
            client.read()
            d.pump()
            time.sleep(0.001)

    def act_web(self, d):
        rng = self.rng
        if len(d.web) > 450:
            for sock in d.web[:200]:
                sock.close()
            del d.web[:200]
        for _ in range(rng.choice([1, 2, 3, 5, 60])):
            try:
                sock = socket.create_connection(('127.0.0.1', d.ports['http'][0]), 5)
            except OSError:
                return
            sock.setblocking(False)
            d.web.append(sock)
            request = f'GET {rng.choice(PATHS)} HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode()
            data = rng.choice([b'', b'GET /slow', request, request * 50, request[:rng.randrange(len(request))], rng.randbytes(300),
                               b'POST /v1/faults HTTP/1.1\r\nContent-Length: 4000\r\n\r\n{', b'GET /v1/events HTTP/1.1\r\n\r\n'])
            with contextlib.suppress(OSError):
                sock.send(data)
        for sock in rng.sample(d.web, min(5, len(d.web))):  # slowly, a byte at a time
            with contextlib.suppress(OSError):
                sock.send(rng.randbytes(1))
        self.note('web')

    def act_clock(self, d):
        d.fast = False
        d.ask('POST', '/v1/clock', self.rng.choice([{'mode': 'event'}, {'rate': 50}, {'mode': 'lockstep'}]))
        self.advance(self.rng.uniform(0.1, 5))
        d.set_fast()

    # ---- what must hold

    def advance(self, seconds):
        """A vehicle that is steered lives on the wall's time: only for a moment."""
        d = self.drone
        if seconds > 0.5 and d.vehicle()['mode'] in STEERED:
            self.fly(0.5)
            if d.mode(4, 3) != 0:
                d.mode(4, 6)
            seconds = seconds if d.vehicle()['mode'] not in STEERED else 0.1
        self.fly(seconds)

    def told(self):
        return ', '.join(f'{seconds / 3600:.1f} h {motion}' for motion, seconds in self.flown.items())

    def look(self):
        d = self.drone
        check(d.process.poll() is None, f'it has ended with exit code {d.process.poll()}')
        check(d.heap_size() == d.heap, f'the heap has changed from {d.heap} to {d.heap_size()}')
        self.resident.append(d.resident())
        check(self.resident[-1] <= RSS_MAX, f'{self.resident[-1]} bytes of memory')

    def clean_flight(self):
        """All faults and rules end, everybody else goes; then it must fly as if nothing had been."""
        d = self.drone
        for other in d.clients + d.web:
            other.close()
        d.clients, d.web = [], []
        d.set_fast()
        d.ask('DELETE', '/v1/faults')
        self.behave()
        time.sleep(1.1)  # the longest that an answer is late
        d.command(400, 0.0, 21196.0)
        d.command(245, 2.0)  # all parameters as they were made
        check(d.command(246, 1.0) == 0, 'it does not reboot')
        d.show_truth()
        d.run(3.0)
        for kind in (0, 1, 2):
            d.send('MISSION_CLEAR_ALL', kind=kind)
            d.expect('MISSION_ACK')
        d.send('HEARTBEAT', type=6, autopilot=8, mavlink_version=3)
        v = d.vehicle()
        check(v['armable'], f'after all faults have ended it is not armable: {v["denial"]}')
        check(d.faults() == [], 'faults do not end')
        items = [waypoint(0, 0, 15.0, 22), waypoint(3000, 0, 20.0), waypoint(3000, 3000, 20.0), {'command': 20, 'frame': 2, 'auto': 1}]
        check(d.upload(items) == 0, 'a clean mission is refused')
        check(d.command(400, 1.0) == 0, 'it may not be armed')
        check(d.mode(4, 4) == 0, 'it does not fly the mission')
        for _ in range(60):
            d.run(10.0)
            v = d.vehicle()
            if not v['armed']:
                break
        check(not v['armed'] and v['landed_state'] == 'on_ground' and not v['failsafe'], f'the clean mission did not end: {v}')
        check(v['mission']['reached'] is not None and v['mission']['reached'] >= 2, f'waypoints were left out: {v["mission"]}')
        self.note('clean missions')

    def overruns(self):
        text = self.drone.ask('GET', '/metrics')[1]
        return int(next(x for x in text.splitlines() if x.startswith('mayfly_overruns_total ')).split()[1])

    def life(self, number):
        self.motion = min(MOTIONS, key=self.flown.get)
        until_s = min(self.flown[self.motion] + LIFE_S, self.end_s)
        self.drone = d = Drone(self.binary, self.folder, self.rng, number, self.motion)
        wall, late, was = now(), 0, 0
        while not self.over() and self.flown[self.motion] < until_s:
            name, act = self.rng.choice(self.acts)
            self.last = name
            act(d)
            d.see_faults()
            self.advance(self.rng.choice([0.1, 1.0, 5.0, 20.0, 60.0, 120.0, 600.0]))
            self.look()
            self.note('acts')
            count = self.overruns() if self.count['acts'] % 20 == 0 else was
            late, was = late + max(0, count - was), count
        self.last = 'the clean flight'
        check(late <= 20 + (now() - wall), f'{late} overruns in {now() - wall:.0f} s')
        self.note('overruns', late)
        self.clean_flight()
        self.last = 'the end'
        d.process.send_signal(signal.SIGTERM)
        code = d.process.wait(PATIENCE_S)
        check(code == 0, f'it ended with exit code {code}')
        self.note('recorded MB', os.path.getsize(d.recording) // 1000000)
        done = subprocess.run([self.replay, d.recording], capture_output=True, text=True, check=False)
        check(done.returncode == 0, f'the recording does not replay: {done.stdout + done.stderr}')
        os.remove(d.recording)
        print(f'soak: {self.told()}, ' + ', '.join(f'{v} {k}' for k, v in sorted(self.count.items())), flush=True)


def grown(resident):
    """By how much the last third of some sizes is larger than the second [bytes]."""
    third = len(resident) // 3
    return max(resident[-third:]) - max(resident[third:2 * third]) if third > 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('mayfly')
    parser.add_argument('--hours', type=float, default=24.0)
    parser.add_argument('--wall', type=float, default=float('inf'), metavar='S')
    parser.add_argument('--seed', type=int, default=random.SystemRandom().randrange(1 << 31))
    options = parser.parse_args()
    binary = os.path.abspath(options.mayfly)
    begin, lives = now(), 0
    print(f'soak: seed {options.seed}', flush=True)
    with tempfile.TemporaryDirectory(prefix='mayfly-soak-') as folder:
        soak = Soak(binary, os.path.join(os.path.dirname(binary), 'replay'), folder, options.seed, options.hours, options.wall)
        try:
            while lives == 0 or not soak.over():
                soak.life(lives)
                lives += 1
            check(grown(soak.resident) <= 1e6, f'memory grew by {grown(soak.resident)} bytes')
        except Exception as error:  # whatever it is, the line that repeats it
            drone = soak.drone
            kept = tempfile.mkdtemp(prefix='mayfly-soak-failed-')
            if drone is not None:
                if drone.process.poll() is None:
                    drone.process.kill()
                    drone.process.wait()
                with open(drone.log_path, encoding='utf-8', errors='replace') as f:
                    print(''.join(f.readlines()[-20:]), end='')
                for path in (drone.recording, drone.log_path):
                    if os.path.exists(path):
                        shutil.move(path, os.path.join(kept, os.path.basename(path)))
            print(f'soak: after {soak.told()}, {soak.last}: {error!r}; recording and log: {kept}')
            print(f'reproduce: make soak SEED={options.seed} HOURS={options.hours:g}')
            return 1
        finally:
            if soak.drone is not None and soak.drone.process.poll() is None:
                soak.drone.process.kill()
                soak.drone.process.wait()
    print(f'soak: {soak.told()} of vehicle time in {now() - begin:.0f} s, {lives} starts, memory at most '
          f'{max(soak.resident) / 1e6:.2f} MB, grown by {grown(soak.resident) / 1e6:.2f} MB: nothing found')
    return 0


if __name__ == '__main__':
    sys.exit(main())
