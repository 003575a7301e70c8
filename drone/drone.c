/* SPDX-License-Identifier: Apache-2.0 */
#include "drone/drone.h"

#include <string.h>

static int boot_vehicle(struct mf_drone *d, const struct mf_drone_setup *setup)
{
    struct mf_setup vehicle = setup->vehicle;
    if (setup->world != NULL) {
        mf_world_connect(&d->world, &vehicle.hal);
    }
    if (setup->store != NULL) {
        vehicle.hal.store = &mf_store_memory_ops;
        vehicle.hal.store_ctx = setup->store;
    }
    mf_fault_policy_connect(&d->faults, &d->vehicle, &vehicle.hal);
    return mf_vehicle_init(&d->vehicle, &vehicle);
}

int mf_drone_init(struct mf_drone *drone, const struct mf_drone_setup *setup)
{
    MF_ASSERT(drone != NULL && setup != NULL);
    if (setup->world == NULL) {
        memset(&drone->world, 0, sizeof drone->world);
    } else {
        const int result = mf_world_init(&drone->world, setup->world);
        if (result != MF_E_OK) {
            return result;
        }
    }
    return boot_vehicle(drone, setup);
}

int mf_drone_reboot(struct mf_drone *drone, const struct mf_drone_setup *setup)
{
    MF_ASSERT(drone != NULL && setup != NULL);
    return boot_vehicle(drone, setup);
}

struct mf_wake mf_drone_step(struct mf_drone *drone)
{
    MF_ASSERT(drone != NULL);
    return mf_vehicle_step(&drone->vehicle);
}

void mf_drone_jump_to(struct mf_drone *drone, mf_us_t at_us)
{
    MF_ASSERT(drone != NULL);
    mf_vehicle_jump_to(&drone->vehicle, at_us);
}

int mf_drone_open(struct mf_drone *drone, const struct mf_serial *serial, const char *name,
                  const int32_t *interval_us)
{
    MF_ASSERT(drone != NULL && serial != NULL);
    return mf_link_open(&drone->vehicle, serial, name, interval_us);
}

void mf_drone_close(struct mf_drone *drone, int link)
{
    MF_ASSERT(drone != NULL);
    mf_link_close(&drone->vehicle, link);
}
