# SPDX-License-Identifier: Apache-2.0
"""A byte order mark, which editors on Windows write before a text in UTF-8, changes nothing: each program that reads a text file
reads it with the mark as without."""
import json
import os
import pathlib
import re
import subprocess

from drone import ApiDrone
from http_client import JSON

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('BUILD', 'build')).resolve()
MARK = b'\xef\xbb\xbf'
SCENARIO = '''swarm: 1
time: {clock: fast, end: 3}
entities: [{name: d, count: 2, place: {list: [[0, 0], [20, 0]]}, plan: square.plan}]
outputs: {csv: {file: run.csv, every: 1}}
'''


def run(*command, text=None, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False, input=text or '')
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def both(tmp_path, name, text):
    """The file as it is, then with the mark before it."""
    paths = []
    for folder, mark in ((tmp_path / 'plain', b''), (tmp_path / 'marked', MARK)):
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(mark + text.encode())
        paths.append(folder / name)
    return paths


def test_the_drone_s_configuration(tmp_path):
    plain, marked = both(tmp_path, 'drone.yaml', 'home: {lat: 47.5}\n')
    shown = [run(BUILD / 'mayfly', '--config', path, '--print-config').replace(str(path), '') for path in (plain, marked)]
    assert shown[0] == shown[1]
    assert '47.5' in shown[1]


def test_scenarios_and_plans(tmp_path):
    both(tmp_path, 'square.plan', (TOP / 'docs/square.plan').read_text(encoding='utf-8'))
    plain, marked = both(tmp_path, 's.yaml', SCENARIO)
    said = [run(BUILD / 'mayfly-swarm', path, '--out', path.parent) for path in (plain, marked)]
    assert re.search(r'^hash .+', said[0], re.M)[0] in said[1]
    table = (plain.parent / 'run.csv').read_text(encoding='utf-8')
    assert table == (marked.parent / 'run.csv').read_text(encoding='utf-8')


def test_the_menu_of_scenarios(tmp_path):
    both(tmp_path, 's.yaml', 'title: two of them\n' + SCENARIO)
    done = subprocess.run([BUILD / 'mayfly-swarm', tmp_path / 'marked'], capture_output=True, text=True, timeout=60, check=False, input='9\n')
    assert 'two of them' in done.stdout


def test_scripts(tmp_path):
    plain, marked = both(tmp_path, 'flight.txt', 'boot 1772366400\nopen 0 sim\nrun 2\n')
    assert run(BUILD / 'conform', plain) == run(BUILD / 'conform', marked) != ''


def test_places_of_a_geoid():
    assert run(BUILD / 'geoid', 'at', text='\ufeff47.4,8.5\n46,7\n') == run(BUILD / 'geoid', 'at', text='47.4,8.5\n46,7\n')


def test_tokens_and_plans_of_the_api(tmp_path):
    _, token = both(tmp_path, 'token', 'a-token-of-some-length\n')
    _, plan = both(tmp_path, 'square.plan', (TOP / 'docs/square.plan').read_text(encoding='utf-8'))
    bearer = {'Authorization': 'Bearer a-token-of-some-length'}
    with ApiDrone('--api-token', str(token), api='0.0.0.0:0') as drone:
        status, stored = drone.ask('PUT', '/v1/mission', plan.read_bytes(), headers=bearer)
        assert (status, stored['mission']) == (200, len(json.loads(plan.read_text(encoding='utf-8-sig'))['mission']['items']))
        assert drone.ask('POST', '/v1/commands', MARK + b'{"action": "hold"}', headers=bearer | JSON)[0] in (200, 409)
