/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The way of a body from any state to a target, in closed form: first a transition, then a run.
 *
 * Transition: the horizontal acceleration is taken back, then the horizontal velocity changes along
 * a straight line in velocity space; the vertical velocity changes at the same time. Run: a
 * straight path to the target, along which one profile (profile.h) moves all three axes. So the
 * horizontal acceleration, velocity and jerk are vectors of limited length throughout.
 *
 * Everything here lies in a plane with north, east and up, in m and s; where that plane touches the
 * Earth is airframe_physics.c's business.
 */
#ifndef MF_WORLD_PHYSICS_WAY_H
#define MF_WORLD_PHYSICS_WAY_H

#include "hal/airframe.h"
#include "world/profile.h"

/** PX4's defaults, in SIH. */
extern const struct mf_physics_limits mf_physics_limits_px4;

/** @brief Do they make sense, within bounds with which everything can be reckoned? */
bool mf_physics_limits_are_good(const struct mf_physics_limits *limits);

struct mf_way;

/** What a way begins with, and may use. */
struct mf_way_task {
    double v_mps[3];       /**< north, east, up */
    double a_mps2[3];      /**< north, east, up */
    double alt_m;          /**< of the beginning, AMSL */
    double ground_m;       /**< AMSL */
    double target_m[3];    /**< north, east, up from the beginning */
    double speed_h_mps;    /**< > 0 */
    double speed_up_mps;   /**< > 0 */
    double speed_down_mps; /**< > 0 */
    double radius_m;       /**< of a corner */
    double corner_mps;     /**< PX4's horizontal speed in the corner at the target; 0: stop there */
    double turn_mps;       /**< the same for the corner that is being flown; <= 0: none is */
    bool lifts_off;        /**< at rest on the ground */
    double waited_s;       /**< there, of the wait before lift-off */
    const struct mf_way *onward; /**< the way on which it was about to come to rest; NULL: none */
    double onward_s;             /**< its time */
    double onward_alt_m;         /**< AMSL, where it ends; NAN: it lands */
};

/** A way. Times count from its beginning. */
struct mf_way {
    double north;          /**< of the unit vector of axis x, the track; y is to its right */
    double east;           /**< the same */
    struct mf_profile x;   /**< transition */
    struct mf_profile y;   /**< transition */
    struct mf_profile alt; /**< transition, AMSL */
    struct mf_profile run; /**< along the path */
    double run_s;          /**< when the run begins */
    double run_from_m[3];  /**< x, y, AMSL where it begins */
    double run_h;          /**< horizontal part of the path's unit vector; 0: not along x */
    double run_up;         /**< vertical part */
    double length_m;       /**< of the path to the target */
    bool passes;           /**< the run ends behind the target */
    double settle_s;       /**< end of the transition */
    double end_s;          /**< at rest from then on */
};

/** A state on the way. */
struct mf_way_spot {
    struct mf_motion x;
    struct mf_motion y;
    struct mf_motion alt; /**< AMSL; the ground is not looked at */
};

/** @brief Stop and hover, as soon as possible. */
void mf_way_stop(struct mf_way *way, const struct mf_way_task *task,
                 const struct mf_physics_limits *limits);

/** @brief Stop horizontally, or come to rest where the way before leads, and descend to the ground.
 *  If there is no room to slow down above it, the way leads below it. */
void mf_way_land(struct mf_way *way, const struct mf_way_task *task,
                 const struct mf_physics_limits *limits);

/** @brief To the target, and to its altitude as the way before does if that leads there: at rest
 * there, or with a corner past its radius at the corner's speed, and then to rest at the target,
 * or, too fast for that, behind it. Takes up to 100 us. */
void mf_way_fly(struct mf_way *way, const struct mf_way_task *task,
                const struct mf_physics_limits *limits);

/** @brief To a velocity, and on with it; north, east, up [m/s], within the task's speeds. Takes no
 *  time on the ground. */
void mf_way_cruise(struct mf_way *way, const struct mf_way_task *task,
                   const struct mf_physics_limits *limits, const double v_mps[3]);

/** @brief The state at @p t_s >= 0. */
struct mf_way_spot mf_way_at(const struct mf_way *way, double t_s);

#endif
