# SPDX-License-Identifier: Apache-2.0
"""Files and logs as clients get them: MAVLink FTP, component metadata, the log protocol, ULog."""
import asyncio
import csv
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import time

import pytest
import pyulog
from mavsdk.component_metadata import MetadataType
from mavsdk.ftp import FtpError
from mavsdk.log_files import LogFilesError
from pymavlink.mavftp import MAVFTP

from client_drone import Drone
from geography import HOME, distance_m
from mavsdk_client import client
from paths import TOP
from pymavlink_client import M, command, connect, expect

PARAMETERS = "/etc/extras/parameters.json"
DEFS = pathlib.Path(TOP, "firmware/state/params.def")


def fly(drone, run, seconds=60):
    async def connected():
        async with client(drone, "tcp") as system:
            return await run(system)
    return asyncio.run(asyncio.wait_for(connected(), seconds))


def crc32(data):
    """PX4's: begins with 0 and is not inverted."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc


def defined():
    """name: (type, default, unit, help), read from the source as text."""
    line = re.compile(r'^P\((\w+),\s*(\w+),\s*([^,]+),.*?"([^"]*)",\s*"([^"]*)"\)', re.M)
    return {m[1]: m.groups()[1:] for m in line.finditer(DEFS.read_text())}


def test_metadata_as_mavsdk_gets_it(drone, tmp_path):
    async def run(s):
        found = await s.ftp.list_directory("/etc/extras")
        assert (found.dirs, sorted(found.files)) == ([], ["component_general.json", "parameters.json"])
        for burst in (False, True):
            async for _ in s.ftp.download(PARAMETERS, str(tmp_path), burst):
                pass
            assert await s.ftp.are_files_identical(str(tmp_path / "parameters.json"), PARAMETERS)
        text = (tmp_path / "parameters.json").read_text()
        await s.component_metadata.request_autopilot_component()
        async for update in s.component_metadata.metadata_available():
            assert (update.type, update.json_metadata) == (MetadataType.PARAMETER, text)
            break
        with pytest.raises(FtpError, match="FILE_PROTECTED"):
            await s.ftp.remove_file(PARAMETERS)
        with pytest.raises(FtpError, match="FILE_PROTECTED"):
            async for _ in s.ftp.upload(str(tmp_path / "parameters.json"), "/etc"):
                pass
        with pytest.raises(FtpError, match="FILE_DOES_NOT_EXIST"):
            async for _ in s.ftp.download("/etc/none", str(tmp_path), True):
                pass
        return text
    told = {p["name"]: p for p in json.loads(fly(drone, run))["parameters"]}
    source = defined()
    assert list(told) == list(source)
    for name, (kind, value, unit, text) in source.items():
        p = told[name]
        assert p["type"] == {"float": "Float", "int32": "Int32"}[kind]
        assert (p["units"], p["shortDesc"]) == (unit, text)
        assert p["default"] == float(value.rstrip("f"))
        assert p["min"] <= p["default"] <= p["max"]


def test_metadata_as_qgroundcontrol_asks_for_it(drone, tmp_path):
    link = connect(drone)
    link.mav.command_long_send(1, 1, M.MAV_CMD_REQUEST_MESSAGE, 0, 397, 0, 0, 0, 0, 0, 0)
    told = expect(link, "UNKNOWN_397", timeout=3).get_msgbuf()      # COMPONENT_METADATA is new to this pymavlink
    _, file_crc = struct.unpack_from("<II", told, 10)
    uri = bytes(told[18:-2]).decode()
    assert uri == "mftp://etc/extras/component_general.json"
    ftp = MAVFTP(link, target_system=1, target_component=1)

    def get(uri, name):
        assert ftp.cmd_get([uri.removeprefix("mftp://"), str(tmp_path / name)]).error_code == 0
        assert ftp.process_ftp_reply("OpenFileRO", timeout=10).error_code == 0
        return (tmp_path / name).read_bytes()

    general = get(uri, "general.json")
    assert crc32(general) == file_crc
    entry, = json.loads(general)["metadataTypes"]
    parameters = get(entry["uri"], "parameters.json")
    assert (entry["type"], entry["fileCrc"]) == (1, crc32(parameters))
    assert json.loads(parameters)["version"] == 1
    assert command(link, M.MAV_CMD_REQUEST_MESSAGE, M.MAVLINK_MSG_ID_AUTOPILOT_VERSION) == 0
    assert link.messages["AUTOPILOT_VERSION"].capabilities & M.MAV_PROTOCOL_CAPABILITY_FTP
    names = {e.name for e in ftp.list_result} if ftp.cmd_list(["/"]).error_code == 0 else None
    assert names == {"etc", "fs"}
    link.close()


def test_ftp_over_a_lossy_link(drone, tmp_path):
    """A fifth of the frames lost in each direction."""
    link = connect(drone, "udp-out")
    ftp = MAVFTP(link, target_system=1, target_component=1)
    random.seed(7)
    ftp.ftp_settings.pkt_loss_rx = ftp.ftp_settings.pkt_loss_tx = 20
    assert ftp.cmd_get([PARAMETERS, str(tmp_path / "lossy.json")]).error_code == 0
    assert ftp.process_ftp_reply("OpenFileRO", timeout=50).error_code == 0
    assert len(json.loads((tmp_path / "lossy.json").read_text())["parameters"]) > 100
    link.close()


def hop(link, height):
    """Up, and down again until disarmed."""
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == 0
    assert command(link, M.MAV_CMD_NAV_TAKEOFF, *[math.nan] * 6, HOME[2] + height) == 0
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "LOITER")
    assert command(link, M.MAV_CMD_NAV_LAND) == 0
    expect(link, "HEARTBEAT", lambda m: not m.base_mode & 128)


def test_logs_as_mavsdk_and_pymavlink_get_them(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    drone = Drone("--state", str(state), "--clock", "fast", "--epoch", "2026-03-01T12:00:00Z")
    link = connect(drone)
    hop(link, 10)
    hop(link, 300)
    files = sorted(state.glob("log/2026-03-01/*.ulg"))
    assert len(files) == 2 and files[0].name.startswith("12_00_")

    async def run(s):
        entries = await s.log_files.get_entries()
        assert [e.size_bytes for e in entries] == [f.stat().st_size for f in files]
        assert entries[0].date == "2026-03-01T" + files[0].stem.replace("_", ":") + "Z"
        for entry, file in zip(entries, files):
            async for _ in s.log_files.download_log_file(entry, str(tmp_path / "by_log.ulg")):
                pass
            async for _ in s.ftp.download(f"/fs/microsd/log/2026-03-01/{file.name}", str(tmp_path), True):
                pass
            assert (tmp_path / "by_log.ulg").read_bytes() == file.read_bytes()
            assert (tmp_path / file.name).read_bytes() == file.read_bytes()
            (tmp_path / "by_log.ulg").unlink()
        assert await s.ftp.are_files_identical(str(files[1]), f"fs/microsd/log/2026-03-01/{files[1].name}")
        await s.log_files.erase_all_log_files()
        with pytest.raises(LogFilesError, match="NO_LOGFILES"):
            await s.log_files.get_entries()
    before = [f.read_bytes() for f in files]
    assert min(map(len, before)) > 10000
    fly(drone, run)
    assert not list(state.glob("log/*"))
    link.close()
    drone.stop()


def test_a_log_read_by_pyulog(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    drone = Drone("--state", str(state), "--clock", "fast", "--param", "MIS_TAKEOFF_ALT=12")
    link = connect(drone)
    hop(link, 50)
    link.close()
    drone.stop()
    file, = state.glob("log/*/*.ulg")
    log = pyulog.ULog(str(file))
    assert not log.file_corruption and not log.dropouts
    assert log.initial_parameters["MIS_TAKEOFF_ALT"] == 12.0 and log.initial_parameters["MAV_SYS_ID"] == 1
    assert log.msg_info_dict["sys_name"] == "PX4" and log.get_version_info_str() == "v1.17.0"
    assert abs(time.time() - file.stat().st_mtime) < 60
    texts = [m.message for m in log.logged_messages]
    assert ["Takeoff detected", "Landing detected", "Disarmed by landing"] == [
        t for t in texts if t in ("Takeoff detected", "Landing detected", "Disarmed by landing")]

    def data(name):
        return log.get_dataset(name).data

    local, place, status = data("vehicle_local_position"), data("vehicle_global_position"), data("vehicle_status")
    gps, attitude, battery = data("sensor_gps"), data("vehicle_attitude"), data("battery_status")
    assert local["z"].min() == pytest.approx(-50, abs=1e-3) and local["z"][-1] == pytest.approx(0, abs=1e-3)
    assert place["alt"].max() == pytest.approx(HOME[2] + 50, abs=1e-3)
    assert max(distance_m(p, HOME) for p in zip(place["lat"], place["lon"])) < 0.02
    assert gps["altitude_ellipsoid_m"][0] == pytest.approx(HOME[2] + 47.2374, abs=2e-3)
    assert abs(gps["time_utc_usec"][0] / 1e6 - time.time()) < 60 and set(gps["fix_type"]) == {3}
    assert attitude["q[0]"][0] == pytest.approx(1.0) and set(battery["cell_count"]) == {4}
    steps = (local["timestamp"][1:] - local["timestamp"][:-1]) / 1e6
    assert steps.max() <= 0.1 + 1e-6
    # armed in Manual (0), Takeoff (17), Hold (4), Land (18), and disarmed in Hold again
    modes = [m for i, m in enumerate(status["nav_state"]) if i == 0 or m != status["nav_state"][i - 1]]
    assert modes == [0, 17, 4, 18, 4]
    assert (status["arming_state"][0], status["arming_state"][-1]) == (2, 1)


# The datasets of Flight Review's plots (app/plot_app/configured_plots.py) that Mayfly has a source for, and the fields that they draw.
REVIEWED = {
    "vehicle_local_position": ["x", "y", "z", "vx", "vy", "vz"], "vehicle_local_position_setpoint": ["x", "y", "z", "vx", "vy", "vz"],
    "vehicle_gps_position": ["latitude_deg", "longitude_deg", "altitude_msl_m", "eph", "epv", "satellites_used", "fix_type", "vel_m_s"],
    "vehicle_air_data": ["baro_alt_meter"], "vehicle_global_position": ["alt"], "vehicle_attitude": ["q[0]", "q[3]"],
    "vehicle_attitude_setpoint": ["q_d[0]", "q_d[3]"], "vehicle_angular_velocity": ["xyz[0]", "xyz[2]"],
    "vehicle_rates_setpoint": ["roll", "pitch", "yaw"], "manual_control_setpoint": ["roll", "pitch", "yaw", "throttle"],
    "actuator_outputs": ["noutputs", "output[0]", "output[15]"],
    "sensor_combined": ["gyro_rad[0]", "accelerometer_m_s2[2]"], "vehicle_magnetometer": ["magnetometer_ga[0]"],
    "battery_status": ["voltage_v", "current_a", "discharged_mah", "remaining"], "vehicle_status": ["nav_state", "vehicle_type"]}


def test_a_log_read_by_the_programs_of_pyulog(tmp_path):
    pytest.importorskip("pyulog")
    state = tmp_path / "state"
    state.mkdir()
    drone = Drone("--state", str(state), "--clock", "fast")
    link = connect(drone)
    hop(link, 50)
    link.close()
    drone.stop()
    file, = state.glob("log/*/*.ulg")

    def run(program, *args):
        return subprocess.run([program, *map(str, args)], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60).stdout

    assert "sys_name: PX4" in run("ulog_info", file)
    assert "Takeoff detected" in run("ulog_messages", file)
    assert "MIS_TAKEOFF_ALT" in run("ulog_params", file)
    run("ulog2csv", "-o", tmp_path, file)
    for topic, fields in REVIEWED.items():
        with open(tmp_path / f"{file.stem}_{topic}_0.csv", encoding="ascii") as table:
            rows = list(csv.DictReader(table))
        assert len(rows) > 5 and [field for field in fields if field not in rows[0]] == [], topic
    run("ulog2kml", "-o", tmp_path / "track.kml", file)
    track = (tmp_path / "track.kml").read_text(encoding="utf-8")
    points = [tuple(map(float, point.split(","))) for line in re.findall("<coordinates>([^<]*)</coordinates>", track)
              for point in line.split()]
    assert max(distance_m((lat, lon), HOME) for lon, lat, _ in points) < 5
    assert max(alt for _, _, alt in points) == pytest.approx(HOME[2] + 50, abs=5)


def test_ulog_ends_where_a_drone_was_killed(tmp_path):
    drone = Drone("--state", str(tmp_path), "--clock", "x20")
    link = connect(drone)
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == 0
    assert command(link, M.MAV_CMD_NAV_TAKEOFF, *[math.nan] * 6, HOME[2] + 500) == 0
    time.sleep(1.5)
    drone.process.kill()
    drone.process.wait()
    link.close()
    file, = tmp_path.glob("log/*/*.ulg")
    content = file.read_bytes()
    assert content[:8] == b"ULog\x01\x12\x35\x01"
    at, kinds = 16, set()
    while at + 3 <= len(content):
        size, kind = struct.unpack_from("<HB", content, at)
        kinds.add(chr(kind))
        at += 3 + size
    assert kinds <= set("BFIPADL") and len(content) > 8192


def test_no_logs_without_a_state_directory(drone):
    link = connect(drone)
    link.mav.log_request_list_send(1, 1, 0, 0xFFFF)
    assert expect(link, "LOG_ENTRY", timeout=3).num_logs == 0
    link.close()
