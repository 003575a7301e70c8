#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build/elevation and `geoid fetch` as their users see them (docs/elevation.md); and a service of another make, whose grid
hashes and fingerprints are computed here, from docs/geoid.md alone. It also misbehaves in every way that services do."""
import hashlib
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
    request = urllib.request.Request(url, method=method, data=data,
                                     headers={k.replace('_', '-'): v for k, v in headers.items()})
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
        self.description, self.body = description, body
        self.grid = description['grid']
        self.nodes = struct.unpack(f'<{len(body) // 4}i', body)

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
        return NotImplemented

    def fingerprint(self, interpolation):
        """docs/geoid.md, Fingerprint."""
        return NotImplemented

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
            self.assertEqual((answer['interpolation'], answer['fingerprint']),
                             ('bilinear', self.egm96['fingerprints']['bilinear']))
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
                ('GET', '/v1/models/egm96%00x', 200, None),
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
                s.settimeout(PATIENCE_S)
                try:
                    s.sendall(raw)
                    s.recv(100)
                except OSError:
                    pass  # it may close at any time
                if raw == b'GET /v1/models':
                    continue
        self.assertEqual(self.ask('/v1')['version'], 1)
        for s in idle:
            s.close()
