/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Motion along one axis as a chain of pieces of constant jerk: position is a piecewise cubic of
 * time, and velocity and acceleration are continuous. Built once, then sampled in closed form.
 *
 * Units are m and s in this header; radians do as well. Only + - * / and sqrt, stateless, so the
 * bits are the same everywhere.
 */
#ifndef MF_WORLD_PROFILE_H
#define MF_WORLD_PROFILE_H

#include "hal/types.h"

/** one run after another (6 + 9 pieces), then a wait and a stop (4) */
#define MF_PROFILE_PIECES_MAX 20u

/** State on the axis. */
struct mf_motion {
    double x_m;
    double v_mps;
    double a_mps2;
    double j_mps3; /**< jerk of the piece; not part of the state in which a chain can begin */
};

/** Chain of pieces. Anyone may read its fields; only the functions below write them. */
struct mf_profile {
    struct mf_motion start; /**< at time 0 */
    struct mf_motion end;   /**< at the duration */
    double duration_s;
    uint32_t count;
    struct {
        double duration_s;
        double jerk_mps3;
    } piece[MF_PROFILE_PIECES_MAX];
};

_Static_assert(sizeof(struct mf_profile) <= 400, "RAM budget: a body holds five of them");

/**
 * Shape of a travel: quickly up to a share of the speed, creeping up to the rest, and braking more
 * gently than possible, more gently still at the end. PX4 flies like this, because it steers by
 * remaining distance and lags behind its own setpoint; physics_way.c has the figures. With knee 1
 * and tail jerk = jerk it is the plain S-curve.
 */
struct mf_shape {
    double speed_mps;      /**< > 0; reached only if the distance is long enough */
    double acc_mps2;       /**< > 0; while speeding up */
    double brake_mps2;     /**< > 0 */
    double jerk_mps3;      /**< > 0 */
    double tail_jerk_mps3; /**< > 0; at the end of braking to a stop; at most the jerk */
    double knee;           /**< 0 .. 1; share of the speed from which on the body creeps */
    double creep_s;        /**< > 0; duration of creeping from the knee to the speed */
    double wait_s;         /**< >= 0; before creeping */
    double damping; /**< 0.1 .. below 1: damping ratio of the swing (physics_swing.h) in place of
                       braking to a stop; the chain ends where it begins. 0: brakes */
};

/** @brief Begin a chain without pieces, in place: chains are too large for a stack. */
void mf_profile_begin(struct mf_profile *p, double x_m, double v_mps, double a_mps2);

/** @brief Append a piece; durations not above zero append nothing. The chain must have room. */
void mf_profile_add(struct mf_profile *p, double duration_s, double jerk_mps3);

/** @brief Append the quickest change of velocity to @p v_mps, ending without acceleration: at most
 * three pieces.
 * acceleration
 * stays below @p acc_mps2, or below its initial value if that is greater. */
void mf_profile_change(struct mf_profile *p, double v_mps, double acc_mps2, double jerk_mps3);

/** @brief Append travel forwards by @p distance_m, from a velocity within 0 .. shape.speed_mps and
 * without acceleration, to one of at most @p v_end_mps, without acceleration: nine pieces, or
 * eleven with a wait.
 * @return false, with nothing appended: too short to brake in, or not above zero */
bool mf_profile_run(struct mf_profile *p, double distance_m, double v_end_mps,
                    const struct mf_shape *shape);

/** @brief Distance in which mf_profile_run() slows down from @p v_mps to @p v_end_mps.
 * @param p  any chain with room for three pieces; it stays unchanged */
double mf_profile_braking_m(struct mf_profile *p, double v_mps, double v_end_mps,
                            const struct mf_shape *shape);

/** @brief Distance in which mf_profile_change() stops a chain that ends without acceleration. */
double mf_profile_stopping_m(struct mf_profile *p, double acc_mps2, double jerk_mps3);

/** @brief Append travel to rest at @p x_m, from any state: twelve pieces. */
void mf_profile_reach(struct mf_profile *p, double x_m, double speed_mps, double acc_mps2,
                      double jerk_mps3);

/** @brief Append the motion of another chain after @p t_s, multiplied by @p part. The chain must
 * have room. */
void mf_profile_append(struct mf_profile *p, const struct mf_profile *from, double t_s,
                       double part);

/** @brief State at @p t_s; after the end the velocity stays. */
struct mf_motion mf_profile_at(const struct mf_profile *p, double t_s);

#endif
