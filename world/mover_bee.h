/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A body that is told a velocity, in steps: the locomotion of Simbeeotic's SimpleBee (Kate and
 * others). At the beginning of a step it chooses an acceleration, which holds until the end of the
 * step, so that within a step its way is a parabola in closed form, until it meets an obstacle.
 *
 * Vectors are north, east, down. Only + - * / and sqrt, hence the same bits everywhere.
 */
#ifndef MF_WORLD_MOVER_BEE_H
#define MF_WORLD_MOVER_BEE_H

#include "world/mover_rigid.h"
#include "world/space.h"

#include <stdbool.h>

/** What the bee is. It accelerates so that it meets the velocity at the end of the step, unless
 * that takes more than it can; what the air does to it counts with that. @note With `compat`, as
 *  published: the difference of velocities in m/s is taken for the acceleration in m/s^2, hence a
 *  loop with a gain of 1 per second whatever the step; the wind pushes as if the bee stood still,
 *  and nothing works against it. */
struct mf_mover_bee_settings {
    double mass_kg;               /**< > 0 */
    double length_m;              /**< > 0: its diameter, which meets the air */
    double accel_max_mps2;        /**< > 0 */
    double period_s;              /**< > 0: of a step */
    double hover_ma, full_ma;     /**< it draws in flight; and more at its greatest acceleration */
    double radius_m;              /**< of the ball that meets obstacles; > 0 if there are any */
    const struct mf_space *space; /**< obstacles; NULL: none */
    bool compat;
};

/** Obstacles that a bee may touch at once, so that a contact that lasts is told once. */
#define MF_BEE_TOUCHES 2u

/** The bee. Begin with its place. */
struct mf_mover_bee {
    struct mf_vec3 pos_m, vel_mps; /**< now */
    struct mf_vec3 acc_mps2;       /**< until the end of the step, or until it meets something */
    double draws_ma;               /**< the same */
    double used_mas;               /**< so far */
    double met_s;                  /**< when it met an obstacle last; before the first one 0 */
    double touch_until_s[MF_BEE_TOUCHES]; /**< a contact before that is not a new one */
    uint32_t touches[MF_BEE_TOUCHES];     /**< ... with these */
    uint32_t met;                         /**< obstacle that it met last */
    uint32_t contacts;                    /**< new ones so far */
};

/** @brief A step begins. @param want_mps  velocity that it is told  @param wind_mps  of the air */
void mf_mover_bee_update(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s,
                         struct mf_vec3 want_mps, struct mf_vec3 wind_mps);

/** @brief A step begins without motors: it falls. */
void mf_mover_bee_drop(struct mf_mover_bee *m);

/** @brief It moves on for a part of the step, or all of it. @param dt_s  >= 0 */
void mf_mover_bee_move(struct mf_mover_bee *m, double dt_s);

/** @brief The same among obstacles, which it meets at the instant of the contact. It loses the
 *  speed towards what it meets and slides along (world/space_slide.h).
 *  @param t_s  when it moves on  @return whether an obstacle carries it: it is at rest there */
bool mf_mover_bee_pass(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s, double t_s,
                       double dt_s);

/** @brief How fast the loop follows, for those who lead it to a place [1/s]. */
double mf_mover_bee_gain(const struct mf_mover_bee_settings *s);

#endif
