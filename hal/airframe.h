/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Contract: the flying body. The navigator says where to, the airframe says where it is.
 *
 * A light-physics airframe (world/) answers in closed form for any instant and knows its future
 * exactly; real hardware answers for now only and does not know its future, and the navigator then
 * polls.
 */
#ifndef MF_HAL_AIRFRAME_H
#define MF_HAL_AIRFRAME_H

#include "hal/types.h"

/** Legs of one plan: where to now, and what follows, so that a body can round corners. */
#define MF_PLAN_LEGS_MAX 3u

/** Where the body is and how it moves. NED axes are those at the body's own position. */
struct mf_pose {
    double lat_deg;       /**< WGS84 geodetic, -90 .. 90 */
    double lon_deg;       /**< -180 .. 180 */
    double alt_amsl_m;    /**< above the configured geoid */
    double ground_amsl_m; /**< of the ground below */
    float vel_ned_mps[3];
    float acc_ned_mps2[3]; /**< kinematic, without gravity */
    float roll_rad;
    float pitch_rad;
    float yaw_rad; /**< -pi .. pi, 0 = true north */
    float yawspeed_rps;
    float wind_ne_mps[2]; /**< of the air at the body, where it blows to; 0: calm or not known */
    float gusts_mps;      /**< standard deviation of that, per axis */
    bool on_ground;       /**< touches the ground and does not move */
};

/** One leg of a plan: a straight (geodesic) path to a target. */
struct mf_leg {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m;    /**< ignored with @c land */
    float speed_h_mps;    /**< > 0; horizontal speed, at most */
    float speed_up_mps;   /**< > 0; the slower axis sets the duration of a leg, and the path stays
                             straight */
    float speed_down_mps; /**< > 0 */
    float yaw_rad;        /**< heading to turn to; NAN: keep */
    float yaw_rate_rps;   /**< > 0; rate of that turn */
    float radius_m; /**< horizontal distance at which the target counts as reached; 0: at the target
                       itself */
    bool land;      /**< descend to the ground and stay there */
};

/** A condition on the future. */
enum mf_when {
    MF_WHEN_ARRIVED,   /**< at the first leg's target (within its radius), or on the ground where it
                          ends there */
    MF_WHEN_TOUCHDOWN, /**< on the ground at the end of a descent */
    MF_WHEN_LIFTOFF,   /**< no longer on the ground */
    MF_WHEN_ALTITUDE,  /**< passes @c value [m AMSL], upwards or downwards */
    MF_WHEN_DISTANCE,  /**< horizontal distance to the first leg's target falls to @c value [m] */
    MF_WHEN_YAW,       /**< the turn of the first leg is complete */
};

struct mf_airframe_ops {
    /** Motors on or off. Off in the air: it falls. @return MF_E_OK or MF_E_IO. */
    int (*arm)(void *ctx, mf_us_t t_us, bool on);
    /** Replace the plan, from the state at @p t_us on, without a jump in position. @p n = 0: stop
     * and hold here. @p t_us must not precede that of an earlier plan.
     * @return MF_E_OK; MF_E_DENIED: the motors are off; MF_E_RANGE: a leg cannot be flown. Refused
     * plans change nothing. */
    int (*plan)(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n);
    /** The state at @p t_us, not earlier than the last plan. @return MF_E_OK or MF_E_IO. */
    int (*sample)(void *ctx, mf_us_t t_us, struct mf_pose *pose);
    /** The first instant, not before @p t_us, at which the condition holds under the present plan.
     * @param at_us out: the instant, or MF_NEVER  @return MF_E_OK; MF_E_NOSUPP: unknown, poll
     * instead. */
    int (*next)(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us);
};

#endif
