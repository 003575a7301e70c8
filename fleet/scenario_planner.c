/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of planners. Used by fleet/scenario_keys and scenario. */
#include "fleet/scenario_planner.h"

#include "fleet/key_forms.h"

#define PLANNER(field) offsetof(struct mf_scenario_planner, field)

static const char *const k_planner_word[] = {"hive", NULL};

static const struct mf_key k_planner[] = {
    WORD("kind", PLANNER(kind), k_planner_word,
         "hive: it surveys space.boundary cell by cell, or the rectangle around hive and objects, "
         "and has the objects visited that cameras see"),
    {.name = "of",
     .type = MF_KEY_OTHER,
     .offset = PLANNER(of),
     .read = mf_chosen_read,
     .help = "members that it sends out: an entity, a member, or a list of these"},
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
