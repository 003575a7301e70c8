#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build/elevation and `geoid fetch` as their users see them (docs/elevation.md); and a service of another make, whose grid
hashes and fingerprints are computed here, from docs/geoid.md alone. It also misbehaves in every way that services do."""
import hashlib
import http.client
import http.server
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

BUILD = os.environ.get('BUILD', 'build')
GEOID, ELEVATION = (os.path.abspath(os.path.join(BUILD, name)) for name in ('geoid', 'elevation'))
PATIENCE_S = 20.0
VOID = -2 ** 31
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.lower().endswith('_proxy') and k != 'XDG_CACHE_HOME'}


def get(url, method='GET', data=None, **headers):
    """(status, headers, body), whatever the status."""
    request = urllib.request.Request(url, method=method, data=data, headers={k.replace('_', '-'): v for k, v in headers.items()})
    try:
        with OPENER.open(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def get_json(url):
    status, headers, body = get(url)
    assert status == 200, (url, status, body)
    assert headers['Content-Type'] == 'application/json', headers
    return json.loads(body)


class Service:
    """build/elevation on a free port."""

    def __init__(self, *args):
        self.process = subprocess.Popen([ELEVATION, '--listen', '127.0.0.1:0', *args], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith('elevation: http://'):
            self.process.kill()
            raise AssertionError(line + self.process.communicate()[1])
        self.url = line.split()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.errors = self.process.communicate(timeout=PATIENCE_S)[1]
        assert self.process.returncode == 0, (self.process.returncode, self.errors)

    def get(self, path, **more):
        return get(self.url + path, **more)

    def json(self, path):
        return get_json(self.url + path)

    def models(self):
        return {m['model']: m for m in self.json('/v1/models')['models']}


class Grid:
    """A grid of another make."""

    def __init__(self, description, body):
        self.description, self.body, self.grid = description, body, description['grid']
        self.nodes = memoryview(body).cast('i')  # of a machine with the low byte first

    @classmethod
    def made(cls, model='hills', kind='terrain', rows=40, columns=50, north_e9=47 * 10 ** 9, west_e9=8 * 10 ** 9,
             lat_step=(1, 120), lon_step=(1, 120), quantum_um=100000, interpolation='bilinear', void=()):
        nodes = [VOID if (r, c) in void else round(4000 + 900 * math.sin(r / 7) + 300 * math.cos(c / 5) * r)
                 for r in range(rows) for c in range(columns)]
        made = cls({'model': model, 'kind': kind, 'interpolation': interpolation, 'frame': 'none', 'epoch': 'none',
                    'grid': {'rows': rows, 'columns': columns, 'north_e9': north_e9, 'west_e9': west_e9,
                             'lat_step': list(lat_step), 'lon_step': list(lon_step), 'wraps': False,
                             'quantum_um': quantum_um}}, struct.pack(f'<{len(nodes)}i', *nodes))
        made.description['grid_hash'] = made.hash().hex()
        made.description['fingerprint'] = made.fingerprint(interpolation)
        return made

    def hash(self):
        """docs/geoid.md, Grid hash."""
        g = self.grid
        text = (f'mayfly grid 1\nnorth_e9 {g["north_e9"]}\nwest_e9 {g["west_e9"]}\n'
                f'lat_step {g["lat_step"][0]}/{g["lat_step"][1]}\nlon_step {g["lon_step"][0]}/{g["lon_step"][1]}\n'
                f'rows {g["rows"]}\ncolumns {g["columns"]}\nwraps {int(g["wraps"])}\nquantum_um {g["quantum_um"]}\n')
        return hashlib.sha256(text.encode() + self.body).digest()

    def fingerprint(self, interpolation):
        """docs/geoid.md, Fingerprint."""
        d = self.description
        return hashlib.sha256((f'mayfly geoid fingerprint 1\ngrid {self.hash().hex()}\ninterpolation {interpolation}\n'
                               f'frame {d["frame"]}\nepoch {d["epoch"]}\n').encode()).hexdigest()

    def node(self, row, column):
        g = self.grid
        return self.nodes[row * g['columns'] + column % g['columns']] * g['quantum_um'] / 1e6

    def bilinear(self, lat, lon):
        g = self.grid
        row = (g['north_e9'] / 1e9 - lat) * g['lat_step'][1] / g['lat_step'][0]
        column = (lon - g['west_e9'] / 1e9) % 360 * g['lon_step'][1] / g['lon_step'][0]
        r, c = min(int(row), g['rows'] - 2), int(column)
        y, x = row - r, column - c
        return ((self.node(r, c) * (1 - x) + self.node(r, c + 1) * x) * (1 - y) +
                (self.node(r + 1, c) * (1 - x) + self.node(r + 1, c + 1) * x) * y)


def fetch(url, *args, folder, cache='none', retries=2, timeout=2, env=None):
    return subprocess.run([GEOID, 'fetch', url, '--cache', cache, '--retries', str(retries), '--retry-delay', '0.01',
                           '--timeout', str(timeout), *args], cwd=folder, capture_output=True, text=True,
                          timeout=120, check=False, env=dict(ENVIRONMENT, **(env or {})))


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, name):
        with open(self.path(name), 'rb') as f:
            return f.read()

    def write(self, name, data):
        with open(self.path(name), 'wb') as f:
            f.write(data)


class Contract(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.egm96 = cls.service.models()['egm96']
        cls.raster = cls.service.get('/v1/models/egm96/raster')

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def ask(self, path):
        return self.service.json(path)

    def test_says_what_it_is(self):
        about = self.ask('/v1')
        self.assertEqual(about['version'], 1)
        self.assertIn('/v1/models/{model}/raster', about['paths'])
        self.assertEqual(self.ask('/v1/models')['version'], 1)

    def test_sim041_describes_its_models(self):
        m = self.egm96
        self.assertEqual((m['kind'], m['frame'], m['epoch']), ('geoid', 'none', 'none'))
        self.assertEqual(m['fingerprint'], m['fingerprints'][m['interpolation']])
        self.assertNotEqual(m['fingerprints']['bilinear'], m['fingerprints']['cubic'])
        self.assertEqual(m['bounds'], {'south': -90, 'west': -180, 'north': 90, 'east': 180})
        g = m['grid']
        self.assertEqual((g['rows'], g['columns'], g['lat_step'], g['lon_step'], g['wraps']),
                         (721, 1440, [1, 4], [1, 4], True))
        self.assertEqual(m['bytes'], 721 * 1440 * 4)
        self.assertEqual(self.ask('/v1/models/egm96'), m)

    def test_sim041_raster_is_what_was_hashed(self):
        status, headers, body = self.raster
        self.assertEqual((status, headers['Content-Type'], len(body)), (200, 'application/octet-stream', 4152960))
        self.assertEqual(headers['ETag'], f'"{self.egm96["fingerprint"]}"')
        grid = Grid(self.egm96, body)
        self.assertEqual(grid.hash().hex(), self.egm96['grid_hash'])
        for how in ('bilinear', 'cubic'):
            self.assertEqual(grid.fingerprint(how), self.egm96['fingerprints'][how])

    def test_sim039_undulation(self):
        grid = Grid(self.egm96, self.raster[2])
        for lat, lon in ((47.3667, 8.55), (-33.9, 18.4), (0.1, -179.99), (0.1, 179.99), (89.93, 12.3), (-90, 0), (90, -77),
                         (12.34, 370.5 - 360), (-12.5, -359.5)):
            answer = self.ask(f'/v1/undulation?lat={lat}&lon={lon}&interpolation=bilinear')
            self.assertAlmostEqual(answer['undulation'], grid.bilinear(lat, lon), 9)
            self.assertEqual((answer['lat'], answer['lon'], answer['model']), (lat, lon, 'egm96'))
            self.assertEqual((answer['interpolation'], answer['fingerprint']), ('bilinear', self.egm96['fingerprints']['bilinear']))
        cubic = self.ask('/v1/undulation?lat=47.3667&lon=8.55&model=egm96')
        self.assertEqual(cubic['interpolation'], self.egm96['interpolation'])
        self.assertNotEqual(cubic['undulation'], self.ask('/v1/undulation?lat=47.3667&lon=8.55&interpolation=bilinear')['undulation'])

    def test_conversion(self):
        n = self.ask('/v1/undulation?lat=47.3667&lon=8.55')['undulation']
        there = self.ask('/v1/convert?lat=47.3667&lon=8.55&height=100.5&from=egm96&to=ellipsoid')
        self.assertAlmostEqual(there['result'], 100.5 + n, 9)
        self.assertEqual([m['fingerprint'] for m in there['models']], [self.egm96['fingerprint']])
        back = self.ask('/v1/convert?lat=47.3667&lon=8.55&height=100.5&from=ellipsoid&to=egm96')
        self.assertAlmostEqual(back['result'], 100.5 - n, 9)
        self.assertEqual(self.ask('/v1/convert?lat=0&lon=0&height=-3&from=ellipsoid&to=ellipsoid')['result'], -3)

    def test_box_is_a_grid_of_its_own(self):
        whole = Grid(self.egm96, self.raster[2])
        for box, shape in (('46.1,7.2,47.3,9.9', (11, 17)), ('-1,179.5,1,-179.5', (13, 9)), ('89,5,90,6', (7, 1440)),
                           ('-5,-180,5,180', (45, 1440))):
            part = self.ask(f'/v1/models/egm96?bbox={box}')
            status, headers, body = self.service.get(f'/v1/models/egm96/raster?bbox={box}')
            self.assertEqual((status, headers['ETag']), (200, f'"{part["fingerprint"]}"'))
            g = part['grid']
            self.assertEqual((g['rows'], g['columns']), shape, box)
            grid = Grid(part, body)
            self.assertEqual(grid.hash().hex(), part['grid_hash'])
            self.assertEqual(grid.fingerprint(part['interpolation']), part['fingerprint'])
            self.assertNotEqual(part['fingerprint'], self.egm96['fingerprint'])
            first = (90 * 10 ** 9 - g['north_e9']) // 250000000, (g['west_e9'] + 180 * 10 ** 9) // 250000000
            for r in range(0, g['rows'], 3):
                for c in range(0, g['columns'], 7):
                    self.assertEqual(grid.node(r, c), whole.node(first[0] + r, first[1] + c))
        everything = self.ask('/v1/models/egm96?bbox=-90,-180,90,180')
        self.assertEqual(everything['fingerprint'], self.egm96['fingerprint'])

    def test_parts_of_a_raster(self):
        body, tag = self.raster[2], self.raster[1]['ETag']
        path = '/v1/models/egm96/raster'
        for wanted, first, last in (('bytes=0-', 0, 4152959), ('bytes=4152950-', 4152950, 4152959),
                                    ('bytes=1000001-1700002', 1000001, 1700002), ('bytes=5-99999999', 5, 4152959)):
            status, headers, part = self.service.get(path, Range=wanted)
            self.assertEqual(status, 206)
            self.assertEqual(headers['Content-Range'], f'bytes {first}-{last}/4152960')
            self.assertEqual(part, body[first:last + 1])
        status, headers, part = self.service.get(path, Range='bytes=4152960-')
        self.assertEqual((status, headers['Content-Range'], part), (416, 'bytes */4152960', b''))
        self.assertEqual(self.service.get(path, Range='bytes=0-9', If_Range=tag)[0], 206)
        self.assertEqual(len(self.service.get(path, Range='bytes=0-9', If_Range='"old"')[2]), 4152960)
        self.assertEqual(self.service.get(path, Range='bytes=-9')[0], 200)

    def test_conditions(self):
        tag = self.raster[1]['ETag']
        for path in ('/v1/models/egm96', '/v1/models/egm96/raster', '/v1/undulation?lat=1&lon=2'):
            status, headers, body = self.service.get(path, If_None_Match=f'"x", {tag}')
            self.assertEqual((status, headers['ETag'], body), (304, tag, b''))
            self.assertEqual(self.service.get(path, If_None_Match='"x"')[0], 200)
            self.assertEqual(self.service.get(path, If_Match=tag)[0], 200)
            status, _, body = self.service.get(path, If_Match='"x"')
            self.assertEqual((status, json.loads(body)['error']['code']), (412, 'changed'))

    def test_head(self):
        status, headers, body = self.service.get('/v1/models/egm96/raster', method='HEAD')
        self.assertEqual((status, headers['Content-Length'], body), (200, '4152960', b''))
        self.assertEqual(headers['Accept-Ranges'], 'bytes')

    def test_errors_are_json(self):
        for method, path, status, code in (
                ('GET', '/', 404, 'unknown_path'),
                ('GET', '/v2/models', 404, 'unknown_path'),
                ('GET', '/v1/models/egm97', 404, 'unknown_model'),
                ('GET', '/v1/models/..%2f..%2fetc/raster', 404, None),
                ('GET', '/v1/models/%ff%fe', 404, 'unknown_model'),
                ('GET', '/v1/models/egm96%00', 404, 'unknown_model'),
                ('GET', '/v1/models/egm96%00x', 404, 'unknown_model'),
                ('GET', '/v1/models/egm96%00/raster', 404, 'unknown_model'),
                ('GET', '/v1/undulation?lat=1%00&lon=0', 400, 'bad_parameter'),
                ('GET', '/v1/undulation?lat%00=1&lon=0', 400, 'unknown_parameter'),
                ('GET', '/v1/undulation?lat=1&lon=0&model=egm96%00', 404, 'unknown_model'),
                ('GET', '/v1/models/' + 'a' * 12000, 414, 'too_long'),
                ('GET', '/v1/undulation?lat=1&lon=0&model=' + 'a' * 12000, 414, 'too_long'),
                ('GET', '/v1/undulation?' + 'lat=1&' * 2000, 414, 'too_long'),
                ('GET', '/v1/undulation?' + 'a&' * 3900, 414, 'too_long'),
                ('GET', '/v1/undulation', 400, 'missing_parameter'),
                ('GET', '/v1/undulation?lat=1', 400, 'missing_parameter'),
                ('GET', '/v1/undulation?lat=91&lon=0', 400, 'bad_parameter'),
                ('GET', '/v1/undulation?lat=1&lat=1&lon=0', 400, 'bad_parameter'),
                ('GET', '/v1/undulation?lat=nan&lon=0', 400, 'bad_parameter'),
                ('GET', '/v1/undulation?lat=%ff&lon=0', 400, 'bad_parameter'),
                ('GET', '/v1/undulation?lat&lon=0', 400, 'bad_parameter'),
                ('GET', '/v1/undulation?lat=1&lon=0&place=x', 400, 'unknown_parameter'),
                ('GET', '/v1/undulation?' + '&'.join(f'a{i}=1' for i in range(99)), 400, 'unknown_parameter'),
                ('GET', '/v1/undulation?lat=1&lon=0&model=egm97', 404, 'unknown_model'),
                ('GET', '/v1/convert?lat=1&lon=0&height=0&from=egm96&to=mars', 404, 'unknown_model'),
                ('GET', '/v1/convert?lat=1&lon=0&height=0&from=ground&to=egm96', 404, 'no_terrain'),
                ('GET', '/v1/terrain?lat=1&lon=0', 404, 'no_terrain'),
                ('GET', '/v1/terrain?lat=1&lon=0&model=egm96', 404, 'wrong_kind'),
                ('GET', '/v1/models/egm96?bbox=1,2,3', 400, 'bad_parameter'),
                ('GET', '/v1/models/egm96/raster?bbox=5,0,1,0', 400, 'bad_parameter'),
                ('GET', '/v1/models?bbox=1,2,3,4', 400, 'unknown_parameter'),
                ('POST', '/v1/models', 405, 'method'),
                ('PUT', '/v1/models/egm96/raster', 405, 'method'),
                ('DELETE', '/v1/models/egm96', 405, 'method'),
                ('OPTIONS', '/v1', 405, 'method')):
            answer, headers, body = self.service.get(path, method=method)
            self.assertEqual(answer, status, path)
            self.assertEqual(headers['Content-Type'], 'application/json', path)
            if code is not None:
                error = json.loads(body)['error']
                self.assertEqual((error['status'], error['code']), (status, code), path)
                self.assertGreater(len(error['message']), 5)
        self.assertEqual(self.service.get('/v1', method='POST')[1]['Allow'], 'GET, HEAD')

    def test_whatever_is_too_long_is_answered(self):
        """Path, query and headers of any length, one by one and together: a status, and then the next request of another client."""
        address = urllib.parse.urlparse(self.service.url)
        for n in (10, 100, 1000, 4000, 8000, 9000, 12000, 16000, 30000, 60000, 70000, 200000):
            for target, header in ((b'a' * n, b''), (b'undulation?lat=' + b'1' * n, b''), (b'undulation?' + b'a&' * (n // 2), b''),
                                   (b'models', b'X: ' + b'a' * n), (b'models', b'a: b\r\n' * (n // 6)),
                                   (b'models?' + b'a=1&' * 100, b'X: ' + b'a' * n)):
                with socket.create_connection((address.hostname, address.port), PATIENCE_S) as s:
                    try:
                        s.sendall(b'GET /v1/' + target + b' HTTP/1.1\r\nHost: x\r\n' + header + b'\r\n\r\n')
                        status = int(s.recv(12).split()[1])
                    except (BrokenPipeError, ConnectionResetError):
                        status = 431  # it does not wait for the end of what is far too long
                        self.assertGreater(n, 60000)
                self.assertIn(status, (200, 400, 404, 414, 431), (n, target[:20], header[:10]))

    def test_clients_that_do_not_ask_keep_nobody_out(self):
        """400 of them, half of which have begun; others that come are answered long before 30 s of silence are over."""
        idle, address = [], urllib.parse.urlparse(self.service.url)
        for i in range(400):
            idle.append(socket.create_connection((address.hostname, address.port), PATIENCE_S))
            idle[-1].sendall(b'GET /v1/mod' if i % 2 else b'')
        begin = time.monotonic()
        self.assertEqual([self.ask('/v1')['version'] for _ in range(5)], [1] * 5)
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(idle[0].recv(1), b'')  # the oldest gave way
        idle[-1].sendall(b'els HTTP/1.1\r\nHost: x\r\n\r\n')  # the last did not
        self.assertIn(b' 200 ', idle[-1].recv(100))
        for s in idle:
            s.close()

    def test_bodies_are_not_taken(self):
        status, _, body = self.service.get('/v1/models', method='GET', data=b'x' * 100)
        self.assertEqual((status, json.loads(body)['error']['code']), (413, 'body'))
        self.assertEqual(self.service.get('/v1/models', method='POST', data=b'x' * 100)[0], 405)

    def test_what_is_no_http_harms_nobody(self):
        address = urllib.parse.urlparse(self.service.url)
        host = (address.hostname, address.port)
        idle = [socket.create_connection(host) for _ in range(20)]
        for raw in (b'\x00\xff' * 5000, b'GET /v1/models', b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n\r\n',
                    b'GET /v1 HTTP/1.1\r\n' + b'X: y\r\n' * 100000, b'GET /v1/models/egm96/raster HTTP/1.1\r\nHost: x\r\n\r\n',
                    b'GET /v1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n'):
            with socket.create_connection(host) as s:
                s.settimeout(0.5)
                try:
                    s.sendall(raw)
                    s.recv(100)
                except OSError:
                    pass  # it may close at any time, or wait for more
        self.assertEqual(self.ask('/v1')['version'], 1)
        for s in idle:
            s.close()


class Terrain(Folder):
    def test_terrain_and_ground(self):
        hills = Grid.made(void=[(20, 20)])
        with Foreign(hills) as foreign:
            done = fetch(foreign.url, '--kind', 'terrain', folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        with Service('--terrain', f'hills:{self.path("hills.pack")}') as service:
            self.assertEqual(list(service.models()), ['hills', 'egm96'])
            self.assertEqual(service.models()['hills']['kind'], 'terrain')
            self.assertEqual(service.get('/v1/models/hills/raster')[2], hills.body)
            for lat, lon in ((46.9, 8.1), (46.999, 8.0001), (46.7, 8.4)):
                height = service.json(f'/v1/terrain?lat={lat}&lon={lon}')
                self.assertAlmostEqual(height['height'], hills.bilinear(lat, lon), 6)
                self.assertEqual((height['model'], height['fingerprint']), ('hills', hills.description['fingerprint']))
                n = service.json(f'/v1/undulation?lat={lat}&lon={lon}')['undulation']
                above = service.json(f'/v1/convert?lat={lat}&lon={lon}&height=50&from=ground&to=ellipsoid')
                self.assertAlmostEqual(above['result'], 50 + height['height'] + n, 6)
                self.assertEqual([m['model'] for m in above['models']], ['hills', 'egm96'])
                back = service.json(f'/v1/convert?lat={lat}&lon={lon}&height={above["result"]}&from=ellipsoid&to=ground')
                self.assertAlmostEqual(back['result'], 50, 6)
            for place in ('lat=47.1&lon=8.1', 'lat=46.9&lon=7.9', f'lat={47 - 20 / 120}&lon={8 + 20 / 120}'):
                status, _, body = service.get('/v1/terrain?' + place)
                self.assertEqual((status, json.loads(body)['error']['code']), (404, 'outside'), place)
            status, _, body = service.get('/v1/undulation?lat=46.9&lon=8.1&model=hills')
            self.assertEqual((status, json.loads(body)['error']['code']), (404, 'wrong_kind'))
            status, _, body = service.get('/v1/models/hills?bbox=46.6,8,47.1,8.1')
            self.assertEqual((status, json.loads(body)['error']['code']), (404, 'outside'))

    def test_a_damaged_pack_is_an_error(self):
        with Foreign(Grid.made()) as foreign:
            self.assertEqual(fetch(foreign.url, '--model', 'hills', folder=self.folder).returncode, 0)
        data = bytearray(self.read('hills.pack'))
        data[-20] ^= 0x10
        self.write('hills.pack', data)
        with Service('--terrain', self.path('hills.pack')) as service:
            for path in ('/v1/terrain?lat=46.9&lon=8.1', '/v1/models/hills?bbox=46.9,8.1,46.91,8.11'):
                status, _, body = service.get(path)
                self.assertEqual((status, json.loads(body)['error']['code']), (500, 'damaged'), path)
            with self.assertRaises((OSError, http.client.HTTPException)):
                service.get('/v1/models/hills/raster')
            self.assertEqual(service.json('/v1')['version'], 1)

    def test_starts_that_are_refused(self):
        self.write('junk', b'junk' * 100)
        taken = socket.create_server(('127.0.0.1', 0))
        with Foreign(Grid.made()) as foreign:
            fetch(foreign.url, '--model', 'hills', folder=self.folder)
        hills = self.path('hills.pack')
        for args, what in (
                (['--geoid', self.path('missing')], 'No such file'),
                (['--geoid', self.path('junk')], 'no pack'),
                (['--geoid', self.folder], 'Invalid'),
                (['--geoid', hills], '--terrain'),
                (['--terrain', 'egm96'], '--geoid'),
                (['--terrain', f'alps:{hills}'], 'its model is hills'),
                (['--terrain', f'{hills},{hills}'], 'already'),
                (['--geoid', ''], 'a list'), (['--geoid', 'egm96,'], 'a list'),
                (['--listen', 'nowhere'], 'HOST:PORT'), (['--listen', '[::1:80'], 'HOST:PORT'),
                (['--listen', '127.0.0.1:http'], '127.0.0.1:http'),
                (['--listen', f'127.0.0.1:{taken.getsockname()[1]}'], 'in use'),
                (['--what'], 'unrecognized'), (['file'], 'no arguments')):
            done = subprocess.run([ELEVATION, *args], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
            self.assertIn(what, done.stderr, args)
            self.assertEqual(done.stdout, '')
        taken.close()


class Foreign:
    """A service of another make. `misbehave` is a list: what to do with each request of a raster, one after the other; when it
    is used up, the answers are good."""

    def __init__(self, *grids, prefix='', raster='/v1/models/{}/raster', misbehave=(), misbehave_list=(), ranges=True):
        self.grids = {g.description['model']: g for g in grids}
        self.prefix, self.raster, self.ranges = prefix, raster, ranges
        self.misbehave, self.misbehave_list = list(misbehave), list(misbehave_list)
        self.seen = []  # (path, headers)
        foreign = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                foreign.seen.append((self.path, dict(self.headers)))
                try:
                    foreign.answer(self)
                except OSError:
                    pass  # who asked has gone
                self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}{prefix}'

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={'poll_interval': 0.02})
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def downloads(self):
        return [(path, headers) for path, headers in self.seen if 'raster' in path]

    @staticmethod
    def send(handler, body, status=200, kind='application/json', length=None, **headers):
        handler.send_response(status)
        handler.send_header('Content-Type', kind)
        handler.send_header('Content-Length', str(len(body) if length is None else length))
        for name, value in headers.items():
            handler.send_header(name.replace('_', '-'), value)
        handler.end_headers()
        handler.wfile.write(body)

    def answer(self, handler):
        for name, grid in self.grids.items():
            if handler.path == self.prefix + self.raster.format(name):
                action = self.misbehave.pop(0) if self.misbehave else good
                return action(self, handler, grid)
        if handler.path == self.prefix + '/v1/models':
            action = self.misbehave_list.pop(0) if self.misbehave_list else None
            body = json.dumps({'models': [g.description for g in self.grids.values()]}).encode()
            return action(self, handler, body) if action else self.send(handler, body)
        return self.send(handler, b'{"error": {"message": "there is nothing here"}}', 404)


def good(foreign, handler, grid, body=None, **more):
    body = grid.body if body is None else body
    tag = f'"{grid.description["fingerprint"]}"'
    wanted = re.fullmatch(r'bytes=(\d+)-', handler.headers.get('Range', ''))
    if wanted and foreign.ranges and handler.headers.get('If-Range') == tag:
        first = int(wanted[1])
        return foreign.send(handler, body[first:], 206, 'application/octet-stream', ETag=tag,
                            Content_Range=f'bytes {first}-{len(body) - 1}/{len(body)}', **more)
    return foreign.send(handler, body, 200, 'application/octet-stream', ETag=tag, **more)


def drop(n):
    return lambda foreign, handler, grid: foreign.send(handler, grid.body[:n], 200, 'application/octet-stream',
                                                       length=len(grid.body))


def state(status, body=b'<p>no</p>', kind='text/html', **headers):
    return lambda foreign, handler, _: foreign.send(handler, body, status, kind, **headers)


def changed(foreign, handler, grid):
    body = bytearray(grid.body)
    body[1000] ^= 1
    return good(foreign, handler, grid, bytes(body))


def another_part(foreign, handler, grid):
    foreign.send(handler, grid.body[5:], 206, 'application/octet-stream',
                 Content_Range=f'bytes 5-{len(grid.body) - 1}/{len(grid.body)}')


def silence(_, handler, __):
    handler.connection.settimeout(PATIENCE_S)
    handler.rfile.read(1)  # until the client has had enough


def trickle(foreign, handler, grid):
    foreign.send(handler, grid.body[:10], 200, 'application/octet-stream', length=len(grid.body))
    for byte in grid.body[10:200]:
        time.sleep(0.1)
        handler.wfile.write(bytes([byte]))


def hang_up(_, handler, __):
    handler.connection.shutdown(socket.SHUT_RDWR)


def garbage(_, handler, __):
    handler.wfile.write(b'\x00\x01\x02 no HTTP \xff' * 100)


def chunks(foreign, handler, grid):
    """All of it, but the end of the last chunk."""
    handler.send_response(200)
    handler.send_header('Content-Type', 'application/octet-stream')
    handler.send_header('Transfer-Encoding', 'chunked')
    handler.end_headers()
    handler.wfile.write(b'%x\r\n' % len(grid.body) + grid.body[:-7])


def longer(foreign, handler, grid):
    foreign.send(handler, grid.body + b'more', 200, 'application/octet-stream')


def shorter(foreign, handler, grid):
    foreign.send(handler, grid.body[:-4], 200, 'application/octet-stream')


class Fetch(Folder):
    """Everything that is fetched replaces an old pack, or leaves it alone."""
    OLD = b'what was here before'
    known = []  # grids, and packs that hold them: the same bytes are not asked again

    def setUp(self):
        super().setUp()
        self.grid = Grid.made()
        self.write('hills.pack', self.OLD)

    def fetch(self, foreign, *args, **more):
        return fetch(foreign.url, '--model', 'hills', *args, folder=self.folder, **more)

    def succeeds(self, *args, **more):
        options = {k: more.pop(k) for k in ('cache', 'retries', 'timeout') if k in more}
        with Foreign(self.grid, **more) as foreign:
            done = self.fetch(foreign, *args, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.grid.description['fingerprint'], done.stdout)
        self.check_pack('hills.pack')
        return foreign, done

    def check_pack(self, name):
        packed = (self.grid.body, self.read(name))
        if packed in self.known:
            return
        with Service('--terrain', self.path(name)) as service:
            self.assertEqual(service.models()['hills']['fingerprint'], self.grid.description['fingerprint'])
            self.assertEqual(service.get('/v1/models/hills/raster')[2], self.grid.body)
        self.known.append(packed)

    def fails(self, *what, args=(), code=1, **more):
        options = {k: more.pop(k) for k in ('cache', 'retries', 'timeout') if k in more}
        with Foreign(self.grid, **more) as foreign:
            done = self.fetch(foreign, *args, **options)
        self.assertEqual(done.returncode, code, (done.stdout, done.stderr))
        self.assertEqual(done.stdout, '')
        last = done.stderr.splitlines()[-1]
        self.assertTrue(last.startswith('geoid fetch: ') or last.startswith('geoid: '), last)
        for text in what:
            self.assertIn(text, last)
        self.assertEqual(self.read('hills.pack'), self.OLD)
        self.assertEqual(sorted(n for n in os.listdir(self.folder) if n != 'cache'), ['hills.pack'])
        return foreign, done

    def test_sim041_whole_model_and_box_are_the_same_grid(self):
        places = [(46.2, 7.3), (46.9999, 9.9), (47.3, 8.0), (46.55, 8.5)]
        with Service() as source:
            for name, more in (('whole', []), ('box', ['--bbox', '46.2,7.3,47.3,9.9']), ('pole', ['--bbox=-90,5,-89,6'])):
                done = fetch(source.url, '--out', name, *more, folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                query = f'?bbox={more[-1].replace("--bbox=", "")}' if more else ''
                with Service('--geoid', self.path(name)) as copy:
                    there, here = source.json('/v1/models/egm96' + query), copy.json('/v1/models/egm96')
                    self.assertEqual(here, there)
                    self.assertIn(here['fingerprint'], done.stdout)
                    self.assertEqual(copy.get('/v1/models/egm96/raster')[2],
                                     source.get('/v1/models/egm96/raster' + query)[2])
                    for lat, lon in places if name != 'pole' else [(-89.7, 5.5), (-90, 0), (-89.01, 5.1), (-89.9, 170)]:
                        for how in ('bilinear', 'cubic'):
                            path = f'/v1/undulation?lat={lat}&lon={lon}&interpolation={how}'
                            self.assertAlmostEqual(copy.json(path)['undulation'], source.json(path)['undulation'], 9)

    def test_sim041_only_the_fingerprint_that_planning_uses(self):
        right, wrong = self.grid.description['fingerprint'], 'ab' * 32
        self.fails(right, wrong, args=['--fingerprint', wrong])
        self.succeeds('--fingerprint', right.upper())

    def test_cache(self):
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertIn('downloaded', done.stdout)
        self.assertEqual(os.listdir(self.path('cache')), [self.grid.description['fingerprint'] + '.pack'])
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual((foreign.downloads(), 'up to date' in done.stdout), ([], True))
        self.write('hills.pack', self.OLD)
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual((foreign.downloads(), 'from the cache' in done.stdout), ([], True))
        kept = os.path.join('cache', self.grid.description['fingerprint'] + '.pack')
        data = bytearray(self.read(kept))
        data[-30] ^= 1
        self.write(kept, data)
        self.write('hills.pack', self.OLD)
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual((len(foreign.downloads()), 'downloaded' in done.stdout), (1, True))
        foreign, done = self.succeeds('--out', 'hills.pack', cache='/proc/nothing')  # a cache that cannot be
        self.assertIn('up to date', done.stdout)

    def test_default_cache(self):
        with Foreign(self.grid) as foreign:
            for env in ({'HOME': self.path()}, {'XDG_CACHE_HOME': self.path('.cache')}):
                for _ in range(2):
                    done = subprocess.run([GEOID, 'fetch', foreign.url, '--kind=terrain', '--out', 'o'], cwd=self.folder,
                                          capture_output=True, text=True, timeout=60, check=False, env=dict(ENVIRONMENT, **env))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    os.remove(self.path('o'))
            self.assertEqual(len(foreign.downloads()), 1)
        self.assertTrue(os.listdir(self.path('.cache', 'mayfly')))

    def test_other_paths(self):
        foreign, _ = self.succeeds('--raster-path', '/grids/{model}/raster.i32{?south}', raster='/grids/{}/raster.i32',
                                   prefix='/api')
        self.assertEqual([path for path, _ in foreign.seen], ['/api/v1/models', '/api/grids/hills/raster.i32'])
        foreign, _ = self.succeeds('--header', 'Authorization: Bearer x', '--out', 'other.pack')
        self.assertEqual({headers.get('Authorization') for _, headers in foreign.seen}, {'Bearer x'})

    def test_broken_off_and_resumed(self):
        n = len(self.grid.body)
        foreign, done = self.succeeds(misbehave=[drop(n // 2)])
        first, second = [headers for _, headers in foreign.downloads()]
        self.assertNotIn('Range', first)
        self.assertEqual((second['Range'], second['If-Range']), (f'bytes={n // 2}-', f'"{self.grid.description["fingerprint"]}"'))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_broken_off_and_begun_again(self):
        foreign, _ = self.succeeds(misbehave=[drop(4321)], ranges=False)
        self.assertEqual(foreign.downloads()[1][1]['Range'], 'bytes=4321-')

    def test_broken_off_each_time_and_resumed_by_the_next_fetch(self):
        cache = self.path('cache')
        self.fails('bytes', misbehave=[drop(100), drop(200), drop(3001)], ranges=False, cache=cache)
        foreign, _ = self.succeeds(cache=cache)
        self.assertEqual(foreign.downloads()[0][1]['Range'], 'bytes=3001-')
        self.assertEqual([n for n in os.listdir(cache) if n.endswith('.part')], [])

    def test_what_an_earlier_fetch_left_is_wrong(self):
        os.mkdir(self.path('cache'))
        part = os.path.join('cache', self.grid.description['fingerprint'] + '.part')
        for left, requests in ((b'x' * 100, 2), (b'x' * len(self.grid.body), 1), (b'x' * 100000, 1)):
            self.write(part, left)
            foreign, _ = self.succeeds(cache=self.path('cache'))
            self.assertEqual(len(foreign.downloads()), requests, len(left))
            self.assertFalse(os.path.exists(self.path(part)))
            os.remove(self.path('cache', self.grid.description['fingerprint'] + '.pack'))
            self.write('hills.pack', self.OLD)

    def test_sim041_wrong_hash(self):
        _, done = self.fails('grid hash', self.grid.description['grid_hash'], misbehave=[changed, changed],
                             cache=self.path('cache'))
        self.assertEqual(os.listdir(self.path('cache')), [])
        self.grid.description['fingerprint'] = '12' * 32
        self.fails('fingerprint', '12' * 32, Grid.made().description['fingerprint'])

    def test_states_that_pass(self):
        for status in (500, 503, 429, 408):
            self.write('hills.pack', self.OLD)
            foreign, done = self.succeeds(misbehave=[state(status), state(status)])
            self.assertEqual((len(foreign.downloads()), len(done.stderr.splitlines())), (3, 2))
            self.assertIn(f'HTTP status {status}', done.stderr)
        self.write('hills.pack', self.OLD)
        begin = time.monotonic()
        self.succeeds(misbehave=[state(503, Retry_After='1')], misbehave_list=[state(502)])
        self.assertGreaterEqual(time.monotonic() - begin, 1)

    def test_states_that_stay(self):
        foreign, _ = self.fails('HTTP status 500', misbehave=[state(500)] * 9)
        self.assertEqual(len(foreign.downloads()), 3)
        for status in (400, 403, 404, 501):
            foreign, _ = self.fails(f'HTTP status {status}', misbehave=[state(status)] * 9)
            self.assertEqual(len(foreign.downloads()), 1)
        self.fails('HTTP status 410: sold out', misbehave=[
            state(410, b'{"error": {"message": "sold out"}}', 'application/json')])
        self.fails('HTTP status 404: there is nothing here', args=['--models-path', '/models'])

    def test_bodies_that_are_wrong(self):
        self.fails('longer than', misbehave=[longer])
        self.fails('bytes', misbehave=[shorter] * 9)
        self.fails(misbehave=[chunks] * 9, ranges=False)
        self.fails('content type text/html', misbehave=[state(200)])
        self.fails('content type application/json', misbehave=[state(200, b'', 'application/json')])
        self.fails('another part', misbehave=[drop(100), another_part])
        self.fails(misbehave=[garbage] * 9)

    def test_silence(self):
        self.fails(misbehave=[silence] * 9, timeout=1, retries=1)
        self.fails(misbehave=[trickle] * 9, timeout=1, retries=0)
        self.fails(misbehave=[hang_up] * 9)
        self.fails(misbehave_list=[silence] * 9, timeout=1, retries=0)
        self.write('hills.pack', self.OLD)
        self.succeeds(misbehave=[silence, hang_up], timeout=1)

    def test_lists_that_are_wrong(self):
        good_list = json.dumps({'models': [self.grid.description]}).encode()
        for body, what in ((good_list[:-50], 'no JSON'), (b'', 'no JSON'), (b'[]', '"models"'), (b'{"models": {}}', '"models"'),
                           (b'{"models": []}', 'no model hills'), (good_list.replace(b'"hills"', b'"moors"'), 'moors'),
                           (good_list.replace(b'"rows": 40', b'"rows": -1'), '"rows"'),
                           (good_list.replace(b'"rows": 40', b'"rows": 41'), 'bytes'),
                           (good_list.replace(b'"columns": 50', b'"columns": 50000'), '"grid"'),
                           (good_list.replace(b'"kind": "terrain"', b'"kind": 5'), '"kind"'),
                           (b'\xff\xfe' * 100, 'no JSON'), (b'[' * 100000, 'no JSON')):
            self.fails(what, misbehave_list=[state(200, body, 'application/json')])
        self.fails('longer than', misbehave_list=[state(200, b' ' * 9000000, 'application/json')])
        self.fails('content type text/html', misbehave_list=[state(200, good_list)])
        self.fails(misbehave_list=[lambda f, h, body: f.send(h, body[:100], length=len(body))] * 9)

    def test_redirections(self):
        self.succeeds(misbehave_list=[state(302, Location='/v1/models')],
                      misbehave=[state(307, Location='/v1/models/hills/raster')])
        self.write('hills.pack', self.OLD)
        foreign, _ = self.fails('redirect', misbehave=[state(302, Location='/v1/models/hills/raster')] * 99)
        self.assertEqual(len(foreign.downloads()), 6)
        self.fails(misbehave=[state(302, Location='file:///etc/passwd')])
        self.fails(misbehave=[state(302, Location='ftp://127.0.0.1/x')])

    def test_service_down(self):
        with socket.create_server(('127.0.0.1', 0)) as free:
            port = free.getsockname()[1]
        done = fetch(f'http://127.0.0.1:{port}', folder=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 3, done.stderr)
        self.assertIn(f'http://127.0.0.1:{port}/v1/models', done.stderr.splitlines()[-1])

    def test_wrong_usage(self):
        for args, what in (([], 'address'), (['http://a', 'http://b'], 'address'), (['http://a', '--bbox', '1,2,3'], 'a box'),
                           (['http://a', '--kind', 'sea'], '--kind'), (['http://a', '--retries', 'x'], '--retries'),
                           (['http://a', '--fingerprint', '12'], '--fingerprint'), (['http://a', '--what', '1'], '--what'),
                           (['http://a', '--header', 'x'], '--header')):
            done = subprocess.run([GEOID, 'fetch', *args], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ''), args)
            self.assertIn(what, done.stderr)
        for args, what in ((['file:///etc/passwd'], 'http'), (['http://127.0.0.1:1', '--models-path', '/{x'], '{x')):
            done = fetch(*args, folder=self.folder, retries=0)
            self.assertEqual(done.returncode, 1, args)
            self.assertIn(what, done.stderr)

    def test_a_place_that_cannot_be_written(self):
        with Foreign(self.grid) as foreign:
            done = self.fetch(foreign, '--out', 'missing/hills.pack')
        self.assertEqual(done.returncode, 1)
        self.assertIn('cannot write', done.stderr)


if __name__ == '__main__':
    unittest.main()
