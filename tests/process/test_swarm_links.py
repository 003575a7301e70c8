# SPDX-License-Identifier: Apache-2.0
"""Vehicles of build/mayfly-swarm from outside: an address each, groups, the window, UDP out, the control API, barriers."""
import re
import resource
import select
import signal
import socket
import struct
import time
import unittest

import pytest

from drone import PATIENCE_S, Drone, assert_replays
from http_client import Events, ask
from mavlink import (ARM, ATTITUDE, AUTOPILOT_VERSION, BARRIER, EVENT, GLOBAL_POSITION_INT, HEARTBEAT, HOLD, REQUEST_MESSAGE,
                     RUN)
from names import assert_names
from ports import free_port, free_ports
from swarm_case import hash_of
from swarm_links import ADDRESS, LinkClient, Swarm, command
from waiting import wait_until


class Addresses(unittest.TestCase):
    def test_each_vehicle_has_an_address_over_tcp(self):
        with Swarm(ADDRESS) as swarm:
            for number in (1, 7, 251, 600):
                client = swarm.vehicle(number)
                self.assertEqual(client.uid(1 + (number - 1) % 250), number)
                client.close()
            # no vehicle is there: it hangs up
            client = swarm.vehicle(601)
            self.assertEqual(client.read(PATIENCE_S), [])
            port = client.sock.getsockname()[1]
            client.close()
            code, out, error = swarm.end()
            self.assertEqual(code, 130, error)
            assert_names(error, f'tcp 127.0.0.1:{port} address')
            self.assertIn('600', out)

    def test_each_vehicle_answers_from_its_address_over_udp(self):
        with Swarm(ADDRESS) as swarm:
            swarm.vehicle(1).close()
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.settimeout(PATIENCE_S)
                for number in (2, 300):
                    address = (f'127.64.{number >> 8}.{number & 255}', swarm.tcp)
                    s.sendto(command(REQUEST_MESSAGE, AUTOPILOT_VERSION), address)
                    uid, sender = None, None
                    end = time.monotonic() + PATIENCE_S
                    while uid is None and time.monotonic() < end:
                        data, sender = s.recvfrom(65536)
                        if sender == address:
                            client = LinkClient(None)
                            client.take(data)
                            uid = next((struct.unpack_from('<Q', p.ljust(64, b'\0'), 8)[0]
                                        for _, m, p in client.found if m == AUTOPILOT_VERSION), None)
                    self.assertEqual((uid, sender), (number, address))

    def test_many_clients_at_once_each_with_its_own_vehicle(self):
        with Swarm(ADDRESS, clock='real') as swarm:
            clients = [swarm.vehicle(number) for number in range(1, 301)]
            for number, client in enumerate(clients, 1):
                self.assertIsNotNone(client.expect(ATTITUDE, 1 + (number - 1) % 250), number)
                self.assertEqual({system for system, _, _ in client.found} - {1 + (number - 1) % 250}, set())
            for client in clients:
                client.close()

    @pytest.mark.long
    def test_hundreds_that_connect_while_it_is_busy_all_come_in(self):
        """As a test's set-up does: all connections are made before the program takes the first of them."""
        with Swarm(ADDRESS, clock='real') as swarm:
            swarm.vehicle(1).close()
            swarm.process.send_signal(signal.SIGSTOP)
            waiting, end = set(), time.monotonic() + PATIENCE_S
            for number in range(1, 501):
                sock = socket.socket()
                sock.setblocking(False)
                sock.connect_ex((f'127.64.{number >> 8}.{number & 255}', swarm.tcp))
                waiting.add(sock)
                swarm.clients.append(LinkClient(sock))
            while waiting and time.monotonic() < end:
                waiting -= set(select.select([], waiting, [], 1)[1])
            self.assertEqual(len(waiting), 0, 'connections for which there was no room')
            swarm.process.send_signal(signal.SIGCONT)
            for number, client in enumerate(swarm.clients[-500:], 1):
                client.sock.setblocking(True)
                self.assertIsNotNone(client.expect(HEARTBEAT, 1 + (number - 1) % 250), number)

    def test_a_vehicle_has_seven_clients(self):
        with Swarm(ADDRESS) as swarm:
            clients = [swarm.vehicle(5) for _ in range(7)]
            for client in clients:
                self.assertEqual(client.uid(5), 5)
            last = swarm.vehicle(5)
            self.assertEqual(last.read(2), [])
            clients[3].close()
            time.sleep(0.5)
            again = swarm.vehicle(5)
            self.assertEqual(again.uid(5), 5)
            assert_names(swarm.end()[2], f'tcp 127.0.0.1:{last.sock.getsockname()[1]} link')

    def test_an_own_network_where_it_is_routed_here(self):
        """Another network than the usual one, by the command line."""
        with Swarm('{}', count=300) as swarm:
            swarm.process.kill()
            swarm.process.wait()
            swarm.start('--address', f'127.65.0.0/16:{swarm.tcp}')
            client = swarm.connect('127.65.1.4', swarm.tcp)
            self.assertEqual(client.uid(10), 260)


class Many(unittest.TestCase):
    @pytest.mark.long
    def test_a_group_has_a_port_with_separate_ids(self):
        port = free_ports(3)
        with Swarm(f'{{group: {port}}}') as swarm:
            for group, count in ((0, 250), (1, 250), (2, 100)):
                client = swarm.connect('127.0.0.1', port + group)
                seen, end = set(), time.monotonic() + PATIENCE_S
                while len(seen) < count and time.monotonic() < end:
                    seen |= {system for system, message, _ in client.read(0.3) if message == HEARTBEAT}
                self.assertEqual(seen, set(range(1, count + 1)))
                self.assertEqual(client.uid(77), 250 * group + 77)
                # position once a second, and more for whoever asks
                positions = [s for s, m, _ in client.read(1) if m == GLOBAL_POSITION_INT]
                self.assertEqual(set(positions), set(range(1, count + 1)))
                client.send(command(511, ATTITUDE, 100000, system=9))
                self.assertEqual(client.ack(511, 9), 0)
                self.assertIsNotNone(client.expect(ATTITUDE, 9))
                client.close()

    def test_a_group_over_udp(self):
        port = free_ports(1)
        with Swarm(f'{{group: {port}}}', count=20) as swarm:
            swarm.connect('127.0.0.1', port).close()
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.connect(('127.0.0.1', port))
            self.assertEqual(LinkClient(s).uid(20), 20)
            s.close()

    def test_a_window_keeps_vehicles_of_one_id_apart(self):
        window = free_port()
        links = f'{{window: {{port: {window}, vehicles: [walker.3, walker.253, walker.600]}}, api: API}}'
        with Swarm(links) as swarm:
            client = swarm.connect('127.0.0.1', window)
            # 253 would be 3, too, and gets the first that is free; 600 is 100
            self.assertEqual([client.uid(system) for system in (3, 1, 100)], [3, 253, 600])
            status, body = swarm.call('/v1/window', {'vehicles': [251, 'walker.1', 'walker.251']}, 'PUT')
            self.assertEqual((status, body['vehicles']), (200, [251, 1]))
            client.read(0.5)
            self.assertEqual([client.uid(system) for system in (1, 2)], [251, 1])
            self.assertEqual({s for s, m, _ in client.read(1.0) if m == HEARTBEAT}, {1, 2})
            self.assertEqual(swarm.call('/v1/window')[1]['vehicles'], [251, 1])
            for body, word in (({'vehicles': [601]}, 'vehicles 1 600'), ({'vehicles': ['bee']}, 'vehicles bee'),
                               ({'vehicles': ['walker']}, 'vehicles 250'), ({'vehicle': []}, 'vehicles')):
                status, answer = swarm.call('/v1/window', body, 'PUT')
                self.assertEqual(status, 422)
                assert_names(answer['error'], word)
            for raw in (b'', b'{"vehicles": [', b'\xff'):
                self.assertEqual(ask(swarm.api, 'PUT', '/v1/window', raw)[0], 400)
            self.assertEqual(swarm.call('/v1/window')[1]['vehicles'], [251, 1])

    def test_udp_out_to_a_port_of_each(self):
        port = free_ports(5)
        sockets = []
        for k in range(5):
            sockets.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            sockets[-1].bind(('127.0.0.1', port + k))
            sockets[-1].settimeout(PATIENCE_S)
        with Swarm(f'{{udp: "127.0.0.1:{port}"}}', count=5):
            for k in (4, 0, 2):
                data, sender = sockets[k].recvfrom(65536)
                self.assertEqual(data[5], k + 1)
                sockets[k].connect(sender)
                self.assertEqual(LinkClient(sockets[k]).uid(k + 1), k + 1)
        for s in sockets:
            s.close()


class Api(unittest.TestCase):
    def test_the_requests_of_one_drone_for_each_vehicle(self):
        with Swarm(f'{{api: API, address: {ADDRESS}}}', more=', plan: hop.waypoints, start: 1000000') as swarm:
            self.assertEqual(swarm.call('/healthz'), (200, {'status': 'ok'}))
            status, seven = swarm.call('/v1/vehicles/7')
            self.assertEqual((status, seven['system_id'], seven['armed'], seven['mission']['count']), (200, 7, False, 2))
            self.assertEqual(swarm.call('/v1/vehicles/walker.7')[1]['truth'], seven['truth'])
            # the plan, moved to the vehicle's place: 499 columns of 20 m to the east are 9,980 m
            items, place = swarm.call('/v1/vehicles/500/mission')[1]['items'], swarm.call('/v1/vehicles/500')[1]['truth']
            self.assertAlmostEqual(place['lon_deg'], 8.545594 + 9980 / 75458, places=3)
            self.assertAlmostEqual(items[1]['lat_deg'], place['lat_deg'] + 0.002, places=6)
            self.assertAlmostEqual(items[1]['lon_deg'], place['lon_deg'], places=6)
            status, result = swarm.call('/v1/vehicles/500/commands', {'action': 'start_mission'})
            self.assertEqual((status, result['name']), (200, 'accepted'))
            wait_until(lambda: swarm.call('/v1/vehicles/500')[1]['armed'], 'vehicle 500 is armed')
            listed = swarm.call('/v1/vehicles?armed=true')[1]
            self.assertEqual([(v['id'], v['name'], v['path']) for v in listed['vehicles']],
                             [(500, 'walker.500', '/v1/vehicles/500')])
            self.assertEqual(listed['vehicles'][0]['address'], f'127.64.1.244:{swarm.tcp}')
            self.assertEqual(swarm.call('/v1/vehicles/500/parameters/MPC_XY_CRUISE', {'value': 7}, 'PUT')[1]['value'], 7)
            self.assertEqual(swarm.call('/v1/vehicles/499/parameters/MPC_XY_CRUISE')[1]['value'], 10)
            faults = swarm.call('/v1/vehicles/3/faults', {'fault': 'gps_off'})[1]['faults']
            self.assertEqual([f['fault'] for f in faults if f['active']], ['gps_off'])
            self.assertEqual(swarm.call('/v1/vehicles/3')[1]['gnss']['fix_type'], 0)
            self.assertGreater(swarm.call('/v1/vehicles/4')[1]['gnss']['fix_type'], 0)

    def test_a_plan_of_its_own(self):
        with Swarm('{api: API}', more=', plan: hop.waypoints, start: 1000000') as swarm:
            items = [{'command': 22, 'frame': 3, 'param': [0, 0, 0, None], 'lat_deg': 47.4, 'lon_deg': 8.54, 'alt_m': 12}]
            status, stored = swarm.call('/v1/vehicles/9/mission', {'items': items}, 'PUT')
            self.assertEqual((status, stored.get('mission')), (200, 1), stored)
            self.assertEqual(swarm.call('/v1/vehicles/9/mission')[1]['items'][0]['alt_m'], 12)
            self.assertEqual(swarm.call('/v1/vehicles/8/mission')[1]['count'], 2)

    def test_the_list_has_filters_and_pages(self):
        with Swarm('{api: API}') as swarm:
            page = swarm.call('/v1/vehicles?count=3')[1]
            self.assertEqual(([v['id'] for v in page['vehicles']], page['count'], page['next']), ([1, 2, 3], 600, 4))
            page = swarm.call('/v1/vehicles?from=599&landed_state=on_ground&mode=hold&entity=walker')[1]
            self.assertEqual(([v['id'] for v in page['vehicles']], page['next']), ([599, 600], None))
            self.assertEqual(swarm.call('/v1/vehicles?entity=bee')[1]['count'], 0)
            # SBE-16: by type
            self.assertEqual(swarm.call('/v1/vehicles?kind=vehicle&body=constant&count=1')[1]['count'], 600)
            self.assertEqual(swarm.call('/v1/vehicles?sensor=range')[1]['count'], 0)
            status, error = swarm.call('/v1/vehicles?body=steel')
            self.assertEqual(status, 422, error)
            assert_names(error['error'], 'body constant physics thrust cell bee rigid')
            self.assertEqual(swarm.call('/v1/vehicles?armed=perhaps')[0], 422)
            self.assertEqual(swarm.call('/v1/vehicles?colour=red')[0], 422)
            self.assertEqual(swarm.call('/v1/vehicles/601')[0], 404)
            text = swarm.call('/metrics')[1]
            self.assertEqual(re.search(r'^mayfly_swarm_vehicles (\d+)$', text, re.M)[1], '600')
            document = swarm.call('/openapi.json')[1]
            self.assertIn('/v1/vehicles/{id}/mission', document['paths'])
            self.assertEqual([path for path, methods in document['paths'].items() for about in methods.values()
                              if {p['name'] for p in about.get('parameters', []) if p['in'] == 'path'} != set(re.findall(r'{(\w+)}', path))], [])

    def events(self, swarm, path):
        events = Events(swarm.api, path)
        self.addCleanup(events.close)
        return events

    @pytest.mark.long
    def test_events_of_each_vehicle(self):
        """A mission of 222 m at 10 m/s: what a drone tells of itself comes from the vehicle that is asked, and from no other."""
        with Swarm('{api: API}', more=', plan: hop.waypoints, start: 1000000', args=('--threads', '2')) as swarm:
            self.assertEqual(swarm.call('/healthz')[0], 200)
            seven, eight = self.events(swarm, '/v1/vehicles/7/events'), self.events(swarm, '/v1/vehicles/walker.8/events')
            swarm.call('/v1/vehicles/7/commands', {'action': 'start_mission'})
            names = []
            while names[-1:] != ['landed']:
                number, name, data = seven.next()
                self.assertEqual(number, len(names) + 1)
                names.append(name)
            self.assertEqual(data['landed_state'], 'takeoff')
            self.assertEqual(sorted(set(names)), ['armed', 'command', 'landed', 'mode', 'statustext'])
            begun = data['vehicle_time_s']
            _, reached = seven.wait_for('waypoint', item=0)
            self.assertAlmostEqual(reached['vehicle_time_s'] - begun, 10, delta=1.0)   # 30 m at 3 m/s
            swarm.call('/v1/vehicles/8/faults', {'fault': 'gps_off'})
            self.assertEqual(eight.next()[1:][0], 'fault')
            again = self.events(swarm, '/v1/vehicles/7/events?after=1')
            self.assertEqual([again.next()[:2] for _ in names[1:]], list(enumerate(names, 1))[1:])

    @pytest.mark.long
    def test_tracks_of_each_vehicle(self):
        with Swarm('{api: API}', more=', plan: hop.waypoints, start: 1000000', clock='x50') as swarm:
            begin = swarm.call('/v1/vehicles/7/track')[1]
            self.assertEqual((begin['total'], begin['more']), (1, False))
            place = begin['points'][0]
            swarm.call('/v1/vehicles/7/commands', {'action': 'start_mission'})
            wait_until(lambda: swarm.call('/v1/vehicles?finished=true')[1]['count'], 'vehicle 7 has arrived', 60)
            arrived_s = swarm.clock_s()
            wait_until(lambda: swarm.clock_s() >= arrived_s + 1, 'its end is a point when it has stood there')
            track = swarm.call('/v1/vehicles/7/track')[1]
            # it rises, then it flies: the corner is a point, 30 m above the ground, and the end is 222.36 m north of it;
            # both within 0.1 m, a millionth of a degree, since instants of samples are those of the wall
            corner = min(track['points'], key=lambda p: abs(p['alt_amsl_m'] - place['alt_amsl_m'] - 30) + abs(p['lat_deg'] - place['lat_deg']) * 1e5)
            self.assertAlmostEqual(corner['alt_amsl_m'] - place['alt_amsl_m'], 30, delta=0.11)
            self.assertAlmostEqual(corner['lat_deg'], place['lat_deg'], delta=1.2e-6)
            self.assertAlmostEqual(track['points'][-1]['lat_deg'] - place['lat_deg'], 0.002, places=5)
            self.assertLess(track['total'], 20)
            later = swarm.call(f'/v1/vehicles/7/track?after={corner["vehicle_time_s"]}')[1]['points']
            self.assertEqual(later, [p for p in track['points'] if p['vehicle_time_s'] > corner['vehicle_time_s']])
            # 48 at once: the one that nobody has asked for the longest time begins anew
            for number in range(100, 148):
                self.assertEqual(swarm.call(f'/v1/vehicles/{number}/track')[1]['total'], 1)
            self.assertEqual(swarm.call('/v1/vehicles/7/track')[1]['total'], 1)
            self.assertEqual(swarm.call('/v1/vehicles/100/commands', {'action': 'start_mission'})[1]['name'], 'accepted')

    def test_48_streams_of_events(self):
        with Swarm('{api: API}') as swarm:
            self.assertEqual(swarm.call('/healthz')[0], 200)
            streams = [self.events(swarm, f'/v1/vehicles/{number}/events') for number in range(1, 49)]
            for path in ('events', 'track'):
                status, answer = swarm.call(f'/v1/vehicles/65/{path}')
                self.assertEqual(status, 503)
                assert_names(answer['error'], '48')
            streams[9].close()
            wait_until(lambda: swarm.call('/v1/vehicles/65/track')[0] == 200, 'a place for vehicle 65')

    @pytest.mark.long
    def test_misbehaviour_of_each_vehicle(self):
        record = 'outputs={record: {file: "r-%n.mfr", of: walker.3}, tlog: {file: "t-%n.tlog", of: walker.4}}'
        with Swarm(f'{{api: API, address: {ADDRESS}}}', args=('--set', record)) as swarm:
            other, early = swarm.vehicle(8), swarm.vehicle(7)
            self.assertEqual(early.uid(7), 7)
            for number in (7, 3, 4):        # with a client already, recorded, logged
                rules = swarm.call(f'/v1/vehicles/{number}/misbehaviour', {'rule': 'command_denied(400)*2'})
                self.assertEqual((rules[0], [(r['id'], r['active'], r['fired']) for r in rules[1]['rules']]), (200, [(1, True, 0)]))
                client = early if number == 7 else swarm.vehicle(number)
                for result in (2, 2, 0):
                    client.send(command(ARM, 1))
                    self.assertEqual(client.ack(ARM), result, number)
                self.assertEqual(swarm.call(f'/v1/vehicles/{number}/misbehaviour')[1]['rules'][0]['fired'], 2)
            other.send(command(ARM, 1))
            self.assertEqual(other.ack(ARM), 0)
            swarm.call('/v1/vehicles/8/misbehaviour', {'rule': 'command_late(400)=1s'})
            begin = time.monotonic()
            other.send(command(ARM, 1))
            self.assertEqual(other.ack(ARM), 0)
            self.assertGreaterEqual(time.monotonic() - begin, 0.9)      # of the wall, at x5
            self.assertEqual(swarm.call('/v1/vehicles/8/misbehaviour', method='DELETE')[1]['rules'], [])
            self.assertEqual(swarm.call('/v1/vehicles/7/misbehaviour/command_denied', method='DELETE')[1]['rules'], [])
            self.assertEqual(swarm.call('/v1/vehicles/9/misbehaviour', {'rule': 'nonsense'})[0], 422)
            self.assertEqual(swarm.call('/v1/vehicles/10/misbehaviour')[1]['rules'], [])
            for number in range(100, 160):
                status, answer = swarm.call(f'/v1/vehicles/{number}/misbehaviour', {'rule': 'command_denied'})
            self.assertEqual(status, 409)
            assert_names(answer['error'], '64')
            self.assertEqual(swarm.end()[0], 130)
            assert_replays(self, swarm.path('r-3.mfr'))

    def test_a_token_is_asked_for_from_other_machines(self):
        with Swarm('{api: "0.0.0.0:API", token: "secret-of-the-swarm"}', count=5) as swarm:
            self.assertEqual(swarm.call('/healthz')[0], 200)
            self.assertEqual(swarm.call('/v1/vehicles')[0], 401)
            self.assertEqual(swarm.call('/v1/vehicles', headers={'Authorization': 'Bearer secret-of-the-swarm'})[0], 200)


class Others(unittest.TestCase):
    """Agents and ghosts beside vehicles: numbers 1 to 3 are agents, 4 to 7 vehicles, 8 is a ghost, 9 to 263 are vehicles."""
    AGENTS = '{name: sim, as: agent, count: 3, place: [0, -30], behaviour: {kind: walk, height: 10}}'
    FULL = '{name: full, count: 4, place: {grid: [4, 1]}}'
    FAR = '{name: far, count: 255, place: {grid: [100, 3]}}'
    END = ('--set', 'time.end=1000000')

    def setUp(self):
        drone = Drone('--clock', 'lockstep', '--time-socket', '0', '--home', '47.398,8.546,488')
        self.addCleanup(drone.end)
        ghost = f'{{name: real, {drone.as_ghost()}, behaviour: {{kind: walk, height: 20}}}}'
        self.entities = ', '.join((self.AGENTS, self.FULL, ghost, self.FAR))

    def test_vehicles_keep_their_numbers_and_addresses(self):
        with Swarm(ADDRESS, entities=self.entities, args=self.END) as swarm:
            for number in (4, 7, 9, 259):
                client = swarm.vehicle(number)
                self.assertEqual(client.uid(1 + (number - 1) % 250), number)
                client.close()
            others = [swarm.vehicle(number) for number in (1, 8)]
            self.assertEqual([client.read(PATIENCE_S) for client in others], [[], []])
            error = swarm.end()[2]
            for client in others:
                assert_names(error, f'tcp 127.0.0.1:{client.sock.getsockname()[1]} address')

    def test_groups_and_windows_have_the_vehicles(self):
        group, window = free_ports(2), free_port()
        links = f'{{group: {group}, window: {{port: {window}, vehicles: [full.2, far.1]}}, api: API}}'
        with Swarm(links, entities=self.entities, args=self.END) as swarm:
            for port, expected in ((group, set(range(4, 251)) - {8}), (group + 1, set(range(1, 14))), (window, {5, 9})):
                client = swarm.connect('127.0.0.1', port)
                seen, end = set(), time.monotonic() + PATIENCE_S
                while seen != expected and time.monotonic() < end:
                    seen |= {system for system, message, _ in client.read(0.3) if message == HEARTBEAT}
                self.assertEqual(seen, expected)
                client.close()
            self.assertEqual(swarm.call('/v1/window', {'vehicles': [4, 'far.255']}, 'PUT')[1]['vehicles'], [4, 263])
            for name in (1, 'sim', 'real'):
                status, answer = swarm.call('/v1/window', {'vehicles': [name]}, 'PUT')
                self.assertEqual(status, 422)
                assert_names(answer['error'], 'vehicles agents ghosts')

    def test_udp_out_goes_from_vehicles(self):
        port = free_ports(7)
        sockets = {}
        for number in (1, 4, 7):
            sockets[number] = s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.addCleanup(s.close)
            s.bind(('127.0.0.1', port + number - 1))
            s.settimeout(PATIENCE_S)
        with Swarm(f'{{udp: "127.0.0.1:{port}"}}', entities=f'{self.AGENTS}, {self.FULL}', args=self.END):
            for number in (4, 7):
                data, sender = sockets[number].recvfrom(65536)
                self.assertEqual(data[5], number)
                sockets[number].connect(sender)
                self.assertEqual(LinkClient(sockets[number]).uid(number), number)
            sockets[1].setblocking(False)
            self.assertRaises(BlockingIOError, sockets[1].recv, 1)

    @pytest.mark.long
    def test_the_api_shows_all_of_them(self):
        with Swarm(f'{{api: API, address: {ADDRESS}}}', entities=self.entities, args=self.END) as swarm:
            def offboard():     # 10 m at 3 m/s, and the ghost 20 m
                found = swarm.call('/v1/vehicles?count=3')[1]['vehicles'] + swarm.call('/v1/vehicles?kind=ghost')[1]['vehicles']
                return found if {v['mode'] for v in found} == {'Offboard'} else None
            others = wait_until(offboard, 'all others fly')
            self.assertEqual([(v['id'], v['name'], v['kind'], v['mode'], v['armed']) for v in others],
                             [(1, 'sim.1', 'agent', 'Offboard', True), (2, 'sim.2', 'agent', 'Offboard', True),
                              (3, 'sim.3', 'agent', 'Offboard', True), (8, 'real', 'ghost', 'Offboard', True)])
            self.assertEqual({(v['system_id'], v['path'], v['address'], v['observed']) for v in others}, {(None, None, None, False)})
            self.assertAlmostEqual(others[0]['alt_amsl_m'], 498, delta=0.5)
            self.assertAlmostEqual(others[3]['alt_amsl_m'], 508, delta=0.5)
            self.assertAlmostEqual(others[3]['lat_deg'], 47.398, delta=0.01)
            listed = swarm.call('/v1/vehicles?kind=vehicle')[1]
            self.assertEqual((listed['count'], listed['vehicles'][4]['id'], listed['vehicles'][4]['address']),
                             (259, 9, f'127.64.0.9:{swarm.tcp}'))
            self.assertEqual(swarm.call('/v1/vehicles?kind=agent&mode=hold')[1]['count'], 0)
            self.assertEqual(swarm.call('/v1/vehicles?kind=bee')[0], 422)
            self.assertEqual(swarm.call('/v1/vehicles/full.1')[1]['system_id'], 4)
            for path, name, kind in (('/v1/vehicles/2', 'sim.2', 'agent'), ('/v1/vehicles/real/mission', 'real', 'ghost'),
                                     ('/v1/vehicle', 'sim.1', 'agent'), ('/v1/faults', 'sim.1', 'agent')):
                status, answer = swarm.call(path)
                self.assertEqual(status, 404)
                assert_names(answer['error'], f'{name} {kind} GET /v1/vehicles')
            metrics = swarm.call('/metrics')[1]
            for line in ('mayfly_swarm_vehicles 259', 'mayfly_swarm_agents 3', 'mayfly_swarm_ghosts 1', 'mayfly_swarm_ghosts_lost 0',
                         'mayfly_swarm_armed 4', 'mayfly_swarm_members{kind="agent",mode="Offboard"} 3',
                         'mayfly_swarm_members{kind="ghost",mode="Offboard"} 1', 'mayfly_swarm_members{kind="vehicle",mode="Hold"} 259'):
                self.assertIn(line + '\n', metrics)

    def test_links_change_nothing_of_them(self):
        hashes = set()
        for links, args in (('{}', ()), (ADDRESS, ()), (ADDRESS, ('--threads', '2'))):
            with Swarm(links, entities=f'{self.AGENTS}, {self.FULL}', clock='event', args=('--set', 'time.end=66', *args)) as swarm:
                out = swarm.process.communicate(timeout=60)[0]
                hashes.add(hash_of(out))
        self.assertEqual(len(hashes), 1)

    def test_without_a_vehicle_there_is_only_an_api(self):
        with Swarm('{api: API}', entities=self.AGENTS, args=self.END) as swarm:
            self.assertEqual([v['name'] for v in swarm.call('/v1/vehicles')[1]['vehicles']], ['sim.1', 'sim.2', 'sim.3'])
            self.assertEqual(swarm.call('/v1/vehicle')[0], 404)
        for links in (ADDRESS, '{window: {port: TCP, vehicles: sim}}'):
            with Swarm(links, entities=self.AGENTS, args=self.END) as swarm:
                assert_names(swarm.process.communicate(timeout=60)[1], 'links vehicle api')
                self.assertEqual(swarm.process.returncode, 2)
        with Swarm('{window: {port: TCP, vehicles: [full, sim.2]}}', entities=f'{self.AGENTS}, {self.FULL}', args=self.END) as swarm:
            assert_names(swarm.process.communicate(timeout=60)[1], 'links.window.vehicles agents ghosts')
            self.assertEqual(swarm.process.returncode, 2)


class Time(unittest.TestCase):
    def barrier_holds_the_world(self, clock, more=''):
        with Swarm(f'{{api: API, address: {ADDRESS}}}', clock=clock, more=more) as swarm:
            client = swarm.vehicle(7)
            self.assertIsNotNone(client.expect(HEARTBEAT))
            client.send(command(BARRIER, HOLD, system=7))
            self.assertEqual(client.ack(BARRIER), 0)
            first = swarm.clock_s()
            # without vehicle time the client still hears HEARTBEATs: one a second of the wall
            beats = [m for _, m, _ in client.read(2.6) if m == HEARTBEAT]
            self.assertIn(len(beats), (1, 2, 3))
            self.assertEqual(swarm.clock_s(), first)
            client.send(command(BARRIER, RUN, 3.25, system=7))
            self.assertEqual([client.ack(BARRIER), client.ack(BARRIER)], [5, 0])
            self.assertAlmostEqual(swarm.clock_s() - first, 3.25, places=6)
            other = swarm.vehicle(8)            # the nearer barrier counts
            self.assertIsNotNone(other.expect(HEARTBEAT))
            other.send(command(BARRIER, RUN, 1, system=8))
            self.assertEqual(other.ack(BARRIER), 5)
            client.send(command(BARRIER, RUN, 100, system=7))
            self.assertEqual([client.ack(BARRIER), other.ack(BARRIER)], [5, 0])
            self.assertAlmostEqual(swarm.clock_s() - first, 4.25, places=6)
            client.close()                      # whoever is gone holds nothing
            other.close()
            wait_until(lambda: swarm.clock_s() > first + 4.25, 'time goes on')

    @pytest.mark.long
    def test_a_barrier_holds_the_world_at_x5(self):
        self.barrier_holds_the_world('x5')

    @pytest.mark.long
    def test_a_barrier_holds_the_world_in_real_time(self):
        self.barrier_holds_the_world('real')

    @pytest.mark.long
    def test_a_barrier_holds_the_world_on_the_fast_clock(self):
        self.barrier_holds_the_world('fast')

    def test_the_api_holds_the_world_and_sets_its_rate(self):
        with Swarm('{api: API}') as swarm:
            held = swarm.call('/v1/clock', {'action': 'hold'})[1]
            self.assertTrue(held['held'])
            time.sleep(0.3)
            self.assertEqual(swarm.clock_s(), held['time_s'])
            swarm.call('/v1/clock', {'action': 'run', 'seconds': 1.5})
            wait_until(lambda: swarm.clock_s() > held['time_s'] + 1.5 - 1e-6, 'the time that it was given')
            time.sleep(0.2)
            self.assertAlmostEqual(swarm.clock_s(), held['time_s'] + 1.5, places=6)
            self.assertEqual(swarm.call('/v1/clock', {'action': 'resume', 'rate': 100})[1]['rate'], 100)
            wait_until(lambda: swarm.clock_s() > held['time_s'] + 60, 'a minute at x100')
            for body in ({'action': 'stop'}, {'action': 'run'}, {'seconds': 1}, {'rate': 0}):
                self.assertEqual(swarm.call('/v1/clock', body)[0], 422)
            self.assertEqual(swarm.end()[0], 130)

    def test_up_to_the_next_event(self):
        """Take-off is complete at 30 m: after 10 s at 3 m/s."""
        with Swarm(ADDRESS, more=', plan: hop.waypoints, start: 1000000', clock='fast', count=20) as swarm:
            client = swarm.vehicle(7)
            client.send(command(BARRIER, HOLD, system=7))
            self.assertEqual(client.ack(BARRIER), 0)
            client.send(command(300, system=7))
            self.assertEqual(client.ack(300), 0)
            times = []
            for _ in range(3):
                client.send(command(BARRIER, EVENT, system=7))
                self.assertEqual([client.ack(BARRIER), client.ack(BARRIER)], [5, 0])
                client.send(command(REQUEST_MESSAGE, GLOBAL_POSITION_INT, system=7))
                times.append(struct.unpack_from('<I', client.expect(GLOBAL_POSITION_INT), 0)[0] / 1000)
            self.assertEqual(times, sorted(times))
            self.assertLess(times[-1], 60)

    @pytest.mark.long
    def test_clients_change_nothing_of_the_others(self):
        """The same hash without links, with links that nobody uses, and for any number of threads. They have landed after 64 s."""
        hashes = set()
        for links, args in (('{}', ()), (ADDRESS, ()), (ADDRESS, ('--threads', '2'))):
            with Swarm(links, more=', plan: hop.waypoints', clock='event', args=('--set', 'time.end=66', *args)) as swarm:
                out = swarm.process.communicate(timeout=60)[0]
                hashes.add(hash_of(out))
        self.assertEqual(len(hashes), 1)

    def test_a_vehicle_with_a_client_is_recorded_and_replays(self):
        more = ', plan: hop.waypoints'
        record = 'outputs.record={file: "r-%n.mfr", of: walker.7}'
        with Swarm(ADDRESS, more=more, args=('--set', record, '--threads', '2')) as swarm:
            client = swarm.vehicle(7)
            self.assertIsNotNone(client.expect(GLOBAL_POSITION_INT))
            client.send(command(ARM, 1, system=7))
            self.assertIsNotNone(client.ack(ARM))
            client.read(1)
            client.close()
            last = swarm.vehicle(7)
            self.assertIsNotNone(last.expect(HEARTBEAT))
            self.assertEqual(swarm.end()[0], 130)
            assert_replays(self, swarm.path('r-7.mfr'))


class Errors(unittest.TestCase):
    def refused(self, links, what, count=600, prepare=None):
        with Swarm(links, count=count, prepare=prepare) as swarm:
            out, error = swarm.process.communicate(timeout=60)
            self.assertEqual((swarm.process.returncode, out), (2, ''), error)
            assert_names(error, f':4 links.{what}')
            self.assertEqual(error.count('\n'), 1)

    def test_a_port_in_use(self):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as s:
                s.bind(('127.0.0.1', free_port()))
                if kind == socket.SOCK_STREAM:
                    s.listen()
                port = s.getsockname()[1]
                name = 'tcp' if kind == socket.SOCK_STREAM else 'udp'
                self.refused(f'{{group: {port}}}', f'group {name} 127.0.0.1:{port}', count=5)
                self.refused(f'"127.64.0.0:{port}"', f'address {name} 0.0.0.0:{port}')
        with socket.socket() as s:
            s.bind(('127.0.0.1', free_port()))
            s.listen()
            port = s.getsockname()[1]
            self.refused(f'{{api: {port}}}', f'api tcp 127.0.0.1:{port}')

    def test_values_that_cannot_be(self):
        self.refused('"127.64.0:5760"', 'address 127.64.0.0:5760')
        self.refused('"127.64.0.0"', 'address 127.64.0.0:5760')
        self.refused('"10.42.255.0/16:5760"', 'address 255 600')
        self.refused('{group: 65535}', 'group 65535')
        self.refused('{udp: "127.0.0.1:65000"}', 'udp 65535')
        self.refused('{udp: "nowhere"}', 'udp nowhere')
        self.refused('{window: {vehicles: [walker.1]}}', 'window port')
        self.refused(f'{{window: {{port: {free_port()}, vehicles: walker}}}}', 'window.vehicles 250')

    def test_a_limit_of_descriptors_is_raised_and_named(self):
        def soft():
            resource.setrlimit(resource.RLIMIT_NOFILE, (200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

        def hard():
            resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))

        with Swarm(ADDRESS, clock='real', prepare=soft) as swarm:
            clients = [swarm.vehicle(number) for number in range(1, 300)]
            self.assertEqual(clients[-1].uid(1 + 298 % 250), 299)
            for client in clients:
                client.close()
            self.assertEqual(swarm.end()[2], '')
        with Swarm(ADDRESS, clock='real', prepare=hard) as swarm:
            client = swarm.vehicle(1)
            self.assertEqual(client.uid(1), 1)
            error = swarm.end()[2]
            # 600 clients, 6 ports at most, 64 each for files, requests, groups
            assert_names(error, '200 798 ulimit -n 798')
