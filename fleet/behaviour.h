/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Behaviours, by which a member flies turn by turn, through its order port. A behaviour reads the
 * state of its own member only, except for a flock (fleet/flock.h), so members take their turns in
 * any order and on any thread.
 *
 * All behaviours begin alike: arm, take off, climb to the height. Their random numbers follow from
 * the seed, the variation and the member alone (math/chance.h).
 */
#ifndef MF_FLEET_BEHAVIOUR_H
#define MF_FLEET_BEHAVIOUR_H

#include "fleet/order.h"
#include "hal/types.h"

#define MF_BEHAVIOUR_LIST(X)  \
    X(NONE, "none")           \
    X(WALK, "walk")           \
    X(WAYPOINTS, "waypoints") \
    X(FLOCK, "flock") X(OWN, "own") X(GRADIENT, "gradient") X(SURVEY_FLOCK, "survey_flock")

/* clang-format off */
#define X(name, word) MF_BEHAVIOUR_##name,
enum mf_behaviour_kind { MF_BEHAVIOUR_LIST(X) MF_BEHAVIOURS };
#undef X
/* clang-format on */

/** Maximum number of WAYPOINTS' points, which struct mf_mind counts. */
#define MF_BEHAVIOUR_POINTS_MAX UINT16_MAX
/** Maximum number of GRADIENT's paths, and longest name of a path with its NUL. */
#define MF_BEHAVIOUR_PATHS_MAX 4u
#define MF_BEHAVIOUR_NAME_MAX  32u

/** Behaviour of the members of an entity, as the scenario has it. */
struct mf_behaviour {
    int32_t kind;       /**< enum mf_behaviour_kind */
    double rate_hz;     /**< turns per second */
    double height_m[2]; /**< lowest, highest above home [m]: each member draws one height between
                           them */
    double speed_max_mps;
    double speed_sigma_mps;   /**< WALK: deviation of the change of speed at a turn */
    double heading_sigma_rad; /**< WALK: deviation of the change of heading at a turn */
    uint32_t points;          /**< WAYPOINTS: number of points */
    double (*point)[3];  /**< [points]: north, east of the member's start; height above it [m] */
    bool loop;           /**< WAYPOINTS: begin again after the last point */
    double radius_m;     /**< FLOCK: radius in which a member sees its neighbours */
    double separation_m; /**< FLOCK: neighbours within this distance repel */
    double separate, align, cohere; /**< FLOCK: weights [1/s2, 1/s, 1/s2] */
    uint32_t paths;                 /**< GRADIENT: number of paths; each is an entity of beacons */
    char (*path)[MF_BEHAVIOUR_NAME_MAX]; /**< [paths] */
    double near_dbm; /**< GRADIENT: a member has reached a beacon that it receives with this
                        strength */
    double cell_m;   /**< SURVEY_FLOCK: largest size of a cell */
};

/** Start of a member, for behaviours that lead to places. */
struct mf_behaviour_home {
    double lat_deg, lon_deg;
    double alt_amsl_m;
};

enum mf_behaviour_phase {
    MF_BEHAVIOUR_GROUND, /**< on the ground; its next turn orders the take-off */
    MF_BEHAVIOUR_CLIMB,
    MF_BEHAVIOUR_GO,   /**< at its height: each turn does what the kind of behaviour says */
    MF_BEHAVIOUR_DONE, /**< takes no more turns */
};

/** State of a member's behaviour between two turns. */
struct mf_mind {
    uint64_t key;      /**< key of the member's random numbers */
    uint32_t turns;    /**< number of turns taken; also the index of random numbers */
    uint32_t asked;    /**< turn in which the member last ordered a take-off */
    float heading_rad; /**< heading of its velocity */
    float speed_mps;
    float height_m;
    uint16_t point; /**< WAYPOINTS: index of the point that the member flies to */
    uint8_t phase;  /**< enum mf_behaviour_phase */
    bool going;     /**< the order to fly to that point, or to obey setpoints, was accepted */
};

_Static_assert(sizeof(struct mf_mind) <= 40, "one in a hundred thousand is small");

/** @brief State before the first turn. @param key  mf_chance_key() of the member */
struct mf_mind mf_mind_begin(const struct mf_behaviour *b, uint64_t key);

/** @brief Time between two turns, from the behaviour's rate. */
mf_us_t mf_behaviour_period_us(const struct mf_behaviour *b);

/** @brief Take one turn of WALK or WAYPOINTS. @param home  start of the member
 * @return false: the member needs no more turns */
bool mf_behave(const struct mf_behaviour *b, struct mf_mind *mind,
               const struct mf_behaviour_home *home, const struct mf_order_port *port);

/** @brief Begin a turn of any kind: take off, and climb to the member's height.
 * @param view  out: state of the member, while it is not at its height
 * @return true: the member is at its height; the caller does the rest of the turn */
bool mf_behave_rise(const struct mf_behaviour *b, struct mf_mind *mind,
                    const struct mf_order_port *port, struct mf_order_view *view);

/** @brief Order a velocity for this turn: a setpoint, and, until one was accepted, the order to
 * obey setpoints. */
void mf_behave_fly(struct mf_mind *mind, const struct mf_order_port *port,
                   const float vel_ned_mps[3]);

#endif
