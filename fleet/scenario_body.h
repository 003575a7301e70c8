/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of a body, and its keys. */
#ifndef MF_FLEET_SCENARIO_BODY_H
#define MF_FLEET_SCENARIO_BODY_H

#include "fleet/scenario_own.h"
#include "world/mover_stepped.h"

#define MF_SCENARIO_BODY_LIST(X) \
    X(CONSTANT, "constant")      \
    X(PHYSICS, "physics")        \
    X(THRUST, "thrust") X(CELL, "cell") X(BEE, "bee") X(RIGID, "rigid") X(OWN, "own")
/* Beside none, whose published quirks it has. */
#define MF_SCENARIO_COMPAT_LIST(X)      X(NONE, "none") X(UAVSIM, "uavsim")
#define MF_SCENARIO_BODY_COMPAT_LIST(X) MF_SCENARIO_COMPAT_LIST(X) X(SIMBEEOTIC, "simbeeotic")

/* clang-format off */
#define X(name, word) MF_SCENARIO_BODY_##name,
enum mf_scenario_body { MF_SCENARIO_BODY_LIST(X) MF_SCENARIO_BODIES };
#undef X
#define X(name, word) MF_SCENARIO_COMPAT_##name,
enum mf_scenario_compat { MF_SCENARIO_BODY_COMPAT_LIST(X) MF_SCENARIO_COMPATS };
#undef X
/* clang-format on */

/** Of a body that is stepped (world/mover_thrust.h) [kg, m^2, N]. */
struct mf_scenario_thrust {
    int32_t compat; /**< enum mf_scenario_compat */
    double mass, area;
    double up, down, forward, backward, left, right;
};

struct mf_scenario_body_settings {
    int32_t kind;                     /**< enum mf_scenario_body */
    struct mf_scenario_thrust thrust; /**< mass and compat: of BEE and RIGID, too */
    uint32_t cell_speed;              /**< CELL: cells per tick */
    double radius_m;                  /**< of the ball that touches others */
    double rate_hz;                   /**< BEE, RIGID, OWN: steps */
    double length_m, accel_max_mps2;  /**< BEE; OWN: the latter */
    double inertia_kgm2[3];           /**< RIGID */
    double restitution;               /**< RIGID */
    int32_t shape;                    /**< of a ghost: enum mf_solid_kind; -1: a ball */
    double size_m[3], height_m;       /**< of the shape */
    uint32_t forces;                  /**< RIGID */
    struct mf_body_force force[MF_BODY_FORCES_MAX];
    struct mf_scenario_own own; /**< OWN: which entry of a plug-in */
};

/** @brief What stands where nothing is given: 0 where it follows from the kind. */
void mf_scenario_body_defaults(struct mf_scenario_body_settings *b);

/** @brief What follows from the kind is filled in.
 *  @return NULL; what does not go together */
const char *mf_scenario_body_complete(struct mf_scenario_body_settings *b);

/** @brief Is it a bee, a rigid body or one of a plug-in? */
bool mf_scenario_is_stepped(const struct mf_scenario_body_settings *b);

/** @brief Does an agent with it begin in the air, where it is placed? A published bee does, and a
 * rigid body that obeys nobody. */
bool mf_scenario_begins_in_air(const struct mf_scenario_body_settings *b);

/** @brief What bodies of an entity share. @param s  out: without weather, obstacles,
 *  and what a plug-in does */
void mf_scenario_stepped(const struct mf_scenario_body_settings *b, struct mf_stepped_settings *s);

/** Tables, for those of the scenario (scenario_keys.c). */
extern const struct mf_keys mf_scenario_body_keys; /**< of struct mf_scenario_body_settings */
extern const char *const mf_scenario_compat_words[];

#endif
