# SPDX-License-Identifier: Apache-2.0
"""Orders and waits: a drone climbs and sinks at 3 m/s and flies at 10 m/s, so that times are known."""
import json
import math
import os
import threading
import time

import pytest

from pytest_mayfly import Drone, MayflyError, MayflyRefused, MayflyTimeout, find_binary
from pytest_mayfly.flight import distance_between, metres_per_degree

JUMPING = ("event", "fast", "lockstep")
PLAN = {"fileType": "Plan", "version": 1, "groundStation": "test", "mission": {
    "version": 2, "firmwareType": 12, "vehicleType": 2, "cruiseSpeed": 15, "hoverSpeed": 5, "plannedHomePosition": [47.397742, 8.545594, 488],
    "items": [{"type": "SimpleItem", "command": 16, "frame": 3, "autoContinue": True, "doJumpId": 1, "params": [0, 0, 0, None, 47.398, 8.546, 20]}]},
    "geoFence": {"version": 2, "circles": [], "polygons": []}, "rallyPoints": {"version": 2, "points": []}}
WAYPOINTS = "QGC WPL 110\n0\t1\t0\t16\t0\t0\t0\t0\t47.397742\t8.545594\t488\t1\n1\t0\t3\t16\t0\t0\t0\t0\t47.398\t8.546\t20\t1\n"


@pytest.fixture(autouse=True)
def binary(request, monkeypatch):
    monkeypatch.setenv("MAYFLY", find_binary(request.config.getoption("--mayfly"), request.config.rootpath))


def metres(value, within=0.05):
    return pytest.approx(value, abs=within)


@pytest.mark.parametrize("clock", JUMPING)
def test_a_flight(clock):
    """20 m up at 3 m/s, 100 m at 10 m/s, and down again: each wait returns at its instant."""
    with Drone(clock=clock) as drone:
        with drone.held():
            drone.arm()
            assert drone.vehicle()["armed"]
            drone.takeoff(20)
            assert drone.vehicle()["position"]["alt_relative_m"] == metres(20)
            up = drone.wait_event("landed", landed_state="takeoff")
            assert drone.clock()["vehicle_time_s"] - up.vehicle_time_s == pytest.approx(20 / 3, abs=0.1)
            before = drone.clock()["vehicle_time_s"]
            drone.goto(*drone.place(0, 100), 20)
            assert drone.distance_m() == metres(100)
            assert drone.clock()["vehicle_time_s"] - before == pytest.approx(10, abs=0.2)
            drone.goto(*drone.place(0, 0), speed_mps=5, heading_deg=90)
            assert drone.clock()["vehicle_time_s"] - before == pytest.approx(30, abs=0.5)
            drone.land()
            assert not drone.vehicle()["armed"]
            assert drone.clock()["standing"]


def test_orders_on_the_real_clock_wait_by_the_wall():
    with Drone(clock="x50", params={"MPC_XY_CRUISE": 20}) as drone:
        drone.takeoff(5)
        drone.goto(*drone.place(50, 0))
        assert drone.distance_m() == metres(50, 1.5)
        drone.return_home()
        assert drone.wait_mode("Hold") > 10 and not drone.vehicle()["armed"]


def test_orders_that_do_not_wait():
    with Drone(clock="event") as drone, drone.held():
        drone.takeoff(20, wait=False)
        assert drone.vehicle()["mode"] == "Takeoff" and drone.vehicle()["landed_state"] == "on_ground"
        assert drone.wait_mode("Hold") == pytest.approx(6.8, abs=0.2)
        drone.goto(*drone.place(500, 0), wait=False)
        drone.run(for_s=5)
        assert drone.distance_m() == metres(50, 2)
        drone.return_home(wait=False)
        assert drone.vehicle()["mode"] == "Return"
        drone.land(wait=False)
        assert drone.vehicle()["mode"] == "Land"
        drone.wait_event("armed", armed=False)


@pytest.mark.parametrize("plan", [PLAN, json.dumps(PLAN), json.dumps(PLAN).encode(), WAYPOINTS, [(47.398, 8.546, 20)],
                                  [{"command": 16, "lat_deg": 47.398, "lon_deg": 8.546, "alt_m": 20}]])
def test_what_can_be_uploaded(plan, tmp_path):
    with Drone(clock="event") as drone:
        assert drone.upload(plan) == {"mission": 1, "fence": 0, "rally": 0, "stored": True, "feasible": True, "reason": None}
        item, = drone.api("GET", "/v1/mission")["items"]
        assert (item["command"], item["lat_deg"], item["lon_deg"], item["alt_m"]) == (16, 47.398, 8.546, 20)
        if isinstance(plan, (str, bytes)):
            path = tmp_path / "a.plan"
            path.write_bytes(plan if isinstance(plan, bytes) else plan.encode())
            assert drone.upload(path)["mission"] == drone.upload(str(path))["mission"] == 1


def test_what_cannot_be_uploaded():
    with Drone(clock="event") as drone:
        with pytest.raises(MayflyError, match=r"upload: nothere\.plan: No such file"):
            drone.upload("nothere.plan")
        with pytest.raises(MayflyError, match=r"item 1 \(command 99\).*\(409\)"):
            drone.upload([(47.398, 8.546, 20), {"command": 99}])
        with pytest.raises(MayflyError, match=r"\(422\)"):
            drone.upload("QGC WPL 110\nnonsense\n")
        with pytest.raises(MayflyRefused, match="start_mission: denied: ") as refused:
            drone.start_mission()
        assert refused.value.result == 2 and refused.value.reason


def test_a_mission():
    """Waypoints of 10 km at 10 m/s: the second leg takes 1,000 s."""
    with Drone(clock="event") as drone:
        drone.upload([(*drone.place(100, 0), 20), (*drone.place(10100, 0), 20)])
        start = time.monotonic()
        drone.start_mission()
        assert drone.wait_mode("Mission") >= 0
        first = drone.wait_reached(0)
        assert drone.wait_reached(1) - first == pytest.approx(1000, abs=1)
        assert time.monotonic() - start < 60


def test_a_refusal_says_why():
    with Drone(clock="event", faults="prearm=Not today") as drone:
        for order in (drone.arm, drone.takeoff):
            with pytest.raises(MayflyRefused, match="arm: temporarily_rejected: .*Not today") as refused:
                order()
            assert refused.value.result == 1
        drone.clear()
        drone.arm()
        drone.disarm()
        assert not drone.vehicle()["armed"]
        with pytest.raises(MayflyError, match="action"):
            drone.order("fly")


def test_a_place_outside_the_fence():
    with Drone(clock="event", params={"GF_MAX_HOR_DIST": 100}) as drone:
        drone.takeoff(20)
        with pytest.raises(MayflyRefused, match="goto: accepted: Reposition is outside geofence") as refused:
            drone.goto(*drone.place(150, 0))
        assert refused.value.result == 0 and drone.distance_m() == metres(0)
        drone.set_param("GF_ACTION", 1)
        assert drone.param("GF_ACTION") == 1
        drone.goto(*drone.place(150, 0))
        assert drone.distance_m() == metres(150)
        with pytest.raises(MayflyError, match="GF_ACTION"):
            drone.set_param("GF_ACTION", 99)


def test_another_mode_ends_an_order():
    with Drone(clock="event", faults="battery_critical@30s") as drone:
        drone.takeoff(20)
        with pytest.raises(MayflyError, match=r"goto: ended by mode Return at 3[05]\.\d+ s\n.*\n?.*"):
            drone.goto(*drone.place(1000, 0))
        drone.wait_event("fault", fault="battery_critical")        # it came during the order, and is not lost


def test_a_wait_lets_time_pass_and_stops_at_the_event():
    """In Hold nothing moves, and yet a fault of the next hour comes at once; a time-out is vehicle time."""
    with Drone(clock="event", faults="gps_stuck@30min") as drone:
        drone.takeoff(20)
        start = time.monotonic()
        assert drone.wait_event("fault").vehicle_time_s == 1800
        assert 1800 <= drone.clock()["vehicle_time_s"] < 1801
        before = drone.clock()["vehicle_time_s"]
        with pytest.raises(MayflyTimeout, match=r"no event waypoint \{'item': 3\} within 500 s of vehicle time"):
            drone.wait_event("waypoint", item=3, timeout_s=500)
        assert drone.clock()["vehicle_time_s"] == pytest.approx(before + 500, abs=5)
        assert time.monotonic() - start < 30
        assert drone.clock()["action"] == "resume"
        with drone.held() as now_s:
            with pytest.raises(MayflyTimeout):
                drone.wait_event("armed", armed=False, timeout_s=20)
            assert drone.clock()["vehicle_time_s"] == pytest.approx(now_s + 20, abs=1e-6) and drone.clock()["standing"]


def test_a_client_that_acts_during_a_wait():
    with Drone(clock="event") as drone:
        drone.takeoff(20)
        threading.Timer(0.3, drone.inject, ("gps_stuck",)).start()
        assert drone.wait_event("fault", timeout_s=60, advance=False).vehicle_time_s < 30
        with pytest.raises(MayflyTimeout, match="within 0.2 s"):
            drone.wait_event("fault", timeout_s=0.2, advance=False)


def test_a_state_is_waited_for():
    """Climbing at 3 m/s, 10 m are passed after 3.3 s; time goes on by 0.1 s at most between two looks."""
    with Drone(clock="event") as drone, drone.held():
        drone.takeoff(20, wait=False)
        state = drone.wait_until(lambda v: v["position"]["alt_relative_m"] > 10, step_s=0.1)
        assert 10 < state["position"]["alt_relative_m"] < 10.4
        with pytest.raises(MayflyTimeout, match="no flight to the moon within 100 s"):
            drone.wait_until(lambda v: v["position"]["alt_relative_m"] > 3e8, timeout_s=100, step_s=20, what="flight to the moon")


def test_an_order_is_not_answered_by_what_came_before():
    """A mode that was left before the order does not end a wait after it."""
    with Drone(clock="event") as drone:
        drone.takeoff(20)
        drone.upload([(*drone.place(100, 0), 20), (*drone.place(200, 0), 20)])
        drone.start_mission()
        last = drone.wait_reached(1)
        assert drone.wait_event("mode", mode="Hold", after=0).vehicle_time_s < last - 10
        drone.order("hold")
        drone.start_mission()
        assert drone.wait_event("mode", mode="Hold").vehicle_time_s > last + 10


def test_distances():
    """Of WGS84 at 47.4 degrees: 111,177.5 m and 75,477.6 m per degree, by series for the arcs of meridian and parallel."""
    lat = math.radians(47.4)
    north = 111132.954 - 559.822 * math.cos(2 * lat) + 1.175 * math.cos(4 * lat)
    east = 111412.84 * math.cos(lat) - 93.5 * math.cos(3 * lat) + 0.118 * math.cos(5 * lat)
    assert metres_per_degree(47.4) == (pytest.approx(north, abs=0.1), pytest.approx(east, abs=0.1))
    assert distance_between((47.4, 8.5, 10), (47.401, 8.5, 50)) == pytest.approx(math.hypot(north / 1000, 40), abs=0.01)
    with Drone() as one, Drone(instance=1, home=(47.398742, 8.545594, 488)) as other:
        assert one.distance_m(other) == metres(111.18, 0.1) and other.distance_m(one.place(0, 0)) == metres(111.18, 0.1)


def test_without_the_program_replay_the_line_makes_it(tmp_path, request):
    """README's steps for testers build mayfly alone."""
    (tmp_path / "build").mkdir()
    alone = tmp_path / "build" / "mayfly"
    os.symlink(find_binary(request.config.getoption("--mayfly")), alone)
    (tmp_path / "Makefile").write_text("build/replay build/conform:\n", encoding="ascii")
    with Drone(binary=alone) as drone:
        drone.binary = str(alone)
        assert drone.replay_command(tmp_path / "a.mfr", tmp_path) == "make -C . build/replay build/conform && build/replay a.mfr"
        assert not drone.makes_pages
        assert drone.replay_command(tmp_path / "a.mfr", tmp_path, "--html", "a.html") == (
            "make -C . build/replay build/conform && build/replay --html a.html a.mfr")
