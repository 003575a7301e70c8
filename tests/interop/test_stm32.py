# SPDX-License-Identifier: Apache-2.0
"""boards/stm32f405 in QEMU: MAVSDK flies a mission of 20 items over its first USART, pymavlink reads all parameters over
its second one, and the memory of the chip says how deep the stack was and what a pass has cost.

QEMU counts instructions (-icount shift=3: 8 ns each, about as fast as the chip), so that figures do not depend on the host.
"""
import asyncio
import json
import os
import pathlib
import re
import socket
import subprocess
import time

import pytest
from mavsdk.mission import MissionPlan

import figures
from geography import HOME, distance_m, offset
from ports import free_port
from mavsdk_client import client, down, ready, run, until, waypoint
from pymavlink_client import mavutil
from waiting import wait_until

IMAGE = pathlib.Path(os.environ["BUILD"], "cm4", "simulated.elf")
PAINT = 0x5AFE57AC          # boards/stm32f405/core.h
TICK_NS, INSTRUCTION_NS = 1e3 / 168, 8
ITEMS = 20
HEIGHT, APART = 2.5, 2.5


class Chip:
    """QEMU with the board in it. usart1, usart2: TCP ports."""

    def __init__(self, folder):
        self.usart1, self.usart2 = free_port(), free_port()
        self.console, qmp = folder / "console", folder / "qmp"
        self.process = subprocess.Popen(
            ["qemu-system-arm", "-machine", "netduinoplus2", "-icount", "shift=3", "-display", "none", "-kernel", IMAGE,
             *self.serial(self.usart1), *self.serial(self.usart2), "-serial", f"file:{self.console}",
             "-monitor", "none", "-qmp", f"unix:{qmp},server=on,wait=off"])
        self.qmp = self.connect_qmp(qmp)
        self.folder = folder

    @staticmethod
    def serial(port):
        return "-serial", f"tcp:127.0.0.1:{port},server=on,wait=off,nodelay=on"

    @staticmethod
    def connect_qmp(path):
        s = socket.socket(socket.AF_UNIX)
        wait_until(lambda: s.connect_ex(str(path)) == 0, "QEMU listens")
        s.settimeout(30)
        stream = s.makefile("rw")
        stream.readline()
        Chip.ask(stream, "qmp_capabilities")
        return stream

    @staticmethod
    def ask(stream, command, **arguments):
        stream.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        stream.flush()
        while True:
            answer = json.loads(stream.readline())
            if "event" not in answer:
                assert "return" in answer, answer
                return

    def url(self, _transport):
        return f"tcpout://127.0.0.1:{self.usart1}"

    def memory(self, address, size):
        """Words of the chip's memory."""
        file = self.folder / "memory"
        self.ask(self.qmp, "pmemsave", val=address, size=size, filename=str(file))
        data = file.read_bytes()
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, size, 4)]

    def stop(self):
        assert self.process.poll() is None
        self.process.kill()
        self.process.wait()
        return self.console.read_text()


@pytest.fixture
def chip(tmp_path):
    c = Chip(tmp_path)
    yield c
    if c.process.poll() is None:
        c.stop()


def symbols():
    lines = subprocess.run(["nm", IMAGE], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, name in re.findall(r"^(\w+) \w (\w+)$", lines, re.M)}


def print_costs(chip):
    """Figures against ci/budgets; stack and passes of everything that has run."""
    names = symbols()
    stack = chip.memory(names["stack_low"], names["stack_top"] - names["stack_low"])
    untouched = next(i for i, word in enumerate(stack) if word != PAINT)
    assert untouched > 0, "the stack was used up"
    passes, longest, low, high, longest_us = chip.memory(names["board_stats"], 24)[:5]
    ticks = low | high << 32
    print(f"stm32: {passes} passes, the longest one at {longest_us / 1e6:.3f} s")
    result = figures.Figures()
    result.add("stm32.stack.used", 4 * (len(stack) - untouched), "bytes")
    result.add("stm32.pass.longest", longest * TICK_NS / INSTRUCTION_NS, "instructions")
    result.add("stm32.pass.mean", ticks * TICK_NS / INSTRUCTION_NS / passes, "instructions")
    assert result.exit_code() == 0


def parameters_over(port):
    """{name: value} of a parameter list, as pymavlink gets it."""
    link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{port}", source_system=254, source_component=190)
    assert link.wait_heartbeat(timeout=20) is not None
    found, count = {}, None
    link.mav.param_request_list_send(1, 1)
    deadline = time.monotonic() + 30
    while (count is None or len(found) < count) and time.monotonic() < deadline:
        m = link.recv_match(type="PARAM_VALUE", blocking=True, timeout=5)
        if m is not None and m.param_index != 0xFFFF:
            found[m.param_id], count = m.param_value, m.param_count
    link.close()
    assert len(found) == count
    return found


async def fly_mission(chip, system):
    plan = [waypoint(APART * (i % 5), APART * (i // 5), HEIGHT) for i in range(ITEMS)]
    await system.mission.upload_mission(MissionPlan(plan))
    back = await system.mission.download_mission()
    assert len(back.mission_items) == ITEMS
    await system.action.arm()
    await system.mission.start_mission()
    await until(system.mission.mission_progress(), lambda p: p.current == p.total == ITEMS, 90, "the mission's end")
    position = (await until(system.telemetry.position(), lambda p: True))[0]
    assert abs(position.relative_altitude_m - HEIGHT) < 0.05
    assert distance_m((position.latitude_deg, position.longitude_deg), offset(4 * APART, 3 * APART)) < 0.1


def test_sim023_sim031_mission_of_twenty_items_on_an_stm32f405(chip):
    async def go():
        async with client(chip, "usart1") as system:
            await ready(system)
            await fly_mission(chip, system)
            parameters = asyncio.get_running_loop().run_in_executor(None, parameters_over, chip.usart2)
            await system.action.land()
            await down(system)
            assert {"MIS_TAKEOFF_ALT", "MAV_SYS_ID", "MPC_XY_CRUISE"} <= set(await parameters)
            position = (await until(system.telemetry.position(), lambda p: True))[0]
            assert abs(position.absolute_altitude_m - HOME[2]) < 0.05
    run(go())
    print_costs(chip)
    console = chip.stop()
    assert "simulated body" in console and "store: not persistent" in console
    assert "assertion" not in console and "failed" not in console
