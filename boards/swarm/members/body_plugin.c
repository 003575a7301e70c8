/* SPDX-License-Identifier: Apache-2.0 */
/* Steps bodies by plug-ins of the scenario. bodies.c calls it. */
#include "boards/swarm/members/body_plugin.h"

#include "boards/swarm/core/plugins.h"

#include <math.h>

struct body {
    struct swarm_plugin own;
    const struct mf_scenario *scenario;
};

/* @return [entities], in the arena, since a checkpoint has their addresses: a resume finds the
 * plug-ins of its process */
static struct body *plugin_bodies_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_BODY_PLUGIN];
}

int swarm_body_plugin_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = swarm_plugins_make(w, SWARM_SLOT_BODY_PLUGIN, s->entities * sizeof(struct body));
    for (uint32_t k = 0; k < s->entities && result == SWARM_OK; k++) {
        const struct mf_scenario_body_settings *b = &s->entity[k].body;
        char key[MF_SCENARIO_NAME_MAX + 16u];
        (void)snprintf(key, sizeof key, "%s.body", s->entity[k].name);
        if (b->kind == MF_SCENARIO_BODY_OWN) {
            plugin_bodies_of(w)[k].scenario = s;
            result = swarm_plugin_find(w, &b->own, MF_PLUGIN_BODY, key, s->entity[k].line,
                                       &plugin_bodies_of(w)[k].own);
        }
    }
    return result;
}

/* ---- a step */

static struct mf_plugin_place plugin_place_of(struct mf_vec3 ned)
{
    return (struct mf_plugin_place){ned.y, ned.x, -ned.z};
}

static struct mf_vec3 ned_of(const struct mf_plugin_place *p)
{
    return (struct mf_vec3){p->north, p->east, -p->up};
}

static bool are_moves_finite(const struct mf_plugin_moves *s)
{
    const double all[] = {s->at.east,       s->at.north,       s->at.up,
                          s->velocity.east, s->velocity.north, s->velocity.up,
                          s->roll_rad,      s->pitch_rad,      s->yaw_rad};
    bool finite = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        finite = finite && isfinite(all[i]);
    }
    return finite;
}

static void step_body(const void *ctx, const struct mf_mover_own_step *step,
                      struct mf_mover_own_state *state, void *memory)
{
    const struct body *b = ctx;
    const struct swarm_plugin *o = &b->own;
    struct mf_plugin_self self = o->self;
    const struct mf_body_told *told = step->told;
    const struct mf_plugin_step given = {
        .number = step->number + 1u,
        .time_s = step->t_s,
        .dt_s = step->dt_s,
        .works = told->works,
        .velocity = plugin_place_of(told->want_mps),
        .heading_rad = told->yaw_rad,
        .wind = plugin_place_of(told->wind_mps),
        .ground_m = -told->ground_m,
    };
    struct mf_plugin_moves moves = {plugin_place_of(state->pos_m), plugin_place_of(state->vel_mps),
                                    state->rpy_rad[0], state->rpy_rad[1], state->rpy_rad[2]};
    self.state = memory;
    self.key = mf_scenario_chance(b->scenario, step->number, MF_PURPOSE_BODY);
    swarm_plugin_enter(o);
    o->entry->body->step(&self, &given, &moves);
    swarm_plugin_leave();
    if (!are_moves_finite(&moves)) {
        swarm_plugin_fatal(o, "moves member %u to a place, velocity or attitude that is not finite",
                           (unsigned)step->number + 1u);
    }
    *state = (struct mf_mover_own_state){ned_of(&moves.at),
                                         ned_of(&moves.velocity),
                                         {moves.roll_rad, moves.pitch_rad, moves.yaw_rad}};
}

void swarm_body_plugin_describe(const struct swarm *w, uint32_t entity,
                                struct mf_mover_own_settings *s)
{
    s->step = step_body;
    s->ctx = &plugin_bodies_of(w)[entity];
    s->bytes = (plugin_bodies_of(w)[entity].own.entry->state_bytes + 15u) / 16u * 16u;
}
