# SPDX-License-Identifier: Apache-2.0
"""Files of parameters: those of QGroundControl, MAVProxy and Mission Planner are read at start and by HTTP, and written."""
import pathlib

import pytest

from drone import ApiDrone, run

# As QGroundControl 4.2 saved it: tabs, one line of a camera, parameters that Mayfly does not have.
QGC = ('# Onboard parameters for Vehicle 1\n#\n# Stack: PX4 Pro\n# Vehicle: Multi-Rotor\n# Version: 1.13.0 \n'
       '# Git Revision: 6823cbc4140e29568f69a0211aa5b057fd3a6bb5\n#\n# Vehicle-Id Component-Id Name Value Type\n'
       '1\t1\tASPD_BETA_GATE\t1\t6\n1\t1\tMPC_XY_CRUISE\t12.500000000000000000\t9\n1\t1\tMAV_SYS_ID\t7\t6\n'
       '1\t1\tRTL_TYPE\t1\t6\n1\t1\tMIS_TAKEOFF_ALT\t-3.000000000000000000\t9\n1\t100\tCAM_MODE\t1\t6\n')
# As MAVProxy's "param save" and Mission Planner write it.
PARM = '#NOTE: a comment\r\nMPC_XY_CRUISE    12.500000 # m/s\r\nRTL_TYPE,1\r\nARMING_CHECK     1.000000\r\n'
TEXT = {'Content-Type': 'text/plain'}


def values(drone):
    return {p['name']: p['value'] for p in drone.get('/v1/parameters')[1]['parameters']}


def put(drone, text, headers=None):
    return drone.ask('PUT', '/v1/parameters', text.encode(), headers=TEXT if headers is None else headers)


@pytest.mark.parametrize('text, unknown, refused, others', [
    (QGC, ['ASPD_BETA_GATE'], ['MAV_SYS_ID', 'MIS_TAKEOFF_ALT'], 1),
    (PARM, ['ARMING_CHECK'], [], 0),
], ids=['QGroundControl', 'MAVProxy'])
def test_put(text, unknown, refused, others):
    with ApiDrone() as drone:
        before = values(drone)
        assert (before['MPC_XY_CRUISE'], before['RTL_TYPE']) == (10, 0)
        status, answer = put(drone, text)
        assert (status, answer['set'], answer['unknown'], answer['other_components']) == (200, 2, unknown, others)
        assert [entry.split(':')[0] for entry in answer['refused']] == refused
        after = values(drone)
        assert {name: value for name, value in after.items() if value != before[name]} == {'MPC_XY_CRUISE': 12.5, 'RTL_TYPE': 1}


@pytest.mark.parametrize('option, kept', [([], 12.5), (['--param', 'MPC_XY_CRUISE=7'], 7)])
def test_start(tmp_path, option, kept):
    """Single values win over the file; the log lists what Mayfly does not know."""
    path = tmp_path / 'vehicle.params'
    path.write_text(QGC, encoding='utf-8')
    with ApiDrone('--params', path, *option) as drone:
        found = values(drone)
        assert (found['MPC_XY_CRUISE'], found['RTL_TYPE'], found['MAV_SYS_ID'], found['MIS_TAKEOFF_ALT']) == (kept, 1, 1, 2.5)
        drone.wait_for(r'params .*ASPD_BETA_GATE')
        drone.wait_for(r'params .*:13: MIS_TAKEOFF_ALT: -3 ')
        assert drone.wait_for(r'params .*: (\d+) set, (\d+) .*, (\d+) .*, (\d+) .*, (\d+) ').groups() == ('2', '1', '1', '1', '1')


def test_profile_px4_sitl(tmp_path):
    """Parameters as PX4's own simulator starts with them (params.json of its recordings); a file wins, and a single value over it."""
    path = tmp_path / 'vehicle.params'
    path.write_text(QGC + '1\t1\tMC_ROLL_P\t5\t9\n', encoding='utf-8')
    sitl = {'EKF2_OF_CTRL': 1, 'FD_ACT_EN': 0, 'MC_PITCH_P': 4, 'MPC_Z_V_AUTO_DN': 1.5, 'SDLOG_PROFILE': 131, 'SYS_AUTOSTART': 10040,
            'SYS_FAILURE_EN': 1, 'TRIG_INTERFACE': 3}
    with ApiDrone('--px4-strict', '--profile', 'px4-sitl') as drone:
        found = values(drone)
        assert {name: found[name] for name in sitl} == sitl
        assert (found['MC_ROLL_P'], found['MPC_XY_CRUISE']) == (4, 5)
    with ApiDrone('--px4-strict', '--profile', 'px4-sitl', '--params', path, '--param', 'MPC_XY_CRUISE=7') as drone:
        found = values(drone)
        assert {name: found[name] for name in sitl} == sitl
        assert (found['MC_ROLL_P'], found['MPC_XY_CRUISE']) == (5, 7)


@pytest.mark.parametrize('kind', ['params', 'parm'])
def test_what_is_written_is_read(kind):
    with ApiDrone('--param', 'MPC_XY_CRUISE=0.1') as source, ApiDrone() as target:
        status, text = source.get('/v1/parameters?format=' + kind)
        wanted = values(source)
        lines = [line.split() for line in text.splitlines() if not line.startswith('#')]
        assert (status, len(lines)) == (200, len(wanted))
        assert source.get('/v1/parameters?format=' + kind, headers={'Accept': 'text/plain'})[0] == 200
        assert {line[-2 if kind == 'parm' else 2]: float(line[-1 if kind == 'parm' else 3]) for line in lines} \
            == {name: pytest.approx(value, rel=1e-6) for name, value in wanted.items()}
        status, answer = put(target, text)
        assert (status, answer['unknown'], answer['other_components']) == (200, [], 0)
        assert values(target) == wanted
        assert source.get('/v1/parameters?format=xml')[0] == 422


@pytest.mark.parametrize('text, status, words', [
    ('', 400, ()),
    ('# nothing\n', 400, ()),
    ('RTL_TYPE 1\n<kml>\n', 422, ('2:', '<kml>')),
    ('RTL_TYPE 1\nMPC_XY_CRUISE 1\0\n', 422, ('2:', 'NUL')),
    ('RTL_TYPE 1\nMPC_XY_CRUISE 5 m\n', 422, ('2:', 'MPC_XY_CRUISE 5 m')),
])
def test_files_that_are_refused(tmp_path, text, status, words):
    with ApiDrone() as drone:
        found, answer = put(drone, text)
        assert found == status and all(word in answer['error'] for word in words)
        assert values(drone)['RTL_TYPE'] == 0
    if status == 422:
        path = pathlib.Path(tmp_path, 'p.parm')
        path.write_bytes(text.encode())
        done = run('--params', path)
        assert done.returncode == 2 and all(word in done.stderr for word in ('p.parm:' + words[0], '--params'))


def test_other_types():
    with ApiDrone() as drone:
        for kind in ('application/vnd.google-earth.kml+xml', 'image/png'):
            status, answer = put(drone, PARM, {'Content-Type': kind})
            assert status == 415 and kind in answer['error']
        assert put(drone, PARM, {'Content-Type': 'text/plain', 'Content-Encoding': 'gzip'})[0] == 415
        assert put(drone, PARM, {})[0] == 200
