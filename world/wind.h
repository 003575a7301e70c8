/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Wind, as a decorator around an airframe: steady, with gusts, the same everywhere but growing from
 * 0 on the ground to its full speed at full_at_m above it.
 *
 * - The body leans into it: roll and pitch point the thrust also against the drag of the moving
 *   air, as airframe_physics leans into its own speed.
 * - Gusts push it off its path and let it return: by gust times give_s, along the gust. Position,
 *   velocity and acceleration agree. The steady wind moves nothing: an autopilot integrates it
 *   away.
 * - The wind on the ground is 0, so the body takes off and touches down without a jump, and on
 *   the ground it stands exactly where it would without wind. In the air it does not stand exactly
 *   at its target.
 * - The future is that of the undisturbed body: arrival and touchdown do not change.
 *
 * All of it is a function of time and of the undisturbed pose. Motors off: the body does not lean.
 */
#ifndef MF_WORLD_WIND_H
#define MF_WORLD_WIND_H

#include "world/noise.h"
#include "world/wrapped.h"

struct mf_wind_settings {
    double speed_mps;   /**< speed of the steady wind, >= 0 */
    double from_deg;    /**< direction that it blows from, clockwise from true north */
    double gusts_mps;   /**< standard deviation of either axis, >= 0 */
    double gust_time_s; /**< correlation time */
    double drag_per_s;  /**< drag of the body, >= 0; 1 in SIH */
};

/** Wind on one vehicle. The caller allocates it. */
struct mf_wind {
    struct mf_wrapped wrapped; /**< the body */
    struct mf_noise gust[2];   /**< north, east */
    double mean_ne_mps[2];     /**< north, east: direction that it blows to */
    double gusts_mps;          /**< standard deviation, of either axis */
    double full_at_m;          /**< height of full wind, > 0; above ground */
    double give_s;             /**< displacement of the path per speed of a gust */
    double drag_per_s;         /**< deceleration per speed through the air */
    double lean_max;           /**< tangent of the greatest tilt */
    bool armed;
};

/** @brief Begin wind around a body: full from 5 m on, 0.2 s of give, drag and greatest tilt as
 * airframe_physics (1 /s, 45 deg). The caller may change its fields afterwards. */
void mf_wind_init(struct mf_wind *wind, const struct mf_airframe_ops *airframe, void *airframe_ctx,
                  const struct mf_seed *seed, const struct mf_wind_settings *settings);

/** @brief Apply the wind to the pose of a body in the air at @p t_us. @param pose  in: without
 * wind; out: with it */
void mf_wind_blow(const struct mf_wind *wind, mf_us_t t_us, struct mf_pose *pose);

/** The body in the wind; the context is the struct mf_wind. */
extern const struct mf_airframe_ops mf_wind_airframe_ops;

#endif
