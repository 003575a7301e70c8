# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of mayfly-swarm: a run that another process goes on with is the run that nobody interrupted."""
import os
import random
import re
import signal
import time

import pytest

import documents
from drone import assert_replays
from mavlink import ARM, BARRIER, GLOBAL_POSITION_INT, HEARTBEAT, HOLD
from names import assert_names, one
from paths import SCENARIOS, SWARM
from ports import free_port
from swarm_case import HOP, SwarmCase, hash_of
from swarm_links import ADDRESS, Swarm, command
from waiting import wait_until

# vehicles that rest for some time, with faults that begin before and after the checkpoint, and every kind of output
SCENARIO = '''swarm: 1
seed: 3
time: {epoch: 2026-03-01}
entities:
  - {name: a, count: 20, place: {disc: [0, 0, 300]}, plan: hop.waypoints, start: 2}
  - {name: b, body: physics, count: 3, place: [-100, 0], plan: hop.waypoints, faults: ["gps_drift=2@10s", "gps_off@50s"]}
  - {name: late, count: 2, place: [0, -100], plan: hop.waypoints, start: 31, settings: {wind.speed: 6, battery.capacity: 900}}
  - {name: idle, place: [9, 9]}
outputs:
  csv: {file: s.csv, every: 0.7}
  kml: {file: s.kml, every: 5, of: [a.7, b]}
  events: e.csv
  record: {file: "r-%n.mfr", of: [a.7, b.2]}
  tlog: {file: "t-%n.tlog", of: [a.7, b.1]}
expect:
  - {of: a, event: item, item: 0, by: 20}
  - {of: a, event: landed}
  - {of: late, event: armed, between: [31, 31.2]}
  - {of: late, never: failsafe}
  - {of: a, mode: mission, at: 20}
  - {of: idle, position: [9, 9, 0], at: 45}
'''
PARTS = ('s.csv', 'e.csv', 'r-7.mfr', 'r-22.mfr', 't-7.tlog', 't-21.tlog')


class Checkpoint(SwarmCase):
    def swarm_into(self, folder, *args, code=0, scenario=SCENARIO):
        """stdout, and stderr of a run whose outputs are in a folder of their own."""
        return self.finish(self.start(self.write('s.yaml', scenario), '--out', self.path(folder), *args), code)

    def verdicts(self, out):
        return re.findall('^(?:ok|FAILED) .*$', out, re.M)

    @pytest.mark.long
    def test_a_resumed_run_is_the_run_that_nobody_interrupted(self):
        """SBE-01: outputs, verdicts and hash, whatever is under way at the checkpoint: a climb (8), a leg of vehicles whose
        mission has just begun (31, the instant itself), a descent with faults (70.123456)."""
        whole, _ = self.swarm_into('whole')
        self.assertEqual(len(self.verdicts(whole)), 6)
        for at in ('8', '31', '70.123456'):
            first, told = self.swarm_into('first', '--checkpoint', self.path('c'), '--at', at)
            self.assertEqual(self.verdicts(first), [])
            assert_names(told, f'{one(self.path("c"))} {float(at):.6f} s')
            for threads in ('1', '3'):
                second, _ = self.swarm_into('second', '--resume', self.path('c'), '--threads', threads)
                self.assertEqual(hash_of(second), hash_of(whole))
                self.assertEqual(self.verdicts(second), self.verdicts(whole))
                for name in PARTS:
                    self.assertEqual(self.bytes('first', name) + self.bytes('second', name), self.bytes('whole', name), name)
                    self.assertTrue(self.bytes('first', name) and self.bytes('second', name), name)
                self.assertEqual(self.text('second/s.kml'), self.text('whole/s.kml'))
        assert_replays(self, self.write('joined.mfr', self.bytes('first', 'r-22.mfr') + self.bytes('second', 'r-22.mfr')))

    def test_the_commands_of_the_page(self):
        """docs/swarm-manual.md, with a folder of its own instead of /tmp."""
        for line in documents.commands('docs/swarm-manual.md', 'Checkpoints', kind=''):
            self.run_line(line)
        self.swarm(os.path.join(SCENARIOS, 'ring.yaml'), out='first')
        self.assertEqual(self.bytes('first/ring.csv'), self.bytes('ring.csv'))

    @pytest.mark.long
    def test_a_resumed_run_may_be_interrupted_again_and_last_longer(self):
        whole, _ = self.swarm_into('whole', '--set', 'time.end=60')
        self.swarm_into('1', '--set', 'time.end=10', '--checkpoint', self.path('c'))
        self.swarm_into('2', '--resume', self.path('c'), '--checkpoint', self.path('c'), '--at', '20')
        third, _ = self.swarm_into('3', '--resume', self.path('c'), '--set', 'time.end=60')
        self.assertEqual(hash_of(third), hash_of(whole))
        self.assertEqual(b''.join(self.bytes(part, 's.csv') for part in '123'), self.bytes('whole', 's.csv'))

    @pytest.mark.long
    def test_a_signal_ends_a_run_from_which_another_goes_on(self):
        args = ['--set', 'time={clock: x10, end: 30}', '--set', 'expect=[]']
        whole, _ = self.swarm_into('whole', '--set', 'time={clock: x1000, end: 30}', '--set', 'expect=[]')
        swarm = self.start(self.path('s.yaml'), '--out', self.path('first'), *args, '--checkpoint', self.path('c'))
        wait_until(lambda: os.path.exists(self.path('first/s.csv')), 'the first samples')
        time.sleep(0.1)
        swarm.send_signal(signal.SIGTERM)
        _, told = self.finish(swarm, 130)
        assert_names(told, one(self.path('c')))
        second, _ = self.swarm_into('second', *args, '--resume', self.path('c'))
        self.assertEqual(hash_of(second), hash_of(whole))
        self.assertEqual(self.bytes('first', 's.csv') + self.bytes('second', 's.csv'), self.bytes('whole', 's.csv'))

    def refused(self, *args, scenario=SCENARIO):
        _, error = self.swarm_into('x', *args, code=2, scenario=scenario)
        self.assertEqual(error.count('\n'), 1, error)
        return error

    @pytest.mark.long
    def test_what_does_not_fit_is_one_line_and_exit_code_2(self):
        c = self.path('c')
        self.swarm_into('first', '--checkpoint', c, '--at', '12')
        image = self.bytes('c')
        for args in (('--seed', '4'), ('--set', 'entities.0.count=19'), ('--set', 'time.clock=fast'),
                     ('--set', 'entities.0.params={MPC_XY_CRUISE: 9}')):
            assert_names(self.refused('--resume', c, *args), f'{c} scenario seed variation')
        assert_names(self.refused('--resume', c, '--set', 'time.end=11.5'), f'{c} 12.000000 s 11.5 s')
        assert_names(self.refused('--resume', c, '--checkpoint', self.path('d'), '--at', '3'), f'{c} 12.000000 s 3 s')
        os.mkfifo(self.path('fifo'))
        assert_names(self.refused('--resume', self.path('fifo')), self.path('fifo'))
        assert_names(self.refused('--checkpoint', 'c' * 200), '199')
        self.write('hop.waypoints', HOP.replace(' 30 1\n2', ' 31 1\n2'))
        assert_names(self.refused('--resume', c), f'{c} scenario seed variation')
        self.write('hop.waypoints', HOP)
        assert_names(self.refused('--resume', self.path('none')), self.path('none'))
        assert_names(self.refused('--resume', self.folder), self.folder)
        assert_names(self.refused('--checkpoint', self.path('none/c'), '--at', '1'), self.path('none/c'))
        assert_names(self.refused_at_the_end('--checkpoint', self.path('d'), '--at', '1000'), '--at 1000')
        self.assertFalse(os.path.exists(self.path('d')) or os.path.exists(self.path('none')))
        assert_names(self.refused('--checkpoint', c, '--at', 'noon'), '--at noon')
        assert_names(self.refused('--at', '3'), '--checkpoint FILE')
        assert_names(self.refused('--checkpoint', c, '--junit', c), '--junit')
        self.assertEqual(self.bytes('c'), image)
        for altered, why in ((image[:-1], 'end'), (image + b'\0', 'end'), (image[:100], 'checkpoint'), (b'', 'checkpoint'),
                             (b'swarm: 1\n' * 1000, 'checkpoint'), (image[:8] + b'\x01' + image[9:], 'version'),
                             (image[:len(image) // 2] + bytes([image[len(image) // 2] ^ 1]) + image[len(image) // 2 + 1:], 'sum')):
            assert_names(self.refused('--resume', self.write('altered', altered)), f'{self.path("altered")} {why}')

    def refused_at_the_end(self, *args):
        return self.swarm_into('x', *args, code=2)[1]

    @pytest.mark.long
    def test_no_altered_head_is_accepted(self):
        """Bytes of the head: all of magic, version, key and the first parts, some of the others, all of the sums; and several at once."""
        small = 'swarm: 1\nentities: [{name: a, plan: hop.waypoints}]\n'
        c = self.path('c')
        self.swarm_into('first', '--checkpoint', c, '--at', '12', scenario=small)
        image = self.bytes('c')
        chance = random.Random(18)
        head = 1072
        single = [*range(64), *chance.sample(range(64, head - 16), 32), *range(head - 16, head)]
        for n, places in enumerate([[at] for at in single] + [chance.sample(range(head), chance.randint(2, 20)) for _ in range(20)]):
            altered = bytearray(image[:-1] if n % 7 == 6 else image)
            for at in places:
                altered[at] ^= chance.randint(1, 255)
            self.refused('--resume', self.write('altered', altered), scenario=small)

    def test_another_build_is_refused(self):
        """The same program with one constant altered: a word of its help."""
        c = self.path('c')
        self.swarm_into('first', '--checkpoint', c, '--at', '12')
        with open(SWARM, 'rb') as f:
            program = f.read()
        self.assertEqual(program.count(b'usage: mayfly-swarm'), 1)
        other = self.write('other', program.replace(b'usage: mayfly-swarm', b'USAGE: mayfly-swarm'))
        os.chmod(other, 0o755)
        assert_names(self.run_program(other, self.path('s.yaml'), '--resume', c, '--out', self.folder, code=2), f'mayfly-swarm {c} build')


    def test_ghosts_are_refused_in_one_line(self):
        scenario = SCENARIO.replace('outputs:', '  - {name: real, as: ghost, link: "tcpout:127.0.0.1:1", time_socket: "127.0.0.1:2"}\noutputs:')
        for option in ('--checkpoint', '--resume'):
            assert_names(self.refused(option, self.path('c'), scenario=scenario), f'{self.path("s.yaml")}:9 real checkpoint')


class Links(SwarmCase):
    def test_links_that_nobody_uses_change_nothing(self):
        """The whole run, with links or without them, is the run in two parts, the second of which opens other ports and may
        have none of the first's."""
        agents = '{name: sim, as: agent, count: 3, place: [0, -30], behaviour: {kind: walk, height: 10}}'
        scenario = self.write('s.yaml', f'''swarm: 1
time: {{end: 70}}
entities: [{{name: a, count: 20, place: {{grid: [5, 4]}}, plan: hop.waypoints}}, {agents}]
outputs: {{csv: {{file: s.csv, every: 1}}, record: {{file: "r-%n.mfr", of: a.3}}}}
''')
        def swarm(folder, *args):
            return hash_of(self.swarm(scenario, *args, out=folder))

        whole, none = swarm('whole', '--set', f'links.group={free_port()}'), swarm('none')
        self.assertEqual(whole, none)
        swarm('1', '--set', f'links="127.64.0.0:{free_port()}"', '--checkpoint', self.path('c'), '--at', '30')
        links = f'links={{group: {free_port()}, api: {free_port()}}}'
        self.assertEqual(swarm('2', '--set', links, '--resume', self.path('c'), '--threads', '2'), whole)
        self.assertEqual(self.bytes('1', 's.csv') + self.bytes('2', 's.csv'), self.bytes('whole', 's.csv'))
        self.assertEqual(self.bytes('1', 'r-3.mfr') + self.bytes('2', 'r-3.mfr'), self.bytes('whole', 'r-3.mfr'))
        assert_names(self.refused(scenario, '--resume', self.path('c'), out='x'), self.path('c') + ' scenario seed variation')

    @pytest.mark.long
    def test_clients_come_again(self):
        """What clients have told the vehicles stays; their connections, barriers and the API's hold end with the first part."""
        checkpoint = self.path('c')
        record = 'outputs.record={file: "r-%n.mfr", of: walker.7}'
        with Swarm(f'{{api: API, address: {ADDRESS}}}', more=', plan: hop.waypoints, start: 1000000', count=300, clock='x20',
                   args=('--set', record, '--checkpoint', checkpoint)) as swarm:
            clients = {number: swarm.vehicle(number) for number in (7, 7, 8, 260)}
            for number, client in clients.items():
                self.assertIsNotNone(client.expect(HEARTBEAT))
                client.send(command(ARM, 1))
                self.assertEqual(client.ack(ARM), 0)
                client.send(command(300))
                self.assertEqual(client.ack(300), 0)
            self.assertEqual(swarm.call('/v1/vehicles/9/parameters/MPC_XY_CRUISE', {'value': 7}, 'PUT')[0], 200)
            self.assertEqual(swarm.call('/v1/vehicles/9/faults', {'fault': 'gps_off'})[0], 200)
            clients[8].send(command(BARRIER, HOLD))
            self.assertEqual(clients[8].ack(BARRIER), 0)
            swarm.call('/v1/clock', {'action': 'hold'})
            for number in (7, 260):
                self.assertEqual(swarm.call(f'/v1/vehicles/{number}/misbehaviour', {'rule': 'command_denied(400)'})[0], 200)
                self.assertEqual(swarm.call(f'/v1/vehicles/{number}/track')[0], 200)
            before = swarm.call('/v1/vehicles/7')[1]
            at_s = swarm.clock_s()
            code, _, told = swarm.end()
            self.assertEqual(code, 130, told)
            assert_names(told, f'{checkpoint} {at_s:.6f} s')
            while clients[7].sock.recv(65536):          # up to its end; a time-out fails
                pass
            os.rename(swarm.path('r-7.mfr'), swarm.path('first.mfr'))
            swarm.start('--set', record, '--resume', checkpoint)
            client = swarm.vehicle(7)
            self.assertEqual(client.uid(7), 7)
            self.assertGreater(swarm.clock_s(), at_s)
            after = swarm.call('/v1/vehicles/7')[1]
            self.assertEqual((before['armed'], after['armed']), (True, True))
            self.assertEqual(swarm.call('/v1/vehicles?armed=true')[1]['count'], 3)
            self.assertEqual(swarm.call('/v1/vehicles?observed=true')[1]['count'], 1)
            self.assertEqual(swarm.call('/v1/vehicles/9/parameters/MPC_XY_CRUISE')[1]['value'], 7)
            self.assertEqual([f['fault'] for f in swarm.call('/v1/vehicles/9/faults')[1]['faults'] if f['active']], ['gps_off'])
            self.assertEqual(swarm.call('/v1/vehicles/7/misbehaviour')[1]['rules'], [])
            self.assertEqual(swarm.call('/v1/vehicles/7/track')[1]['total'], 1)
            other = swarm.vehicle(260)
            self.assertEqual(other.uid(10), 260)
            self.assertIsNotNone(other.expect(GLOBAL_POSITION_INT))
            self.assertEqual(swarm.end()[0], 130)
            assert_replays(self, self.write('joined.mfr', self.bytes(swarm.path('first.mfr')) + self.bytes(swarm.path('r-7.mfr'))))
