#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""maptiles.py FILE.mbtiles [-- COMMAND ...]: serves the tiles of an MBTiles file over HTTP, as a map behind the live picture.

Alone it prints the flags that mayfly needs. With a command it gives them to the command as MAYFLY_MAP and MAYFLY_MAP_CREDIT,
and ends with it. Raster tiles only; the file is never written. Needs nothing but Python's standard library.

The drone knows a map only as a URL, and the browser fetches the tiles: the page's policy names that one host. MBTiles is SQLite.
Linked statically it would add 1.7 MB to a program of 2.6 MB, for a picture that most drones never show. A reader without it would have
to follow B-trees, overflow pages, and the views through which most files share equal tiles.
"""
import argparse
import contextlib
import http.server
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import threading
import urllib.parse

TYPES = {'png': 'image/png', 'jpg': 'image/jpeg', 'jpeg': 'image/jpeg', 'webp': 'image/webp'}
ZOOM_MAX = 30


class Tiles:
    """The tiles of a file. Each thread has a connection of its own, as SQLite wants it."""

    def __init__(self, path):
        self.url = 'file:' + urllib.parse.quote(os.path.abspath(path)) + '?mode=ro&immutable=1'
        self.own = threading.local()
        about = dict(self.ask('SELECT name, value FROM metadata'))
        self.ask('SELECT tile_data FROM tiles LIMIT 1')
        self.kind = TYPES.get(about.get('format', 'png'))
        self.credit = re.sub(r'<[^>]*>', '', about.get('attribution', ''))
        if self.kind is None:
            raise sqlite3.DatabaseError(f"its tiles are {about['format']}, not pictures ({', '.join(TYPES)})")

    def ask(self, query, *values):
        if not hasattr(self.own, 'base'):
            self.own.base = sqlite3.connect(self.url, uri=True)
        return self.own.base.execute(query, values).fetchall()

    def tile(self, zoom, column, row):
        """A picture, or None. Rows count from the north, in the file from the south."""
        found = self.ask('SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?',
                         zoom, column, (1 << zoom) - 1 - row)
        return found[0][0] if found else None


def handler_of(tiles):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):   # pylint: disable=invalid-name
            place = re.fullmatch(r'/(\d{1,2})/(\d{1,9})/(\d{1,9})(?:\.\w+)?', self.path.partition('?')[0])
            at = [int(part) for part in place.groups()] if place else None
            body = tiles.tile(*at) if at and at[0] <= ZOOM_MAX and max(at[1:]) < 1 << at[0] else None
            self.send_response(200 if body else 404)
            self.send_header('Content-Length', str(len(body or b'')))
            if body:
                self.send_header('Content-Type', tiles.kind)
                self.send_header('Cache-Control', 'max-age=3600')
            self.end_headers()
            self.wfile.write(body or b'')

        def log_message(self, *_):  # pylint: disable=arguments-differ
            pass
    return Handler


def main():
    own, dashes, command = (sys.argv[1:], [], []) if '--' not in sys.argv else (
        sys.argv[1:sys.argv.index('--')], ['--'], sys.argv[sys.argv.index('--') + 1:])
    parser = argparse.ArgumentParser(usage='maptiles.py [--listen HOST:PORT] FILE.mbtiles [-- COMMAND ...]', description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--listen', metavar='HOST:PORT', default='127.0.0.1:0' if command else '127.0.0.1:8090')
    parser.add_argument('file', metavar='FILE.mbtiles')
    given = parser.parse_args(own)
    host, _, port = given.listen.rpartition(':')
    if dashes and not command:
        parser.error('no command behind --')
    if not port.isdigit():
        parser.error(f'--listen: {given.listen} is not HOST:PORT')
    try:
        tiles = Tiles(given.file)
        server = http.server.ThreadingHTTPServer((host, int(port)), handler_of(tiles))
    except (OSError, OverflowError, sqlite3.Error) as error:
        parser.exit(2, f'maptiles: {given.file}, {given.listen}: {error}\n')
    server.daemon_threads = True
    url = f'http://{host}:{server.server_address[1]}/{{z}}/{{x}}/{{y}}'
    flags = ['--map', url, *(['--map-credit', tiles.credit] if tiles.credit else [])]
    print('maptiles: ' + shlex.join(flags), file=sys.stderr if command else sys.stdout, flush=True)
    if not command:
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
        return 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with subprocess.Popen(command, env={**os.environ, 'MAYFLY_MAP': url, 'MAYFLY_MAP_CREDIT': tiles.credit or 'none'}) as run:
            while True:
                with contextlib.suppress(KeyboardInterrupt):    # the command gets it, too
                    code = run.wait()
                    return code if code >= 0 else 128 - code
    except OSError as error:
        parser.exit(127, f'maptiles: {command[0]}: {error.strerror}\n')


if __name__ == '__main__':
    sys.exit(main())
