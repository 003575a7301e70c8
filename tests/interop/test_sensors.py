# SPDX-License-Identifier: Apache-2.0
"""SBE-17: sensors of a swarm's vehicle as pymavlink and MAVSDK 3 hear them; a client of pymavlink brakes before a wall that is nowhere else."""
import math
import signal
import subprocess

import pytest

from client_drone import PATIENCE_S
from geography import HOME
from mavsdk_client import client, run, until
from paths import SWARM
from ports import free_port
from pymavlink_client import M, command, expect, mavutil
from waiting import wait_until

WALL_M = 40.0


class Yard:
    """Two vehicles in real time, the first of which has sensors; a wall 40 m to the north."""

    def __init__(self, folder):
        self.tcp = free_port()
        scenario = folder / "yard.yaml"
        scenario.write_text(f"""swarm: 1
time: {{clock: real}}
space: {{obstacles: [{{kind: box, at: [{WALL_M}, -200, -10], size: [1, 400, 500]}}]}}
entities:
  - name: scout
    count: 2
    place: {{grid: [2, 1]}}
    sensors: [{{kind: range, rate: 10, reach: 60, sigma: 0.02}}, {{kind: ring, rate: 5, reach: 60}}, {{kind: optical_flow, rate: 10}}]
links: {{address: "127.64.0.0:{self.tcp}"}}
outputs: {{contacts: {{file: met.csv, every: 0.1}}}}
""", encoding="utf-8")
        self.process = subprocess.Popen([SWARM, scenario, "--quiet", "--out", folder], stdout=subprocess.PIPE, text=True)

    def url(self, _=None):
        return f"tcpout://127.64.0.1:{self.tcp}"

    def connect(self):
        return wait_until(lambda: mavutil.mavlink_connection(f"tcp:127.64.0.1:{self.tcp}", source_system=255, retries=0), "a link")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=PATIENCE_S)[0]


@pytest.fixture
def yard(tmp_path):
    it = Yard(tmp_path)
    yield it
    if it.process.poll() is None:
        it.process.kill()
        it.process.wait()


def fly_north(link, speed):
    link.mav.set_position_target_local_ned_send(0, 1, 1, M.MAV_FRAME_LOCAL_NED, 0x0FC7, 0, 0, 0, speed, 0, 0, 0, 0, 0, 0, 0)


def test_sbe17_a_client_of_pymavlink_brakes_before_a_virtual_wall(yard):
    link = yard.connect()
    assert link.wait_heartbeat(timeout=10) is not None
    seen = expect(link, "DISTANCE_SENSOR")
    assert (seen.get_srcSystem(), seen.get_srcComponent()) == (1, M.MAV_COMP_ID_OBSTACLE_AVOIDANCE)
    assert (seen.max_distance, seen.id, seen.orientation, seen.covariance) == (6000, 1, M.MAV_SENSOR_ROTATION_NONE, 4)
    assert abs(seen.current_distance - 100 * WALL_M) < 100 * 0.02 * 6
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_ACCEPTED
    assert command(link, M.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, math.nan, math.nan, math.nan, HOME[2] + 10) == M.MAV_RESULT_ACCEPTED
    expect(link, "GLOBAL_POSITION_INT", lambda m: m.relative_alt > 9500)
    fly_north(link, 4)
    assert command(link, M.MAV_CMD_DO_SET_MODE, 1, 6) == M.MAV_RESULT_ACCEPTED
    flow = seen
    while seen.current_distance > 1200:
        fly_north(link, 4)
        flow = link.recv_match(type="OPTICAL_FLOW_RAD") or flow
        seen = expect(link, "DISTANCE_SENSOR")
    assert flow.get_type() == "OPTICAL_FLOW_RAD" and flow.quality == 255 and flow.sensor_id == 3
    assert abs(flow.integrated_y / (flow.integration_time_us / 1e6) - 4 / flow.distance) < 0.01 and abs(flow.distance - 10) < 0.5
    for _ in range(30):
        fly_north(link, 0)
        seen = expect(link, "DISTANCE_SENSOR")
    assert 800 < seen.current_distance < 1200 + 100 * 0.02 * 6    # the constant motion stops at once, with the noise of two measurements
    around = expect(link, "OBSTACLE_DISTANCE")
    assert abs(around.distances[0] - seen.current_distance) <= 13 and around.distances[36] == 6001 and around.increment_f == 5.0
    assert around.frame == M.MAV_FRAME_BODY_FRD
    told = yard.stop()
    assert "contacts  0 with obstacles" in told and ", 0 held back" in told


def test_sbe17_mavsdk_hears_a_distance(yard):
    async def go():
        async with client(yard, "tcpout") as system:
            seen = await until(system.telemetry.distance_sensor(), lambda d: abs(d.current_distance_m - WALL_M) < 0.2)
            assert seen[-1].maximum_distance_m == 60
    yard.connect().close()
    run(go())
