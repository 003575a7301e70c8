/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Body of a plug-in, which computes the state at the end of each step. Within the step the body
 * moves there on a parabola, so that its place is defined at any time.
 *
 * North, east, down. The plug-in's memory of a body stays that of the beginning of a step until the
 * step is over, so that a step may be planned again at its beginning.
 */
#ifndef MF_WORLD_MOVER_OWN_H
#define MF_WORLD_MOVER_OWN_H

#include "world/mover_body.h"

#include <stddef.h>

/** Motion at an instant. */
struct mf_mover_own_state {
    struct mf_vec3 pos_m, vel_mps;
    double rpy_rad[3]; /**< roll, pitch, yaw */
};

/** A step. */
struct mf_mover_own_step {
    uint32_t number; /**< number of the body, for the plug-in */
    const struct mf_body_told *told;
    double t_s, dt_s; /**< start of the step, and its duration, > 0 */
};

struct mf_mover_own_settings {
    /** Compute a step. @param state  in: at the beginning; out: at the end, finite
     * @param memory  [bytes], kept for the next step. Any thread, one body at a time. */
    void (*step)(const void *ctx, const struct mf_mover_own_step *step,
                 struct mf_mover_own_state *state, void *memory);
    const void *ctx;
    size_t bytes;          /**< size of a body's memory */
    double accel_max_mps2; /**< > 0: greatest acceleration on the way to places */
};

/** Body. Begin with its memory, zeroed, its number and its state. */
struct mf_mover_own {
    struct mf_mover_own_state from, to; /**< beginning and end of the step */
    struct mf_vec3 acc_mps2;            /**< acceleration between from and to */
    double rpy_per_s[3];
    uint8_t *memory; /**< [2][bytes]: of the beginning, of the end */
    uint32_t number;
};

/** @brief Begin a step. */
void mf_mover_own_plan(struct mf_mover_own *m, const struct mf_mover_own_settings *s,
                       const struct mf_mover_own_step *step);

/** @brief Stay at the present place for a step. */
void mf_mover_own_stay(struct mf_mover_own *m);

/** @brief Move the body by a part of the step, or all of it.
 * @param dt_s  <= @p period_s, the whole step */
void mf_mover_own_move(struct mf_mover_own *m, double dt_s, double period_s);

/** @brief End the step: the plug-in's memory becomes that of its end. */
void mf_mover_own_keep(struct mf_mover_own *m, const struct mf_mover_own_settings *s);

/** @brief Attitude, body to NED, and angular rates about forward, right, down. */
void mf_mover_own_attitude(const struct mf_mover_own *m, double attitude[4], struct mf_vec3 *rps);

#endif
