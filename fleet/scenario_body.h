/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of a body. */
#ifndef MF_FLEET_SCENARIO_BODY_H
#define MF_FLEET_SCENARIO_BODY_H

#include "fleet/scenario_check.h"
#include "fleet/scenario_own.h"
#include "world/mover_stepped.h"

#define MF_SCENARIO_BODY_LIST(X) \
    X(CONSTANT, "constant")      \
    X(PHYSICS, "physics")        \
    X(THRUST, "thrust") X(CELL, "cell") X(BEE, "bee") X(RIGID, "rigid") X(OWN, "own")
/* Published simulators whose quirks a body can have. */
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

/** Settings of a body with thrust (world/mover_thrust.h) [kg, m^2, N]. */
struct mf_scenario_thrust {
    int32_t compat; /**< enum mf_scenario_compat */
    double mass, area;
    double up, down, forward, backward, left, right;
};

struct mf_scenario_body_settings {
    int32_t kind;                     /**< enum mf_scenario_body */
    struct mf_scenario_thrust thrust; /**< mass and compat also apply to BEE and RIGID */
    uint32_t cell_speed;              /**< CELL: cells per tick */
    double radius_m;                  /**< radius of the ball by which the body touches others */
    double rate_hz;                   /**< BEE, RIGID, OWN: steps per second */
    double length_m, accel_max_mps2;  /**< BEE: both; OWN: accel_max_mps2 */
    double inertia_kgm2[3];           /**< RIGID */
    double restitution;               /**< RIGID */
    int32_t shape;                    /**< of a ghost: enum mf_solid_kind; -1: a ball */
    double size_m[3], height_m;       /**< size of the shape */
    uint32_t forces;                  /**< RIGID: number of forces */
    struct mf_body_force *force;      /**< [forces] */
    struct mf_scenario_own own;       /**< OWN: entry of the plug-in */
};

/** @brief Set the values that the file need not give; 0 where the kind determines them. */
void mf_scenario_body_defaults(struct mf_scenario_body_settings *b);

/** Fill in the values that the kind determines, and check that members of this kind may have it. */
mf_entity_check mf_scenario_body_check;

/** @brief True for a bee, a rigid body, and a body of a plug-in. */
bool mf_scenario_is_stepped(const struct mf_scenario_body_settings *b);

/** @brief True if an agent with this body begins in the air: a published bee does, and a rigid body
 * that obeys no orders. */
bool mf_scenario_begins_in_air(const struct mf_scenario_body_settings *b);

/** @brief Convert the settings to those that bodies of an entity share. @param s  out: without
 * weather, obstacles, and the functions of a plug-in */
void mf_scenario_stepped(const struct mf_scenario_body_settings *b, struct mf_stepped_settings *s);

/** Tables, parts of the scenario's table (scenario_keys.c). */
extern const struct mf_keys mf_scenario_body_keys; /**< keys of struct mf_scenario_body_settings */
extern const char *const mf_scenario_compat_words[];

#endif
