/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of planners. Used by fleet/scenario and scenario_keys. */
#include "fleet/scenario_planner.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <string.h>

#define PLANNER(field) offsetof(struct mf_scenario_planner, field)

static const char *const k_planner_word[] = {"hive", NULL};

static const struct mf_key k_planner[] = {
    WORD("kind", PLANNER(kind), k_planner_word,
         "hive: it surveys space.boundary cell by cell, or the rectangle around hive and objects, "
         "and has the objects visited that cameras see"),
    CHOSEN("of", PLANNER(of), "members that it sends out: an entity, a member, or a list of these"),
    REAL("cell", PLANNER(cell_m), 1, 1e4, "size of a cell at most [m]; 10"),
    REAL("height", PLANNER(height_m), 1, 1e4,
         "height at which they fly, above space.origin [m]; 20"),
    REAL("speed", PLANNER(speed_mps), 0.1, 20, "[m/s]; 5"),
    REAL("rate", PLANNER(rate_hz), 0.1, 50, "how often it looks and decides [Hz]; 5"),
    REAL("reach", PLANNER(reach_m), 0.1, 100, "distance at which a member visits an object [m]; 1"),
    REAL("lost_after", PLANNER(lost_s), 0.5, 3600,
         "silence of a member after which others get its cell [s]; 5"),
};
const struct mf_keys mf_planner_keys = {k_planner, COUNT_OF(k_planner), "kind", PLANNER(line)};

void mf_planner_defaults(struct mf_scenario_planner *p)
{
    *p = (struct mf_scenario_planner){.kind = -1,
                                      .cell_m = 10.0,
                                      .height_m = 20.0,
                                      .speed_mps = 5.0,
                                      .rate_hz = 5.0,
                                      .reach_m = 1.0,
                                      .lost_s = 5.0};
}

static bool is_sent(const struct mf_scenario *s, const struct mf_scenario_entity *e)
{
    for (uint32_t i = e->first; i < e->first + e->count; i++) {
        if (mf_scenario_is_chosen(s, &s->planner.of, i, false)) {
            return true;
        }
    }
    return false;
}

/* Check members that a hive sends out. @param seeks  entity that the members before them seek; "":
 * not known yet */
static bool check_sent(struct mf_reading *r, const struct mf_scenario *s,
                       const struct mf_scenario_entity *e, const char **seeks)
{
    const char *own = e->seeker.seeks;
    const struct mf_scenario_entity *flowers = mf_scenario_entity_named(s, own);
    if (e->as == MF_SCENARIO_KIND_THING || e->plan[0] != '\0' ||
        e->behaviour.kind != MF_BEHAVIOUR_NONE || mf_scenario_arrives(e)) {
        return mf_entity_refuse(
            r, e, "%s: a hive sends neither things nor members with a plan or a behaviour");
    }
    if (own[0] == '\0') {
        return true;
    }
    if (flowers == NULL || flowers->object.thing != MF_SCENARIO_THING_OBJECT) {
        return mf_reading_refuse(r, e->line, "seeks: no entity of objects is called '%s'", own);
    }
    if (flowers->object.speed_mps > 0.0) {
        return mf_entity_refuse(r, flowers, "%s: what a hive seeks stands still: it has no speed");
    }
    if ((*seeks)[0] != '\0' && strcmp(*seeks, own) != 0) {
        return mf_entity_refuse(r, e, "%s: all of a hive seek the same");
    }
    *seeks = own;
    return true;
}

bool mf_planner_check(struct mf_reading *r, struct mf_scenario *s)
{
    const struct mf_scenario_planner *p = &s->planner;
    const char *seeks = "";
    uint32_t hives = 0;
    if (p->kind < 0) {
        return true;
    }
    if (!mf_chosen_check(r, s, &p->of)) {
        return false;
    }
    if (mf_scenario_goes_by_steps(s)) {
        return mf_reading_refuse(r, p->line,
                                 "planner: a hive goes with neither a plan nor space.cells");
    }
    if (p->of.count == 0) {
        return mf_reading_refuse(r, p->line, "planner lacks of: whom the hive sends out");
    }
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        hives += e->object.thing == MF_SCENARIO_THING_HIVE ? e->count : 0;
        if (is_sent(s, e) && !check_sent(r, s, e, &seeks)) {
            return false;
        }
    }
    return (hives == 1 && seeks[0] != '\0') ||
           mf_reading_refuse(
               r, p->line,
               "planner: hive needs one entity with thing: hive, and members that seek objects");
}
