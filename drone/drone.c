/* SPDX-License-Identifier: Apache-2.0 */
/* Drones: boot, passes, links, with or without wiring. Called by boards and hal-sim/crowd. */
#include "drone/drone.h"

#include "firmware/attach.h"
#include "firmware/link/link.h"
#include "firmware/link/signing.h"

#include <string.h>

static int boot_vehicle(struct mf_drone *d, const struct mf_drone_setup *setup)
{
    struct mf_setup vehicle = setup->vehicle;
    d->wiring = setup->wiring;
    if (setup->world != NULL) {
        mf_world_connect(&d->world, &vehicle.hal);
    }
    if (setup->store != NULL) {
        vehicle.hal.store = &mf_store_memory_ops;
        vehicle.hal.store_ctx = setup->store;
    }
    if (d->wiring != NULL) {
        const uint64_t seed = setup->world != NULL ? (uint64_t)setup->world->seed : 0;
        mf_wiring_boot(d->wiring, &vehicle.hal, vehicle.utc_us, seed);
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
    MF_ASSERT(drone != NULL && setup != NULL &&
              (setup->wiring == NULL || setup->wiring->recorder == NULL));
    return boot_vehicle(drone, setup);
}

struct mf_wake mf_drone_step(struct mf_drone *drone)
{
    MF_ASSERT(drone != NULL);
    if (drone->wiring != NULL) {
        mf_wiring_call(drone->wiring, MF_RECORD_STEP, 0);
    }
    return mf_vehicle_step(&drone->vehicle);
}

void mf_drone_jump_to(struct mf_drone *drone, mf_us_t at_us)
{
    MF_ASSERT(drone != NULL);
    if (drone->wiring != NULL) {
        mf_wiring_call(drone->wiring, MF_RECORD_JUMP, at_us);
    }
    mf_vehicle_jump_to(&drone->vehicle, at_us);
}

int mf_drone_open(struct mf_drone *drone, const struct mf_drone_link *link)
{
    MF_ASSERT(drone != NULL && link != NULL);
    return drone->wiring != NULL
               ? mf_wiring_open(drone->wiring, drone, link)
               : mf_link_open(&drone->vehicle, &link->serial, link->name, link->interval_us);
}

void mf_drone_close(struct mf_drone *drone, int link)
{
    MF_ASSERT(drone != NULL && link >= 0);
    if (drone->wiring != NULL) {
        mf_wiring_close(drone->wiring, drone, (uint16_t)link);
    } else {
        mf_link_close(&drone->vehicle, link);
    }
}

int mf_drone_message(struct mf_drone *drone, int link, struct mf_address from, uint32_t msgid,
                     const void *msg)
{
    MF_ASSERT(drone != NULL && link >= 0 && msg != NULL);
    return drone->wiring != NULL
               ? mf_wiring_message(drone->wiring, drone, (uint16_t)link, from, msgid, msg)
               : mf_message(&drone->vehicle, link, from, msgid, msg);
}

bool mf_drone_hears(const struct mf_drone *drone, int link)
{
    MF_ASSERT(drone != NULL && link >= 0);
    const int index = drone->wiring != NULL ? mf_wiring_link(drone->wiring, (uint16_t)link) : link;
    MF_ASSERT(index >= 0 && index < drone->vehicle.links_top);
    return drone->vehicle.links[index].stats.rx_frames > 0;
}

void mf_drone_end(struct mf_drone *drone)
{
    MF_ASSERT(drone != NULL);
    mf_links_log(&drone->vehicle);
    if (drone->wiring != NULL) {
        mf_wiring_call(drone->wiring, MF_RECORD_END, 0);
    }
    mf_signing_save(drone->vehicle.signing);
}

struct mf_vehicle *mf_drone_vehicle(struct mf_drone *drone)
{
    return &drone->vehicle;
}
