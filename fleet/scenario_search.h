/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of a team that searches an area (fleet/search.h). */
#ifndef MF_FLEET_SCENARIO_SEARCH_H
#define MF_FLEET_SCENARIO_SEARCH_H

#include "fleet/scenario_body.h"
#include "fleet/scenario_chosen.h"
#include "fleet/scenario_own.h"

/** Maximum number of corners of an area. */
#define MF_SCENARIO_CORNERS_MAX 64u
/** Longest name of a kind of object, with its NUL. */
#define MF_SCENARIO_KIND_MAX 32u

/** Maximum number of obstacles of a scenario; a team that searches has MF_OBSTACLES_MAX at most. */
#define MF_SCENARIO_OBSTACLES_MAX 1000000u

#define MF_SCENARIO_SHAPE_LIST(X) \
    X(BOX, "box")                 \
    X(CYLINDER, "cylinder") X(SPHERE, "sphere") X(CONE, "cone") X(HULL, "hull") X(MESH, "mesh")
/** Maximum number of points of a hull. */
#define MF_SCENARIO_HULL_MAX 24u

/** Longest name of a detection table's file, with its NUL. */
#define MF_SCENARIO_TABLE_MAX 200u

#define MF_SCENARIO_MODEL_LIST(X) X(UAVSIM, "uavsim") X(TABLE, "table") X(OWN, "own") X(BUS, "bus")
#define MF_SCENARIO_THING_LIST(X) \
    X(NONE, "none")               \
    X(OBJECT, "object")           \
    X(CHARGER, "charger") X(MOVER, "mover") X(HIVE, "hive") X(BEACON, "beacon")

/* clang-format off */
#define X(name, word) MF_SCENARIO_SHAPE_##name,
enum mf_scenario_shape { MF_SCENARIO_SHAPE_LIST(X) MF_SCENARIO_SHAPES };
#undef X
#define X(name, word) MF_SCENARIO_THING_##name,
enum mf_scenario_thing { MF_SCENARIO_THING_LIST(X) MF_SCENARIO_THINGS };
#undef X
#define X(name, word) MF_SCENARIO_MODEL_##name,
enum mf_scenario_model { MF_SCENARIO_MODEL_LIST(X) MF_SCENARIO_MODELS };
#undef X
/* clang-format on */

/** Camera of an entity. */
struct mf_scenario_seeker {
    char seeks[MF_SCENARIO_KIND_MAX]; /**< entity whose members it seeks; "": none */
    double fps, lateral_rad, horizontal_rad;
};

struct mf_scenario_object {
    int32_t thing;                   /**< enum mf_scenario_thing */
    char type[MF_SCENARIO_KIND_MAX]; /**< what members seek; "": the name of the entity */
    double speed_mps;                /**< NAN while the file is read: not set */
    double velocity_mps[3];          /**< north, east, up; NAN: by chance, up to speed_mps */
    double height_m;       /**< above the ground, negative below it; NAN: that of its place */
    double seen, mistaken; /**< see struct mf_detection_model */
    uint32_t pollen;       /**< hive: pollen of an object */
    double recharge_s;     /**< hive: time to recharge a bee */
};

/** Obstacle. North, east, up [m]. */
struct mf_scenario_obstacle {
    int line;
    int32_t kind; /**< enum mf_scenario_shape */
    double at[3]; /**< BOX: lower south-western corner; CYLINDER, CONE: middle of the foot; SPHERE:
                     its middle; HULL, MESH: their own origin */
    double size[3];
    double radius_m, height_m;
    uint32_t points;
    double (*point)[3];               /**< HULL: [points] */
    char file[MF_SCENARIO_TABLE_MAX]; /**< MESH: STL */
};

/** Collisions of members. */
struct mf_scenario_collisions {
    int line;           /**< 0: members pass through each other */
    double every_s;     /**< interval at which the run looks for collisions */
    double restitution; /**< part of the speed towards each other that two members give back */
};

/** Search of a scenario. */
struct mf_scenario_search {
    int line;     /**< line of the plan */
    int32_t plan; /**< enum mf_search_plan; -1: no search */
    int32_t compat;
    double altitude_m, speed_mps, visit_m;
    double dive_m; /**< NAN: 15, or 10 with compat */
    double clearance_m;
    struct mf_scenario_chosen base; /**< members that visit reported objects; none: the last one */
    struct mf_scenario_own own,
        cost; /**< entry of a plug-in for a plan OWN; for the cost of flight */
    struct {
        int line;
        int32_t model; /**< enum mf_scenario_model */
        double balance_m, report_m;
        char file[MF_SCENARIO_TABLE_MAX]; /**< file of the table */
        struct mf_scenario_own own;
    } detection;
    double (*corner)[2]; /**< [corners]: north, east */
    uint32_t corners;
    double station[3]; /**< north, east, up */
    double cell_m;     /**< size of a cell of the raster of seen places; 0: no raster */
    uint32_t obstacles;
    struct mf_scenario_obstacle *obstacle; /**< [obstacles] */
};

/** Tables, parts of the scenario's table (scenario_keys.c). */
extern const struct mf_keys mf_scenario_camera_keys;    /**< keys of struct mf_scenario_seeker */
extern const struct mf_keys mf_scenario_plan_keys;      /**< keys of struct mf_scenario_search */
extern const struct mf_keys mf_scenario_detection_keys; /**< keys of struct mf_scenario_search */
extern const struct mf_keys mf_scenario_coverage_keys;  /**< keys of struct mf_scenario_search */
extern const struct mf_keys mf_scenario_obstacle_keys;  /**< keys of struct mf_scenario_obstacle */
extern const struct mf_keys
    mf_scenario_collisions_keys; /**< keys of struct mf_scenario_collisions */
extern const char *const mf_scenario_thing_words[];

/** @brief Read the corners of an area, [[north, east], ...], whose edges do not cross.
 * @param count  out  @return double [count][2]; NULL: refused */
void *mf_scenario_read_corners(struct mf_reading *r, const struct mf_key *key,
                               const struct mf_node *node, uint32_t *count);

/** @brief Read space.boundary. */
bool mf_scenario_read_boundary(struct mf_reading *r, const struct mf_key *key,
                               const struct mf_node *node, void *at);

/** Set the kind of obstacles whose kind the file leaves out, and check that the world can have
 * these obstacles, and collisions. */
mf_scenario_check mf_scenario_space_check;
/** Set an object's speed; turn an entity with the key thing into one of kind THING, unless a search
 * or a world of cells has it. */
mf_entity_check mf_scenario_object_check;

/** @brief Set the values that the file need not give. */
void mf_scenario_search_defaults(struct mf_scenario_search *s);
void mf_scenario_obstacle_defaults(void *obstacle); /**< of struct mf_scenario_obstacle */
void mf_scenario_search_entity_defaults(struct mf_scenario_seeker *k, struct mf_scenario_object *o);

#endif
