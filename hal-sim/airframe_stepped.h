/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Airframe of a vehicle with a stepped body (world/mover_stepped.h). The future of the body is
 * unknown: next() answers MF_E_NOSUPP, and the navigator polls, as it polls hardware.
 *
 * The body flies in the plane about an origin, over ground as high as its home. Its heading turns
 * as the body does, not at the rate of a plan, and with plans only. A call for a time moves the
 * body there, so times of calls must not decrease, and one thread at a time may call.
 */
#ifndef MF_HAL_SIM_AIRFRAME_STEPPED_H
#define MF_HAL_SIM_AIRFRAME_STEPPED_H

#include "hal/airframe.h"
#include "math/geodesic.h"
#include "world/mover_stepped.h"

struct mf_world_settings;

/** The caller allocates it, sets the first three fields, and the memory of a plug-in's body, and
 * passes it to the world. */
struct mf_airframe_stepped {
    const struct mf_stepped_settings *made;
    struct mf_geo origin; /**< origin of places, obstacles and weather */
    double origin_amsl_m;
    struct mf_stepped body;
    double ground_m; /**< down of the ground, at home */
    struct mf_leg leg[MF_PLAN_LEGS_MAX];
    size_t legs, flown; /**< legs 0: the body holds at to_m */
    struct mf_vec3 to_m;
    mf_us_t from_us; /**< start of the present leg */
    double yaw_rad;
    bool armed;
};

/** @brief Begin at home; a function of struct mf_world_body, whose context is a struct
 * mf_airframe_stepped. */
void mf_airframe_stepped_begin(void *ctx, const struct mf_world_settings *settings);

/** Operations; their context is a struct mf_airframe_stepped. */
extern const struct mf_airframe_ops mf_airframe_stepped_ops;

#endif
