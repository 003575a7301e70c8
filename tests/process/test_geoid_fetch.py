# SPDX-License-Identifier: Apache-2.0
"""build/geoid fetch, good as its users see it, from build/elevation and from a service of others that breaks in each way."""
import json
import os
import socket
import subprocess
import time

import pytest

from elevation_service import ENVIRONMENT, PATIENCE_S, Foreign, Grid, Service, fetch, good
from folder_case import FolderCase
from names import assert_names
from paths import GEOID
from ports import free_port


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


class Fetch(FolderCase):
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
        packed = (self.grid.body, self.bytes(name))
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
        assert_names(last, ' '.join(['geoid', *what]))
        self.assertEqual(self.bytes('hills.pack'), self.OLD)
        self.assertEqual(sorted(n for n in os.listdir(self.folder) if n != 'cache'), ['hills.pack'])
        return foreign, done

    @pytest.mark.long
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

    @pytest.mark.long
    def test_cache(self):
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual(len(foreign.downloads()), 1)
        self.assertEqual(os.listdir(self.path('cache')), [self.grid.description['fingerprint'] + '.pack'])
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual(foreign.downloads(), [])
        self.write('hills.pack', self.OLD)
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual(foreign.downloads(), [])
        kept = os.path.join('cache', self.grid.description['fingerprint'] + '.pack')
        data = bytearray(self.bytes(kept))
        data[-30] ^= 1
        self.write(kept, data)
        self.write('hills.pack', self.OLD)
        foreign, done = self.succeeds(cache=self.path('cache'))
        self.assertEqual(len(foreign.downloads()), 1)
        foreign, done = self.succeeds('--out', 'hills.pack', cache='/proc/nothing')  # a cache that cannot be
        self.assertEqual(foreign.downloads(), [])

    @pytest.mark.long
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
        _, done = self.fails(self.grid.description['grid_hash'], misbehave=[changed, changed],
                             cache=self.path('cache'))
        self.assertEqual(os.listdir(self.path('cache')), [])
        self.grid.description['fingerprint'] = '12' * 32
        self.fails('fingerprint', Grid.made().description['fingerprint'], '12' * 32)

    @pytest.mark.long
    def test_states_that_pass(self):
        for status in (500, 503, 429, 408):
            self.write('hills.pack', self.OLD)
            foreign, done = self.succeeds(misbehave=[state(status), state(status)])
            self.assertEqual((len(foreign.downloads()), len(done.stderr.splitlines())), (3, 2))
            assert_names(done.stderr, str(status))
        self.write('hills.pack', self.OLD)
        begin = time.monotonic()
        self.succeeds(misbehave=[state(503, Retry_After='1')], misbehave_list=[state(502)])
        self.assertGreaterEqual(time.monotonic() - begin, 1)

    @pytest.mark.long
    def test_states_that_stay(self):
        foreign, _ = self.fails('500', misbehave=[state(500)] * 9)
        self.assertEqual(len(foreign.downloads()), 3)
        for status in (400, 403, 404, 501):
            foreign, _ = self.fails(str(status), misbehave=[state(status)] * 9)
            self.assertEqual(len(foreign.downloads()), 1)
        self.fails('410 sold out', misbehave=[
            state(410, b'{"error": {"message": "sold out"}}', 'application/json')])
        self.fails('404', args=['--models-path', '/models'])

    @pytest.mark.long
    def test_bodies_that_are_wrong(self):
        self.fails(str(len(self.grid.body)), misbehave=[longer])
        self.fails('bytes', misbehave=[shorter] * 9)
        self.fails(misbehave=[chunks] * 9, ranges=False)
        self.fails('text/html', misbehave=[state(200)])
        self.fails('application/json', misbehave=[state(200, b'', 'application/json')])
        self.fails('5 100', misbehave=[drop(100), another_part])
        self.fails(misbehave=[garbage] * 9)

    @pytest.mark.long
    def test_silence(self):
        self.fails(misbehave=[silence] * 9, timeout=1, retries=1)
        self.fails(misbehave=[trickle] * 9, timeout=1, retries=0)
        self.fails(misbehave=[hang_up] * 9)
        self.fails(misbehave_list=[silence] * 9, timeout=1, retries=0)
        self.write('hills.pack', self.OLD)
        self.succeeds(misbehave=[silence, hang_up], timeout=1)

    @pytest.mark.long
    def test_lists_that_are_wrong(self):
        good_list = json.dumps({'models': [self.grid.description]}).encode()
        for body, what in ((good_list[:-50], 'JSON'), (b'', 'JSON'), (b'[]', '"models"'), (b'{"models": {}}', '"models"'),
                           (b'{"models": []}', 'hills'), (good_list.replace(b'"hills"', b'"moors"'), 'moors'),
                           (good_list.replace(b'"rows": 40', b'"rows": -1'), '"rows"'),
                           (good_list.replace(b'"rows": 40', b'"rows": 41'), 'bytes'),
                           (good_list.replace(b'"columns": 50', b'"columns": 50000'), '"grid"'),
                           (good_list.replace(b'"kind": "terrain"', b'"kind": 5'), '"kind"'),
                           (b'\xff\xfe' * 100, 'JSON'), (b'[' * 100000, 'JSON')):
            self.fails(what, misbehave_list=[state(200, body, 'application/json')])
        self.fails('/v1/models', misbehave_list=[state(200, b' ' * 9000000, 'application/json')])
        self.fails('text/html', misbehave_list=[state(200, good_list)])
        self.fails(misbehave_list=[lambda f, h, body: f.send(h, body[:100], length=len(body))] * 9)

    @pytest.mark.long
    def test_redirections(self):
        self.succeeds(misbehave_list=[state(302, Location='/v1/models')],
                      misbehave=[state(307, Location='/v1/models/hills/raster')])
        self.write('hills.pack', self.OLD)
        foreign, _ = self.fails('5', misbehave=[state(302, Location='/v1/models/hills/raster')] * 99)
        self.assertEqual(len(foreign.downloads()), 6)
        self.fails(misbehave=[state(302, Location='file:///etc/passwd')])
        self.fails(misbehave=[state(302, Location='ftp://127.0.0.1/x')])

    def test_service_down(self):
        port = free_port()
        done = fetch(f'http://127.0.0.1:{port}', folder=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 3, done.stderr)
        self.assertIn(f'http://127.0.0.1:{port}/v1/models', done.stderr.splitlines()[-1])

    @pytest.mark.long
    def test_wrong_usage(self):
        for args, what in (([], 'http://127.0.0.1:8089'), (['http://a', 'http://b'], 'http://127.0.0.1:8089'), (['http://a', '--bbox', '1,2,3'], 'south,west,north,east'),
                           (['http://a', '--kind', 'sea'], '--kind'), (['http://a', '--retries', 'x'], '--retries'),
                           (['http://a', '--fingerprint', '12'], '--fingerprint'), (['http://a', '--what', '1'], '--what'),
                           (['http://a', '--header', 'x'], '--header')):
            done = subprocess.run([GEOID, 'fetch', *args], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ''), args)
            assert_names(done.stderr, what)
        for args, what in ((['file:///etc/passwd'], 'http'), (['http://127.0.0.1:1', '--models-path', '/{x'], '{x')):
            done = fetch(*args, folder=self.folder, retries=0)
            self.assertEqual(done.returncode, 1, args)
            assert_names(done.stderr, what)

    def test_a_place_that_cannot_be_written(self):
        with Foreign(self.grid) as foreign:
            done = self.fetch(foreign, '--out', 'missing/hills.pack')
        self.assertEqual(done.returncode, 1)
        assert_names(done.stderr, 'missing/hills.pack')
