/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Way of a body from any state to a target, in closed form: first a transition, then a run.
 *
 * Transition: the horizontal acceleration decreases to 0, then the horizontal velocity changes
 * along a straight line in velocity space; the vertical velocity changes at the same time. Run: a
 * straight path to the target, along which one profile (profile.h) moves all three axes. So the
 * horizontal acceleration, velocity and jerk are vectors of limited length throughout.
 *
 * Everything here lies in a plane with north, east and up, in m and s; airframe_physics.c maps that
 * plane to the Earth.
 */
#ifndef MF_WORLD_PHYSICS_WAY_H
#define MF_WORLD_PHYSICS_WAY_H

#include "hal/airframe.h"
#include "world/physics_swing.h"
#include "world/profile.h"

/** PX4's defaults in SIH. */
extern const struct mf_physics_limits mf_physics_limits_px4;

/** @brief True if the limits are within bounds for which all computations work. */
bool mf_physics_limits_are_good(const struct mf_physics_limits *limits);

struct mf_way;

/** Initial state of a way, its target and its limits. */
struct mf_way_task {
    double v_mps[3];       /**< north, east, up */
    double a_mps2[3];      /**< north, east, up */
    double alt_m;          /**< altitude of the beginning, AMSL */
    double ground_m;       /**< AMSL */
    double target_m[3];    /**< target: north, east, up from the beginning */
    double speed_h_mps;    /**< > 0 */
    double speed_up_mps;   /**< > 0 */
    double speed_down_mps; /**< > 0 */
    double radius_m;       /**< acceptance radius of a corner at the target */
    double corner_mps;     /**< PX4's horizontal speed in the corner at the target; 0: stop there */
    double turn_mps; /**< PX4's horizontal speed in the corner that the body flies now; <= 0: not in
                        a corner */
    double damping;  /**< damping ratio at the target; 0: does not overshoot it */
    bool lifts_off;  /**< the body is at rest on the ground, and is to lift off */
    double waited_s; /**< time on the ground that counts towards the wait before lift-off */
    const struct mf_way
        *onward;         /**< way on which the body was about to come to rest; NULL: it was not */
    double onward_s;     /**< present time on the way onward */
    double onward_alt_m; /**< AMSL of the end of the way onward; NAN: it lands */
};

/** A way. Times count from its beginning. */
struct mf_way {
    double north;          /**< north of the unit vector of axis x, the track; y is to its right */
    double east;           /**< east of the unit vector of axis x */
    struct mf_profile x;   /**< transition */
    struct mf_profile y;   /**< transition */
    struct mf_profile alt; /**< transition, AMSL */
    struct mf_profile run; /**< along the path */
    struct mf_swing swing; /**< along the path, after the run */
    double run_s;          /**< start of the run */
    double run_from_m[3];  /**< x, y, AMSL at the start of the run */
    double run_h;          /**< horizontal part of the path's unit vector; 0: not along x */
    double run_up;         /**< vertical part */
    double length_m;       /**< length of the path to the target */
    bool passes;           /**< the run ends behind the target */
    double settle_s;       /**< end of the transition */
    double end_s;          /**< start of rest */
};

/** State on the way. */
struct mf_way_spot {
    struct mf_motion x;
    struct mf_motion y;
    struct mf_motion alt; /**< AMSL, whether or not it is above the ground */
};

/** @brief Build a way that stops as soon as possible, and hovers. */
void mf_way_stop(struct mf_way *way, const struct mf_way_task *task,
                 const struct mf_physics_limits *limits);

/** @brief Build a way that stops horizontally, or comes to rest at the end of the way before, and
 * descends to the ground. If the height is too small to slow down, the way leads below the
 * ground. */
void mf_way_land(struct mf_way *way, const struct mf_way_task *task,
                 const struct mf_physics_limits *limits);

/** @brief Build a way to the target, and to its altitude as the way before does if it leads there.
 * It ends at rest there, or, with a corner, passes the radius at the corner's speed, and ends at
 * rest at the target, or, if it is too fast for that, behind it. Takes up to 100 us. */
void mf_way_fly(struct mf_way *way, const struct mf_way_task *task,
                const struct mf_physics_limits *limits);

/** @brief Build a way to a constant velocity; north, east, up [m/s], within the task's speeds. It
 * begins without a wait on the ground. */
void mf_way_cruise(struct mf_way *way, const struct mf_way_task *task,
                   const struct mf_physics_limits *limits, const double v_mps[3]);

/** @brief State at @p t_s >= 0. */
struct mf_way_spot mf_way_at(const struct mf_way *way, double t_s);

#endif
