/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the battery of a vehicle of this process. vehicles.c and hosts/leaf.c call it. */
#include "boards/swarm/members/charge.h"

#include "drone/drone.h"
#include "hal/hal.h"

float swarm_crowd_charge(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us)
{
    const struct mf_drone *drone = mf_crowd_drone(crowd, i);
    struct mf_battery battery;
    return mf_power_read(&drone->vehicle.hal, at_us, &battery) == MF_E_OK ? battery.remaining
                                                                          : -1.0f;
}
