# SPDX-License-Identifier: Apache-2.0
"""The shell behind SERIAL_CONTROL, by the clients that have one: MAVSDK's plugin, MAVProxy's nsh, and, as QGroundControl's console
and PX4's mavlink_shell.py write it, pymavlink."""
import asyncio
import time

from pymavlink.dialects.v20 import all as A

from mavproxy_client import Proxy
from mavsdk_client import client
from pymavlink_client import connect, expect
from shell_client import VERSIONS, read, run, write


def test_console_of_a_ground_station(drone):
    link, other = connect(drone), connect(drone)
    try:
        write(link, "")     # as QGroundControl opens it
        assert read(link) == "nsh> "
        assert run(link, "ver all") == VERSIONS
        assert "commander" in run(link, "help")
        assert run(link, "commander status").startswith("INFO  [commander] Disarmed\n")
        shown = run(link, "param show").splitlines()
        assert len(shown) > 300 and "x   RTL_TYPE [" in "\n".join(shown)
        assert run(link, "param set RTL_RETURN_ALT 42") == "  RTL_RETURN_ALT: curr: 30.0000 -> new: 42.0000\n"
        assert expect(other, "PARAM_VALUE", lambda m: m.param_id == "RTL_RETURN_ALT").param_value == 42.0
        assert run(link, "commander takeoff") == ("INFO  [commander] takeoff: accepted\n"
                                                  "INFO  [commander] arm: accepted\n")
        expect(other, "HEARTBEAT", lambda m: m.get_srcComponent() == 1 and m.base_mode & 128)
        sample = run(link, "listener vehicle_status")
        assert "    arming_state: 2\n" in sample and "    system_id: 1\n" in sample
        assert "Armed" in run(link, "dmesg") or "Takeoff" in run(link, "dmesg")
        assert run(link, "nosuch") == "nsh: nosuch: command not found\n"
        assert other.recv_match(type="SERIAL_CONTROL", blocking=False) is None     # a shell is its link's own
        write(link, "ver all\n", device=A.SERIAL_CONTROL_DEV_GPS1)
        write(link, "", flags=0)     # as it is closed
        assert link.recv_match(type="SERIAL_CONTROL", blocking=True, timeout=1) is None
        write(link, "\n")       # as mavlink_shell.py begins
        assert read(link) == "nsh> \nnsh> "
    finally:
        link.close()
        other.close()


def test_mavsdk_plugin(drone):
    async def go():
        async with client(drone, "tcp") as system:
            heard = []

            async def listen():
                async for text in system.shell.receive():
                    heard.append(text)
            task = asyncio.ensure_future(listen())
            deadline = time.monotonic() + 20
            while VERSIONS not in "".join(heard) and time.monotonic() < deadline:
                await system.shell.send("ver all")      # the subscription may come late
                await asyncio.sleep(1)
            task.cancel()
            assert VERSIONS in "".join(heard) and "nsh> ver all\n" in "".join(heard)
    asyncio.run(go())


def test_mavproxy_nsh(drone, tmp_path):
    proxy = Proxy(f"tcp:127.0.0.1:{drone.tcp}", tmp_path)
    try:
        proxy.wait("MAV>", timeout=60)
        proxy.ask("module load nsh", "Loaded module nsh")
        proxy.say("nsh start")
        proxy.ask("ver all", VERSIONS)
        proxy.ask("commander status", "INFO  [commander] navigation mode: Hold")
    finally:
        proxy.stop()
