# SPDX-License-Identifier: Apache-2.0
"""MAVSDK 4 flies one of ten thousand vehicles of a process."""
from geography import HOME, offset
from mavsdk4_client import NAN, at, client, down, ready, run, take_off


def test_mavsdk4_flies_vehicle_7312_of_10000(swarm):
    """By its own address, over TCP."""
    async def go():
        async with client(swarm.url(swarm.GUEST)) as c:
            assert await c.system.get_system_id() == 1 + (swarm.GUEST - 1) % 250
            await ready(c)
            await take_off(c, 6.0)
            target = offset(20, -30)
            await c.action.goto_location(*target, HOME[2] + 9.0, NAN)
            await at(c, target, 9.0)
            await c.action.land()
            await down(c)
    run(go())
