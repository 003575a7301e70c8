/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A body of an owner: of each step it says where the body is at its end. Within the step the body
 * goes there on a parabola, so that its way is seen at any time.
 *
 * North, east, down. What the owner keeps of a body is that of the beginning of a step until the
 * step is over, so that a step may be planned anew at its beginning.
 */
#ifndef MF_WORLD_MOVER_OWN_H
#define MF_WORLD_MOVER_OWN_H

#include "world/mover_body.h"

#include <stddef.h>

/** How it moves at an instant. */
struct mf_mover_own_state {
    struct mf_vec3 pos_m, vel_mps;
    double rpy_rad[3]; /**< roll, pitch, yaw */
};

/** A step. */
struct mf_mover_own_step {
    uint32_t number; /**< of the body, as its owner counts */
    const struct mf_body_told *told;
    double t_s, dt_s; /**< when it begins, and how long it lasts, > 0 */
};

struct mf_mover_own_settings {
    /** @param state   in: at the beginning; out: at the end, finite
     *  @param memory  [bytes], kept for the next step. Any thread, one body at a time. */
    void (*step)(const void *ctx, const struct mf_mover_own_step *step,
                 struct mf_mover_own_state *state, void *memory);
    const void *ctx;
    size_t bytes;          /**< of a body */
    double accel_max_mps2; /**< > 0: with which it is led to places */
};

/** A body. Begin with its memory, zeroed, its number and its state. */
struct mf_mover_own {
    struct mf_mover_own_state from, to; /**< beginning and end of the step */
    struct mf_vec3 acc_mps2;            /**< between them */
    double rpy_per_s[3];
    uint8_t *memory; /**< [2][bytes]: at the beginning, at the end */
    uint32_t number;
};

/** @brief A step begins. */
void mf_mover_own_plan(struct mf_mover_own *m, const struct mf_mover_own_settings *s,
                       const struct mf_mover_own_step *step);

/** @brief It stays where it is. */
void mf_mover_own_stay(struct mf_mover_own *m);

/** @brief It moves on for a part of the step, or all of it: from then on it is there.
 *  @param dt_s  <= @p period_s: of the whole step */
void mf_mover_own_move(struct mf_mover_own *m, double dt_s, double period_s);

/** @brief The step is over: what the owner keeps is that of its end. */
void mf_mover_own_keep(struct mf_mover_own *m, const struct mf_mover_own_settings *s);

/** @brief Its attitude: body to NED, and its angular rates about forward, right, down. */
void mf_mover_own_attitude(const struct mf_mover_own *m, double attitude[4], struct mf_vec3 *rps);

#endif
