/* SPDX-License-Identifier: Apache-2.0 */
/* Reads plans and converts their items into those of a vehicle's store. vehicles.c and
 * arrivals.c call it; program/ calls it before it opens outputs. */
#include "boards/swarm/members/plans.h"

#include "drone/plan_check.h"
#include "firmware/core/param.h"
#include "firmware/flight/items.h"
#include "fleet/place.h"
#include "host/base/output.h"
#include "host/spec/plan.h"
#include "host/spec/plan_text.h"
#include "mavlink/enums.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void keep_input(const struct swarm *w, const char *name)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    if (name[0] != '\0') {
        swarm_plan_path(w, name, path, sizeof path);
        mf_output_keep(path);
    }
}

void swarm_inputs_keep(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    mf_output_keep(w->file);
    keep_input(w, s->search.detection.file);
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        keep_input(w, e->plan);
        for (uint32_t k = 0; k < e->arrivals.plans; k++) {
            keep_input(w, e->arrivals.plan[k]);
        }
    }
    for (uint32_t i = 0; i < s->plugins; i++) {
        keep_input(w, s->plugin[i].file);
    }
    for (uint32_t i = 0; i < s->search.obstacles; i++) {
        keep_input(w, s->search.obstacle[i].file);
    }
}

static struct mf_item record_of(const struct mf_msg_mission_item_int *m)
{
    return (struct mf_item){
        .param = {m->param1, m->param2, m->param3, m->param4},
        .x = m->x,
        .y = m->y,
        .z = m->z,
        .command = m->command,
        .frame = m->frame,
        .autocontinue = m->autocontinue,
    };
}

/* A plan's file, and the line of the scenario that names it. */
struct source {
    const char *name;
    int line;
};

/* Convert items into those of a store, as an upload would. */
static bool share_items(struct swarm *w, const struct source *source, uint8_t type,
                        const struct mf_msg_mission_item_int *from, uint16_t count,
                        struct mf_shared_items *items)
{
    struct mf_item *item = count > 0 ? swarm_memory(w, source->line, count * sizeof *item) : NULL;
    if (count > 0 && item == NULL) {
        return false;
    }
    *items = (struct mf_shared_items){.item = item, .count = count};
    for (uint16_t i = 0; i < count; i++) {
        item[i] = record_of(&from[i]);
        const uint8_t result = mf_item_check(type, &item[i], false);
        if (result != MAV_MISSION_ACCEPTED) {
            return swarm_refuse(w, source->line,
                                "plan: %s: item %u would be refused (MAV_MISSION_RESULT %u)",
                                source->name, i, result) == SWARM_OK;
        }
        items->tag = mf_item_tag(items->tag, &item[i]);
    }
    return true;
}

/* Find the place for which a plan was made: its home, else its first position. Without a home
 * altitude it was made for the altitude of the scenario's origin. */
static bool find_plan_place(const struct swarm *w, const struct mf_plan *plan,
                            struct mf_shared_plan *shared)
{
    shared->alt_amsl_m =
        plan->has_home && !isnan(plan->home_alt_m) ? plan->home_alt_m : w->scenario->origin[2];
    if (plan->has_home) {
        shared->lat_deg = plan->home.lat_deg;
        shared->lon_deg = plan->home.lon_deg;
        return true;
    }
    for (uint16_t i = 0; i < shared->mission.count; i++) {
        const struct mf_item *item = &shared->mission.item[i];
        if (mf_item_has_position(item)) {
            const struct mf_geo place = mf_item_place(item);
            shared->lat_deg = place.lat_deg;
            shared->lon_deg = place.lon_deg;
            return true;
        }
    }
    return false;
}

/* Refuse what a vehicle would refuse in an upload. */
static bool check_items(struct swarm *w, const struct source *source, const struct mf_plan *plan)
{
    const struct mf_hal nowhere = mf_hal_null(); /* does not refuse any position */
    const struct mf_plan_part part[MF_PLAN_PARTS] = {
        [MAV_MISSION_TYPE_MISSION] = {plan->item, plan->count, true},
        [MAV_MISSION_TYPE_FENCE] = {plan->fence, plan->fence_count, true},
        [MAV_MISSION_TYPE_RALLY] = {plan->rally, plan->rally_count, true}};
    char text[MF_PLAN_REFUSAL_MAX];
    struct mf_plan_verdict verdict;
    for (uint8_t type = 0; type < MF_PLAN_PARTS; type++) {
        if (!mf_plan_check_part(&nowhere, false, type, &part[type], &verdict)) {
            const uint16_t command = part[type].item[verdict.seq].command;
            return swarm_refuse(w, source->line, "plan: %s: %s", source->name,
                                mf_plan_refusal_text(&verdict, command, text)) == SWARM_OK;
        }
    }
    return true;
}

static bool convert_plan(struct swarm *w, const struct source *source, const struct mf_plan *plan,
                         struct mf_shared_plan *shared)
{
    if (!check_items(w, source, plan) ||
        !share_items(w, source, MAV_MISSION_TYPE_MISSION, plan->item, plan->count,
                     &shared->mission) ||
        !share_items(w, source, MAV_MISSION_TYPE_FENCE, plan->fence, plan->fence_count,
                     &shared->fence) ||
        !share_items(w, source, MAV_MISSION_TYPE_RALLY, plan->rally, plan->rally_count,
                     &shared->rally)) {
        return false;
    }
    if (!find_plan_place(w, plan, shared)) {
        return swarm_refuse(w, source->line, "plan: %s has no home and no place", source->name) ==
               SWARM_OK;
    }
    return true;
}

static bool read_source_plan(struct swarm *w, const struct source *source,
                             struct mf_shared_plan *shared)
{
    char path[2 * MF_SCENARIO_FILE_MAX], reason[256];
    size_t n;
    swarm_plan_path(w, source->name, path, sizeof path);
    char *text = swarm_read_file(w, path, &n);
    if (text == NULL) {
        return swarm_refuse(w, source->line, "plan: %s: %s", path, strerror(errno)) == SWARM_OK;
    }
    struct mf_plan *plan = malloc(sizeof *plan);
    bool good = false;
    if (plan == NULL ||
        mf_plan_read(text, n, MF_PLAN_HOME_SEEN, plan, reason, sizeof reason) != MF_E_OK) {
        (void)swarm_refuse(w, source->line, "plan: %s: %s", path,
                           plan == NULL ? "no memory" : reason);
    } else {
        good = convert_plan(w, source, plan, shared);
    }
    free(plan);
    free(text);
    return good;
}

const struct mf_shared_plan *swarm_plan_read(struct swarm *w, const char *name, int line)
{
    const struct source source = {name, line};
    struct mf_shared_plan *shared = swarm_memory(w, line, sizeof *shared);
    return shared != NULL && read_source_plan(w, &source, shared) ? shared : NULL;
}

const struct mf_shared_plan *swarm_plan(struct swarm *w, const struct mf_scenario_entity *e)
{
    for (const struct mf_scenario_entity *other = w->scenario->entity; other < e; other++) {
        if (strcmp(other->plan, e->plan) == 0) {
            return w->members.kind[other - w->scenario->entity].plan;
        }
    }
    return swarm_plan_read(w, e->plan, e->line);
}

bool swarm_plan_judge(const struct mf_scenario_entity *e, const struct mf_shared_plan *plan,
                      struct mf_placed placed, struct mf_text *why)
{
    struct mf_store_shared store;
    struct mf_hal hal = mf_hal_null();
    struct mf_params params;
    const struct mf_geo at = placed.at;
    const struct mf_plan_shift shift =
        mf_plan_shift(plan, at.lat_deg, at.lon_deg, placed.alt_amsl_m - plan->alt_amsl_m);
    const struct mf_home home = {.valid = true,
                                 .lat_deg = at.lat_deg,
                                 .lon_deg = at.lon_deg,
                                 .alt_amsl_m = placed.alt_amsl_m,
                                 .takeoff_amsl_m = placed.alt_amsl_m};
    const struct mf_estimate estimate = {
        .pose = {.lat_deg = at.lat_deg, .lon_deg = at.lon_deg, .alt_amsl_m = placed.alt_amsl_m}};
    mf_store_shared_init(&store, plan, &shift, NULL, 0);
    hal.store = &mf_store_shared_ops;
    hal.store_ctx = &store;
    mf_param_reset(&params, &(struct mf_options){.px4_motion = false});
    for (uint32_t k = 0; k < e->params; k++) {
        const int result = mf_param_launch(&params, e->param[k].name, e->param[k].value);
        MF_ASSERT(result >= 0); /* check_entity_params() has checked them */
    }
    return mf_plan_feasible_for(
        &(struct mf_plan_vehicle){.bounds = {.hal = &hal, .params = &params, .home = &home},
                                  .estimate = &estimate},
        why);
}
