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

/** Position and motion of a body. NED axes are those at the body's own position. */
struct mf_pose {
    double lat_deg;       /**< WGS84 geodetic, -90 .. 90 */
    double lon_deg;       /**< -180 .. 180 */
    double alt_amsl_m;    /**< above the configured geoid */
    double ground_amsl_m; /**< of the ground below */
    float vel_ned_mps[3];
    float acc_ned_mps2[3]; /**< kinematic, without gravity */
    float sinks_mps2;      /**< derivative of vel_ned_mps[2]: that of the ramps, too, which a body
                              at constant speed does not show as an acceleration */
    float sinks_mps3;      /**< derivative of acc_ned_mps2[2] */
    float roll_rad;
    float pitch_rad;
    float yaw_rad;       /**< -pi .. pi, 0 = true north */
    float rollspeed_rps; /**< derivatives of roll, pitch and yaw: no rates of the body's axes */
    float pitchspeed_rps;
    float yawspeed_rps;
    float wind_ne_mps[2]; /**< of the air at the body, where it blows to; 0: calm or not known */
    float gusts_mps;      /**< standard deviation of that, per axis */
    bool on_ground;       /**< touches the ground and does not move */
};

/**
 * Leg of a plan: a straight (geodesic) path to a target, a landing, or a velocity that holds until
 * the next plan or the ground. A leg of velocity lacks a target: it never arrives, and its place,
 * altitude, speeds and radius are ignored. On the ground it moves the body only upwards.
 */
struct mf_leg {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m;    /**< ignored with @c land */
    float speed_h_mps;    /**< > 0; horizontal speed, at most */
    float speed_up_mps;   /**< > 0; the slower axis sets the duration of a leg, and the path stays
                             straight */
    float speed_down_mps; /**< > 0 */
    float yaw_rad;        /**< heading to turn to; NAN: keep, or spin */
    float yaw_rate_rps;   /**< > 0; rate of that turn */
    float spin_rps; /**< without yaw_rad: turns at this rate, clockwise seen from above, until the
                             next plan or the ground */
    float radius_m; /**< horizontal distance at which the target counts as reached; 0: at the target
                       itself */
    bool land;      /**< descend to the ground and stay there */
    bool velocity;  /**< fly with vel_ned_mps */
    float vel_ned_mps[3]; /**< where the leg begins; along a geodesic from there */
    float roll_rad; /**<  roll  <= pi: with a velocity, the requested tilt. A body whose tilt does
                       not follow from its motion shows it in the air */
    float pitch_rad;
};

/** Limits and habits of a body with velocity, acceleration and jerk, named after parameters of PX4.
 * All finite. */
struct mf_physics_limits {
    float vel_h_mps;      /**< > 0, MPC_XY_VEL_MAX; a leg's speed counts below it */
    float vel_up_mps;     /**< > 0, MPC_Z_VEL_MAX_UP */
    float vel_down_mps;   /**< > 0, MPC_Z_VEL_MAX_DN */
    float acc_h_mps2;     /**< > 0, MPC_ACC_HOR */
    float acc_up_mps2;    /**< > 0, MPC_ACC_UP_MAX */
    float acc_down_mps2;  /**< > 0, MPC_ACC_DOWN_MAX */
    float jerk_mps3;      /**< > 0, MPC_JERK_AUTO; horizontally and vertically */
    float takeoff_mps;    /**< > 0, MPC_TKO_SPEED */
    float takeoff_wait_s; /**< >= 0, on the ground: COM_SPOOLUP_TIME */
    float takeoff_ramp_s; /**< > 0, MPC_TKO_RAMP_T: on the ground, then again up to the speed */
    float land_mps;       /**< > 0, MPC_LAND_SPEED */
    float land_crawl_mps; /**< > 0, MPC_LAND_CRWL */
    float land_alt1_m;    /**< >= land_alt2_m, MPC_LAND_ALT1: height at which a descent slows */
    float land_alt2_m;    /**< >= land_alt3_m, MPC_LAND_ALT2: height of land_mps */
    float land_alt3_m;    /**< >= 0, MPC_LAND_ALT3: height of land_crawl_mps */
    float alt_radius_m;   /**< >= 0, NAV_MC_ALT_RAD */
    float yaw_acc_rps2;   /**< > 0, after MPC_YAWRAUTO_ACC */
    float tilt_max_rad;   /**< 0.01 .. 1.5, MPC_TILTMAX_AIR; with drag it limits the speed, too */
    float drag_per_s;     /**< >= 0: deceleration by drag per speed; 1 in SIH; 0 none. The
                               body's own: limit() does not change it */
    float damping; /**< 0.1 .. 1: damping ratio with which the body comes to rest at a target;
                        1: without overshoot. The body's own, too */
};

/** A condition on the future. */
enum mf_when {
    MF_WHEN_ARRIVED,   /**< at the first leg's target (within its radius), or on the ground where it
                          ends there; a velocity never arrives */
    MF_WHEN_TOUCHDOWN, /**< on the ground at the end of a descent */
    MF_WHEN_LIFTOFF,   /**< no longer on the ground */
    MF_WHEN_ALTITUDE,  /**< passes @c value [m AMSL], upwards or downwards */
    MF_WHEN_DISTANCE,  /**< horizontal distance to the first leg's target falls to @c value [m] */
    MF_WHEN_REST,      /**< without velocity and acceleration, as long as the plan stands */
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
    /** Begin a turn from the state at @p t_us on: yaw_rad, yaw_rate_rps and spin_rps of @p leg as
     * in a plan; the way stays as it is. On the ground nothing turns. @p t_us as for plan(). NULL:
     * this body turns with a plan only. @return as plan() */
    int (*turn)(void *ctx, mf_us_t t_us, const struct mf_leg *leg);
    /** Limits from the next plan on. NULL: limits of this body are fixed. @return MF_E_OK;
     * MF_E_RANGE: refused, unchanged. */
    int (*limit)(void *ctx, const struct mf_physics_limits *limits);
    /** Do the motors work at @p t_us, as far as is known? NULL: always, as far as this body knows.
     * @param next_us  out: when to ask again, after @p t_us, or MF_NEVER
     * @return MF_E_OK; MF_E_IO: they have failed */
    int (*motors)(void *ctx, mf_us_t t_us, mf_us_t *next_us);
};

/** @brief Turn a body, if it can turn without a plan. @return as turn(), or MF_E_NOSUPP */
static inline int mf_airframe_turn_of(const struct mf_airframe_ops *airframe, void *ctx,
                                      mf_us_t t_us, const struct mf_leg *leg)
{
    return airframe->turn == NULL ? MF_E_NOSUPP : airframe->turn(ctx, t_us, leg);
}

/** @brief Ask a body that may know nothing of its motors. @return as motors() */
static inline int mf_airframe_motors_of(const struct mf_airframe_ops *airframe, void *ctx,
                                        mf_us_t t_us, mf_us_t *next_us)
{
    *next_us = MF_NEVER;
    return airframe->motors == NULL ? (int)MF_E_OK : airframe->motors(ctx, t_us, next_us);
}

/** @brief Give limits to a body, unless they are fixed. @return as limit(), or
 * MF_E_NOSUPP */
static inline int mf_airframe_limit_of(const struct mf_airframe_ops *airframe, void *ctx,
                                       const struct mf_physics_limits *limits)
{
    return airframe->limit == NULL ? MF_E_NOSUPP : airframe->limit(ctx, limits);
}

#endif
