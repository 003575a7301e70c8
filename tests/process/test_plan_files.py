# SPDX-License-Identifier: Apache-2.0
"""Files that people send as a plan: their versions, their kinds, and what the drone answers."""
import csv
import json
import os
import math
import pathlib
import subprocess

import pytest

from drone import ApiDrone
from paths import FLY

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
    return drone.ask('PUT', '/v1/mission' + query, text.encode() if isinstance(text, str) else text, headers=headers or {})


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


# ---- one transaction

DELAY = {'type': 'SimpleItem', 'command': 93, 'frame': 3, 'autoContinue': True, 'params': [5, -1, -1, -1, 0, 0, 0]}
FENCE = {'circles': [{'circle': {'center': [47.397742, 8.545594], 'radius': 400}, 'inclusion': True, 'version': 1}], 'polygons': [],
         'version': 2}
RALLY = {'points': [[47.3975, 8.5455, 20]], 'version': 2}


def corners(count):
    points = [[47.397742 + 0.01 * math.cos(math.tau * i / count), 8.545594 + 0.01 * math.sin(math.tau * i / count)] for i in range(count)]
    return {'polygons': [{'polygon': points, 'inclusion': True, 'version': 1}], 'circles': [], 'version': 2}


def stored(drone):
    """The lists of the vehicle, with their tags."""
    return [drone.get('/v1/' + kind)[1] for kind in ('mission', 'fence', 'rally')]


REFUSED = [
    (plan(item(22, 20), item(16, 20), item(16, 20), DELAY), ('mission', 'item 3 ', 'delay', 'frame 3, must be 2')),
    (plan(item(22, 20), item(9999, 20)), ('mission', 'item 1 ', 'command 9999')),
    (plan(item(22, 20), geoFence=corners(300)), ('geofence', '300', '256')),
    (plan(item(22, 20), geoFence=FENCE, rallyPoints={'points': [[47.4, 8.5, 2e6 / 100]] * 257, 'version': 2}), ('rallyPoints', '256')),
]


@pytest.mark.parametrize('text, words', REFUSED, ids=['frame', 'command', 'corners', 'points'])
@pytest.mark.parametrize('query', ['', '?check=true'])
def test_a_refusal_changes_nothing(drone, text, words, query):
    assert put(drone, plan(item(22, 10), item(16, 10, lat_deg=47.398), geoFence=FENCE, rallyPoints=RALLY))[0] == 200
    before = stored(drone)
    status, answer = put(drone, text, query)
    assert status in (409, 422)
    assert [word for word in words if word not in answer['error']] == []
    assert stored(drone) == before


def test_a_check_stores_nothing(drone):
    put(drone, plan(item(22, 10), item(16, 10, lat_deg=47.398), geoFence=FENCE, rallyPoints=RALLY))
    before = stored(drone)
    status, answer = put(drone, plan(item(22, 20), item(16, 20), item(16, 30), geoFence=corners(4)), '?check=true')
    assert (status, answer) == (200, {'mission': 3, 'fence': 4, 'rally': 1, 'stored': False, 'feasible': True, 'reason': None})
    assert stored(drone) == before


@pytest.mark.parametrize('query, count', [('?check=true', 2), ('', 3), ('?check=false', 3)])
def test_a_mission_that_cannot_be_flown(drone, query, count):
    """A vehicle takes it, and says so; the fence that comes with it counts."""
    put(drone, plan(item(22, 10), item(16, 10)))
    status, answer = put(drone, plan(item(16, 10), item(22, 20), item(16, 20)), query)
    assert (status, answer['feasible']) == (200, False)
    assert 'takeoff' in answer['reason']
    assert drone.get('/v1/mission')[1]['count'] == count
    if count == 3:
        assert drone.ask('POST', '/v1/commands', {'action': 'start_mission'})[1]['reason'] == answer['reason']
    outside = plan(item(22, 10), item(16, 10, lat_deg=47.45), geoFence=FENCE)
    assert 'fence' in put(drone, outside, '?check=true')[1]['reason'].lower()


@pytest.mark.parametrize('rule, stays', [('mission_upload_timeout(mission)=1', True), ('mission_upload_timeout(rally)=0', True), ('mission_ack_lost(fence)', True),
                                         ('mission_ack_lost(mission)', False)])
def test_what_a_check_cannot_see(rule, stays):
    """A rule of misbehaviour ends an upload: all of the plan is stored, or nothing."""
    with ApiDrone() as drone:
        put(drone, plan(item(22, 10), item(16, 10, lat_deg=47.398), geoFence=FENCE, rallyPoints=RALLY))
        before = stored(drone)
        assert drone.ask('POST', '/v1/misbehaviour', {'rule': rule})[0] == 200
        status, answer = put(drone, plan(item(22, 20), item(16, 20), geoFence=corners(5), rallyPoints=RALLY))
        assert status == 409
        assert 'misbehaviour' in answer['error']
        after = stored(drone)
        if stays:
            assert [(part['items'], part['tag']) for part in after] == [(part['items'], part['tag']) for part in before]
        else:
            assert [part['count'] for part in after] == [2, 5, 1]


@pytest.mark.parametrize('text, words', REFUSED[:3], ids=['frame', 'command', 'corners'])
def test_the_same_words_of_fly(drone, tmp_path, text, words):
    (tmp_path / 'p.plan').write_text(text, encoding='ascii')
    done = subprocess.run([FLY, '--upload', f'tcp:127.0.0.1:{drone.port()}', tmp_path / 'p.plan'], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 1
    assert [word for word in words if word not in done.stdout and word != '256'] == []


@pytest.mark.parametrize('option', [[], ['--check']])
def test_the_same_words_of_a_scenario(tmp_path, option):
    (tmp_path / 'p.plan').write_text(REFUSED[0][0], encoding='ascii')
    (tmp_path / 's.yaml').write_text('swarm: 1\ntime: {end: 5}\nentities: [{name: d, plan: p.plan}]\n', encoding='ascii')
    done = subprocess.run([BUILD / 'mayfly-swarm', tmp_path / 's.yaml', *option], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert [word for word in (*REFUSED[0][1], 's.yaml:3', 'p.plan') if word not in done.stderr] == []


@pytest.mark.parametrize('option', [[], ['--check']])
@pytest.mark.parametrize('text, word', [
    (plan(item(16, 10), item(22, 20)), 'takeoff'),
    (plan(item(22, 10), item(16, 10, lat_deg=47.45), geoFence=FENCE), 'waypoint 2'),
], ids=['takeoff', 'fence'])
def test_a_member_whose_mission_cannot_be_flown(tmp_path, option, text, word):
    (tmp_path / 'p.plan').write_text(text, encoding='ascii')
    (tmp_path / 's.yaml').write_text('swarm: 1\ntime: {end: 5}\nentities: [{name: d, count: 2, plan: p.plan, place: {list: [[500, 0], [9, 0]]}}]\n',
                                     encoding='ascii')
    done = subprocess.run([BUILD / 'mayfly-swarm', tmp_path / 's.yaml', *option], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert 'd.1' in done.stderr and word in done.stderr


# ---- files of other programs

KML = b'<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>\n'
OTHERS = [(KML, 'KML'), (b'<gpx version="1.1"><trk/></gpx>', 'GPX'), (b'ULog\x01\x12\x35\x01\0\0\0\0\0\0\0\0', 'ULog'),
          (b'{"SettingsVersion": 1.2, "SimMode": "Multirotor"}', 'AirSim'), (b'services:\n  px4:\n    image: px4\n', 'compose'), (b'id,lat\n', '')]


@pytest.mark.parametrize('data, word', OTHERS, ids=[word or 'csv' for _, word in OTHERS])
def test_files_of_other_programs(drone, tmp_path, data, word):
    """The answer says what the file is, and which may be sent; a type that is not a file's is 415."""
    status, answer = put(drone, data)
    assert status == 422
    path = tmp_path / 'file'
    path.write_bytes(data)
    fly = subprocess.run([FLY, '--upload', 'tcp:127.0.0.1:1', path], capture_output=True, text=True, timeout=60, check=False)
    for text in (answer['error'], fly.stderr):
        assert [part for part in (word, '.plan', 'QGC WPL 110', '/v1/mission') if part not in text] == []
    for kind in ('application/vnd.google-earth.kml+xml', 'application/gpx+xml', 'application/yaml', 'multipart/form-data; boundary=x'):
        status, answer = put(drone, data, headers={'Content-Type': kind})
        assert status == 415 and kind in answer['error']


@pytest.mark.parametrize('name', ['mayfly', 'mayfly-swarm'])
@pytest.mark.parametrize('data, line, words', [
    (KML, 1, ()), (OTHERS[3][0], 1, ('SettingsVersion', 'AirSim')), (OTHERS[4][0], 1, ('services', 'compose')),
    (plan(item(22, 20)).encode(), 1, ('fileType', '.plan'))], ids=['KML', 'AirSim', 'compose', 'plan'])
def test_other_files_as_configuration_and_scenario(tmp_path, name, data, line, words):
    path = tmp_path / 'file'
    path.write_bytes(data)
    done = subprocess.run([BUILD / name, *(['--config'] if name == 'mayfly' else []), path], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    where = '--print-config' if name == 'mayfly' else 'docs/scenarios.md'
    assert [word for word in (*words, f'file:{line}:', where) if word not in done.stderr] == []


@pytest.mark.parametrize('key, text', [('space: {origin: [47.397742, 8.545594, 488], obstacles: [{file: it}]}', b'solid x\nfacet'),
                                       ('entities: [{name: d, plan: it}]', b'{"fileType": "Plan"}')], ids=['mesh', 'plan'])
@pytest.mark.parametrize('option', [[], ['--check']])
def test_a_check_opens_the_files_of_a_scenario(tmp_path, option, key, text):
    entities = '' if 'entities' in key else '\nentities: [{name: d}]'
    (tmp_path / 's.yaml').write_text(f'swarm: 1\ntime: {{end: 5}}\n{key}{entities}\n', encoding='ascii')
    for content in (None, text):
        if content:
            (tmp_path / 'it').write_bytes(content)
        done = subprocess.run([BUILD / 'mayfly-swarm', tmp_path / 's.yaml', *option], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert 's.yaml:3' in done.stderr and '/it: ' in done.stderr
