/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A body that is stepped (world/mover_stepped.h) as the airframe of a vehicle. It does not know its
 * future: next() answers MF_E_NOSUPP, and the navigator polls it, as it polls hardware.
 *
 * It flies in the plane about an origin, over ground as high as its home. Its heading turns as its
 * body does, not at the rate of a plan, and with plans only. A call for a time moves it there, so
 * times of calls do not decrease, and one thread at a time has it.
 */
#ifndef MF_HAL_SIM_AIRFRAME_STEPPED_H
#define MF_HAL_SIM_AIRFRAME_STEPPED_H

#include "hal/airframe.h"
#include "math/geodesic.h"
#include "world/mover_stepped.h"

struct mf_world_settings;

/** The caller allocates it, sets the first three fields, and what an owner keeps of its body, and
 * gives it to the world. */
struct mf_airframe_stepped {
    const struct mf_stepped_settings *made;
    struct mf_geo origin; /**< of its places, and of obstacles and weather */
    double origin_amsl_m;
    struct mf_stepped body;
    double ground_m; /**< down of the origin: home */
    struct mf_leg leg[MF_PLAN_LEGS_MAX];
    size_t legs, flown; /**< 0: it holds where to_m is */
    struct mf_vec3 to_m;
    mf_us_t from_us; /**< of the present leg */
    double yaw_rad;
    bool armed;
};

/** @brief What a struct mf_world_body calls: the context is a struct mf_airframe_stepped. */
void mf_airframe_stepped_begin(void *ctx, const struct mf_world_settings *settings);

/** The contract; the context is a struct mf_airframe_stepped. */
extern const struct mf_airframe_ops mf_airframe_stepped_ops;

#endif
