/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of searches: cameras, plans, detection, obstacles, objects. Called by
 * fleet/scenario, scenario_keys and scenario_entity. */
#include "fleet/scenario_search.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"
#include "fleet/search.h"
#include "world/obstacles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEEKER(field)    offsetof(struct mf_scenario_seeker, field)
#define SEARCH(field)    offsetof(struct mf_scenario_search, field)
#define OBSTACLE(field)  offsetof(struct mf_scenario_obstacle, field)
#define FAR_M            1e5
#define HALF_A_RIGHT_RAD 0.785 /* UavSim's quarter of pi */

/* clang-format off */
#define X(name, word) word,
static const char *const k_model_words[] = {MF_SCENARIO_MODEL_LIST(X) NULL};
static const char *const k_shape_words[] = {MF_SCENARIO_SHAPE_LIST(X) NULL};
static const char *const k_plan_words[] = {MF_SEARCH_PLAN_LIST(X) NULL};
const char *const mf_scenario_thing_words[] = {MF_SCENARIO_THING_LIST(X) NULL};
#undef X
/* clang-format on */

static const struct mf_key k_camera[] = {
    REAL("fps", SEEKER(fps), 0.01, 1000, "pictures a second; 30"),
    REAL("lateral", SEEKER(lateral_rad), 0.001, 1.5,
         "half the angle of view along the heading [rad]; 0.785"),
    REAL("horizontal", SEEKER(horizontal_rad), 0.001, 1.5,
         "half the angle of view across the heading [rad]; 0.785"),
};
const struct mf_keys mf_scenario_camera_keys = {k_camera, COUNT_OF(k_camera), NULL, SIZE_MAX};

static const struct mf_key k_plan[] = {
    WORD("kind", SEARCH(plan), k_plan_words,
         "bcd: over each square of the area; avbcd: and down to what it reports; bdbcd: while "
         "the base visits what the others report; own: of a plug-in; bus: of a client there"),
    WORD("compat", SEARCH(compat), mf_scenario_compat_words,
         "uavsim: as published, without the partial squares; the base forgets; none"),
    REAL("altitude", SEARCH(altitude_m), 0.1, FAR_M, "of the squares' points [m up]; 30"),
    REAL("speed", SEARCH(speed_mps), 0.1, 1000, "[m/s]; 20"),
    REAL("dive", SEARCH(dive_m), 0.1, FAR_M,
         "how low avbcd goes [m up]; 15, or 10 under compat: uavsim"),
    REAL("clearance", SEARCH(clearance_m), 0, 1000, "that paths keep from obstacles [m]; 20"),
    REAL("visit", SEARCH(visit_m), 0.1, FAR_M, "how low the base of bdbcd goes [m up]; 15"),
    CHOSEN("base", SEARCH(base),
           "of bdbcd, who visits: a member, an entity, or a list of these; the last member"),
    MF_SCENARIO_OWN_KEYS(SEARCH(own)),
};
const struct mf_keys mf_scenario_plan_keys = {k_plan, COUNT_OF(k_plan), "kind", SEARCH(line)};

static const struct mf_key k_detection[] = {
    WORD("model", SEARCH(detection.model), k_model_words,
         "uavsim: by angle, speed and height; table: as measured; own: of a plug-in; bus: of a "
         "client there"),
    REAL("balance", SEARCH(detection.balance_m), 0, FAR_M,
         "height at which its score falls [m]; 30"),
    REAL("report_radius", SEARCH(detection.report_m), 0, FAR_M,
         "nearer to an earlier report nothing is reported again [m]; 20"),
    NAME("file", SEARCH(detection.file), MF_SCENARIO_TABLE_MAX,
         "table: CSV of height_m, speed_mps, place, recall, false_alarm"),
    MF_SCENARIO_OWN_KEYS(SEARCH(detection.own)),
};
const struct mf_keys mf_scenario_detection_keys = {k_detection, COUNT_OF(k_detection), "model",
                                                   SEARCH(detection.line)};

static const struct mf_key k_coverage[] = {
    REAL("cell", SEARCH(cell_m), 0, 1000, "size of a cell [m]; 0: none"),
};
const struct mf_keys mf_scenario_coverage_keys = {k_coverage, COUNT_OF(k_coverage), NULL, SIZE_MAX};

static bool read_hull(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                      void *at)
{
    static const struct mf_reading_rows k_rows = {4, MF_SCENARIO_HULL_MAX, 3, 3};
    struct mf_scenario_obstacle *o = at;
    o->point = mf_reading_number_rows(r, key, node, &k_rows, &o->points);
    return o->point != NULL;
}

static const struct mf_key k_obstacle[] = {
    WORD("kind", OBSTACLE(kind), k_shape_words, "what it is; box, or mesh where there is a file"),
    TRIPLE("at", OBSTACLE(at), -FAR_M, FAR_M,
           "[north, east, up] [m]: of a box its lower south-western corner, of a cylinder "
           "or cone the middle of its foot, of a sphere its middle, of a hull or mesh its origin"),
    TRIPLE("size", OBSTACLE(size), 0.001, FAR_M, "of a box, to north, east and up [m]; 10 each"),
    REAL("radius", OBSTACLE(radius_m), 0.01, FAR_M, "of a cylinder, cone or sphere [m]; 5"),
    REAL("height", OBSTACLE(height_m), 0.01, FAR_M, "of a cylinder or cone [m]; 10"),
    {.name = "points",
     .type = MF_KEY_OTHER,
     .low = -FAR_M,
     .high = FAR_M,
     .read = read_hull,
     .help = "of a hull: [[north, east, up], ...] that it encloses [m]"},
    NAME("file", OBSTACLE(file), MF_SCENARIO_TABLE_MAX,
         "of a mesh: STL in metres, closed; x is north, y east, z up"),
};
const struct mf_keys mf_scenario_obstacle_keys = {k_obstacle, COUNT_OF(k_obstacle), "file",
                                                  OBSTACLE(line)};

#define COLLISIONS(field) offsetof(struct mf_scenario_collisions, field)

static const struct mf_key k_collisions[] = {
    REAL("every", COLLISIONS(every_s), 0.001, 10, "members are looked at this often [s]; 0.01"),
    REAL("restitution", COLLISIONS(restitution), 0, 1,
         "part of their speed towards each other that two give back: 0: none, 1: all; 1"),
};
const struct mf_keys mf_scenario_collisions_keys = {k_collisions, COUNT_OF(k_collisions), NULL,
                                                    COLLISIONS(line)};

void *mf_scenario_read_corners(struct mf_reading *r, const struct mf_key *key,
                               const struct mf_node *node, uint32_t *count)
{
    static const struct mf_reading_rows k_rows = {3, MF_SCENARIO_CORNERS_MAX, 2, 2};
    double(*ne_m)[2] = mf_reading_number_rows(r, key, node, &k_rows, count);
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
    size_t edge[2];
    for (uint32_t i = 0; ne_m != NULL && i < *count; i++) {
        corner[i] = (struct mf_en){ne_m[i][1], ne_m[i][0]};
    }
    if (ne_m == NULL || !mf_coverage_crosses(corner, *count, edge)) {
        return ne_m;
    }
    (void)mf_reading_refuse(r, mf_node_line(node),
                            "crosses itself: the edge from corner %zu meets the one from corner "
                            "%zu; list the corners in their order around the area",
                            edge[0] + 1u, edge[1] + 1u);
    return NULL;
}

bool mf_scenario_read_boundary(struct mf_reading *r, const struct mf_key *key,
                               const struct mf_node *node, void *at)
{
    struct mf_scenario_search *s = at;
    s->corner = mf_scenario_read_corners(r, key, node, &s->corners);
    return s->corner != NULL;
}

void mf_scenario_search_defaults(struct mf_scenario_search *s)
{
    *s = (struct mf_scenario_search){.plan = -1,
                                     .altitude_m = 30.0,
                                     .speed_mps = 20.0,
                                     .dive_m = (double)NAN,
                                     .visit_m = 15.0,
                                     .clearance_m = 20.0,
                                     .detection = {.balance_m = 30.0, .report_m = 20.0}};
}

void mf_scenario_obstacle_defaults(void *obstacle)
{
    *(struct mf_scenario_obstacle *)obstacle = (struct mf_scenario_obstacle){
        .kind = -1, .size = {10.0, 10.0, 10.0}, .radius_m = 5.0, .height_m = 10.0};
}

void mf_scenario_search_entity_defaults(struct mf_scenario_seeker *k, struct mf_scenario_object *o)
{
    *k = (struct mf_scenario_seeker){"", 30.0, HALF_A_RIGHT_RAD, HALF_A_RIGHT_RAD};
    *o = (struct mf_scenario_object){.speed_mps = (double)NAN,
                                     .velocity_mps = {(double)NAN, (double)NAN, 0.0},
                                     .height_m = (double)NAN,
                                     .seen = 1.0,
                                     .mistaken = 0.4,
                                     .pollen = 1,
                                     .recharge_s = 30.0};
}

/* ---- checks */

bool mf_scenario_space_check(struct mf_reading *r, struct mf_scenario *s)
{
    if (s->collisions.line > 0 && (mf_scenario_goes_by_steps(s) || s->hosts.line > 0)) {
        return mf_reading_refuse(
            r, s->collisions.line,
            "space: collisions are of no search, world of cells, or run over several hosts");
    }
    for (uint32_t i = 0; i < s->search.obstacles; i++) {
        struct mf_scenario_obstacle *o = &s->search.obstacle[i];
        const bool file = o->file[0] != '\0';
        o->kind = o->kind >= 0 ? o->kind : file ? MF_SCENARIO_SHAPE_MESH : MF_SCENARIO_SHAPE_BOX;
        if (s->search.plan >= 0 && i >= MF_OBSTACLES_MAX) {
            return mf_reading_refuse(r, o->line,
                                     "a team that searches flies around 32 obstacles at most");
        }
        if (s->search.plan >= 0 && o->kind != MF_SCENARIO_SHAPE_BOX &&
            o->kind != MF_SCENARIO_SHAPE_CYLINDER) {
            return mf_reading_refuse(r, o->line,
                                     "a team that searches flies around boxes and cylinders only");
        }
    }
    return s->grid.size[0] <= 0.0 || s->search.obstacles == 0 ||
           mf_reading_refuse(r, s->search.obstacle[0].line,
                             "a world of cells has space.blocked, no obstacles");
}

static bool check_thing(struct mf_reading *r, const struct mf_scenario *s,
                        struct mf_scenario_entity *e)
{
    if (!mf_scenario_goes_by_steps(s) && e->object.thing != MF_SCENARIO_THING_NONE &&
        e->as != MF_SCENARIO_KIND_GHOST) { /* a ghost stays one: its place comes from outside */
        e->as = MF_SCENARIO_KIND_THING;
        return true;
    }
    return e->as != MF_SCENARIO_KIND_THING ||
           mf_entity_refuse(r, e, "%s: the key thing says what a thing is");
}

/* Check keys of objects that only a search, or a run that moves them, has. */
static bool check_object(struct mf_reading *r, const struct mf_scenario *s,
                         const struct mf_scenario_entity *e)
{
    const struct mf_scenario_object *o = &e->object;
    const bool searched = s->search.plan >= 0 && o->thing == MF_SCENARIO_THING_OBJECT;
    if (!searched && (o->type[0] != '\0' || !isnan(o->height_m) || o->velocity_mps[2] != 0.0)) {
        return mf_entity_refuse(r, e,
                                "%s: type, height and a velocity up are of a search's objects");
    }
    return isnan(o->velocity_mps[0]) || isnan(o->speed_mps) ||
           mf_entity_refuse(r, e, "%s: give speed, which is by chance, or velocity, not both");
}

bool mf_scenario_object_check(struct mf_reading *r, struct mf_scenario *s,
                              struct mf_scenario_entity *e)
{
    struct mf_scenario_object *o = &e->object;
    if (!check_thing(r, s, e) || !check_object(r, s, e)) {
        return false;
    }
    if (!isnan(o->velocity_mps[0])) {
        o->speed_mps = hypot(o->velocity_mps[0], o->velocity_mps[1]);
    }
    if (isnan(o->speed_mps)) {
        o->speed_mps = s->search.plan >= 0 ? 1.0 : 0.0;
        return true;
    }
    return (o->thing == MF_SCENARIO_THING_OBJECT && e->as != MF_SCENARIO_KIND_GHOST &&
            s->grid.size[0] <= 0.0) ||
           mf_entity_refuse(r, e,
                            "%s: speed and velocity are of objects that the run moves: not of "
                            "others, of ghosts, or in cells");
}
