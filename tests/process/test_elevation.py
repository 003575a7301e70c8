# SPDX-License-Identifier: Apache-2.0
"""build/elevation and `geoid fetch` as their users see them (docs/elevation.md); and a service of another make, whose grid
hashes and fingerprints are computed here, from docs/geoid.md alone. It also misbehaves in every way that services do."""
import http.client
import json
import socket
import struct
import subprocess
import time
import unittest
import urllib.parse

import pytest

from elevation_service import ELEVATION, GEOID, PATIENCE_S, Foreign, Grid, Service, fetch
from folder_case import FolderCase
from names import assert_names, one


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


class Terrain(FolderCase):
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

    def test_a_pack_that_the_tool_made(self):
        """It bears its geoid's name; the service gives it one of its own, and converts by the geoid that it names."""
        self.write('N47E008.hgt', struct.pack('>25h', *[497] * 25))
        def pack(out, *args):
            subprocess.run([GEOID, 'pack', '--out', self.path(out), *args, self.path('N47E008.hgt')], check=True, capture_output=True)
            return self.path(out)
        zurich, ellipsoidal = pack('Zürich.mfpk'), pack('high.mfpk', '--geoid', 'none')
        local = Grid.made('local', 'geoid', 13, 13, 48 * 10 ** 9, 8 * 10 ** 9, (1, 12), (1, 12), quantum_um=1000)
        with Foreign(local) as foreign:
            self.assertEqual(fetch(foreign.url, '--model', 'local', folder=self.folder).returncode, 0)
        place = 'lat=47.4&lon=8.5'
        ground = f'/v1/convert?{place}&height=50&from=ground&to='
        with Service('--geoid', f'{self.path("local.pack")},egm96', '--terrain', f'{zurich},hill:{zurich}') as service:
            n, below = service.json(f'/v1/undulation?{place}&model=egm96')['undulation'], local.bilinear(47.4, 8.5)
            models = service.models()
            self.assertEqual([(name, m['kind'], m.get('above')) for name, m in models.items()],
                             [('local', 'geoid', None), ('egm96', 'geoid', None), ('z__rich', 'terrain', 'egm96'), ('hill', 'terrain', 'egm96')])
            self.assertAlmostEqual(service.json(f'/v1/terrain?{place}&model=hill')['height'], 497, 6)
            above = service.json(ground + 'ellipsoid')
            self.assertEqual([m['model'] for m in above['models']], ['z__rich', 'egm96'])
            self.assertAlmostEqual(above['result'], 547 + n, 6)
            self.assertAlmostEqual(service.json(ground + 'local')['result'], 547 + n - below, 6)
            # What a client fetches is the pack that the tool made, with its geoid's name.
            self.assertEqual(fetch(service.url, '--model', 'hill', '--out', 'hill.pack', folder=self.folder).returncode, 0)
            info = subprocess.run([GEOID, 'info', self.path('hill.pack')], capture_output=True, text=True, check=True).stdout
            self.assertIn('egm96', info)
            self.assertIn(models['hill']['fingerprint'], info)
        with Service('--geoid', self.path('local.pack'), '--terrain', f'{zurich},{ellipsoidal}') as service:
            status, _, body = service.get(ground + 'ellipsoid')
            self.assertEqual((status, json.loads(body)['error']['code']), (404, 'no_geoid'))
            self.assertIn('egm96', json.loads(body)['error']['message'])
        with Service('--terrain', ellipsoidal) as service:
            above = service.json(ground + 'ellipsoid')
            self.assertAlmostEqual(above['result'], 547 + n, delta=0.2)  # of decimetres at nodes 28 km apart
            self.assertEqual([m['model'] for m in above['models']], ['high'])

    def test_a_damaged_pack_is_an_error(self):
        with Foreign(Grid.made()) as foreign:
            self.assertEqual(fetch(foreign.url, '--model', 'hills', folder=self.folder).returncode, 0)
        data = bytearray(self.bytes('hills.pack'))
        data[-20] ^= 0x10
        self.write('hills.pack', data)
        with Service('--terrain', self.path('hills.pack')) as service:
            for path in ('/v1/terrain?lat=46.9&lon=8.1', '/v1/models/hills?bbox=46.9,8.1,46.91,8.11'):
                status, _, body = service.get(path)
                self.assertEqual((status, json.loads(body)['error']['code']), (500, 'damaged'), path)
            with self.assertRaises((OSError, http.client.HTTPException)):
                service.get('/v1/models/hills/raster')
            self.assertEqual(service.json('/v1')['version'], 1)

    @pytest.mark.long
    def test_starts_that_are_refused(self):
        self.write('junk', b'junk' * 100)
        taken = socket.create_server(('127.0.0.1', 0))
        with Foreign(Grid.made()) as foreign:
            fetch(foreign.url, '--model', 'hills', folder=self.folder)
        with Service() as service:
            fetch(service.url, '--model', 'egm96', '--out', 'egm96.pack', folder=self.folder)
        hills = self.path('hills.pack')
        for args, what in (
                (['--geoid', self.path('missing')], one(self.path('missing'))),
                (['--geoid', self.path('junk')], one(self.path('junk'))),
                (['--geoid', self.folder], one(self.folder)),
                (['--geoid', hills], '--terrain'),
                (['--terrain', 'egm96'], '--geoid'),
                (['--geoid', f'egm97:{self.path("egm96.pack")}'], 'egm96'),
                (['--terrain', f'Alps:{hills}'], 'a-z'), (['--terrain', f'{"a" * 32}:{hills}'], '31'),
                (['--geoid', 'egm96', '--terrain', f'egm96:{hills}'], 'NAME:FILE'), (['--terrain', f'{hills},{hills}'], 'NAME:FILE'),
                (['--geoid', ''], '--geoid'), (['--geoid', 'egm96,'], '--geoid egm96'),
                (['--listen', 'nowhere'], 'HOST:PORT'), (['--listen', '[::1:80'], 'HOST:PORT'),
                (['--listen', '127.0.0.1:http'], '127.0.0.1:http'),
                (['--listen', f'127.0.0.1:{taken.getsockname()[1]}'], f'127.0.0.1:{taken.getsockname()[1]}'),
                (['--what'], '--what'), (['file'], 'file')):
            done = subprocess.run([ELEVATION, *args], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
            assert_names(done.stderr, what)
            self.assertEqual(done.stdout, '')
        taken.close()
