/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Body that follows an ordered velocity, in steps: the locomotion of Simbeeotic's SimpleBee (Kate
 * and others). At the beginning of a step it chooses an acceleration, which holds until the end of
 * the step, so that within a step its way is a parabola in closed form, until it meets an obstacle.
 *
 * Vectors are north, east, down. Only + - * / and sqrt, so the bits are the same everywhere.
 */
#ifndef MF_WORLD_MOVER_BEE_H
#define MF_WORLD_MOVER_BEE_H

#include "world/mover_rigid.h"
#include "world/space.h"

#include <stdbool.h>

/** Settings of a bee. It accelerates so that it has the velocity at the end of the step, unless
 * that exceeds its greatest acceleration, which includes the push of the air. @note With `compat`,
 * as published: the difference of velocities in m/s is used as the acceleration in m/s^2, so the
 * loop has a gain of 1 per second whatever the step; the wind pushes as if the bee stood still, and
 * the bee does not work against it. */
struct mf_mover_bee_settings {
    double mass_kg;        /**< > 0 */
    double length_m;       /**< > 0: its diameter, on which the air acts */
    double accel_max_mps2; /**< > 0 */
    double period_s;       /**< > 0: duration of a step */
    double hover_ma,
        full_ma;     /**< current in flight; additional current at its greatest acceleration */
    double radius_m; /**< radius of the ball that meets obstacles; > 0 if there are any */
    const struct mf_space *space; /**< obstacles; NULL: without */
    bool compat;
};

/** Number of obstacles that a bee may touch at once, so that a lasting contact is reported once. */
#define MF_BEE_TOUCHES 2u

/** State of a bee. Begin with its place. */
struct mf_mover_bee {
    struct mf_vec3 pos_m, vel_mps; /**< at the present time */
    struct mf_vec3 acc_mps2;       /**< until the end of the step, or until it meets an obstacle */
    double draws_ma; /**< current until the end of the step, or until it meets an obstacle */
    double used_mas; /**< charge used so far */
    double met_s;    /**< time of the last contact with an obstacle; 0 before the first one */
    double
        touch_until_s[MF_BEE_TOUCHES]; /**< contacts with touches[] up to this time are not new */
    uint32_t touches[MF_BEE_TOUCHES];  /**< obstacles of the last contacts */
    uint32_t met;                      /**< obstacle of the last contact */
    uint32_t contacts;                 /**< number of new contacts so far */
};

/** @brief Begin a step. @param want_mps  ordered velocity  @param wind_mps  velocity of the air */
void mf_mover_bee_update(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s,
                         struct mf_vec3 want_mps, struct mf_vec3 wind_mps);

/** @brief Begin a step without motors: the bee falls. */
void mf_mover_bee_drop(struct mf_mover_bee *m);

/** @brief Move for a part of the step, or all of it. @param dt_s  >= 0 */
void mf_mover_bee_move(struct mf_mover_bee *m, double dt_s);

/** @brief Move as mf_mover_bee_move(), but among obstacles. At the instant of a contact the bee
 * loses its speed towards the obstacle, and slides along (world/space_slide.h).
 * @param t_s  time at the start of the move  @return true: an obstacle carries the bee, which is at
 * rest there */
bool mf_mover_bee_pass(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s, double t_s,
                       double dt_s);

/** @brief Gain of the velocity loop, for callers that lead the bee to a place [1/s]. */
double mf_mover_bee_gain(const struct mf_mover_bee_settings *s);

#endif
