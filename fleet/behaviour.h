/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Behaviours: what a member does by itself, turn by turn, by orders. A behaviour looks at nobody
 * but its own member, except for a flock (fleet/flock.h), so members take their turns in any order
 * and on any thread.
 *
 * All begin alike: arm, take off, climb to the height. Chance follows from the seed, the variation
 * and the member alone (math/chance.h).
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

/** Points of WAYPOINTS. */
#define MF_BEHAVIOUR_POINTS_MAX 64u
/** Paths of GRADIENT, and the longest name of one with its NUL. */
#define MF_BEHAVIOUR_PATHS_MAX 4u
#define MF_BEHAVIOUR_NAME_MAX  32u

/** What the members of an entity do. */
struct mf_behaviour {
    int32_t kind;       /**< enum mf_behaviour_kind */
    double rate_hz;     /**< turns per second */
    double height_m[2]; /**< lowest, highest above home: each member has one of its own */
    double speed_max_mps;
    double speed_sigma_mps;                   /**< WALK: change of speed in a turn */
    double heading_sigma_rad;                 /**< WALK: change of heading in a turn */
    uint32_t points;                          /**< WAYPOINTS */
    double point[MF_BEHAVIOUR_POINTS_MAX][3]; /**< north, east of where it begins, height [m] */
    bool loop;                                /**< after the last point the first */
    double radius_m;                          /**< FLOCK: whom a member sees */
    double separation_m;                      /**< FLOCK: nearer neighbours repel */
    double separate, align, cohere;           /**< FLOCK: weights [1/s2, 1/s, 1/s2] */
    uint32_t paths;                           /**< GRADIENT: entities of beacons */
    char path[MF_BEHAVIOUR_PATHS_MAX][MF_BEHAVIOUR_NAME_MAX];
    double near_dbm; /**< GRADIENT: a beacon that is received as strong is reached */
    double cell_m;   /**< SURVEY_FLOCK: size of a cell at most */
};

/** Where a member begins, for behaviours that lead to places. */
struct mf_behaviour_home {
    double lat_deg, lon_deg;
    double alt_amsl_m;
};

enum mf_behaviour_phase {
    MF_BEHAVIOUR_GROUND, /**< it shall take off */
    MF_BEHAVIOUR_CLIMB,
    MF_BEHAVIOUR_GO,   /**< it does what its kind does */
    MF_BEHAVIOUR_DONE, /**< nothing more */
};

/** What a member keeps in mind between its turns. */
struct mf_mind {
    uint64_t key;      /**< of its chance */
    uint32_t turns;    /**< that it has had: counts draws, too */
    uint32_t asked;    /**< turn in which it was ordered to take off, or to obey setpoints */
    float heading_rad; /**< of its velocity */
    float speed_mps;
    float height_m;
    uint16_t point; /**< of WAYPOINTS, that it goes to */
    uint8_t phase;  /**< enum mf_behaviour_phase */
    bool going;     /**< to that point: ordered */
};

_Static_assert(sizeof(struct mf_mind) <= 40, "one in a hundred thousand is small");

/** @brief A mind before its first turn. @param key  mf_chance_key() of the member */
struct mf_mind mf_mind_begin(const struct mf_behaviour *b, uint64_t key);

/** @brief Time between two turns. */
mf_us_t mf_behaviour_period_us(const struct mf_behaviour *b);

/** @brief One turn of a member on its own: WALK or WAYPOINTS. @param home  where it has begun
 *  @return false: it wants no more turns */
bool mf_behave(const struct mf_behaviour *b, struct mf_mind *mind,
               const struct mf_behaviour_home *home, const struct mf_order_port *port);

/** @brief The part of a turn that all kinds have: take off, climb.
 *  @param view  out, if it is not there yet  @return it is there, and its own turn begins */
bool mf_behave_rise(const struct mf_behaviour *b, struct mf_mind *mind,
                    const struct mf_order_port *port, struct mf_order_view *view);

/** @brief A turn by a velocity: a setpoint, and at first the order to obey it. */
void mf_behave_fly(struct mf_mind *mind, const struct mf_order_port *port,
                   const float vel_ned_mps[3]);

#endif
