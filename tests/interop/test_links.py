# SPDX-License-Identifier: Apache-2.0
"""Links between clients: the drone as a router, signed links, calibration, and components that are not there."""
import asyncio
import hashlib
import math
import signal
import time

import pytest
from mavsdk.calibration import CalibrationError
from mavsdk.gimbal import ControlMode, GimbalMode, SendMode

from client_drone import PATIENCE_S, Drone
from geography import HOME
from mavproxy_client import Proxy
from mavsdk_client import client as mavsdk, ready
from pymavlink_client import M, command, connect, expect

KEY = hashlib.sha256(b"correct horse").digest()
OTHER = hashlib.sha256(b"battery staple").digest()


def client(drone, system, component, kind, transport="tcp"):
    """A peer that was heard: its HEARTBEAT is on its way."""
    link = connect(drone, transport)
    link.mav.srcSystem, link.mav.srcComponent = system, component
    link.mav.heartbeat_send(kind, M.MAV_AUTOPILOT_INVALID, 0, 0, 0)
    return link


def ids(m):
    return m.get_srcSystem(), m.get_srcComponent()


# ---- routing

def test_camera_and_ground_station_talk_through_the_drone(drone):
    camera = client(drone, 1, 100, M.MAV_TYPE_CAMERA)
    ground = client(drone, 255, 190, M.MAV_TYPE_GCS, "udp")
    expect(camera, "HEARTBEAT", lambda m: ids(m) == (255, 190), 5)
    camera.mav.heartbeat_send(M.MAV_TYPE_CAMERA, M.MAV_AUTOPILOT_INVALID, 0, 0, 4)
    expect(ground, "HEARTBEAT", lambda m: ids(m) == (1, 100), 5)
    ground.mav.command_long_send(1, 100, M.MAV_CMD_IMAGE_START_CAPTURE, 0, 0, 2, 1, 0, 0, 0, 0)
    asked = expect(camera, "COMMAND_LONG", timeout=5)
    assert (asked.command, asked.param2, ids(asked)) == (2000, 2, (255, 190))
    camera.mav.command_ack_send(2000, 0, 0, 0, 255, 190)
    ack = expect(ground, "COMMAND_ACK", timeout=5)
    assert (ack.command, ack.result, ids(ack)) == (2000, 0, (1, 100))
    # and the drone answers for itself alone
    assert command(ground, M.MAV_CMD_RUN_PREARM_CHECKS, 0) == 0
    assert camera.recv_match(type="COMMAND_ACK", blocking=True, timeout=0.5) is None


@pytest.mark.parametrize("drone", [("--forward=no",)], indirect=True)
def test_forwarding_can_be_switched_off(drone):
    client(drone, 1, 100, M.MAV_TYPE_CAMERA)
    ground = client(drone, 255, 190, M.MAV_TYPE_GCS)
    deadline = time.monotonic() + 1.5
    while time.monotonic() < deadline:
        m = ground.recv_match(type="HEARTBEAT", blocking=True, timeout=0.2)
        assert m is None or ids(m) == (1, 1)


def test_unknown_messages_pass(drone):
    a = client(drone, 1, 191, M.MAV_TYPE_ONBOARD_CONTROLLER)
    b = client(drone, 255, 190, M.MAV_TYPE_GCS)
    expect(a, "HEARTBEAT", lambda m: ids(m) == (255, 190), 5)
    strange = bytes([0xFD, 4, 0, 0, 9, 255, 190]) + (60123).to_bytes(3, "little") + b"wxyz" + b"\x12\x34"
    b.write(strange)
    b.mav.heartbeat_send(M.MAV_TYPE_GCS, M.MAV_AUTOPILOT_INVALID, 0, 0, 0)
    received, deadline = b"", time.monotonic() + 5
    while strange not in received and time.monotonic() < deadline:
        received += a.recv(4096)
        time.sleep(0.01)
    assert strange in received


@pytest.mark.parametrize("drone", [("--param", "MAV_PROTO_VER=1")], indirect=True)
def test_a_version_1_link_until_the_peer_speaks_version_2(drone):
    link = connect(drone)
    begins = {m.get_msgbuf()[0] for m in (link.recv_match(blocking=True, timeout=3) for _ in range(40)) if m}
    assert begins == {0xFE}
    link.mav.command_long_send(1, 1, 512, 0, M.MAVLINK_MSG_ID_FLIGHT_INFORMATION, 0, 0, 0, 0, 0, 0,
                               force_mavlink1=True)
    ack = expect(link, "COMMAND_ACK", timeout=3)        # id 264 does not fit
    assert (ack.result, ack.get_msgbuf()[0]) == (M.MAV_RESULT_DENIED, 0xFE)
    assert command(link, 512, M.MAVLINK_MSG_ID_FLIGHT_INFORMATION) == 0
    assert expect(link, "HEARTBEAT", timeout=3).get_msgbuf()[0] == 0xFD


@pytest.mark.parametrize("drone", [("--param", "COM_DL_LOSS_T=2", "--param", "NAV_DLL_ACT=3", "--param",
                                    "COM_FAIL_ACT_T=1")], indirect=True)
def test_a_lost_ground_station_lands_it(drone):
    link = client(drone, 255, 190, M.MAV_TYPE_GCS)
    link.arducopter_arm()
    assert command(link, M.MAV_CMD_NAV_TAKEOFF, *[math.nan] * 6, HOME[2] + 3) == 0
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        link.mav.heartbeat_send(M.MAV_TYPE_GCS, M.MAV_AUTOPILOT_INVALID, 0, 0, 0)
        link.recv_match(blocking=True, timeout=0.5)
    for text in ("Connection to ground station lost", "Failsafe activated: entering Hold for 1 seconds",
                 "Failsafe activated"):
        expect(link, "STATUSTEXT", lambda m, text=text: m.text == text, 5)
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "LAND" and m.system_status == M.MAV_STATE_CRITICAL, 3)
    link.mav.heartbeat_send(M.MAV_TYPE_GCS, M.MAV_AUTOPILOT_INVALID, 0, 0, 0)
    expect(link, "STATUSTEXT", lambda m: m.text == "GCS connection regained", 3)
    expect(link, "HEARTBEAT", lambda m: not m.base_mode & 128, 15)


# ---- signatures

def now_10us():
    return int((time.time() - 1420070400) * 1e5)


def provision(link, key=KEY):
    link.mav.setup_signing_send(1, 1, list(key), now_10us())
    expect(link, "STATUSTEXT", lambda m: m.text == "MAVLink signing on", 5)
    link.setup_signing(key)


def answers(link, timeout=1.0):
    link.mav.command_long_send(1, 1, M.MAV_CMD_RUN_PREARM_CHECKS, 0, 0, 0, 0, 0, 0, 0, 0)
    return link.recv_match(type="COMMAND_ACK", blocking=True, timeout=timeout) is not None


def allow_all(_link, _msgid):
    return True


def test_signed_unsigned_wrong_key_and_replay():
    drone = Drone("--param", "MAV_SIGN_CFG=2")
    link = connect(drone)
    assert not answers(link)                    # must sign, cannot yet
    provision(link)
    assert answers(link)
    hb = expect(link, "HEARTBEAT", timeout=3)
    assert hb.get_signed() and link.mav.signing.badsig_count == 0
    stranger = connect(drone)
    assert not answers(stranger)                # unsigned
    stranger.setup_signing(OTHER, allow_unsigned_callback=allow_all)
    assert not answers(stranger)                # another key
    stranger.mav.signing.secret_key = KEY
    stranger.mav.signing.timestamp = now_10us() - 90 * 100000
    assert not answers(stranger, 0.3)           # a new sender from long ago
    stranger.mav.signing.timestamp = now_10us()
    assert answers(stranger)
    # one frame, twice
    message = M.MAVLink_command_long_message(1, 1, M.MAV_CMD_RUN_PREARM_CHECKS, 0, 0, 0, 0, 0, 0, 0, 0)
    frame = message.pack(link.mav)
    for answered in (True, False):
        link.write(frame)
        ack = link.recv_match(type="COMMAND_ACK", blocking=True, timeout=1)
        assert (ack is not None) == answered
    link.close(), stranger.close()
    time.sleep(0.2)
    log = drone.stop()
    assert "replayed" in log and "with bad signature" in log and "not signed" in log


def test_answers_of_rules_are_signed():
    """A client that checks signatures, against rules that answer, hold back, renumber and speak in its name."""
    rules = "command_denied(takeoff),command_late(prearm_checks)=1s,param_wrong_type(SYS_AUTOSTART),mission_upload_timeout=1*1"
    drone = Drone("--param", "MAV_SIGN_CFG=2", "--misbehave", rules)
    link = connect(drone)
    provision(link)
    link.mav.command_long_send(1, 1, M.MAV_CMD_RUN_PREARM_CHECKS, 0, 0, 0, 0, 0, 0, 0, 0)
    link.mav.command_long_send(1, 1, M.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, 0, 0, 0, 0, 0)
    link.mav.param_request_read_send(1, 1, b"SYS_AUTOSTART", -1)
    got = [link.recv_match(type=["COMMAND_ACK", "PARAM_VALUE"], blocking=True, timeout=3) for _ in range(3)]
    assert [m and m.get_type() for m in got] == ["COMMAND_ACK", "PARAM_VALUE", "COMMAND_ACK"]
    assert got[0].command == M.MAV_CMD_NAV_TAKEOFF and got[0].result == M.MAV_RESULT_DENIED
    assert got[1].param_type == M.MAV_PARAM_TYPE_REAL32
    assert got[2].command == M.MAV_CMD_RUN_PREARM_CHECKS and got[2].result == M.MAV_RESULT_ACCEPTED
    for attempt in range(2):                    # the first one is cut short, and cancelled in the client's name
        link.mav.mission_count_send(1, 1, 2, 0)
        for seq in range(2):
            request = link.recv_match(type="MISSION_REQUEST_INT", blocking=True, timeout=2)
            if attempt == 0 and seq == 1:
                assert request is None
                break
            assert request.seq == seq
            link.mav.mission_item_int_send(1, 1, seq, 6, 16, 0, 1, 0, 0, 0, 0, 473977420, 85455940, 10, 0)
    assert expect(link, "MISSION_ACK").type == 0
    assert link.mav.signing.badsig_count == 0 and link.mav_loss == 0
    link.close()
    time.sleep(0.2)
    log = drone.stop()
    for word in ("bad signature", "not signed", "replayed"):
        assert word not in log, log


def test_optional_signs_and_takes_unsigned(drone):
    link = connect(drone)
    provision(link)
    plain = connect(drone)
    assert answers(plain) and answers(link)
    expect(plain, "HEARTBEAT", lambda m: m.get_header().incompat_flags & 1, 3)
    # the key changes, and goes, with a signature only
    plain.mav.setup_signing_send(1, 1, [0] * 32, 0)
    expect(plain, "STATUSTEXT", lambda m: m.text.startswith("Signing key refused"), 5)
    link.mav.setup_signing_send(1, 1, [0] * 32, 0)
    expect(plain, "STATUSTEXT", lambda m: m.text == "MAVLink signing off", 5)
    expect(plain, "HEARTBEAT", lambda m: not m.get_header().incompat_flags & 1, 3)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_key_and_time_survive_a_restart(tmp_path, ending):
    args = ("--state", str(tmp_path), "--param", "MAV_SIGN_CFG=2")
    drone = Drone(*args)
    link = connect(drone)
    provision(link)
    frame = M.MAVLink_command_long_message(1, 1, 401, 0, 0, 0, 0, 0, 0, 0, 0).pack(link.mav)
    link.write(frame)
    assert link.recv_match(type="COMMAND_ACK", blocking=True, timeout=3) is not None
    link.close()
    stored = tmp_path / "SIGNING.mfst"
    assert stored.stat().st_mode & 0o777 == 0o600
    drone.process.send_signal(ending)
    drone.process.wait(PATIENCE_S)
    drone = Drone(*args)
    try:
        link = connect(drone)
        link.write(frame)
        assert link.recv_match(type="COMMAND_ACK", blocking=True, timeout=1) is None
        link.setup_signing(KEY)
        expect(link, "HEARTBEAT", timeout=3)    # its time is ours from now on
        assert answers(link)
    finally:
        drone.stop()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_a_frame_from_the_future_locks_nobody_out(tmp_path, ending):
    args = ("--state", str(tmp_path), "--param", "MAV_SIGN_CFG=2")
    drone = Drone(*args)
    link, stranger = connect(drone), connect(drone)
    provision(link)
    assert answers(link)
    stranger.setup_signing(KEY, initial_timestamp=2**48 - 1)
    stranger.mav.command_long_send(1, 1, M.MAV_CMD_RUN_PREARM_CHECKS, 0, 0, 0, 0, 0, 0, 0, 0)
    expect(link, "STATUSTEXT", lambda m: m.text == "Signed frames refused: clock too far ahead", 5)
    newcomer = connect(drone)
    newcomer.setup_signing(KEY)
    newcomer.mav.srcComponent = 77
    assert answers(newcomer, 5) and answers(link, 5)
    drone.process.send_signal(ending)
    drone.process.wait(PATIENCE_S)
    drone = Drone(*args)
    try:
        link = connect(drone)
        link.setup_signing(KEY)
        expect(link, "HEARTBEAT", timeout=5)
        assert answers(link, 5)
    finally:
        drone.stop()


@pytest.mark.parametrize("text", [KEY.hex(), KEY.hex().upper() + "\n", "correct horse\n"])
def test_key_from_a_file(tmp_path, text):
    (tmp_path / "key").write_text(text)
    drone = Drone("--signing-key", str(tmp_path / "key"), "--param", "MAV_SIGN_CFG=2")
    try:
        link = connect(drone)
        assert not answers(link, 0.5)
        link.setup_signing(KEY)
        assert answers(link)
    finally:
        log = drone.stop()
    assert KEY.hex() not in log and "correct horse" not in log


@pytest.mark.parametrize("drone", [("--param", "MAV_SIGN_CFG=2")], indirect=True)
def test_mavproxy_sets_the_key_and_removes_it(drone, tmp_path):
    proxy = Proxy(f"tcp:127.0.0.1:{drone.tcp}", tmp_path)
    try:
        watch = connect(drone, "udp-out")
        watch.setup_signing(hashlib.sha256(b"swordfish").digest(), allow_unsigned_callback=allow_all)
        watch.mav.heartbeat_send(M.MAV_TYPE_GCS, M.MAV_AUTOPILOT_INVALID, 0, 0, 0)
        proxy.wait("online system 1")
        proxy.say("signing setup swordfish")
        expect(watch, "STATUSTEXT", lambda m: m.text == "MAVLink signing on", 10)
        proxy.say("param fetch")
        proxy.wait("Received", 30)
        proxy.say("arm throttle")
        expect(watch, "HEARTBEAT", lambda m: ids(m) == (1, 1) and m.base_mode & 128 and m.get_signed(), 10)
        proxy.say("disarm")
        expect(watch, "HEARTBEAT", lambda m: ids(m) == (1, 1) and not m.base_mode & 128, 10)
        proxy.say("signing remove")
        expect(watch, "STATUSTEXT", lambda m: m.text == "MAVLink signing off", 10)
    finally:
        proxy.stop()


# ---- calibration and absent components

@pytest.mark.parametrize("what, sides", [("gyro", False), ("accelerometer", True), ("magnetometer", True),
                                         ("level_horizon", False)])
def test_mavsdk_calibrates(drone, what, sides):
    async def run():
        progress, told = [], []
        async with mavsdk(drone, "tcp") as system, asyncio.timeout(15):
            async for p in getattr(system.calibration, f"calibrate_{what}")():
                if p.has_progress:
                    progress.append(p.progress)
                if p.has_status_text:
                    told.append(p.status_text)
        assert progress[-1] == 1.0 and sorted(progress) == progress, progress
        assert any("orientation detected" in t for t in told) == sides, told
    asyncio.run(run())


def test_mavsdk_calibration_cancelled_and_refused(drone):
    async def follow(system, cancel):
        async with asyncio.timeout(15):
            async for _ in system.calibration.calibrate_accelerometer():
                if cancel:
                    await system.calibration.cancel()
                    cancel = False

    async def run():
        async with mavsdk(drone, "tcp") as system:
            with pytest.raises(CalibrationError, match="CANCELLED"):
                await follow(system, True)
            await ready(system)
            await system.action.arm()
            with pytest.raises(CalibrationError):
                await follow(system, False)
    asyncio.run(run())


def test_absent_camera_and_gimbal_end_cleanly(drone):
    """Every request ends in an answer or a short time-out of the client's own; nothing hangs, nobody poses as them."""
    async def refused(call):
        with pytest.raises(Exception) as error:         # each plugin has a class of its own
            async with asyncio.timeout(20):
                await call
        assert not isinstance(error.value, TimeoutError), "the plugin hangs"

    async def run():
        async with mavsdk(drone, "tcp") as system:
            await refused(system.camera.take_photo(1))
            await refused(system.camera.start_video(1))
            await refused(system.gimbal.set_angles(1, 0, 10, 0, GimbalMode.YAW_FOLLOW, SendMode.ONCE))
            await refused(system.gimbal.take_control(1, ControlMode.PRIMARY))
    asyncio.run(run())
    link = connect(drone)
    for component in (100, 154):
        link.mav.command_long_send(1, component, 512, 0, 259, 0, 0, 0, 0, 0, 0)
        assert link.recv_match(type="COMMAND_ACK", blocking=True, timeout=0.5) is None
    for number in (M.MAV_CMD_DO_GIMBAL_MANAGER_PITCHYAW, M.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE, 2000, 2500):
        assert command(link, number, 0) == M.MAV_RESULT_UNSUPPORTED
    assert command(link, 512, M.MAVLINK_MSG_ID_GIMBAL_MANAGER_INFORMATION) == M.MAV_RESULT_DENIED
