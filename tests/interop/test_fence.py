# SPDX-License-Identifier: Apache-2.0
"""Geofence and rally points, as MAVSDK and pymavlink use them."""
import asyncio
import math

import pytest
from mavsdk.action import ActionError
from mavsdk.geofence import Circle, FenceType, GeofenceData, Point, Polygon
from mavsdk.mission_raw import MissionItem
from mavsdk.telemetry import FlightMode

from geography import HOME, distance_m, offset
from mavsdk_client import NAN, client, down, ready, run, take_off, until
from pymavlink_client import M, command, connect, expect

FAST = pytest.mark.parametrize("drone", [("--clock", "x10")], indirect=True)


def point(north_m, east_m):
    return Point(*offset(north_m, east_m))


def square(half_m, fence_type=FenceType.INCLUSION, north_m=0):
    corners = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
    return Polygon([point(north_m + half_m * n, half_m * e) for n, e in corners], fence_type)


async def here(system):
    p = (await until(system.telemetry.position(), lambda p: True))[0]
    return p.latitude_deg, p.longitude_deg


@FAST
def test_sim046_mavsdk_uploads_and_breaches(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            pillar = Circle(point(60, 0), 20.0, FenceType.EXCLUSION)
            await system.geofence.upload_geofence(GeofenceData([square(200)], [pillar]))
            back = await system.geofence.download_geofence()
            assert len(back.polygons) == 1 and len(back.polygons[0].points) == 4
            assert back.polygons[0].fence_type == FenceType.INCLUSION
            assert len(back.circles) == 1 and back.circles[0].radius == 20.0
            texts = []

            async def listen():
                async for t in system.telemetry.status_text():
                    texts.append(t.text)
            listener = asyncio.ensure_future(listen())
            await take_off(system, 10.0)
            # PX4 accepts what is outside, says so, and stays where it is
            await system.action.goto_location(*offset(300, 0), HOME[2] + 10, NAN)
            await asyncio.sleep(0.5)
            assert distance_m(await here(system), HOME) < 0.02
            assert any("Reposition is outside geofence" in t for t in texts), texts
            # through the pillar: it holds at its border
            await system.action.goto_location(*offset(120, 0), HOME[2] + 10, NAN)
            await until(system.telemetry.position(),
                        lambda p: abs(distance_m((p.latitude_deg, p.longitude_deg), HOME) - 40) < 0.1)
            await asyncio.sleep(0.5)
            assert abs(distance_m(await here(system), HOME) - 40) < 0.1
            assert any("approaching or outside geofence" in t for t in texts), texts
            assert any("Failsafe activated" in t for t in texts), texts
            # a user may take over
            await system.action.return_to_launch()
            await down(system)
            await system.geofence.clear_geofence()
            assert not (await system.geofence.download_geofence()).polygons
            listener.cancel()
    run(go())


@FAST
def test_sim046_action_return(drone):
    async def go():
        async with client(drone, "udp") as system:
            await ready(system)
            await system.param.set_param_int("GF_ACTION", 3)
            await system.geofence.upload_geofence(
                GeofenceData([square(200), square(20, FenceType.EXCLUSION, 60)], []))
            await take_off(system, 10.0)
            await system.action.goto_location(*offset(120, 0), HOME[2] + 10, NAN)
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.RETURN_TO_LAUNCH)
            await down(system)
            assert distance_m(await here(system), HOME) < 0.02
    run(go())


def test_arming_outside_is_refused(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await system.geofence.upload_geofence(GeofenceData([square(50, north_m=200)], []))
            await until(system.telemetry.health(), lambda h: not h.is_armable, 5, "not armable")
            with pytest.raises(ActionError):
                await system.action.arm()
            await system.geofence.clear_geofence()
            await until(system.telemetry.health(), lambda h: h.is_armable, 5, "armable")
            await system.action.arm()
    run(go())


@FAST
def test_sim027_mavsdk_rally_points(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            lat, lon = offset(50, 0)
            rally = [MissionItem(0, 3, 5100, 1, 1, 0, 0, 0, 0, int(lat * 1e7), int(lon * 1e7), 0, 2)]
            await system.mission_raw.upload_rally_points(rally)
            back = await system.mission_raw.download_rallypoints()
            assert [(i.command, i.x, i.y, i.mission_type) for i in back] == [
                (5100, int(lat * 1e7), int(lon * 1e7), 2)]
            await take_off(system, 10.0)
            await system.action.goto_location(*offset(40, 0), HOME[2] + 10, NAN)
            await until(system.telemetry.position(),
                        lambda p: abs(distance_m((p.latitude_deg, p.longitude_deg), HOME) - 40) < 0.1)
            await system.action.return_to_launch()
            await down(system)
            assert distance_m(await here(system), (lat, lon)) < 0.02
    run(go())


def item(seq, number, north_m, east_m, p1, mission_type):
    lat, lon = offset(north_m, east_m)
    return M.MAVLink_mission_item_int_message(1, 1, seq, M.MAV_FRAME_GLOBAL_INT, number, int(seq == 0), 0, p1, 0, 0,
                                              math.nan, int(lat * 1e7), int(lon * 1e7), 0, mission_type)


def upload(link, items, mission_type):
    link.mav.mission_count_send(1, 1, len(items), mission_type)
    while True:
        m = expect(link, ["MISSION_REQUEST", "MISSION_REQUEST_INT", "MISSION_ACK"], timeout=3)
        assert m.mission_type == mission_type
        if m.get_type() == "MISSION_ACK":
            return m
        link.mav.send(items[m.seq])


def download(link, mission_type):
    link.mav.mission_request_list_send(1, 1, mission_type)
    count = expect(link, "MISSION_COUNT", lambda m: m.mission_type == mission_type, 3).count
    items = []
    for i in range(count):
        link.mav.mission_request_int_send(1, 1, i, mission_type)
        items.append(expect(link, "MISSION_ITEM_INT", lambda m, i=i: m.seq == i, 3))
    link.mav.mission_ack_send(1, 1, 0, mission_type)
    return items


def test_sim031_pymavlink_fence_and_rally(drone):
    link = connect(drone)
    fence = [item(i, 5001, n, e, 4, 1) for i, (n, e) in enumerate([(-90, -90), (-90, 90), (90, 90), (90, -90)])]
    fence.append(item(4, 5004, 300, 0, 25, 1))
    rally = [item(0, 5100, 30, 0, 0, 2), item(1, 5100, 0, 30, 0, 2)]
    assert upload(link, fence, 1).type == 0
    assert upload(link, rally, 2).type == 0
    for sent, kind in ((fence, 1), (rally, 2)):
        got = download(link, kind)
        assert [(i.command, i.x, i.y, i.param1, i.frame) for i in got] == [
            (i.command, i.x, i.y, i.param1, i.frame) for i in sent]
    # a polygon that lacks a vertex is refused, and what was there stays
    assert upload(link, fence[:3], 1).type == M.MAV_MISSION_ERROR
    assert upload(link, [item(0, 5003, 0, 0, -5, 1)], 1).type == M.MAV_MISSION_INVALID_PARAM1
    assert upload(link, [item(0, 16, 0, 0, 0, 1)], 1).type == M.MAV_MISSION_ERROR
    assert len(download(link, 1)) == 5
    # 256 items fit, one more does not
    link.mav.mission_count_send(1, 1, 257, 1)
    assert expect(link, "MISSION_ACK", timeout=3).type == M.MAV_MISSION_NO_SPACE
    link.mav.mission_clear_all_send(1, 1, 1)
    assert expect(link, "MISSION_ACK", timeout=3).type == 0
    assert (len(download(link, 1)), len(download(link, 2))) == (0, 2)
    assert upload(link, fence, 1).type == 0
    link.mav.mission_clear_all_send(1, 1, M.MAV_MISSION_TYPE_ALL)
    assert expect(link, "MISSION_ACK", timeout=3).type == 0
    assert [len(download(link, kind)) for kind in (0, 1, 2)] == [0, 0, 0]


def test_status_of_the_fence(drone):
    link = connect(drone)
    link.mav.command_long_send(1, 1, M.MAV_CMD_REQUEST_MESSAGE, 0, M.MAVLINK_MSG_ID_FENCE_STATUS, *[0] * 6)
    assert expect(link, "FENCE_STATUS", timeout=3).breach_status == 0
    assert upload(link, [item(0, 5003, 300, 0, 100, 1)], 1).type == 0
    status = expect(link, "FENCE_STATUS", timeout=3)
    assert (status.breach_status, status.breach_count, status.breach_type) == (1, 1, M.FENCE_BREACH_BOUNDARY)
    bit = M.MAV_SYS_STATUS_GEOFENCE
    sys = expect(link, "SYS_STATUS", timeout=3)
    assert sys.onboard_control_sensors_enabled & bit and not sys.onboard_control_sensors_health & bit
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_TEMPORARILY_REJECTED
    link.mav.mission_clear_all_send(1, 1, 1)
    assert expect(link, "FENCE_STATUS", timeout=3).breach_status == 0
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == 0
    assert command(link, M.MAV_CMD_DO_FENCE_ENABLE, 1) == M.MAV_RESULT_UNSUPPORTED
