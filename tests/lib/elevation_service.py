# SPDX-License-Identifier: Apache-2.0
"""build/elevation and build/geoid fetch for tests, and a service of others that answers as it is told."""
import hashlib
import http.server
import json
import math
import os
import re
import signal
import struct
import subprocess
import threading
import urllib.parse

import http_client
from paths import ELEVATION, GEOID

PATIENCE_S = 20.0
VOID = -2 ** 31
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.lower().endswith('_proxy') and k != 'XDG_CACHE_HOME'}


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
        self.port = urllib.parse.urlsplit(self.url).port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.errors = self.process.communicate(timeout=PATIENCE_S)[1]
        assert self.process.returncode == 0, (self.process.returncode, self.errors)

    def get(self, path, method='GET', data=None, **headers):
        """(status, headers, body), whatever the status."""
        return http_client.ask(self.port, method, path, data, {k.replace('_', '-'): v for k, v in headers.items()})

    def json(self, path):
        status, headers, body = self.get(path)
        assert status == 200, (path, status, body)
        assert headers['Content-Type'] == 'application/json', headers
        return json.loads(body)

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
        if kind == 'terrain':
            made.description['above'] = 'egm96'
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


def good(foreign, handler, grid, body=None, **more):
    body = grid.body if body is None else body
    tag = f'"{grid.description["fingerprint"]}"'
    wanted = re.fullmatch(r'bytes=(\d+)-', handler.headers.get('Range', ''))
    if wanted and foreign.ranges and handler.headers.get('If-Range') == tag:
        first = int(wanted[1])
        return foreign.send(handler, body[first:], 206, 'application/octet-stream', ETag=tag,
                            Content_Range=f'bytes {first}-{len(body) - 1}/{len(body)}', **more)
    return foreign.send(handler, body, 200, 'application/octet-stream', ETag=tag, **more)


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
