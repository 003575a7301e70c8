# SPDX-License-Identifier: Apache-2.0
"""Files that people send as a plan: their versions, their kinds, and what the drone answers."""
import csv
import json
import os
import pathlib
import subprocess

import pytest

from test_api import FLY, ApiDrone

BUILD = pathlib.Path(os.environ.get('BUILD', 'build')).resolve()

HOME = 'QGC WPL 110\n0\t0\t0\t16\t0\t0\t0\t0\t47.397742\t8.545594\t488\t1\n'
ITEMS = '# up\n\n1\t0\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t20\t1\n2\t0\t3\t16\t0\t0\t0\t0\t47.398742\t8.545594\t20\t1\n'


def item(command, alt_m, frame=3, lat_deg=47.397742, **more):
    return {'type': 'SimpleItem', 'command': command, 'frame': frame, 'autoContinue': True,
            'params': [0, 0, 0, None, lat_deg, 8.545594, alt_m], **more}


def plan(*items, home=(47.397742, 8.545594, 488), **parts):
    mission = {'version': 2, 'items': list(items)} | ({'plannedHomePosition': home} if home else {})
    return json.dumps({'fileType': 'Plan', 'version': 1, 'mission': mission, **parts})


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


@pytest.mark.parametrize('home', [(47.397742, 8.545594, 488), (47.397742, 8.545594, None), None])
def test_altitudes_of_a_plan_without_its_home_s(tmp_path, home):
    """Altitudes above mean sea level stay where the scenario lies as high as the plan's home, or the plan does not say how high it is."""
    (tmp_path / 'amsl.plan').write_text(plan(item(22, 508, frame=0), item(16, 508, frame=0, lat_deg=47.398), home=home), encoding='ascii')
    (tmp_path / 's.yaml').write_text(
        'swarm: 1\ntime: {clock: fast, end: 30}\nspace: {origin: [47.397742, 8.545594, 488]}\n'
        'entities: [{name: d, plan: amsl.plan}]\noutputs: {csv: {file: run.csv, every: 1}}\n', encoding='ascii')
    subprocess.run([BUILD / 'mayfly-swarm', tmp_path / 's.yaml', '--out', tmp_path], check=True, timeout=60, stdout=subprocess.DEVNULL)
    with open(tmp_path / 'run.csv', encoding='ascii') as file:
        assert max(float(row['alt_amsl_m']) for row in csv.DictReader(file)) == pytest.approx(508, abs=0.1)


@pytest.mark.parametrize('parts, words', [
    ({'geoFence': {'polygons': [], 'circles': [], 'version': 3}}, ('geoFence', '3', '2')),
    ({'geoFence': {'polygons': {}, 'circles': [], 'version': 2}}, ('geoFence', 'polygons', 'array')),
    ({'rallyPoints': {'coordinates': [[47.4, 8.5, 10]], 'version': 2}}, ('rallyPoints', 'coordinates', 'points')),
    ({'fence': {'polygons': []}}, ('fence', 'geoFence')),
])
def test_parts_that_cannot_be_read(drone, parts, words):
    """Nothing is flown without the fence that the file means."""
    before = drone.get('/v1/vehicle')[1]
    status, answer = put(drone, plan(item(22, 20), **parts))
    assert status == 422
    assert all(word in answer['error'] for word in words)
    after = drone.get('/v1/vehicle')[1]
    assert [before[k]['tag'] for k in ('mission', 'fence', 'rally')] == [after[k]['tag'] for k in ('mission', 'fence', 'rally')]
