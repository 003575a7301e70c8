# SPDX-License-Identifier: Apache-2.0
"""MAVSDK's failure plugin: whatever it offers is answered, as the table of faults has it."""
import asyncio

from mavsdk.failure import FailureError, FailureType, FailureUnit

from mavsdk_client import client, ready, run

OFF, STUCK, GARBAGE, WRONG = FailureType.OFF, FailureType.STUCK, FailureType.GARBAGE, FailureType.WRONG

# Units and the types that they take, besides OK; all other pairs are unsupported.
TAKEN = {
    FailureUnit.SENSOR_GYRO: {OFF, STUCK},
    FailureUnit.SENSOR_ACCEL: {OFF, STUCK},
    FailureUnit.SENSOR_MAG: {OFF, STUCK},
    FailureUnit.SENSOR_BARO: {OFF, STUCK},
    FailureUnit.SENSOR_GPS: {OFF, STUCK, GARBAGE, WRONG},
    FailureUnit.SYSTEM_BATTERY: {OFF},
    FailureUnit.SYSTEM_MOTOR: {OFF},
    FailureUnit.SYSTEM_RC_SIGNAL: {OFF},
    FailureUnit.SYSTEM_MAVLINK_SIGNAL: {OFF},
}


async def inject(system, unit, kind, instance=0):
    try:
        async with asyncio.timeout(8):
            await system.failure.inject(unit, kind, instance)
    except FailureError as error:
        return error._result.result.name
    return "SUCCESS"


def test_sim046_sim047_every_failure_that_mavsdk_offers_is_answered(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            for unit in FailureUnit:
                for kind in FailureType:
                    taken = unit in TAKEN and kind in TAKEN[unit] | {FailureType.OK}
                    answer = await inject(system, unit, kind)
                    assert answer == ("SUCCESS" if taken else "UNSUPPORTED"), (unit, kind, answer)
                    if taken:
                        assert await inject(system, unit, FailureType.OK) == "SUCCESS", unit
            for instance, answer in (1, "SUCCESS"), (2, "UNSUPPORTED"), (7, "UNSUPPORTED"):
                assert await inject(system, FailureUnit.SENSOR_GPS, FailureType.OK, instance) == answer, instance
            await ready(system)
    run(go())
