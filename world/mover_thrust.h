/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Body that balances gravity, drag and wind with its thrust in six directions, in steps, and uses
 * the rest for the change of velocity that its goal needs. After UavSim (Thompson and others),
 * whose published figures it gives with `compat`.
 *
 * Vectors are east, north, up in single precision. Only + - * / and sqrt, so the bits are the same
 * everywhere.
 */
#ifndef MF_WORLD_MOVER_THRUST_H
#define MF_WORLD_MOVER_THRUST_H

#include <stdbool.h>

/** Vector of the local level frame: east, north, up. */
struct mf_enu {
    float e, n, u;
};

/** Settings of a body. @note Without `compat` gravity is 9.81 m/s^2 times the mass, thrust stays
 * within its limits on each axis, the body looks into the air that passes, a velocity is reached
 * exactly, and a goal in three dimensions. With it, as published: gravity is 9.81 N, left, back and
 * right lie at 116.6, 233.2 and 349.9 degrees from ahead, the body looks along its motion,
 * tolerances are level, and the body snaps to the goal that it reached. */
struct mf_mover_thrust_settings {
    float mass_kg;
    double area_m2; /**< cross-section in the air; drag coefficient 1.2 */
    float up_n, down_n, forward_n, left_n, backward_n, right_n;
    bool compat;
};

/** State of a body. Begin with its place, and a heading of length 1. */
struct mf_mover_thrust {
    struct mf_enu pos_m;
    struct mf_enu vel_mps;
    struct mf_enu heading; /**< direction of the last motion, of the air or as published */
    struct mf_enu thrust_n;
};

/** Goal of a body. */
struct mf_mover_goal {
    struct mf_enu at_m;
    float speed_mps;
};

/** @brief Run one step of @p dt_s. @param goal  NULL: stand still  @param wind_mps  velocity of the
 * air
 * @return true: the body passed within 1 m of its goal, or goes away from it at 5 m or less */
bool mf_mover_thrust_step(struct mf_mover_thrust *m, const struct mf_mover_thrust_settings *s,
                          const struct mf_mover_goal *goal, struct mf_enu wind_mps, float dt_s);

/** @brief Weight of a body [N]. */
float mf_mover_thrust_weight_n(const struct mf_mover_thrust_settings *s);

/** @brief Speed in the air at which drag equals the thrust ahead [m/s]; infinite without area. */
double mf_mover_thrust_terminal_mps(const struct mf_mover_thrust_settings *s);

/** @brief Length of a vector. */
float mf_enu_length(struct mf_enu v);

/** @brief True if @p p lies within @p radius of the segment from @p a to @p b, seen from above. */
bool mf_enu_near_segment(struct mf_enu p, struct mf_enu a, struct mf_enu b, float radius);

#endif
