# SPDX-License-Identifier: Apache-2.0
"""The live page of mayfly-swarm without a browser: frames as docs/bus.md has them, by HTTP alone. What is asked for from elsewhere is refused,
and a run with a page has the hash of one without."""
import math
import os
import re
import signal
import socket
import struct
import subprocess
import urllib.parse

import pytest

import http_client
from bus_client import (ANSWERS, CELLS, CLOCK, END, ENTITY, HEAD, OBSTACLES, ORDERS, RECEPTIONS, RECORDED, SCENE, SENSED, STATE, TASK,
                        TASKS, TIME, WELCOME, Participant, bus_frame, command_int, frames_of, order)
from mavlink import COMMAND_INT
from names import assert_names, one
from paths import built
from swarm_case import SwarmCase, hash_of, stop
from waiting import listens_at, wait_until

VIEW = built('mayfly-view')
WORLD = '''
swarm: 1
seed: 3
time: {clock: CLOCK, end: END}
space: {obstacles: [{kind: box, at: [5, 6, 7], size: [1, 2, 3]}, {kind: mesh, file: tetra.stl, at: [100, 0, 0]}]}
entities:
  - {name: v, count: 3, place: {grid: [3, 1], spacing: 10}}
  - {name: a, as: agent, count: 2, place: {list: [[50, 0], [60, 0]]}, behaviour: {kind: walk, rate: 10, speed_max: 2, speed_sigma: 0.2, heading_sigma: 0.2, height: 15}}
OUTPUTS
'''
PAGE = 'outputs: {page: {listen: "127.0.0.1:0", every: 0.05}}'
TETRA = '''solid t
''' + ''.join('facet normal 0 0 0\nouter loop\n' + ''.join('vertex %d %d %d\n' % p for p in f) + 'endloop\nendfacet\n' for f in (
    ((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))) + 'endsolid t\n'


class Page:
    """The page of a swarm or a mayfly-view that says where it is."""

    def __init__(self, process):
        self.process, self.after, self.frames = process, 0, {}
        self.port = int(re.search(r'http://127\.0\.0\.1:(\d+)/: (?:live|recording)', process.stderr.readline())[1])

    def ask(self, method, path, body=None, **headers):
        status, _, data = http_client.ask(self.port, method, path, body, {k.replace('_', '-'): v for k, v in headers.items()})
        return status, data

    def look(self, at=None):
        """New frames, by type and first number: (time [s], payload). at: of a recording, the time."""
        status, data = self.ask('GET', f'/frames?after={self.after}' + (f'&at={at}' if at is not None else ''))
        assert status == 200
        self.after = struct.unpack_from('<Q', data)[0]
        for kind, ns, payload in frames_of(data[8:]):
            key = struct.unpack_from('<I', payload)[0] if kind in (ENTITY, STATE, OBSTACLES, SENSED) else 0
            self.frames[kind, key] = (ns / 1e9, payload)
        return self.frames

    def until(self, holds):
        wait_until(lambda: self.look() and holds(), 'the page', 120, pause_s=0.04)

    def state(self, i):
        _, payload = self.frames[STATE, 0]
        north, east, up, vn, ve, vu, yaw, mode, flags, landed, charge, trust = struct.unpack_from('<3d4fI4B', payload, 8 + 48 * i)
        return {'place': (north, east, up), 'mode': mode, 'armed': bool(flags & 2), 'landed': landed, 'charge': charge, 'trust': trust}

    def post(self, kind, payload, **headers):
        return self.ask('POST', '/frames', bus_frame(kind, payload),
                        **({'Content_Type': 'application/octet-stream'} | headers))

    def end(self):
        self.process.terminate()
        return self.process.communicate(timeout=30)


def command(member, number, *params):
    return order(member, COMMAND_INT, command_int(number, *params))


class SwarmPage(SwarmCase):
    def setUp(self):
        super().setUp()
        self.write('tetra.stl', TETRA)

    def begin(self, clock='real', end='600', outputs=PAGE, world=WORLD):
        return self.start(self.scenario(world.replace('CLOCK', clock).replace('END', end).replace('OUTPUTS', outputs)), '--out', self.folder)

    def page(self, **how):
        return Page(self.begin(**how))

    def run_to_end(self, **how):
        """The hash of a run."""
        return hash_of(self.finish(self.begin(**how))[0])

    def view(self, *args):
        process = subprocess.Popen([VIEW, *args], stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        return process

    def test_what_is_told(self):
        page = self.page()
        page.until(lambda: (STATE, 0) in page.frames)
        self.assertEqual(struct.unpack_from('<II', page.frames[WELCOME, 0][1]), (0, 5))
        first, count, kind = struct.unpack_from('<IIB', page.frames[ENTITY, 3][1])
        self.assertEqual((first, count, kind, page.frames[ENTITY, 3][1][40:42]), (3, 2, 1, b'a\0'))
        self.assertIn(b'radios=\n', page.frames[SCENE, 0][1])
        rows = page.frames[OBSTACLES, 0][1]
        self.assertEqual(struct.unpack_from('<II', rows), (0, 5))  # a box, and the four faces of the mesh
        self.assertEqual(struct.unpack_from('<I9f', rows, 8), (0, 5, 6, 7, 1, 2, 3, 0, 0, 0))
        faces = [struct.unpack_from('<I9f', rows, 48 + 40 * i) for i in range(4)]
        corners = {tuple(f[1 + k] + (f[1 + 3 * j + k] if j else 0) for k in range(3)) for f in faces for j in range(3)}
        self.assertEqual(corners, {(100, 0, 0), (101, 0, 0), (100, 1, 0), (100, 0, 1)})
        self.assertEqual({f[0] for f in faces}, {6})
        self.assertEqual(page.state(1)['charge'], 101)
        self.assertEqual([round(x, 3) for x in page.state(1)['place']], [0, 10, 0])
        status, html = page.ask('GET', '/')
        self.assertEqual(status, 200)
        self.assertIn(b'<title>Mayfly swarm</title>', html)

    def test_clock_and_orders(self):
        page = self.page()
        page.until(lambda: (STATE, 0) in page.frames)
        self.assertEqual(page.post(CLOCK, struct.pack('<B7xd', 1, 0))[0], 202)
        page.until(lambda: page.frames[TIME, 0][1][1] == 1)
        stood = page.frames[STATE, 0][0]
        orders = b''.join(command(i, 400, 1) + command(i, 22, 0, 0, 0, math.nan, 0x7fffffff, 0x7fffffff, 7) for i in (0, 2))
        self.assertEqual(page.post(ORDERS, orders)[0], 202)
        page.until(lambda: page.state(0)['armed'] and page.state(2)['armed'])
        self.assertEqual(page.frames[STATE, 0][0], stood)  # they are obeyed while time stands
        self.assertEqual(page.post(CLOCK, struct.pack('<B7xd', 4, 1000))[0], 202)
        self.assertEqual(page.post(CLOCK, struct.pack('<B7xd', 3, 30))[0], 202)
        page.until(lambda: abs(page.frames[STATE, 0][0] - stood - 30) < 1e-6)
        self.assertAlmostEqual(page.state(0)['place'][2], 7, delta=0.3)
        self.assertEqual((page.state(1)['armed'], page.state(1)['landed']), (False, 1))

    @pytest.mark.long
    def test_what_is_refused(self):
        page = self.page()
        page.until(lambda: (STATE, 0) in page.frames)
        good = struct.pack('<B7xd', 1, 0)
        for status, headers in ((403, {'Host': 'swarm.example.com'}), (403, {'Host': '127.0.0.1.example.com'}), (403, {'Origin': 'http://example.com'}),
                                (403, {'Origin': 'null'}), (415, {'Content_Type': 'text/plain'}), (415, {'Content_Type': 'application/x-www-form-urlencoded'}),
                                (202, {'Origin': f'http://127.0.0.1:{page.port}'}), (202, {'Host': f'localhost:{page.port}'})):
            self.assertEqual(page.post(CLOCK, good, **headers)[0], status, headers)
        for kind, payload in ((WELCOME, good), (2, good), (1, b'x')):
            self.assertEqual(page.post(kind, payload)[0], 400)
        for body in (b'', b'\1', b'\2' + bytes(15), HEAD.pack(1, CLOCK, 17, 0, 0) + good):
            self.assertEqual(page.ask('POST', '/frames', body, Content_Type='application/octet-stream')[0], 400, body)
        self.assertEqual(page.ask('GET', '/etc/passwd')[0], 404)
        self.assertEqual(page.ask('PUT', '/frames', b'')[0], 405)
        # what the swarm does not understand is told there, and the run goes on
        for kind, payload in ((ORDERS, b'\1\2'), (ORDERS, command(99, 400, 1)), (CLOCK, b''), (CLOCK, struct.pack('<B7xd', 3, math.nan)), (CLOCK, struct.pack('<B7xd', 9, 0))):
            self.assertEqual(page.post(kind, payload)[0], 202)
        seen = page.frames[STATE, 0][0]
        self.assertEqual(page.post(CLOCK, struct.pack('<B7xd', 2, 0))[0], 202)
        page.until(lambda: page.frames[STATE, 0][0] > seen)
        self.assertEqual(page.end()[1].count('page: a browser'), 5)

    @pytest.mark.long
    def test_where_the_control_api_is(self):
        """A run without one says so; with one, the page of a drone for each member is there, and a view knows whether it can be reached."""
        page = self.page()
        page.until(lambda: (SCENE, 0) in page.frames)
        status, why = page.ask('GET', '/api')
        self.assertEqual(status, 404)
        assert_names(why.decode(), 'links.api')
        self.assertEqual(page.ask('POST', '/api', b'')[0], 405)
        page.end()
        page = self.page(outputs=PAGE + '\nlinks: {api: 0}')
        page.until(lambda: (SCENE, 0) in page.frames)
        status, url = page.ask('GET', '/api')
        self.assertEqual(status, 200)
        self.assertRegex(url, rb'^http://127\.0\.0\.1:\d+/$')
        api = urllib.parse.urlsplit(url.decode()).port
        status, _, html = http_client.ask(api, 'GET', '/vehicles/2/')
        self.assertEqual(status, 200)
        self.assertIn(b'<title>Mayfly</title>', html)
        status, _, why = http_client.ask(api, 'GET', '/vehicles/2')
        self.assertGreaterEqual(status, 400)
        assert_names(why.decode(), '/vehicles/N/')
        page.end()

    def test_a_view_says_whether_the_control_api_can_be_reached(self):
        """What a run says of its API is checked: this bus is a script, and says that it is where nobody listens."""
        with socket.create_server(('127.0.0.1', 0)) as bus, socket.create_server(('127.0.0.1', 0)) as other:
            view = self.view('--from', '127.0.0.1:%d' % bus.getsockname()[1], '--listen', '0')
            swarm = bus.accept()[0]
            self.addCleanup(swarm.close)
            page = Page(view)
            port = other.getsockname()[1]
            for api, status, what in (('', 404, 'links.api'), (f'127.0.0.1:{port}', 200, f'http://127.0.0.1:{port}/'),
                                      (f'0.0.0.0:{port}', 200, f'http://127.0.0.1:{port}/'), (f'[::]:{port}', 200, f'http://127.0.0.1:{port}/'),
                                      ('127.0.0.1:1', 503, '127.0.0.1:1 Connection refused'), ('nonsense', 503, 'nonsense')):
                scene = f'title=x\nvariation=\napi={api}\nrange=0\nradios=\n'.encode()
                swarm.sendall(bus_frame(SCENE, scene))
                page.until(lambda: page.frames.get((SCENE, 0), (0, b''))[1] == scene)  # pylint: disable=cell-var-from-loop
                answer = page.ask('GET', '/api')
                self.assertEqual(answer[0], status, api)
                assert_names(answer[1].decode(), what)

    def test_what_sensors_measure(self):
        """Two of one entity, side by side on the ground: a compass, and who of the others is near; one that looks up sees nothing."""
        page = self.page(world='time: {clock: real, end: 600}\nentities:\n  - {name: v, count: 2, place: {list: [[0, 0], [0, 12]]}, '
                         'sensors: [{kind: compass, rate: 5}, {kind: object, of: v, rate: 5}, {kind: range, rate: 5, pitch: 90, reach: 9}]}\n'
                         'OUTPUTS\n')

        def fresh():  # each has measured; the age is more only while the host is late
            data = page.frames.get((SENSED, 0), (0, b''))[1]
            return data and data[8 + 48 * 4 + 5] and all(0 <= struct.unpack_from('<f', data, 8 + 48 * k + 12)[0] <= 0.25 for k in range(6))
        page.until(fresh)
        self.assertIn(b'sensors.v=compass,object v,range\n', page.frames[SCENE, 0][1])
        data = page.frames[SENSED, 0][1]
        self.assertEqual(len(data), 8 + 6 * 48)
        rows = [struct.unpack_from('<IBBBxIf8f', data, 8 + 48 * k) for k in range(6)]
        self.assertEqual([row[:4] for row in rows], [(0, 0, 1, 0), (0, 1, 4, 1), (0, 2, 1, 0), (1, 0, 1, 0), (1, 1, 4, 1), (1, 2, 1, 0)])
        self.assertEqual((rows[1][4], rows[4][4]), (1, 0))  # each has found the other one
        for row, bearing in ((rows[1], 90), (rows[4], 270)):
            self.assertAlmostEqual(row[6], 12, delta=0.01)
            self.assertAlmostEqual(row[7], bearing, delta=0.1)
            self.assertEqual(row[9], 1)
        self.assertEqual(rows[2][6], math.inf)

    def test_colours_of_cells_have_names(self):
        """LDS-13: 'package' and 'parcel' begin with one letter, so they have one colour: 4 and the remainder of the letter's 112 by 8. A drone hides
        no cell; one of two attributes of a cell counts."""
        page = self.page(world='time: {clock: real}\nspace: {cells: {size: [6, 2, 2]}, blocked: [[5, 0], [5, 1]],\n'
                         '  attributes: [[0, 0, package, 1], [1, 0, package, 2], [2, 0, parcel, 1], [2, 0, smoke, 1], [3, 0, 1, smoke, 1]]}\n'
                         'entities: [{name: drone, as: agent, body: {kind: cell}, place: [0, 0]}, {name: c, thing: charger, place: [4, 0]}]\n'
                         'controllers: [{id: 0, tasks: [{wait: 100}]}]\n' + PAGE)
        page.until(lambda: (CELLS, 0) in page.frames)
        frame = page.frames[CELLS, 0][1]
        rows = [struct.unpack_from('<II56s', frame, at) for at in range(0, len(frame), 64)]
        self.assertEqual([(value, cells, name.rstrip(b'\0').decode()) for value, cells, name in rows],
                         [(1, 2, 'blocked'), (3, 1, 'charger'), (4 + 112 % 8, 3, 'package, parcel')])
        page.end()

    @pytest.mark.long
    def test_tasks_of_a_world_of_cells(self):
        """A drone in a row of ten cells; what is asked for is done there, and what cannot be is answered."""
        page = self.page(world='links: {api: 0}\ntime: {clock: real, tick: 0.2}\nspace: {cells: {size: [10, 1, 1], metres: 10}}\n'
                         'entities: [{name: drone, as: agent, body: {kind: cell, speed: 1}, place: {list: [[0, 0]]}, battery: {mah: 2500, move: 1}}]\n'
                         'controllers: [{id: 0, tasks: [{wait: 1}]}]\n' + PAGE[:-1] + ', csv: {file: cells.csv, every: 0.2}}\n')
        page.until(lambda: (TASKS, 0) in page.frames)
        self.assertEqual(page.post(TASK, struct.pack('<I', 71) + b'{goto: [7, 0], drone: drone}')[0], 202)
        self.assertEqual(page.post(TASK, struct.pack('<I', 72) + b'{"goto": [10, 0]}')[0], 202)
        self.assertEqual(page.post(TASK, struct.pack('<I', 73) + b'{fly: 1}')[0], 202)
        page.until(lambda: len(page.frames[ANSWERS, 0][1]) == 3 * 208)
        answers = page.frames[ANSWERS, 0][1]
        self.assertEqual([struct.unpack_from('<II', answers, 208 * k) for k in range(3)], [(71, 2), (72, 0), (73, 0)])
        why = [answers[208 * k + 8:208 * k + 208].rstrip(b'\0').decode() for k in range(3)]
        self.assertEqual(why[0], '')
        self.assertIn('10', why[1])
        self.assertIn('fly', why[2])
        self.assertEqual(len(page.frames[TASKS, 0][1]), 2 * 96)
        page.until(lambda: page.frames[TASKS, 0][1][96 + 4] == 1)  # done
        page.until(lambda: page.state(0)['place'] == (5, 5, 5))
        self.assertEqual(page.post(TASK, b'xyz')[0], 202)
        self.assertEqual(page.post(ORDERS, command(0, 400, 1))[0], 202)
        self.assertEqual(page.post(CLOCK, struct.pack('<B7xd', 1, 0))[0], 202)
        page.until(lambda: page.frames[TIME, 0][1][1] == 1)  # so the others were heard
        err = page.end()[1]
        assert_names(err, 'browser TASK')
        assert_names(err, 'browser orders members')
        self.assertIn('75.000', [row['east_m'] for row in self.rows('cells.csv')])  # the middle of cell 7 of 10 m; from there it went home

    def test_addresses(self):
        for where, what in (('0.0.0.0:0', 'token 127.0.0.1'), ('nonsense', 'nonsense')):
            _, err = self.finish(self.begin(outputs=f'outputs: {{page: "{where}"}}'), 2)
            assert_names(err, f':9 outputs.page {what}')

    def test_the_hash_is_that_of_a_run_without(self):
        self.assertEqual(len({self.run_to_end(clock='fast', end='300', outputs=outputs) for outputs in ('', PAGE, PAGE)}), 1)

    @pytest.mark.long
    def test_the_end_is_told_to_who_watches(self):
        page = self.page(end='2')
        page.until(lambda: (END, 0) in page.frames)
        self.assertEqual(page.frames[END, 0][1], bytes(4))
        self.assertEqual(page.frames[STATE, 0][0], 2.0)
        page.process.wait(timeout=30)
        self.assertEqual(page.process.returncode, 0)

    @pytest.mark.long
    def test_from_another_process(self):
        """mayfly-view as an observer of the bus: the same frames; it only watches, and ends with the run."""
        bus = self.folder + '/bus'
        swarm = self.begin(end='4', outputs=f'bus: {{listen: "unix:{bus}", token: secret-token, controllers: 0}}')
        wait_until(lambda: listens_at(bus), 'the bus')
        assert_names(self.run_program(VIEW, '--from', 'unix:' + bus, '--listen', '0', '--token', 'other-token', code=2), 'bus.token')
        view = Page(self.view('--from', 'unix:' + bus, '--listen', '0', '--token', 'secret-token'))
        view.until(lambda: (STATE, 0) in view.frames and (OBSTACLES, 0) in view.frames)
        self.assertEqual([round(x, 3) for x in view.state(1)['place']], [0, 10, 0])
        self.assertEqual(struct.unpack_from('<II', view.frames[OBSTACLES, 0][1]), (0, 5))
        self.assertEqual(view.post(CLOCK, struct.pack('<B7xd', 1, 0))[0], 403)
        view.until(lambda: (END, 0) in view.frames)
        self.assertEqual(view.process.wait(timeout=30), 0)
        self.finish(swarm)
        for args, why in ((('--from', '127.0.0.1:1'), 'Connection refused'), (('--listen', '5759'), '--from'), (('--colour', '1'), '--colour'),
                          (('--from',), '--from'), (('--from', 'nonsense'), 'nonsense HOST:PORT')):
            assert_names(self.run_program(VIEW, *args, code=2), why)

    def record(self):
        """The hash of a run, and the file of its pictures."""
        outputs = 'outputs: {pictures: {file: pictures, every: 0.5}, csv: {file: w.csv, every: 0.5}}\n'
        return self.run_to_end(clock='fast', end='30', outputs=outputs), self.bytes('pictures')

    def test_a_recording(self):
        """Equal runs write equal files and have the hash of a run without; any time of one can be asked for, in any order."""
        hashes, files = zip(self.record(), self.record())
        heights = {(float(row['t_s']), row['member']): float(row['alt_amsl_m']) for row in self.rows('w.csv')}
        self.assertEqual({self.run_to_end(clock='fast', end='30', outputs='')}, set(hashes))
        self.assertEqual(files[0], files[1])
        page = Page(self.view(self.path('pictures'), '--listen', '0'))
        page.look()
        self.assertEqual(struct.unpack('<2d', page.frames[RECORDED, 0][1]), (0, 30))
        self.assertEqual((page.frames[STATE, 0][0], struct.unpack_from('<II', page.frames[OBSTACLES, 0][1])), (0, (0, 5)))
        self.assertNotIn((TIME, 0), page.frames)
        for at, is_at in ((20.4, 20), (20.5, 20.5), (3, 3), (1e9, 30), (-5, 0), (29.999, 29.5), (12, 12)):
            page.look(at)
            self.assertEqual(page.frames[STATE, 0][0], is_at)
            for i, name in enumerate(('v.1', 'v.2', 'v.3', 'a.1', 'a.2')):
                self.assertAlmostEqual(page.state(i)['place'][2], heights[is_at, name] - 488, delta=0.02)
        page.look('nan')
        page.look('inf')
        self.assertEqual(page.frames[STATE, 0][0], 12)
        self.assertEqual(page.post(CLOCK, struct.pack('<B7xd', 1, 0))[0], 403)
        page.process.terminate()
        self.assertEqual(page.process.wait(timeout=30), 0)

    def test_what_is_no_recording(self):
        _, whole = self.record()
        for data in (b'', b'\1' * 500, whole[16:], whole[:40]):
            assert_names(self.run_program(VIEW, self.write('other', data), code=2), f"{one(self.path('other'))} outputs.pictures")
        path = self.write('other', whole[:-7])
        process = self.view(path, '--listen', '0')
        assert_names(process.stderr.readline(), f'{one(path)} frame')
        page = Page(process)
        page.look(1000)
        self.assertEqual(page.frames[STATE, 0][0], 30)
        for args, why in ((('/nonexistent',), 'No such file'), ((path, path), one(path)), ((path, '--from', '127.0.0.1:1'), '--from')):
            assert_names(self.run_program(VIEW, *args, code=2), why)

    def test_a_recording_that_changes_while_it_is_shown(self):
        """The next run replaces the file: the old one is shown. A program that is not ours cuts it: its rest is."""
        self.record()
        page = Page(self.view(self.path('pictures'), '--listen', '0'))
        page.look(3)
        self.record()
        os.truncate(self.path('pictures'), 100)
        page.look(20)
        self.assertEqual(page.frames[STATE, 0][0], 20)
        self.run_to_end(clock='fast', end='200', outputs='outputs: {pictures: {file: pictures, every: 0.1}}\n')
        cut = Page(self.view(self.path('pictures'), '--listen', '0'))
        cut.look(3)
        os.truncate(self.path('pictures'), 100)
        cut.look(150)
        self.assertEqual(cut.frames[STATE, 0][0], 3)
        self.assertIsNone(cut.process.poll())

    def test_who_hears_whom(self):
        """v.1 to v.3 stand 10 m apart in a row and reach 15 m: four pairs in each of the 30 seconds from 1 s on."""
        world = WORLD.replace('spacing: 10}}', 'spacing: 10}, radio: {kind: cc2420}, send: {every: 1, start: 1, bytes: [1]}}') + '\nmedium: {range: 15}\n'
        self.run_to_end(clock='fast', end='30', outputs='outputs: {pictures: {file: radio, every: 2}, radio: {file: heard.csv}}', world=world)
        told = [(ns // 10 ** 9, struct.unpack_from('<II', payload), sorted(struct.iter_unpack('<II', payload[8:])))
                for kind, ns, payload in frames_of(self.bytes('radio')) if kind == RECEPTIONS]
        pairs = [(0, 1), (1, 0), (1, 2), (2, 1)]
        self.assertEqual(told, [(t, (8, 8), sorted(pairs * 2)) for t in range(2, 31, 2)])
        self.assertEqual(len(self.rows('heard.csv')), 4 * 30)

    @pytest.mark.long
    def test_gz18_an_observer_that_stops_reading_changes_nothing(self):
        """Two thousand members: an observer that has said who it is and reads nothing, and a mayfly-view that is stopped, fill all buffers."""
        hashes = set()
        bus = self.folder + '/bus'
        for watched in (False, True):
            swarm = self.begin(world=f'''swarm: 1
time: {{clock: x20, end: 10}}
bus: {{listen: "unix:{bus}", controllers: 0}}
entities:
  - {{name: a, as: agent, count: 2000, place: {{grid: [50, 40], spacing: 5}}, behaviour: {{kind: walk, rate: 1, speed_max: 2, speed_sigma: 0.2, heading_sigma: 0.2, height: 15}}}}
''')
            if watched:
                silent = Participant(bus, role=2, name=b'silent')
                view = Page(self.view('--from', 'unix:' + bus, '--listen', '0'))
                view.process.send_signal(signal.SIGSTOP)
            hashes.add(hash_of(self.finish(swarm)[0]))
            if watched:  # 100 ticks are told, and it gets what fits into its buffer: frames are whole
                view.process.send_signal(signal.SIGCONT)
                data = http_client.everything(silent.socket)
                self.assertLess(len(data), 100 * 2000 * 48)
                self.assertGreater(len(list(frames_of(data))), 0)
        self.assertEqual(len(hashes), 1)
