/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A body that is stepped, of whichever kind: a bee, a rigid body or that of an owner, on a clock of
 * its own. Steps begin at multiples of their period since time 0. A velocity that it is told counts
 * from the next step on, or from the present one at the instant of its beginning. Within a step its
 * state can be seen at any time.
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

/** What the bodies of an entity share. */
struct mf_stepped_settings {
    int32_t kind; /**< enum mf_stepped_kind */
    double rate_hz;
    struct mf_mover_bee_settings bee; /**< its period is that of the rate */
    struct mf_mover_body_settings rigid;
    struct mf_mover_own_settings own;
    const struct mf_weather *weather; /**< of the place; NULL: it is calm */
};

/** What a body is told. */
struct mf_stepped_order {
    struct mf_vec3 want_mps;
    double yaw_rad; /**< a bee turns at once */
    bool works;     /**< its motors do */
};

/** A body. The caller allocates it; fields are private. */
struct mf_stepped {
    mf_us_t at_us;  /**< the present step begins */
    uint64_t steps; /**< since time 0 */
    union {
        struct mf_mover_bee bee;
        struct mf_mover_body rigid;
        struct mf_mover_own own;
    } of;                          /**< at the beginning of the step */
    struct mf_stepped_order order; /**< from the next step on */
    struct mf_body_told told;      /**< in this one */
    double ground_m;
    bool standing;
    bool rests; /**< it stands, and nothing will change that by itself */
};

/** How it moves at an instant. */
struct mf_stepped_state {
    struct mf_vec3 pos_m, vel_mps, acc_mps2;
    double attitude[4]; /**< quaternion w, x, y, z: body to NED */
    struct mf_vec3 rate_rps;
    bool standing;
};

/** @brief At rest at a place, at time 0, without motors. One of an owner keeps its memory and its
 *  number. @param ground_m  NED down, on which it stands if it is not above */
void mf_stepped_begin(struct mf_stepped *b, const struct mf_stepped_settings *s,
                      struct mf_vec3 pos_m, double yaw_rad, double ground_m);

/** @brief It is told something at @p t_us, not before an earlier order. */
void mf_stepped_tell(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t t_us,
                     const struct mf_stepped_order *order);

/** @brief To the end of its step, where the next one begins. */
void mf_stepped_step(struct mf_stepped *b, const struct mf_stepped_settings *s);

/** @brief The end of its step; MF_NEVER: it rests. */
mf_us_t mf_stepped_next(const struct mf_stepped *b, const struct mf_stepped_settings *s);

/** @brief Its state at an instant of the present step. */
struct mf_stepped_state mf_stepped_at(const struct mf_stepped *b,
                                      const struct mf_stepped_settings *s, mf_us_t t_us);

/** @brief The part of a pose that is no place: velocity, acceleration, attitude. */
void mf_stepped_show(const struct mf_stepped_state *state, struct mf_pose *pose);

/** @brief Has it met an obstacle after a time, until an instant of the present step? A body that
 *  bounces off or slides is met by nobody's straight way.
 *  @param contact  out: the last one, after that time */
bool mf_stepped_met(const struct mf_stepped *b, const struct mf_stepped_settings *s,
                    mf_us_t since_us, mf_us_t until_us, struct mf_contact *contact);

/** @brief Does it obey velocities at all? */
bool mf_stepped_obeys(const struct mf_stepped_settings *s);

/** Speeds on the way to a place [m/s], > 0. */
struct mf_stepped_speeds {
    double level_mps, up_mps, down_mps;
};

/** @brief The velocity that leads it straight to a place, so that it stops there: the slower of
 *  level and vertical speed sets how long that takes. */
struct mf_vec3 mf_stepped_toward(const struct mf_stepped *b, const struct mf_stepped_settings *s,
                                 struct mf_vec3 to_m, const struct mf_stepped_speeds *speeds);

#endif
