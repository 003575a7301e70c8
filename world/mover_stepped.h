/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stepped body of any kind: a bee, a rigid body or that of a plug-in, on its own clock. Steps begin
 * at multiples of their period since time 0. An ordered velocity takes effect in the next step, or
 * in the present one at the instant of its beginning. The state is defined at any time within a
 * step.
 *
 *     mf_stepped_begin(&b, &s, pos_m, yaw_rad, ground_m);
 *     mf_stepped_tell(&b, &s, t_us, &(struct mf_stepped_order){want_mps, yaw_rad, true});
 *     while (mf_stepped_next(&b, &s) <= until_us) {
 *         mf_stepped_step(&b, &s);
 *     }
 *
 * North, east, down; pure, and the same bits everywhere.
 */
#ifndef MF_WORLD_MOVER_STEPPED_H
#define MF_WORLD_MOVER_STEPPED_H

#include "hal/airframe.h"
#include "world/mover_bee.h"
#include "world/mover_body.h"
#include "world/mover_own.h"
#include "world/weather.h"

enum mf_stepped_kind { MF_STEPPED_BEE, MF_STEPPED_RIGID, MF_STEPPED_OWN };

/** Settings that the bodies of an entity share. */
struct mf_stepped_settings {
    int32_t kind; /**< enum mf_stepped_kind */
    double rate_hz;
    struct mf_mover_bee_settings bee; /**< its period follows from rate_hz */
    struct mf_mover_body_settings rigid;
    struct mf_mover_own_settings own;
    const struct mf_weather *weather; /**< weather at the body's place; NULL: calm */
};

/** Order to a body. */
struct mf_stepped_order {
    struct mf_vec3 want_mps;
    double yaw_rad; /**< heading, to which a bee turns at once */
    bool works;     /**< its motors work */
};

/** Body. The caller allocates it; its fields are private. */
struct mf_stepped {
    mf_us_t at_us;  /**< start of the present step, or of its rest after a push */
    uint64_t steps; /**< number of steps since time 0 */
    union {
        struct mf_mover_bee bee;
        struct mf_mover_body rigid;
        struct mf_mover_own own;
    } of;                          /**< at the beginning of the step */
    struct mf_stepped_order order; /**< order for the next step */
    struct mf_body_told told;      /**< order and surroundings of the present step */
    double ground_m;
    bool standing;
    bool rests; /**< the body stands, and only an order can change that */
};

/** Motion at an instant. */
struct mf_stepped_state {
    struct mf_vec3 pos_m, vel_mps, acc_mps2;
    double attitude[4]; /**< quaternion w, x, y, z: body to NED */
    struct mf_vec3 rate_rps;
    bool standing;
};

/** @brief Put a body at rest at a place, at time 0, without motors. The body of a plug-in keeps its
 * memory and its number. @param ground_m  NED down of the ground; the body stands on it if it is
 * not above */
void mf_stepped_begin(struct mf_stepped *b, const struct mf_stepped_settings *s,
                      struct mf_vec3 pos_m, double yaw_rad, double ground_m);

/** @brief Give an order at @p t_us, not before an earlier one. */
void mf_stepped_tell(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t t_us,
                     const struct mf_stepped_order *order);

/** @brief Run the present step to its end, where the next one begins. */
void mf_stepped_step(struct mf_stepped *b, const struct mf_stepped_settings *s);

/** @brief Push a bee or a rigid body at an instant of the present step, whose rest goes on from
 * there. A body that stands stays where it is.
 * @param shift_m  change of its place, which does not lead into the ground
 * @param by_mps  change of its velocity */
void mf_stepped_push(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t t_us,
                     struct mf_vec3 shift_m, struct mf_vec3 by_mps);

/** @brief End of the present step; MF_NEVER: the body rests. */
mf_us_t mf_stepped_next(const struct mf_stepped *b, const struct mf_stepped_settings *s);

/** @brief State at an instant of the present step. */
struct mf_stepped_state mf_stepped_at(const struct mf_stepped *b,
                                      const struct mf_stepped_settings *s, mf_us_t t_us);

/** @brief Fill in the motion of a pose: velocity, acceleration, attitude, without the place. */
void mf_stepped_show(const struct mf_stepped_state *state, struct mf_pose *pose);

/** @brief True if the body has met an obstacle after a time, until an instant of the present step.
 * For bodies that bounce off or slide the caller cannot derive this from their places.
 * @param contact  out: the last one, after that time */
bool mf_stepped_met(const struct mf_stepped *b, const struct mf_stepped_settings *s,
                    mf_us_t since_us, mf_us_t until_us, struct mf_contact *contact);

/** @brief True if this kind of body obeys velocities. */
bool mf_stepped_obeys(const struct mf_stepped_settings *s);

/** Speeds on the way to a place [m/s], > 0. */
struct mf_stepped_speeds {
    double level_mps, up_mps, down_mps;
};

/** @brief Velocity that leads the body straight to a place, where it stops: the slower of level and
 * vertical speed sets the duration. */
struct mf_vec3 mf_stepped_toward(const struct mf_stepped *b, const struct mf_stepped_settings *s,
                                 struct mf_vec3 to_m, const struct mf_stepped_speeds *speeds);

#endif
