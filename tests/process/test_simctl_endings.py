# SPDX-License-Identifier: Apache-2.0
"""build/simctl over processes of this machine: each way in which an instance ends, what the controller says of it, and that nothing is left.

MF_SEED chooses the ends of the storm."""
import datetime
import json
import os
import random
import signal
import threading
import time
import unittest.mock

import pytest

import daemons
from folder_case import FolderCase
from local_controller import Controller, templates
from process_table import children, is_alive
from waiting import wait_until

SEED = int(os.environ.get('MF_SEED', '1'))
STRICT_S = 10.0         # after the end of a lifetime nothing runs
ORDER = ['pending', 'starting', 'ready', 'degraded', 'ending', 'ended']
TEMPLATE = '''\
lifetime: {default: 60s, max: 60s, extend: true}
ttl: 5m
%s
local: %s
pod:
  spec:
    initContainers:
    - {name: emulator, image: localhost/mayfly, restartPolicy: Always, args: [%s]}
    - {name: weather, image: localhost/acme/weather, restartPolicy: Always}
    containers:
    - {name: onboard, image: localhost/acme/onboard}
'''
SERVER = ['python3', '-S', '-c', 'import os, socket, time; s = socket.create_server(("127.0.0.1", int(os.environ["PORT"]))); time.sleep(600)']


def template(onboard, weather=('sleep', '600'), port='', onboard_port='', args='', more='onboard: onboard'):
    def command(words, variable):
        return '{command: %s%s}' % (json.dumps(words), f', port: {variable}' if variable else '')
    words = ['sh', '-c', onboard] if isinstance(onboard, str) else onboard
    text = TEMPLATE % (more, '{weather: %s, onboard: %s}' % (command(weather, port), command(words, onboard_port)), args)
    return text.replace('\n\n', '\n')


def drone_of(one):
    """Process id of an instance's drone: the leader of a session, whose variable names no command."""
    for pid in map(int, filter(str.isdigit, os.listdir('/proc'))):
        try:
            with open(f'/proc/{pid}/environ', 'rb') as f:
                lines = f.read().split(b'\0')
            if f'SIMCTL_INSTANCE={one["id"]}'.encode() in lines and os.getsid(pid) == pid and \
                    any(line.startswith(b'SIMCTL_FOLDER=') and line.endswith(b'/' + one['id'].encode()) for line in lines):
                return pid
        except OSError:
            continue
    raise AssertionError(one)


def kill(*depths):
    """Kill the drone (0), its keeper (1) or the runner of its commands (2) of an instance that is ready."""
    def act(case, one):
        case.controller.wait_until(one, 'ready', 'ended')
        chain = [drone_of(one)]
        chain += children(chain[0])
        chain += children(chain[1])
        for depth in depths:
            os.kill(chain[depth], signal.SIGKILL)
    return act


def end(state):
    """A caller ends the instance when it is in a state."""
    def act(case, one):
        case.assertEqual(case.controller.wait_until(one, state, 'ended')['state'], state)
        case.assertEqual(case.controller.ask('DELETE', '/v1/instances/' + one['id'])[0], 200)
    return act


def live(case, one):
    """Its lifetime goes on."""


DAEMONS = daemons.SCRIPT.replace('"$1"', 'WORD')
FILE = '/dev/null'      # not a program

# name: template, what happens, outcome, what the reason names, a state that must be seen
ENDINGS = {
    'completes': (template('exit 0'), live, 'completed', 'onboard 0'),
    'fails': (template('exit 3'), live, 'onboard_failed', 'onboard 3'),
    'dies': (template('kill -9 $$'), live, 'onboard_failed', 'onboard signal 9'),
    'leaves': (template(DAEMONS + 'sleep 0.5; exit 0'), live, 'completed', 'onboard 0'),
    'deaf-sidecar': (template('exit 0', ['sh', '-c', 'trap "" TERM; while :; do sleep 1; done', 'WORD']), live, 'completed', 'onboard 0'),
    'before-its-port': (template('exit 0', ['sh', '-c', 'exit 1'], 'PORT'), live, 'onboard_failed', 'weather 1 port'),
    'degraded': (template('sleep 4; exit 0', ['sh', '-c', 'sleep 0.5; exit 1']), live, 'completed', 'onboard 0', 'degraded'),
    'degraded-fails': (template('sleep 4; exit 2', ['sh', '-c', 'sleep 0.5; kill -9 $$']), live, 'onboard_failed', 'onboard 2', 'degraded'),
    'no-program': (template(['/no/such/program']), live, 'onboard_failed', 'onboard /no/such/program no such file'),
    'no-word': (template(['no-such-program']), live, 'onboard_failed', 'onboard no-such-program no such file'),
    'no-sidecar': (template('exit 0', ['/no/such/sidecar']), live, 'onboard_failed', 'weather /no/such/sidecar no such file'),
    'no-executable': (template([FILE]), live, 'onboard_failed', 'onboard ' + FILE),
    'own-port': (template('exit 0', onboard_port='PORT'), live, 'completed', 'onboard 0'),
    'by-caller': (template(DAEMONS + 'sleep 600', SERVER, 'PORT'), end('ready'), 'ended', ''),
    'before-ready': (template('exit 0', port='PORT'), end('starting'), 'ended', ''),
    'stops-its-group': (template(DAEMONS + 'kill -STOP 0', SERVER, 'PORT'), end('ready'), 'ended', ''),
    'drone-killed': (template(DAEMONS + 'sleep 600'), kill(0), 'emulator_failed', 'signal 9', 'ending'),
    'keeper-killed': (template(DAEMONS + 'sleep 600'), kill(1), 'onboard_failed', 'signal 9'),
    'runner-killed': (template(DAEMONS + 'sleep 600'), kill(2), 'onboard_failed', 'signal 9'),
    'runner-and-drone': (template(DAEMONS + 'sleep 600'), kill(2, 0), 'emulator_failed', 'signal 9', 'ending'),
    'no-such-flag': (template('exit 0', args='--no-such-flag'), live, 'emulator_failed', 'exit code 2 --no-such-flag'),
}
STOP_DRONE = r'p=$PPID; for i in 1 2; do p=$(awk "{print \$4}" /proc/$p/stat); done; kill -STOP $p; sleep 600'
STOP_BOTH = STOP_DRONE.replace('; kill -STOP $p', '; kill -STOP $p $q').replace('do p=', 'do q=$p; p=')     # the keeper, too
EXPIRING = {
    'expires': template(DAEMONS + 'sleep 600'),
    'deaf': template(DAEMONS + 'trap "" TERM; while :; do sleep 1; done'),
    'stopped': template(DAEMONS + 'kill -STOP $$'),
    'starting': template('exit 0', port='PORT'),
}


VIRTUAL = template('while :; do sleep 600; done', more='onboard: onboard\nvirtualTime: true')
ALONE = 'lifetime: {default: 60s, max: 60s, extend: true}\nttl: 5m\npod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}\n'


class Watch(threading.Thread):
    """Keeps each state and reason of each instance."""

    def __init__(self, controller):
        super().__init__()
        self.controller, self.seen, self.done = controller, {}, threading.Event()

    def run(self):
        while not self.done.is_set():
            for one in self.controller.ask('GET', '/v1/instances?limit=500')[1]['instances']:
                seen, now = self.seen.setdefault(one['id'], []), (one['state'], one['reason'])
                if not seen or seen[-1] != now:
                    seen.append(now)
            time.sleep(0.01)

    def check(self, case, one, name):
        """States go forwards, and each but ready has a reason."""
        states = [state for state, _ in self.seen[one['id']]]
        case.assertEqual(states, sorted(states, key=ORDER.index), name)
        case.assertEqual([s for s, reason in self.seen[one['id']] if not reason and s != 'ready'], [], (name, self.seen[one['id']]))
        return states


class Endings(FolderCase):
    def begin(self, endings):
        """A controller with a template for each."""
        self.word = daemons.mark()
        self.addCleanup(daemons.end, self.word)
        folder = self.enterContext(templates(**{name: text.replace('WORD', self.word) for name, text in endings.items()}))
        self.arguments = ['--templates', folder, '--state', self.path('state')]
        self.controller = self.enterContext(Controller(*self.arguments))
        self.watch = Watch(self.controller)
        self.watch.start()
        self.addCleanup(lambda: (self.watch.done.set(), self.watch.join()))

    @pytest.mark.long
    def test_sim003_the_onboard_software_decides(self):
        self.begin({name: ending[0] for name, ending in ENDINGS.items()})
        begun = {name: self.controller.start(template=name, wait=False)[0] for name in ENDINGS}
        for name, one in begun.items():
            ENDINGS[name][1](self, one)
        wrong = []
        for name, (_, _, outcome, reason, *state) in ENDINGS.items():
            ended = self.controller.wait_until(begun[name], 'ended')
            states = self.watch.check(self, ended, name)
            if ended['outcome'] != outcome or any(part not in ended['reason'] for part in reason.split()) or not set(state) <= set(states):
                wrong.append((name, ended['outcome'], ended['reason'], states))
            self.assertTrue(ended['times']['ready'] or not {'ready', 'degraded'} & set(states), name)
            times = [ended['times'][t] for t in ('asked', 'scheduled', 'started', 'ready', 'ended') if ended['times'][t]]
            self.assertEqual((times, ended['times']['ends'] > ended['times']['asked']), (sorted(times), True), name)
        self.assertEqual(wrong, [])
        self.assertEqual(daemons.alive(self.word), [])

    def expire(self, endings, kill_controller):
        """Instances whose lifetimes end. @return them, as they were last seen"""
        self.begin(endings)
        begun = {name: self.controller.start(template=name, wait=False, lifetime='4s')[0] for name in endings}
        wait_until(lambda: len(daemons.alive(self.word)) > daemons.COUNT, 'daemons run')
        drones = list(map(drone_of, begun.values()))
        if kill_controller:
            self.watch.done.set()
            self.watch.join()
            self.controller.kill()
        wait_until(lambda: not daemons.alive(self.word) and not any(map(is_alive, drones)), 'nothing is left')
        late_s = time.time() - max(datetime.datetime.fromisoformat(i['times']['ends']).timestamp() for i in begun.values())
        self.assertLess(late_s, STRICT_S)
        return begun

    @pytest.mark.long
    def test_sim006_a_lifetime_is_strict(self):
        """Also where the template lets it be extended, and the onboard software stops its drone."""
        for name, one in self.expire({**EXPIRING, 'stops-drone': template(DAEMONS + STOP_DRONE), 'stops-both': template(DAEMONS + STOP_BOTH)}, False).items():
            ended = self.controller.wait_until(one, 'ended')
            self.watch.check(self, ended, name)
            self.assertEqual(ended['outcome'], 'expired', name)
            self.assertEqual(ended['times']['ends'], one['times']['ends'])
            late = datetime.datetime.fromisoformat(ended['times']['ended']) - datetime.datetime.fromisoformat(ended['times']['ends'])
            self.assertTrue(0 <= late.total_seconds() <= STRICT_S, (name, late))

    @pytest.mark.long
    def test_sim006_a_lifetime_is_strict_without_a_controller(self):
        """Neither one that may be extended, nor one of a drone alone, nor one that stops its drone, nor one in virtual time."""
        begun = self.expire({**EXPIRING, 'fixed': EXPIRING['deaf'].replace(', extend: true', ''), 'alone': ALONE,
                             'stops-drone': template(DAEMONS + STOP_DRONE), 'virtual': VIRTUAL}, True)
        self.controller = self.enterContext(Controller(*self.arguments))
        for name, one in begun.items():
            self.assertEqual(self.controller.wait_until(one, 'ended')['outcome'], 'expired', name)

    @pytest.mark.long
    def test_sim006_an_extension_into_the_past_is_refused(self):
        self.begin({'expires': EXPIRING['expires']})
        one, = self.controller.start(template='expires')
        time.sleep(1.5)
        status, answer = self.controller.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '1s'})
        self.assertEqual((status, answer['code']), (422, 'lifetime'))
        self.assertEqual(self.controller.read(one)['times']['ends'], one['times']['ends'])

    @pytest.mark.long
    def test_sim006_an_extension_holds_without_a_controller(self):
        self.begin({'expires': EXPIRING['expires'], 'alone': ALONE})
        begun = [self.controller.start(template=name, lifetime='3s')[0] for name in ('expires', 'alone')]
        drones = [drone_of(one) for one in begun]
        ends = [self.controller.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '6s'})[1]['times']['ends'] for one in begun]
        self.watch.done.set()
        self.watch.join()
        self.controller.kill()
        before_s = datetime.datetime.fromisoformat(max(ends)).timestamp() - 1.0
        time.sleep(max(0.0, before_s - time.time()))
        self.assertTrue(all(map(is_alive, drones)) or time.time() > before_s + 0.5)
        wait_until(lambda: not any(map(is_alive, drones)) and not daemons.alive(self.word), 'nothing is left')
        self.assertLess(time.time() - before_s - 1.0, STRICT_S)

    @pytest.mark.long
    def test_sim003_endings_without_a_controller(self):
        """A new one finds what has become of them; states do not go back. The controllers run in an instance of another one."""
        self.enterContext(unittest.mock.patch.dict(os.environ, SIMCTL_FOLDER='/elsewhere/other-0', SIMCTL_INSTANCE='other-0'))
        self.begin({'leaves': template(DAEMONS + 'sleep 1; exit 0'), 'completes': template('sleep 1; exit 0'), 'fails': template('sleep 1; exit 3'),
                    'drone-killed': template(DAEMONS + 'sleep 600'), 'lives': template('sleep 600'), 'ends': template('sleep 600', SERVER, 'PORT')})
        begun = {name: self.controller.start(template=name)[0] for name in ('completes', 'fails', 'drone-killed', 'lives', 'ends', 'leaves')}
        runner = drone_of(begun['ends'])
        self.watch.done.set()
        self.watch.join()
        os.kill(runner, signal.SIGSTOP)
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances/' + begun['ends']['id'])[0], 200)
        self.controller.wait_until(begun['leaves'], 'ending')
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances/' + begun['leaves']['id'])[0], 200)
        self.controller.kill()
        os.kill(drone_of(begun['drone-killed']), signal.SIGKILL)
        time.sleep(1.5)
        self.controller = self.enterContext(Controller(*self.arguments))
        self.assertEqual(self.controller.read(begun['ends'])['state'], 'ending')
        self.assertEqual(self.controller.read(begun['lives'])['state'], 'ready')
        for name, outcome in (('leaves', 'completed'), ('completes', 'completed'), ('fails', 'onboard_failed'), ('drone-killed', 'emulator_failed'), ('ends', 'ended')):
            ended = self.controller.wait_until(begun[name], 'ended')
            self.assertEqual(ended['outcome'], outcome, name)
            self.assertEqual({k: v for k, v in ended['times'].items() if k != 'ended'}, {k: v for k, v in begun[name]['times'].items() if k != 'ended'})
        self.assertEqual(daemons.alive(self.word), [])


class Storm(FolderCase):
    """Instances with daemons, which end in every way."""
    WAYS = {'itself': (), 'caller': (), 'lifetime': (), 'controller': (), 'drone': (0,), 'keeper': (1,), 'runner': (2,), 'runner-and-drone': (2, 0),
            **({'all': (0, 1, 2)} if daemons.has_groups() else {})}
    COUNT, AT_ONCE = 2000, 25

    def test_sim006_each_kind_of_end_leaves_no_process(self):
        self.storm(daemons.QUICK, [list(self.WAYS)])

    @pytest.mark.long
    @pytest.mark.timeout(3600)
    def test_sim006_a_storm_leaves_no_process(self):
        print(f'reproduce: MF_SEED={SEED} MF_LONG=1 make process ONLY=test_simctl_endings.py')
        rng = random.Random(SEED)
        self.storm(daemons.SCRIPT, [rng.choices(list(self.WAYS), k=self.AT_ONCE) for _ in range(self.COUNT // self.AT_ONCE)])

    def storm(self, script, rounds):
        word = daemons.mark()
        self.addCleanup(daemons.end, word)
        text = template(script.replace('"$1"', word) + 'sleep "$LASTS"', more='onboard: onboard\n'
                        'values: {lasts: {env: LASTS, container: onboard, type: integer, min: 0, max: 600, default: 600}}')
        arguments = ['--templates', self.enterContext(templates(storm=text.replace('ttl: 5m', 'ttl: 0'))), '--state', self.path('state')]
        self.controller = Controller(*arguments)
        for ways in rounds:
            begun = [(way, self.controller.start(wait=False, template='storm', values={'lasts': 0 if way == 'itself' else 600},
                                                 lifetime='1s' if way == 'lifetime' else '60s')[0]) for way in ways]
            for way, one in begun:
                if way == 'controller':
                    self.controller.kill()
                    self.controller = Controller(*arguments)
                self.end(way, one)
            wait_until(lambda: not self.controller.ask('GET', '/v1/instances')[1]['instances'], 'all have ended')
            daemons.wait_gone(word)
        self.controller.stop()
        print(f'note: {sum(map(len, rounds))} instances, 0 processes left')

    def end(self, way, one):
        try:
            chain = [drone_of(one)] if self.WAYS[way] else []
            for _ in range(max(self.WAYS[way], default=0)):
                chain += wait_until(lambda: children(chain[-1]), 'its child')[:1]
            for depth in self.WAYS[way]:
                os.kill(chain[depth], signal.SIGKILL)
        except (AssertionError, ProcessLookupError):
            pass    # it has ended meanwhile
        if way in ('caller', 'controller'):
            self.controller.ask('DELETE', '/v1/instances/' + one['id'])
