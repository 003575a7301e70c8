/* SPDX-License-Identifier: Apache-2.0 */
/* Writes frames about a scenario, for the bus, the page and network simulators of boards/swarm. */
#include "fleet/bus_frames.h"

#include "fleet/bytes.h"

#include <stdio.h>

void mf_bus_put_welcome(struct mf_bus_writer *f, const struct mf_scenario *s, uint32_t i,
                        double tick_s)
{
    mf_bus_put_u(f, i, 4);
    mf_bus_put_u(f, s->members, 4);
    mf_bus_put_u(f, s->seed, 8);
    mf_bus_put_u(f, s->variation_number, 8);
    mf_bus_put_f64(f, tick_s);
    for (size_t k = 0; k < 3; k++) {
        mf_bus_put_f64(f, s->origin[k]);
    }
}

void mf_bus_put_params(struct mf_bus_writer *f, const struct mf_scenario_own *own)
{
    for (uint32_t k = 0; k < own->params; k++) {
        mf_bus_put_text(f, own->param[k].name, sizeof own->param[k].name, false);
        mf_bus_put_text(f, "=", 1, false);
        mf_bus_put_text(f, own->param[k].value, sizeof own->param[k].value, false);
        mf_bus_put_text(f, "\n", 1, false);
    }
}

void mf_bus_put_entity(struct mf_bus_writer *f, const struct mf_scenario_entity *e)
{
    mf_bus_put_u(f, e->first, 4);
    mf_bus_put_u(f, e->count, 4);
    mf_bus_put_u(f, (uint64_t)e->as, 1);
    mf_bus_put_u(f, (uint64_t)e->object.thing, 1);
    mf_bus_put_u(f, 0, 6);
    mf_bus_put_f64(f, e->seeker.fps);
    mf_bus_put_f64(f, e->seeker.lateral_rad);
    mf_bus_put_f64(f, e->seeker.horizontal_rad);
    mf_bus_put_text(f, e->name, MF_SCENARIO_NAME_MAX, true);
    mf_bus_put_text(f, e->seeker.seeks, MF_SCENARIO_KIND_MAX, true);
}

/* ---- members */

uint32_t mf_bus_put_states(struct mf_bus_writer *f, uint32_t from, uint32_t count)
{
    const uint32_t most = (uint32_t)((MF_BUS_PAYLOAD_MAX - 8u) / MF_BUS_STATE_BYTES);
    const uint32_t to = count - from > most ? from + most : count;
    mf_bus_put_u(f, from, 4);
    mf_bus_put_u(f, to - from, 4);
    return to;
}

void mf_bus_put_state(struct mf_bus_writer *f, const struct mf_bus_state *state)
{
    const bool charged = state->charge >= 0.0f && state->charge <= 1.0f;
    for (size_t k = 0; k < 3; k++) {
        mf_bus_put_f64(f, state->neu_m[k]);
    }
    for (size_t k = 0; k < 3; k++) {
        mf_bus_put_f32(f, state->vel_neu_mps[k]);
    }
    mf_bus_put_f32(f, state->yaw_rad);
    mf_bus_put_u(f, state->custom_mode, 4);
    mf_bus_put_u(
        f, (state->known ? 1u : 0u) | (state->armed ? 2u : 0u) | (state->failsafe ? 4u : 0u), 1);
    mf_bus_put_u(f, state->landed, 1);
    mf_bus_put_u(f, charged ? (uint8_t)(1.5f + 100.0f * state->charge) : 0u, 1); /* 1 + per cent */
    mf_bus_put_u(f, 0, 1);
}

/* ---- obstacles */

static void put_row(struct mf_bus_writer *f, unsigned kind, const double *a, const double *b,
                    const double *c)
{
    mf_bus_put_u(f, kind, 4);
    for (size_t i = 0; i < 9u; i++) {
        const double *of = i < 3u ? a : i < 6u ? b : c;
        mf_bus_put_f32(f, of != NULL ? (float)of[i % 3u] : 0.0f);
    }
}

/* @return false: the frame shows its triangles instead */
static bool put_obstacle(struct mf_bus_writer *f, const struct mf_scenario_obstacle *o)
{
    const double r = o->radius_m, round[3] = {r, r, o->height_m};
    const bool box = o->kind == MF_SCENARIO_SHAPE_BOX;
    if (o->kind == MF_SCENARIO_SHAPE_HULL || o->kind == MF_SCENARIO_SHAPE_MESH) {
        return false;
    }
    put_row(f, (unsigned)o->kind, o->at, box ? o->size : round, NULL);
    return true;
}

uint32_t mf_bus_put_obstacles(struct mf_bus_writer *f, const struct mf_scenario_search *s,
                              const struct mf_space *space, uint32_t from)
{
    const uint32_t all = s->obstacles + (space != NULL ? space->count : 0u);
    const size_t count_at = f->n + 4u;
    uint32_t i = from, rows = 0;
    mf_bus_put_u(f, from, 4);
    mf_bus_put_u(f, 0, 4); /* the rows, which are counted below */
    for (; i < all && mf_bus_fits(f, MF_BUS_OBSTACLE_BYTES); i++) {
        if (i < s->obstacles) {
            rows += put_obstacle(f, &s->obstacle[i]) ? 1u : 0u;
        } else if (!space->part[i - s->obstacles].is_solid) {
            const struct mf_triangle *t = &space->part[i - s->obstacles].of.triangle;
            put_row(f, MF_SCENARIO_SHAPES, t->at, t->along[0], t->along[1]);
            rows++;
        }
    }
    (void)mf_bytes_put_u(f->bytes + count_at, rows, 4);
    return i < all ? i : 0;
}

/* ---- the scene */

/* Subject of a sensor, if the name of its kind does not say it. */
static const char *subject_of(const struct mf_scenario_sensor *s)
{
    switch (s->kind) {
    case MF_SCENARIO_SENSOR_OWN:
        return s->own.name;
    case MF_SCENARIO_SENSOR_ATTRIBUTE:
        return s->attr;
    case MF_SCENARIO_SENSOR_OBJECT:
        return s->of;
    default:
        return "";
    }
}

/* A line for each entity with sensors: "sensors.bee=compass,attribute heat". */
static void put_sensors(const struct mf_scenario *s, struct mf_bus_writer *f)
{
    for (uint32_t n = 0; n < s->entities; n++) {
        const struct mf_scenario_entity *e = &s->entity[n];
        char text[192];
        for (uint32_t k = 0; k < e->sensors; k++) {
            const char *of = subject_of(&e->sensor[k]);
            (void)snprintf(text, sizeof text, "%s%s%s%s%s%s", k == 0 ? "sensors." : ",",
                           k == 0 ? e->name : "", k == 0 ? "=" : "",
                           mf_sensor_word(e->sensor[k].kind), of[0] != '\0' ? " " : "", of);
            mf_bus_put_text(f, text, sizeof text, false);
        }
        mf_bus_put_text(f, "\n", e->sensors > 0 ? 1 : 0, false);
    }
}

void mf_bus_put_scene(struct mf_bus_writer *f, const struct mf_scenario *s, const char *file,
                      const char *api)
{
    const char *title = s->title[0] != '\0' ? s->title : file, *comma = "";
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "title=%.300s\nvariation=%s\napi=%s\nrange=%g\nradios=", title, s->variation,
                   api, s->medium.range_m);
    mf_bus_put_text(f, text, sizeof text, false);
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].radio.kind >= 0) {
            mf_bus_put_text(f, comma, 1, false);
            mf_bus_put_text(f, s->entity[k].name, MF_SCENARIO_NAME_MAX, false);
            comma = ",";
        }
    }
    mf_bus_put_text(f, "\n", 1, false);
    put_sensors(s, f);
}
