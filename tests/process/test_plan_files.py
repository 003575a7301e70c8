# SPDX-License-Identifier: Apache-2.0
"""Files that people send as a plan: their versions, their kinds, and what the drone answers."""
import pathlib
import subprocess

import pytest

from test_api import FLY, ApiDrone

HOME = 'QGC WPL 110\n0\t0\t0\t16\t0\t0\t0\t0\t47.397742\t8.545594\t488\t1\n'
ITEMS = '# up\n\n1\t0\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t20\t1\n2\t0\t3\t16\t0\t0\t0\t0\t47.398742\t8.545594\t20\t1\n'


@pytest.fixture(name='drone', scope='module')
def fixture_drone():
    with ApiDrone() as drone:
        yield drone


def put(drone, text, query='', headers=None):
    return drone.ask('PUT', '/v1/mission' + query, text.encode() if isinstance(text, str) else text, headers or {})


@pytest.mark.parametrize('query, commands', [('', [22, 16]), ('?home=first', [22, 16]), ('?home=none', [16, 22, 16])])
def test_home_of_a_waypoint_file(drone, query, commands):
    status, stored = put(drone, HOME + ITEMS, query)
    assert (status, stored['mission']) == (200, len(commands))
    assert [item['command'] for item in drone.get('/v1/mission')[1]['items']] == commands


def test_unknown_words_and_versions(drone):
    status, answer = put(drone, HOME + ITEMS, '?home=last')
    assert status == 422
    assert all(word in answer['error'] for word in ('home', 'first', 'none', 'last'))
    status, answer = put(drone, (HOME + ITEMS).replace('110', '120', 1))
    assert status == 422
    assert all(word in answer['error'] for word in ('1:', '120', '110'))


@pytest.mark.parametrize('home, items', [(None, 2), ('first', 2), ('none', 3)])
def test_home_for_fly(drone, tmp_path, home, items):
    path = pathlib.Path(tmp_path, 'p.waypoints')
    path.write_text(HOME + ITEMS.replace('\t22\t', '\t16\t'), encoding='ascii')  # a take-off must be the first item
    options = ['--home', home] if home else []
    subprocess.run([FLY, '--upload', '--quiet', *options, f'tcp:127.0.0.1:{drone.port()}', path], check=True, timeout=60)
    assert drone.get('/v1/mission')[1]['count'] == items
    assert subprocess.run([FLY, '--home', 'last', 'tcp:127.0.0.1:1', path], check=False, timeout=60, stderr=subprocess.DEVNULL).returncode == 2
