# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python 4, which has no server between."""
import asyncio
import contextlib
import importlib

from mavsdk.asyncio import ComponentType, Configuration, Mavsdk
from mavsdk.plugins import telemetry

from geography import distance_m

NAN = float("nan")
Mode, Landed = telemetry.FlightMode, telemetry.LandedState


class Client:
    """The plugins of one system, each made when it is first asked for: client.telemetry.armed()."""

    def __init__(self, system):
        self.system = system

    def __getattr__(self, name):
        module = importlib.import_module(f"mavsdk.asyncio.plugins.{name}")
        plugin = getattr(module, "".join(map(str.capitalize, name.split("_"))) + "Async")(self.system)
        setattr(self, name, plugin)
        return plugin


@contextlib.asynccontextmanager
async def client(url, kind=ComponentType.GROUND_STATION):
    async with Mavsdk(Configuration.create_with_component_type(kind)) as sdk:
        await sdk.add_any_connection(url)
        system = await sdk.first_autopilot(10)
        assert system is not None, f"nobody at {url}"
        yield Client(system)


async def until(stream, condition=lambda _: True, timeout=20, what="condition"):
    """What a stream tells until the condition is true, which is the last of it."""
    seen = []
    try:
        async with asyncio.timeout(timeout), contextlib.aclosing(stream):
            async for value in stream:
                seen.append(value)
                if condition(value):
                    return seen
    except TimeoutError:
        raise AssertionError(f"{what} not within {timeout} s; last: {[str(v) for v in seen[-3:]]}") from None


async def mode(c, *wanted, timeout=20):
    await until(c.telemetry.subscribe_flight_mode(), lambda m: m in wanted, timeout, f"mode {wanted}")


async def down(c):
    await until(c.telemetry.subscribe_landed_state(), lambda s: s == Landed.ON_GROUND, 60, "on the ground")
    await until(c.telemetry.subscribe_armed(), lambda a: not a, 10, "disarmed")


async def ready(c):
    await until(c.telemetry.subscribe_health_all_ok(), bool, 5, "healthy")


async def take_off(c, height):
    await c.action.set_takeoff_altitude(height)
    await c.action.arm()
    await c.action.takeoff()
    await mode(c, Mode.TAKEOFF)
    await mode(c, Mode.HOLD)


async def at(c, place, height=None, by=0.05):
    def there(p):
        near = distance_m((p.latitude_deg, p.longitude_deg), place) < by
        return near and (height is None or abs(p.relative_altitude_m - height) < by)
    return await until(c.telemetry.subscribe_position(), there, what=f"at {place}, {height}")


def run(coroutine, seconds=60):
    asyncio.run(asyncio.wait_for(coroutine, seconds))
