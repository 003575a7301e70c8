# SPDX-License-Identifier: Apache-2.0
"""A map behind the live picture: which URLs --map takes, what the page may then fetch, and maptiles.py, which serves a file."""
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

import pytest

from drone import PATIENCE_S, ApiDrone, run
from folder_case import FolderCase
from names import assert_names, one
from paths import MAYFLY, TOP

SERVER = [sys.executable, '-S', '-E', os.path.join(TOP, 'tools', 'maptiles', 'maptiles.py')]
ASK = '''import os, sys, urllib.request
sys.stdout.write(urllib.request.urlopen(os.environ["MAYFLY_API_URL"] + "/v1/map").read().decode())
sys.exit(7)
'''
URL = 'https://tiles.example:8443/base/{z}/{x}/{-y}.png?key=a1'


def mbtiles(path, kind='png'):
    """Two tiles: at zoom 0 the world, at zoom 2 the one in the north-west; its row in the file counts from the south."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute('CREATE TABLE metadata (name text, value text)')
        base.executemany('INSERT INTO metadata VALUES (?, ?)', [('format', kind), ('attribution', '(c) <a href="x">Maps</a> & Co')])
        base.execute('CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, id text)')
        base.execute('CREATE TABLE images (id text, data blob)')
        base.executemany('INSERT INTO map VALUES (?, ?, ?, ?)', [(0, 0, 0, 'world'), (2, 0, 3, 'north-west')])
        base.executemany('INSERT INTO images VALUES (?, ?)', [('world', b'WORLD'), ('north-west', b'NORTH')])
        base.execute('CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, data AS tile_data FROM map JOIN images USING (id)')
        base.commit()


class Options(unittest.TestCase):
    def test_without_a_map_the_page_fetches_nothing_elsewhere(self):
        with ApiDrone() as drone, contextlib.closing(drone.connect()) as c:
            self.assertEqual(drone.get('/v1/map'), (200, {'tiles': None, 'credit': ''}))
            c.request('GET', '/')
            answer = c.getresponse()
            self.assertTrue(answer.read())
            self.assertIn('img-src data:; ', answer.getheader('Content-Security-Policy'))

    def test_the_page_may_fetch_pictures_of_the_map(self):
        with ApiDrone('--map', URL, '--map-credit', '\u00a9 "Maps"') as drone, contextlib.closing(drone.connect()) as c:
            self.assertEqual(drone.get('/v1/map'), (200, {'tiles': URL, 'credit': '\u00a9 "Maps"'}))
            for headers, status in (({}, 200), ({'If-None-Match': '*'}, 304)):
                c.request('GET', '/', headers=headers)
                answer = c.getresponse()
                answer.read()
                self.assertEqual(answer.status, status)
                policy = answer.getheader('Content-Security-Policy')
                self.assertIn('img-src data: https://tiles.example:8443; ', policy)
                self.assertIn("connect-src 'self'; ", policy)
            c.request('GET', '/docs')
            answer = c.getresponse()
            answer.read()
            self.assertNotIn('tiles.example', answer.getheader('Content-Security-Policy'))

    def test_what_is_no_map(self):
        for value, text in (('alps.mbtiles', 'alps.mbtiles python3 tools/maptiles/maptiles.py alps.mbtiles'),
                            *((url, 'URL http://127.0.0.1:8090/{z}/{x}/{y} ' + one(url)) for url in (
                                'http://h/{z}/{x}', 'ftp://h/{z}/{x}/{y}', 'http:///{z}/{x}/{y}', 'http://' + 'h' * 129 + '/{z}/{x}/{y}',
                                'http://h; script-src *;/{z}/{x}/{y}', 'http://h/{z}/{x}/ {y}', 'http://me@h/{z}/{x}/{y}'))):
            done = run('--map', value)
            self.assertEqual(done.returncode, 2, value)
            assert_names(done.stderr, 'mayfly --map ' + text)


class Serving(FolderCase):
    def setUp(self):
        super().setUp()
        self.map = self.path('a map.mbtiles')
        mbtiles(self.map)

    def get(self, url):
        """(status, type, body)"""
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
                return answer.status, answer.headers['Content-Type'], answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, None, error.read()

    @pytest.mark.long
    def test_tiles_of_a_file(self):
        with subprocess.Popen([*SERVER, '--listen', '127.0.0.1:0', self.map], stdout=subprocess.PIPE, text=True) as server:
            try:
                said = re.fullmatch(r"maptiles: --map '(http://127\.0\.0\.1:\d+)/\{z\}/\{x\}/\{y\}' --map-credit '\(c\) Maps & Co'\n",
                                    server.stdout.readline())
                self.assertEqual(self.get(said[1] + '/0/0/0'), (200, 'image/png', b'WORLD'))
                self.assertEqual(self.get(said[1] + '/2/0/0.png'), (200, 'image/png', b'NORTH'))
                for path in ('/2/0/3', '/2/4/0', '/31/0/0', '/2/0/-1', '/', '/../0/0/0', '/2/0/0/../..'):
                    self.assertEqual(self.get(said[1] + path), (404, None, b''), path)
            finally:
                server.kill()

    @pytest.mark.long
    def test_a_command_gets_the_map(self):
        done = subprocess.run([*SERVER, self.map, '--', MAYFLY, 'exec', '--', sys.executable, '-c', ASK], capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 7, done.stderr)
        answer = json.loads(done.stdout)
        self.assertRegex(answer['tiles'], r'^http://127\.0\.0\.1:\d+/\{z\}/\{x\}/\{y\}$')
        self.assertEqual(answer['credit'], '(c) Maps & Co')

    @pytest.mark.long
    def test_what_it_cannot_serve(self):
        vectors = self.path('vectors.mbtiles')
        mbtiles(vectors, 'pbf')
        text = self.write('text', 'no database\n' * 100)
        for args, code, said in (([vectors], 2, 'pbf png'), ([text], 2, one(text)),
                                 (['/nowhere'], 2, '/nowhere'), ([self.map, '--'], 2, '--'),
                                 (['--listen', 'x', self.map], 2, '--listen x HOST:PORT'),
                                 ([self.map, '--', '/nowhere/at/all'], 127, '/nowhere/at/all')):
            done = subprocess.run([*SERVER, *args], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(done.returncode, code, (args, done.stderr))
            assert_names(done.stderr, said)
