/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rigid body in a world: forces, torques and impulses from a list; ground and obstacles, off which
 * it bounces. It meets them as a ball, at the instant of the contact, also within a step.
 *
 * North, east, down; pure, and the same bits everywhere.
 */
#ifndef MF_WORLD_MOVER_BODY_H
#define MF_WORLD_MOVER_BODY_H

#include "world/mover_rigid.h"
#include "world/space.h"

#include <stdbool.h>

/** Maximum number of forces of a body. */
#define MF_BODY_FORCES_MAX 8u

/* Kinds of forces: name and word. */
#define MF_BODY_FORCE_LIST(X) \
    X(PUSH, "push")           \
    X(TORQUE, "torque") X(IMPULSE, "impulse") X(DRAG, "drag") X(FOLLOW, "follow")

/* clang-format off */
#define X(name, word) MF_BODY_FORCE_##name,
enum mf_body_force_kind { MF_BODY_FORCE_LIST(X) MF_BODY_FORCE_KINDS };
#undef X
/* clang-format on */

/** A force of the list. Times count from the start of the run; a force acts by the time of the
 * middle of a step, an impulse at the beginning of the step that contains its time. */
struct mf_body_force {
    int32_t kind;     /**< enum mf_body_force_kind */
    double vector[3]; /**< PUSH [N], IMPULSE [N s]: north, east, up, or forward, right, up;
                           TORQUE [N m]: about forward, right, up */
    bool with_body;   /**< PUSH, IMPULSE: vector is along the body's axes */
    double at_m[3];   /**< PUSH, IMPULSE: point of application, forward, right, up of the centre of
                         mass */
    double from_s, until_s;
    double area_m2;       /**< DRAG: coefficient times cross-section, the same from all sides */
    double rate_drag_nms; /**< DRAG: torque against turning, per rad/s */
    double most_n;        /**< FOLLOW: greatest force */
    double gain_per_s;    /**< FOLLOW: gain of the loop on the difference of velocities */
};

/** Settings of a body. */
struct mf_mover_body_settings {
    double mass_kg;              /**< > 0 */
    struct mf_vec3 inertia_kgm2; /**< > 0 */
    double radius_m;             /**< > 0: radius of the ball by which it touches */
    double restitution;          /**< 0: stays, 1: bounces with its full speed */
    double gravity_mps2;
    uint32_t forces;
    struct mf_body_force force[MF_BODY_FORCES_MAX];
    const struct mf_space *space; /**< obstacles; NULL: without */
};

/** Order and surroundings of a body in a step. */
struct mf_body_told {
    struct mf_vec3 want_mps; /**< FOLLOW: velocity */
    double yaw_rad;          /**< FOLLOW: heading */
    bool works;              /**< FOLLOW has power */
    struct mf_vec3 wind_mps;
    double ground_m; /**< NED down */
};

struct mf_mover_body {
    struct mf_mover_rigid rigid;
    bool standing;     /**< on the ground, or on top of an obstacle */
    uint32_t given;    /**< bits of the list's impulses that have acted */
    uint32_t contacts; /**< number of contacts so far */
    uint32_t met;      /**< obstacle of the last contact */
    double met_s;      /**< time of the last new contact; 0 before the first one */
    double touches_s;  /**< time of the last touch of that obstacle */
};

/** @brief Run one step. @param t_s  start of the step  @param dt_s  > 0 */
void mf_mover_body_step(struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                        const struct mf_body_told *told, double t_s, double dt_s);

/** @brief True if the body stands, and no force of the list will change that. @param t_s  from then
 * on */
bool mf_mover_body_rests(const struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                         const struct mf_body_told *told, double t_s);

/** @brief FOLLOW force of a body, by which it obeys velocities; NULL: it obeys none. */
const struct mf_body_force *mf_mover_body_follows(const struct mf_mover_body_settings *s);

#endif
