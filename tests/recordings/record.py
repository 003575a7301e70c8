#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record.py MAYFLY FOLDER [NAME ...]: flies the flights of tests/data/recordings, each into FOLDER/NAME.mfr.

`make determinism` replays what is there, byte for byte. A flight that is flown anew has other instants of the wall in it, so
each is kept as it is for as long as the vehicle takes its input; what the vehicle answers to that input is brought up to date by
`UPDATE=yes make determinism` (docs/recording.md). Python 3 standard library only.
"""
import os
import struct
import sys

from pilot import (ACRO, ALT, ALTITUDE, DELAY, FOLLOW, HOLD, JUMP, LOITER_TIME, LOITER_TURNS, MISSION, OFFBOARD, ORBIT, POSITION, REQUEST,
                   RETURN, RTL, SET_INTERVAL, SET_ROI, SPEED, STABILIZED, Drone, item, place)
from mavlink import ARM, LAND, MISSION_START, REBOOT, TAKEOFF, WAYPOINT     # which pilot finds

HERE = os.path.dirname(os.path.abspath(__file__))
PACKS = os.path.join(HERE, '..', 'data', 'recordings')
SQUARE = [item(TAKEOFF, height=6), item(WAYPOINT, 12, 0, 8), item(WAYPOINT, 12, 9, 6, p1=1.5), item(SPEED, p1=1.0, p2=3.0, frame=2),
          item(WAYPOINT, 0, 9, 7, p4=200.0), item(RTL, frame=2)]
LANDING = [item(TAKEOFF, height=5), item(WAYPOINT, 10, 5, 5), item(LAND, 10, 5)]
QUICK = ['--param', 'COM_DISARM_LAND=0.5', '--param', 'RTL_RETURN_ALT=8', '--param', 'RTL_DESCEND_ALT=5', '--param', 'RTL_LAND_DELAY=0.5']
MODES, FLIGHTS = {'constant': ['--motion', 'constant'], 'physics': ['--motion', 'physics']}, {}


def flight(function):
    FLIGHTS[function.__name__] = function
    return function


def disarmed(client):
    client.expect('HEARTBEAT', accept=lambda m: m.base_mode & 0x80)
    client.expect('HEARTBEAT', accept=lambda m: not m.base_mode & 0x80, patience_s=60.0)


def mission(client, items):
    assert client.upload(items) == 0
    assert client.command(MISSION_START) == 0
    disarmed(client)


# ---- motions and clocks

@flight
def mission_constant_fast(fly):
    with fly('--clock', 'fast', *QUICK) as drone:
        mission(drone.client(), SQUARE)


@flight
def mission_physics_fast(fly):
    with fly('--clock', 'fast', '--motion', 'physics', *QUICK) as drone:
        mission(drone.client(), SQUARE)


@flight
def mission_ramps_fast(fly):
    with fly('--clock', 'fast', '--accel', '3', '--start-grid', '0.25', *QUICK) as drone:
        mission(drone.client(), [*SQUARE[:-1], item(LAND, 0, 3)])


@flight
def mission_motion_event(fly):
    with fly('--motion', 'event', *QUICK) as drone:
        mission(drone.client(), SQUARE)


@flight
def mission_physics_event_all_streams(fly):
    with fly('--clock', 'event', '--motion', 'physics', '--event-streams', 'all', *QUICK) as drone:
        mission(drone.client(), LANDING)


@flight
def hold_at_events(fly):
    """What a client says at an event takes effect at its instant."""
    with fly('--clock', 'event', '--start', 'connect', *QUICK) as drone:
        client = drone.client(held=True)
        assert client.upload(SQUARE) == 0
        assert client.command(MISSION_START) == 0
        client.event(4)
        assert client.mode(HOLD) == 0
        client.run(2.0)
        assert client.mode(MISSION) == 0
        client.event(3)
        assert client.mode(RETURN) == 0
        client.leave_time()
        client.expect('HEARTBEAT', accept=lambda m: not m.base_mode & 0x80, patience_s=60.0)


@flight
def hop_real(fly):
    with fly('--clock', 'real', *QUICK) as drone:
        client = drone.client()
        client.takeoff(2.5)
        client.expect('EXTENDED_SYS_STATE', accept=lambda m: m.landed == 2)
        assert client.command(LAND) == 0
        disarmed(client)


@flight
def hop_physics_x20(fly):
    with fly('--clock', 'x20', '--motion', 'physics', *QUICK) as drone:
        client = drone.client()
        client.takeoff(4.0)
        client.expect('EXTENDED_SYS_STATE', accept=lambda m: m.landed == 2)
        assert client.goto(5, -8, 6) == 0
        client.run(6.0)
        client.leave_time()
        assert client.mode(RETURN) == 0
        disarmed(client)


@flight
def lockstep_constant(fly):
    with fly('--clock', 'lockstep', '--time-socket', '0', *QUICK) as drone:
        say, client = drone.controller(), drone.client()
        for step in range(1, 130):
            at = say(f'go {step * 200_000}')
            if step == 3:
                client.takeoff(5.0)
            if step == 25:
                assert client.goto(0, 10, 7, heading=1.0) == 0
            if step == 50:
                assert client.command(LAND) == 0
            assert at == step * 200_000


@flight
def lockstep_physics_events(fly):
    with fly('--clock', 'lockstep', '--time-socket', '0', '--motion', 'physics', *QUICK) as drone:
        say, client = drone.controller(), drone.client()
        say('hold')
        assert client.upload(LANDING) == 0
        assert client.command(MISSION_START) == 0
        for _ in range(4):
            say('event')
        client.look(0.1)
        say(f'go {say("hold") + 2_000_000}')


# ---- faults

@flight
def receiver_faults_over_mavlink(fly):
    """Each in Hold and on the way to a place."""
    with fly('--clock', 'fast') as drone:
        client = drone.client(held=True)
        client.takeoff(6.0)
        client.run(5.0)
        for kind in (4, 2, 3, 1):  # glitch, stuck, jam (erratic), off
            assert client.inject(4, kind) == 0
            client.run(1.0)
            client.goto(0, 3.0 * kind, 6)
            client.run(1.5)
            assert client.inject(4, 0) == 0
            client.run(1.0)
            client.mode(HOLD)
            client.run(0.5)


@flight
def receiver_faults_scheduled_physics(fly):
    with fly('--clock', 'fast', '--motion', 'physics', *QUICK, '--faults',
             'gps_drift=1:-0.5:0@takeoff:3s+4s,gps_glitch=20:-10:2@waypoint1+2s,gps_satellites=3@landing+1s,gps_accuracy@4s+3s,'
             'gps_datum@9s+2s') as drone:
        mission(drone.client(), SQUARE)


@flight
def receiver_off_constant_event(fly):
    with fly('--motion', 'event', *QUICK, '--faults', 'gps_off@takeoff:4s+6s,gps_glitch@waypoint2') as drone:
        client = drone.client()
        assert client.upload(SQUARE) == 0
        assert client.command(MISSION_START) == 0
        disarmed(client)


@flight
def battery_runs_down(fly):
    with fly('--clock', 'fast', *QUICK, '--battery-capacity', '300', '--faults',
             'battery_drain=200@takeoff+2s,battery_low@takeoff:6s+2s,battery_critical@takeoff:12s') as drone:
        client = drone.client(held=True)
        client.takeoff(6.0)
        client.run(8.0)
        client.goto(8, 0, 6)
        client.run(18.0)
        client.leave_time()
        client.expect('HEARTBEAT', accept=lambda m: not m.base_mode & 0x80, patience_s=30.0)


@flight
def battery_emergency_physics(fly):
    with fly('--clock', 'fast', '--motion', 'physics', *QUICK) as drone:
        client = drone.client(held=True)
        client.takeoff(5.0)
        client.run(5.0)
        assert client.inject(100, 1) == 0
        client.run(14.0)
        client.inject(100, 0)
        client.run(1.0)


@flight
def motors_off_constant(fly):
    with fly('--clock', 'fast', '--faults', 'motor_off@takeoff:4s') as drone:
        client = drone.client(held=True)
        client.takeoff(8.0)
        client.run(8.0)
        client.command(ARM, 1.0)
        client.run(1.0)


@flight
def motors_off_physics_over_mavlink(fly):
    with fly('--clock', 'fast', '--motion', 'physics', '--wind-speed', '4') as drone:
        client = drone.client(held=True)
        client.takeoff(8.0)
        client.run(5.0)
        client.goto(20, 20, 8)
        client.run(2.0)
        assert client.inject(101, 1) == 0
        client.run(5.0)
        assert client.inject(101, 0) == 0
        client.run(1.0)


@flight
def sticks_lost(fly):
    """rc_lost by request; then they fall silent."""
    with fly('--clock', 'fast', *QUICK, '--param', 'NAV_RCL_ACT=1') as drone:
        client = drone.client(held=True)
        client.sticks()
        client.run(0.2)
        client.takeoff(5.0)
        client.steer(4.0, client.sticks)
        client.mode(POSITION)
        client.steer(2.0, lambda: client.sticks(x=400, r=-200))
        assert client.inject(104, 1) == 0
        client.steer(2.0, lambda: client.sticks(x=400))
        assert client.inject(104, 0) == 0
        client.mode(POSITION)
        client.steer(1.0, lambda: client.sticks(y=-500))
        client.leave_time()
        client.look(0.9)
        client.run(2.0)


@flight
def heartbeats_home_and_checks(fly):
    """What no device shows, by schedule and by the control API."""
    with fly('--clock', 'fast', '--faults', 'prearm=Door open+2s,heartbeat_late=2@3s+6s,home_lost@10s+4s,utc_step=-7200@1s+20s',
             '--stream', 'SYSTEM_TIME=1') as drone:
        client = drone.client(held=True)
        client.run(1.0)
        client.command(ARM, 1.0)
        client.run(2.0)
        client.takeoff(4.0)
        client.run(5.0)
        for fault in ('heartbeat_off', 'mag_stuck', 'baro_off'):
            drone.ask('POST', '/v1/faults', {'fault': fault})
            client.run(1.5)
        client.mode(RETURN)
        client.run(1.0)
        drone.ask('DELETE', '/v1/faults/heartbeat_off')
        drone.ask('POST', '/v1/faults', {'spec': 'gyro_off@14s+1s'})
        drone.ask('POST', '/v1/faults', {'spec': 'battery=33%'})
        client.run(3.0)
        drone.ask('DELETE', '/v1/faults')
        client.mode(HOLD)
        client.run(2.0)


@flight
def breaches(fly):
    with fly('--clock', 'fast', '--param', 'GF_MAX_HOR_DIST=30', '--param', 'GF_ACTION=3', *QUICK, '--stream', 'FENCE_STATUS=1') as drone:
        client = drone.client(held=True)
        client.takeoff(5.0)
        client.run(4.0)
        drone.ask('POST', '/v1/faults', {'spec': 'breach_drift=8:45+6s'})
        client.run(9.0)
        client.mode(HOLD)
        client.run(1.0)
        drone.ask('POST', '/v1/faults', {'fault': 'breach_teleport'})
        client.run(4.0)
        drone.ask('DELETE', '/v1/faults/breach_teleport')
        client.run(8.0)


@flight
def wind_physics(fly):
    with fly('--clock', 'fast', '--motion', 'physics', *QUICK, '--wind-speed', '3', '--wind-direction', '120', '--wind-gusts', '1',
             '--seed', '4', '--stream', 'WIND_COV=1', '--faults', 'wind=9:200@waypoint1+3s') as drone:
        mission(drone.client(), LANDING)


@flight
def receiver_noise(fly):
    with fly('--clock', 'fast', *QUICK, '--gnss-noise', '0.4', '--gnss-noise-vertical', '0.6', '--gnss-noise-speed', '0.1',
             '--gnss-drift', '1', '--seed', '7', '--gnss-warmup', '1.5', '--gnss-satellites', '14') as drone:
        client = drone.client()
        client.run(2.0)
        client.leave_time()
        mission(client, LANDING)


# ---- steering

@flight
def offboard_places(fly):
    with fly('--clock', 'fast', *QUICK, '--stream', 'POSITION_TARGET_LOCAL_NED=1') as drone:
        client = drone.client(held=True)
        client.takeoff(4.0)
        client.run(5.0)
        client.setpoint(0x0DF8, z=-5.0)
        assert client.mode(OFFBOARD) == 0
        client.steer(3.0, lambda: client.setpoint(0x09F8, x=6.0, y=3.0, z=-5.0, yaw=1.5))
        client.steer(2.0, lambda: client.setpoint(0x05C7, vx=2.0, vy=-1.0, vz=-0.5, yaw_rate=0.4))
        client.steer(1.0, lambda: client.setpoint(0x0DC7, frame=8, vx=1.0, vz=0.3))
        lat, lon = place(-4.0, 4.0)
        client.steer(2.0, lambda: client.send('SET_POSITION_TARGET_GLOBAL_INT', lat=lat, lon=lon, alt=6.0, mask=0x0DF8, frame=6))
        client.steer(1.0, lambda: client.setpoint(0x0C3F, ax=1.0, ay=0.5))
        assert client.mode(RETURN) == 0
        client.leave_time()
        client.expect('HEARTBEAT', accept=lambda m: not m.base_mode & 0x80, patience_s=30.0)


@flight
def offboard_attitudes_physics(fly):
    with fly('--clock', 'fast', '--motion', 'physics', '--stream', 'ATTITUDE_TARGET=1', '--stream', 'ATTITUDE=5') as drone:
        client = drone.client(held=True)
        client.takeoff(6.0)
        client.run(6.0)
        level = {'q1': 1.0, 'thrust': 0.5, 'mask': 7}
        client.send('SET_ATTITUDE_TARGET', **level)
        assert client.mode(OFFBOARD) == 0
        tilt = {'q1': 0.9945219, 'q2': 0.05, 'q3': -0.0917, 'thrust': 0.52, 'mask': 7}
        client.steer(1.5, lambda: client.send('SET_ATTITUDE_TARGET', **tilt))
        client.steer(1.5, lambda: client.send('SET_ATTITUDE_TARGET', q1=1.0, p=0.1, q=-0.2, r=0.5, thrust=0.5, mask=0x80))
        client.steer(1.0, lambda: client.send('SET_ATTITUDE_TARGET', **level))
        client.steer(2.0, lambda: client.setpoint(0x0DC7, vx=3.0, vy=1.0))
        client.run(4.0) # silent: lost on both clocks only
        client.leave_time()
        client.look(1.3)
        client.run(2.0)


@flight
def sticks_in_all_modes_physics(fly):
    with fly('--clock', 'fast', '--motion', 'physics', '--param', 'COM_RC_IN_MODE=3', '--stream', 'ATTITUDE=5') as drone:
        client = drone.client(held=True)
        client.sticks()
        client.run(0.2)
        assert client.mode(POSITION) == 0
        assert client.command(ARM, 1.0) == 0
        client.steer(3.0, lambda: client.sticks(z=900))
        client.steer(2.0, lambda: client.sticks(x=700, y=-300, r=400))
        for mode in (ALTITUDE, STABILIZED, ACRO):
            assert client.mode(mode) == 0
            client.steer(1.5, lambda: client.sticks(x=-250, y=200, z=550, r=-300))
        client.mode(POSITION)
        client.steer(1.0, lambda: client.send('RC_CHANNELS_OVERRIDE', c1=1600, c2=1400, c3=1500, c4=1500))
        client.mode(HOLD)
        client.steer(1.0, lambda: client.sticks(x=1000)) # takes over
        client.steer(1.0, client.sticks)


@flight
def orbit_and_regions_of_interest(fly):
    with fly('--clock', 'fast', '--stream', 'ORBIT_EXECUTION_STATUS=1', '--stream', 'ATTITUDE=4') as drone:
        client = drone.client(held=True)
        client.takeoff(5.0)
        client.run(5.0)
        assert client.command_int(ORBIT, 8, 0, ALT + 7, p1=6.0, p2=3.0, p3=0.0, frame=5) == 0
        client.run(8.0)
        assert client.command_int(ORBIT, 8, 0, ALT + 7, p1=-5.0, p2=2.0, p3=3.0, frame=5) == 0
        client.run(4.0)
        client.mode(HOLD)
        assert client.command_int(SET_ROI, 20, 20, 0.0) == 0
        assert client.goto(25, 0, 6, speed=4.0) == 0
        client.run(6.0)
        assert client.command(197) == 0 # DO_SET_ROI_NONE
        client.run(1.0)


@flight
def follow_target_physics(fly):
    with fly('--clock', 'fast', '--motion', 'physics', '--param', 'FLW_TGT_HT=8', '--param', 'FLW_TGT_DST=6', '--stream', 'ATTITUDE=4') as drone:
        client = drone.client(held=True)
        client.takeoff(5.0)
        client.run(5.0)
        for step in range(40):
            lat, lon = place(0.5 * step, 4.0 + 0.02 * step * step)
            client.send('FOLLOW_TARGET', ms=step * 250, lat=lat, lon=lon, alt=ALT, vn=2.0, ve=0.16 * step, known=3)
            if step == 1:
                assert client.mode(FOLLOW) == 0
            client.run(0.25)
        client.mode(HOLD)
        client.run(2.0)


# ---- plans, transfers, links

@flight
def fence_rally_and_mission_plans(fly):
    """Up and down, and a fence that is breached: back to the rally point."""
    corners = [item(5001, n, e, p1=4.0, frame=5) for n, e in ((-20, -20), (-20, 25), (30, 25), (30, -20))]
    fence = [*corners, item(5004, 20, 18, p1=3.0, frame=5)]
    rally = [item(5100, -5, -5, 6.0, frame=3), item(5100, 10, 10, 6.0, frame=3)]
    jump = [*SQUARE[:3], item(DELAY, p1=1.0, frame=2), item(LOITER_TIME, 5, 5, 6, p1=1.0), item(LOITER_TURNS, 5, 5, 6, p1=1.0, p3=3.0),
            item(SET_ROI, 0, 20, 0, p1=3.0), item(WAYPOINT, 0, 0, 7), item(JUMP, p1=7.0, p2=1.0, frame=2), item(WAYPOINT, 40, 0, 7)]
    with fly('--clock', 'fast', *QUICK, '--param', 'GF_ACTION=3', '--param', 'RTL_TYPE=3', '--stream', 'FENCE_STATUS=0.5') as drone:
        client = drone.client(held=True)
        for kind, plan in ((1, fence), (2, rally), (0, jump[:-1])):
            assert client.upload(plan, kind) == 0
            assert client.download(kind) == len(plan)
        client.upload([*jump[:-1], jump[-1]])
        client.upload([item(12345)])
        client.send('MISSION_CLEAR_ALL', kind=0)
        client.upload(jump[:-1])
        client.command(MISSION_START)
        client.run(22.0)
        client.send('MISSION_SET_CURRENT', item=7)
        client.run(5.0)
        client.goto(40, 0, 7)
        client.run(4.0)
        client.leave_time()
        client.expect('HEARTBEAT', accept=lambda m: not m.base_mode & 0x80, patience_s=30.0)
        client.send('MISSION_CLEAR_ALL', kind=255)
        client.look(0.2)


@flight
def transfers(fly):
    """All parameters, files and a flight log."""
    with fly('--clock', 'fast', '--state', 'STATE', *QUICK) as drone:
        client = drone.client()
        mission(client, LANDING)
        client.send('PARAM_REQUEST_LIST')
        client.expect('PARAM_VALUE', accept=lambda m: m.index == m.count - 1)
        client.set_param('MPC_XY_CRUISE', 7.5)
        client.set_param('COM_LOW_BAT_ACT', 2)
        client.send('PARAM_REQUEST_READ', index=-1, param=b'RTL_RETURN_ALT')
        client.send('PARAM_SET', bits=5, param=b'MPC_XY_CRUISE', type=6) # the other type
        client.expect('PARAM_VALUE')
        for path in (b'/', b'/etc/extras', b'/fs/microsd/log'):
            client.file(3, path)
        answer = client.file(4, b'/etc/extras/component_general.json')
        size = struct.unpack_from('<I', answer, 12)[0]
        for offset in range(0, size, 200):
            client.file(5, offset=offset, session=answer[2], size=200)
        client.file(15, offset=0, session=answer[2], size=200)
        client.file(1, session=answer[2])
        client.file(14, b'/etc/extras/parameters.json')
        client.file(4, b'/no/such/file')
        client.send('LOG_REQUEST_LIST', last=65535)
        client.expect('LOG_ENTRY')
        client.send('LOG_REQUEST_DATA', count=1800)
        for _ in range(20):
            client.expect('LOG_DATA')
        for message in (148, 395, 397, 261, 264, 300, 435):
            client.command(REQUEST, float(message))
        client.send('TIMESYNC', ts1=123456789)
        client.look(0.1)


@flight
def misbehaviour(fly):
    with fly('--clock', 'fast', *QUICK, '--misbehave',
             'command_rejected(arm)*1,command_late(takeoff)=300ms,mission_upload_lost=1,mission_upload_reordered(fence)=0,'
             'mission_download_repeated=2,message_silence(HOME_POSITION)@5s,param_lost(MPC_XY_CRUISE)*1,ftp_error(open)=10,'
             'command_denied(land)') as drone:
        client = drone.client(held=True)
        client.command(ARM, 1.0)
        client.takeoff(4.0)
        client.run(4.0)
        assert client.upload(SQUARE) == 0
        client.upload([item(5003, p1=60.0, frame=5), item(5003, 5, 5, p1=70.0, frame=5)], kind=1)
        client.seen.clear()
        client.download()
        client.send('PARAM_REQUEST_READ', index=-1, param=b'MPC_XY_CRUISE')
        client.set_param('MPC_XY_CRUISE', 6.0)
        client.file(4, b'/etc/extras/parameters.json')
        client.command(LAND)
        client.mode(MISSION)
        client.run(10.0)


@flight
def poor_link(fly):
    with fly('--clock', 'x20', *QUICK, '--link-quality', 'in:loss=15%,duplicate=10%,reorder=10%,corrupt=5%,delay=5ms,jitter=5ms',
             '--seed', '3', '--statustext-gcs-only', '--profile', 'min', rates={}) as drone:
        client = drone.client()
        for send in (lambda: client.upload(LANDING) == 0, lambda: client.command(MISSION_START) == 0):
            for _ in range(20):
                try:
                    if send():
                        break
                except TimeoutError:
                    pass
        client.look(1.5)
        client.heartbeat()
        client.look(0.5)


@flight
def several_links_and_forwarding(fly):
    with fly('--clock', 'real', udp=('--udp', '0', '--udp-out', 'none')) as drone:
        first, second, third = drone.client(), drone.client('udp'), drone.client()
        first.expect('HEARTBEAT')
        first.send('PARAM_REQUEST_READ', index=3, param=b'')
        second.command(REQUEST, 148.0)
        second.command(SET_INTERVAL, 30.0, 200000.0)
        third.send('REQUEST_DATA_STREAM', rate=4, stream=10, start=1)
        third.send('COMMAND_LONG', command=512, p1=259.0, component=100) # a camera's
        first.send_bytes(b'\xfe\x09\x00\xff\xbe\x00' + bytes(11) + b'\xfd\xff stray')
        first.send('COMMAND_LONG', command=400, p1=1.0)
        first.ack(400)
        second.close()
        for client in (first, third):
            client.look(0.5)
            client.heartbeat()
            client.look(0.5)
        third.close()
        fourth = drone.client()
        fourth.command(ARM, 0.0)


@flight
def signed(fly):
    key = bytes(range(32))
    with fly('--clock', 'fast', '--state', 'STATE', *QUICK) as drone:
        client, other = drone.client(held=True), drone.client()
        client.send('SETUP_SIGNING', stamp=1_000_000_000_000, key=key)
        client.expect('STATUSTEXT')
        client.key, client.stamp = key, 35_225_281_000_000 # ten seconds after the epoch
        client.set_param('MAV_SIGN_CFG', 2)
        other.send('COMMAND_LONG', command=400, p1=1.0)
        client.takeoff(3.0)
        client.run(5.0)
        other.key, other.stamp = bytes(32), client.stamp
        other.send('COMMAND_LONG', command=21)
        client.command(LAND)
        client.run(6.0)


@flight
def terrain_slope(fly):
    """Up a slope of one in ten, above the ground."""
    with fly('--clock', 'fast', *QUICK, '--terrain', os.path.join(PACKS, 'slope.mfpk'), '--home-terrain-tolerance', '100') as drone:
        mission(drone.client(), [item(TAKEOFF, height=6), item(WAYPOINT, 0, 30, 8, frame=11), item(WAYPOINT, 30, 30, 6, frame=11),
                                 item(LAND, 20, 30)])


@flight
def geoid_pack(fly):
    with fly('--clock', 'fast', *QUICK, '--geoid', 'bowl:' + os.path.join(PACKS, 'bowl.mfpk'), '--stream', 'GPS_RAW_INT=2') as drone:
        mission(drone.client(), LANDING)


@flight
def geoid_constant(fly):
    with fly('--clock', 'fast', '--geoid', 'constant:-21.7', '--home', '-33.9,18.4,12.5,211', '--sysid', '42',
             rates={'GPS_RAW_INT': 2, 'ALTITUDE': 2, 'GLOBAL_POSITION_INT': 2}) as drone:
        client = drone.client()
        client.look(1.0)


@flight
def reboot(fly):
    with fly('--clock', 'fast', '--state', 'STATE', *QUICK) as drone:
        client = drone.client()
        assert client.upload(LANDING) == 0
        client.set_param('RTL_RETURN_ALT', 12.0)
        client.takeoff(3.0)
        client.expect('EXTENDED_SYS_STATE', accept=lambda m: m.landed == 2)
        client.command(LAND)
        disarmed(client)
        client.command(REBOOT, 1.0, wait=False)
        drone.wait_for('reboot')
        client.heartbeat()
        assert client.download() == len(LANDING)
        client.send('PARAM_REQUEST_READ', index=-1, param=b'RTL_RETURN_ALT')
        client.expect('PARAM_VALUE')
        assert client.command(MISSION_START) == 0
        client.expect('MISSION_ITEM_REACHED')
        client.leave_time()


@flight
def px4_strict(fly):
    with fly('--clock', 'fast', '--px4-strict', '--profile', 'px4', '--gnss-warmup', '1', *QUICK, rates={}) as drone:
        client = drone.client()
        client.run(2.0)
        client.leave_time()
        assert client.upload(LANDING) == 0
        client.inject(4, 1)
        client.takeoff(3.0)
        client.expect('EXTENDED_SYS_STATE', accept=lambda m: m.landed == 2)
        client.mode(MISSION)
        client.run(2.0)


@flight
def profiles_and_remote_id(fly):
    with fly('--clock', 'fast', '--profile', 'onboard', '--remote-id', '--motion', 'physics', '--uas-id', 'MFLY0000000000000007',
             rates={}) as drone:
        client = drone.client(held=True)
        client.send('OPEN_DRONE_ID_OPERATOR_ID', mac=b'', operator=b'FIN87astrdge12k8')
        client.takeoff(2.5)
        client.run(2.6)


def main():
    mayfly, folder, names = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    for name in names or FLIGHTS:
        path = os.path.join(folder, name + '.mfr')
        FLIGHTS[name](lambda *args, path=path, **more: Drone(mayfly, path, *args, **more))
        print(f'{os.path.getsize(path):8d}  {name}', flush=True)


if __name__ == '__main__':
    main()
