/* SPDX-License-Identifier: Apache-2.0 */
/* Gives agents and vehicles their stepped bodies. agents.c, vehicles.c and space/contacts.c
 * call it. */
#include "boards/swarm/members/bodies.h"

#include "boards/swarm/members/body_plugin.h"
#include "hal-sim/airframe_stepped.h"

/* Stepped body of a vehicle. */
struct carrier {
    struct mf_world_body body;
    struct mf_airframe_stepped airframe;
};

struct swarm_bodies {
    struct mf_stepped_settings made;
    struct mf_weather weather; /* copy in the arena: another process has the scenario at another
                                * address */
    struct mf_stepped *agent;  /* [count], bodies of agents; NULL: the entity has vehicles */
    struct carrier *vehicle;   /* [count], bodies of vehicles; NULL: the entity has agents */
};

/* @return [entities], in the arena; NULL: no bodies are stepped */
static struct swarm_bodies **bodies_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_BODIES];
}

static void carry_vehicle(const struct swarm *w, struct swarm_bodies *b, uint32_t i)
{
    const double *origin = w->scenario->origin;
    b->vehicle[i].airframe.made = &b->made;
    b->vehicle[i].airframe.origin = (struct mf_geo){origin[0], origin[1]};
    b->vehicle[i].airframe.origin_amsl_m = origin[2];
    b->vehicle[i].body = (struct mf_world_body){&mf_airframe_stepped_ops, &b->vehicle[i].airframe,
                                                mf_airframe_stepped_begin};
}

/* Reserve a plug-in's memory for each body of an entity, once for the begin and once for the end
 * of a step. */
static int prepare_own(struct swarm *w, uint32_t k, struct swarm_bodies *b)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[k];
    swarm_body_plugin_describe(w, k, &b->made.own);
    const size_t bytes = b->made.own.bytes;
    uint8_t *memory = bytes > 0 ? swarm_memory(w, e->line, 2u * bytes * e->count) : NULL;
    if (bytes > 0 && memory == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t i = 0; i < e->count; i++) {
        struct mf_mover_own *own =
            b->vehicle != NULL ? &b->vehicle[i].airframe.body.of.own : &b->agent[i].of.own;
        own->number = e->first + i;
        own->memory = bytes > 0 ? &memory[2u * bytes * i] : NULL;
    }
    return SWARM_OK;
}

static int prepare_entity_bodies(struct swarm *w, uint32_t k)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[k];
    const bool vehicle = e->as == MF_SCENARIO_KIND_VEHICLE;
    const size_t size = vehicle ? sizeof(struct carrier) : sizeof(struct mf_stepped);
    struct swarm_bodies *b = swarm_memory(w, e->line, sizeof *b);
    void *all = swarm_memory(w, e->line, e->count * size);
    if (b == NULL || all == NULL) {
        return SWARM_INPUT;
    }
    bodies_of(w)[k] = b;
    mf_scenario_stepped(&e->body, &b->made);
    b->weather = w->scenario->weather.is;
    b->made.weather = &b->weather;
    b->made.rigid.space = b->made.bee.space = w->members.space;
    b->agent = vehicle ? NULL : all;
    b->vehicle = vehicle ? all : NULL;
    for (uint32_t i = 0; i < e->count && vehicle; i++) {
        carry_vehicle(w, b, i);
    }
    return b->made.kind == MF_STEPPED_OWN ? prepare_own(w, k, b) : SWARM_OK;
}

static int make_bodies(struct swarm *w)
{
    if (bodies_of(w) == NULL) {
        w->state[SWARM_SLOT_BODIES] =
            swarm_memory(w, 1, w->scenario->entities * sizeof(struct swarm_bodies *));
    }
    return bodies_of(w) != NULL ? SWARM_OK : SWARM_INPUT;
}

static int prepare_bodies(struct swarm *w)
{
    int result = SWARM_OK;
    for (uint32_t k = 0; k < w->scenario->entities && result == SWARM_OK; k++) {
        if (mf_scenario_is_stepped(&w->scenario->entity[k].body)) {
            result = make_bodies(w);
            result = result != SWARM_OK ? result : prepare_entity_bodies(w, k);
        }
    }
    return result;
}

/* Bodies of a member's entity.
 * @param place  out: index of the member in them
 * @return NULL: its body is not stepped */
static struct swarm_bodies *bodies_with(const struct swarm *w, uint32_t i, uint32_t *place)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    *place = i - e->first;
    return bodies_of(w) != NULL ? bodies_of(w)[e - w->scenario->entity] : NULL;
}

struct mf_stepped *swarm_body(const struct swarm *w, uint32_t i,
                              const struct mf_stepped_settings **made)
{
    uint32_t place;
    const struct swarm_bodies *b = bodies_with(w, i, &place);
    if (b == NULL || b->agent == NULL) {
        return NULL;
    }
    *made = &b->made;
    return &b->agent[place];
}

bool swarm_body_is_stopped(const struct swarm *w, uint32_t i)
{
    uint32_t place;
    const struct swarm_bodies *b = bodies_with(w, i, &place);
    return b != NULL && b->made.kind != MF_STEPPED_OWN;
}

bool swarm_body_met(const struct swarm *w, uint32_t i, mf_us_t since_us, mf_us_t until_us,
                    struct mf_contact *contact)
{
    uint32_t place;
    const struct swarm_bodies *b = bodies_with(w, i, &place);
    MF_ASSERT(b != NULL);
    return mf_stepped_met(b->vehicle != NULL ? &b->vehicle[place].airframe.body : &b->agent[place],
                          &b->made, since_us, until_us, contact);
}

/* @return NULL: a body that nothing pushes, or none */
static struct mf_stepped *pushed_body(const struct swarm *w, uint32_t i,
                                      const struct mf_stepped_settings **made)
{
    uint32_t place;
    struct swarm_bodies *b = bodies_with(w, i, &place);
    if (b == NULL || b->made.kind == MF_STEPPED_OWN) {
        return NULL;
    }
    *made = &b->made;
    struct mf_stepped *body =
        b->vehicle != NULL ? &b->vehicle[place].airframe.body : &b->agent[place];
    return body->standing ? NULL : body;
}

double swarm_body_mass_kg(const struct swarm *w, uint32_t i)
{
    const struct mf_stepped_settings *made;
    if (pushed_body(w, i, &made) == NULL) {
        return 0.0;
    }
    return made->kind == MF_STEPPED_BEE ? made->bee.mass_kg : made->rigid.mass_kg;
}

void swarm_body_push(struct swarm *w, uint32_t i, mf_us_t at_us, const double shift_neu_m[3],
                     const double by_neu_mps[3])
{
    const struct mf_stepped_settings *made;
    struct mf_stepped *body = pushed_body(w, i, &made);
    if (body != NULL && at_us < mf_stepped_next(body, made)) {
        mf_stepped_push(body, made, at_us,
                        (struct mf_vec3){shift_neu_m[0], shift_neu_m[1], -shift_neu_m[2]},
                        (struct mf_vec3){by_neu_mps[0], by_neu_mps[1], -by_neu_mps[2]});
    }
}

const struct mf_world_body *swarm_body_of_vehicle(const struct swarm *w, uint32_t i)
{
    uint32_t place;
    const struct swarm_bodies *b = bodies_with(w, i, &place);
    return b != NULL && b->vehicle != NULL ? &b->vehicle[place].body : NULL;
}

static bool has_bees(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    bool bees = false;
    for (uint32_t k = 0; k < s->entities; k++) {
        bees = bees || s->entity[k].body.kind == MF_SCENARIO_BODY_BEE;
    }
    return bees;
}

/* The charge that the body of a bee has used in the steps that are over. */
static void write_charge(const struct swarm *w, uint32_t i, FILE *to)
{
    uint32_t place;
    const struct swarm_bodies *b = bodies_with(w, i, &place);
    (void)fputc(',', to);
    if (b != NULL && b->made.kind == MF_STEPPED_BEE) {
        const struct mf_stepped *body =
            b->vehicle != NULL ? &b->vehicle[place].airframe.body : &b->agent[place];
        (void)fprintf(to, "%.3f", body->of.bee.used_mas);
    }
}

static const struct swarm_column k_column[] = {{",body_mas", has_bees, write_charge}, {0}};

const struct swarm_system swarm_bodies_system = {
    .name = "bodies",
    .on = {[SWARM_FIND] = swarm_body_plugin_prepare,
           [SWARM_RESUME] = swarm_body_plugin_prepare,
           [SWARM_PREPARE] = prepare_bodies},
    .columns = k_column,
};
