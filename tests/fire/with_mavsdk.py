# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python with its own time-outs and retries: its calls as its examples use them, and nothing around them."""
import asyncio
import sys

from mavsdk import System
from mavsdk.action import ActionError
from mavsdk.ftp import FtpError
from mavsdk.info import InfoError
from mavsdk.mission_raw import MissionItem, MissionRawError
from mavsdk.param import ParamError
from mavsdk.telemetry import TelemetryError

import client
from ports import free_port

DOCUMENTED = (ActionError, FtpError, InfoError, MissionRawError, ParamError, TelemetryError)


system = System(port=free_port())


async def connect():
    await system.connect(system_address=f"tcpout://127.0.0.1:{client.port}")
    async for state in system.core.connection_state():
        if state.is_connected:
            return


async def parameters():
    found = await system.param.get_all_params()
    return {p.name: p.value for p in (*found.int_params, *found.float_params)}


def one(name):
    async def run():
        return await system.param.get_param_float(name)
    return run


async def store():
    await system.param.set_param_float(client.PARAMETER, 6.5)
    return await system.param.get_param_float(client.PARAMETER)


async def flight():
    async for health in system.telemetry.health():
        if health.is_armable:
            break
    await system.action.arm()
    await system.action.takeoff()
    try:
        async with asyncio.timeout(client.AIRBORNE_S):
            async for in_air in system.telemetry.in_air():
                if in_air:
                    return
    except TimeoutError:
        raise client.Reported("telemetry.in_air() stays false") from None


async def land():
    await system.action.land()


def items(mission):
    return [MissionItem(seq, 6, number, int(seq == 0), 1, 0, 0, 0, float("nan"), lat, lon, height, 0)
            for seq, (number, lat, lon, height) in enumerate(mission)]


def upload(mission):
    async def run():
        await system.mission_raw.upload_mission(items(mission))
        return len(mission)
    return run


async def download():
    return [(i.command, i.x, i.y, i.z) for i in await system.mission_raw.download_mission()]


async def files():
    listing = await system.ftp.list_directory(client.FOLDER)
    async for _ in system.ftp.download(client.FILE, str(client.folder), True):
        pass
    return {"names": sorted(listing.files), "bytes": (client.folder / "parameters.json").stat().st_size,
            "text": (client.folder / "parameters.json").read_text(errors="replace")}


async def names():
    return sorted((await system.ftp.list_directory(client.FOLDER)).files)


async def message():
    version = await system.info.get_version()
    return [version.flight_sw_major, version.flight_sw_minor]


async def origin():
    return round((await system.telemetry.get_gps_global_origin()).latitude_deg, 6)


OPERATIONS = {"connect": connect, "parameters": parameters, "parameter": one(client.PARAMETER), "store": store,
              "other_parameter": one(client.OTHER_PARAMETER), "flight": flight, "land": land,
              "upload": upload(client.MISSION), "short_upload": upload(client.SHORT_MISSION), "download": download,
              "files": files, "names": names, "message": message, "other_message": origin}


async def main():
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            client.answer(claim="done", value=await OPERATIONS[line.strip()]())
        except Exception as error:
            client.answer(**client.judged(error, DOCUMENTED))
    system._stop_mavsdk_server()

asyncio.run(main())
