/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/outside/frames.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/hosts/hosts.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/charge.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/space/contacts.h"
#include "firmware/flight/mode.h"
#include "hal-posix/endpoint.h"
#include "math/geodesic.h"

void swarm_frame_welcome(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, double tick_s)
{
    const struct mf_scenario *s = w->scenario;
    mf_bus_put_u(f, i, 4);
    mf_bus_put_u(f, s->members, 4);
    mf_bus_put_u(f, s->seed, 8);
    mf_bus_put_u(f, s->variation_number, 8);
    mf_bus_put_f64(f, tick_s);
    for (size_t k = 0; k < 3; k++) {
        mf_bus_put_f64(f, s->origin[k]);
    }
}

void swarm_frame_params(struct mf_bus_writer *f, const struct mf_scenario_own *own)
{
    for (uint32_t k = 0; k < own->params; k++) {
        mf_bus_put_text(f, own->param[k].name, sizeof own->param[k].name, false);
        mf_bus_put_text(f, "=", 1, false);
        mf_bus_put_text(f, own->param[k].value, sizeof own->param[k].value, false);
        mf_bus_put_text(f, "\n", 1, false);
    }
}

uint32_t swarm_frame_states(struct mf_bus_writer *f, uint32_t from, uint32_t count)
{
    const uint32_t most = (uint32_t)((MF_BUS_PAYLOAD_MAX - 8u) / MF_BUS_STATE_BYTES);
    const uint32_t to = count - from > most ? from + most : count;
    mf_bus_put_u(f, from, 4);
    mf_bus_put_u(f, to - from, 4);
    return to;
}

void swarm_frame_entity(const struct swarm *w, struct mf_bus_writer *f, uint32_t k)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[k];
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

/* 1 + per cent; 0: it is not known. */
static uint8_t charge_of(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const float left = !swarm_is_vehicle(w, i) ? -1.0f
                       : w->hosts != NULL      ? swarm_hosts_charge(w, i, at_us)
                                               : swarm_charge(w->crowd, i, at_us);
    const bool known = left >= 0.0f && left <= 1.0f;
    return (uint8_t)(known ? 1.5f + 100.0f * left : 0.0f);
}

void swarm_frame_state(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, mf_us_t at_us)
{
    const double *origin = w->scenario->origin;
    const struct mf_crowd_state now = swarm_state(w, i);
    const struct mf_pose pose = swarm_pose(w, i, at_us);
    double ne_m[2];
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){pose.lat_deg, pose.lon_deg}, ne_m);
    mf_bus_put_f64(f, ne_m[0]);
    mf_bus_put_f64(f, ne_m[1]);
    mf_bus_put_f64(f, pose.alt_amsl_m - origin[2]);
    mf_bus_put_f32(f, pose.vel_ned_mps[0]);
    mf_bus_put_f32(f, pose.vel_ned_mps[1]);
    mf_bus_put_f32(f, -pose.vel_ned_mps[2]);
    mf_bus_put_f32(f, pose.yaw_rad);
    mf_bus_put_u(f, mf_mode_custom((enum mf_mode)now.mode), 4);
    const bool known = !swarm_is_away(w, i, at_us);
    mf_bus_put_u(f, (known ? 1u : 0u) | (now.armed ? 2u : 0u) | (now.failsafe ? 4u : 0u), 1);
    mf_bus_put_u(f, now.landed, 1);
    mf_bus_put_u(f, charge_of(w, i, at_us), 1);
    mf_bus_put_u(f, 0, 1);
}

/* ---- what is in the way */

static void put_row(struct mf_bus_writer *f, unsigned kind, const double *a, const double *b,
                    const double *c)
{
    mf_bus_put_u(f, kind, 4);
    for (size_t i = 0; i < 9u; i++) {
        const double *of = i < 3u ? a : i < 6u ? b : c;
        mf_bus_put_f32(f, of != NULL ? (float)of[i % 3u] : 0.0f);
    }
}

static bool put_obstacle(struct mf_bus_writer *f, const struct mf_scenario_obstacle *o)
{
    const double r = o->radius_m, round[3] = {r, r, o->height_m};
    const bool box = o->kind == MF_SCENARIO_SHAPE_BOX;
    if (o->kind == MF_SCENARIO_SHAPE_HULL || o->kind == MF_SCENARIO_SHAPE_MESH) {
        return false; /* its triangles are told */
    }
    put_row(f, (unsigned)o->kind, o->at, box ? o->size : round, NULL);
    return true;
}

/* Shapes of the scenario come first, then the triangles of meshes and hulls. */
uint32_t swarm_frame_obstacles(const struct swarm *w, struct mf_bus_writer *f, uint32_t from)
{
    const struct mf_scenario_search *s = &w->scenario->search;
    const struct mf_space *space = swarm_space(w);
    const uint32_t all = s->obstacles + (space != NULL ? space->count : 0u);
    uint32_t i = from, told = 0;
    mf_bus_put_u(f, from, 4);
    mf_bus_put_u(f, 0, 4);
    for (; i < all && mf_bus_fits(f, MF_BUS_OBSTACLE_BYTES); i++) {
        if (i < s->obstacles) {
            told += put_obstacle(f, &s->obstacle[i]) ? 1u : 0u;
        } else if (!space->part[i - s->obstacles].is_solid) {
            const struct mf_triangle *t = &space->part[i - s->obstacles].of.triangle;
            put_row(f, MF_SCENARIO_SHAPES, t->at, t->along[0], t->along[1]);
            told++;
        }
    }
    for (size_t k = 0; k < 4u; k++) {
        f->bytes[MF_BUS_HEADER + 4u + k] = (uint8_t)(told >> (8u * k));
    }
    return i < all ? i : 0;
}

/* What a sensor measures, if its kind does not say that. */
static const char *measured_of(const struct mf_scenario_sensor *s)
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

/* A line for each entity that has some: "sensors.bee=compass,attribute heat". */
static void put_sensors(const struct mf_scenario *s, struct mf_bus_writer *f)
{
    for (uint32_t n = 0; n < s->entities; n++) {
        const struct mf_scenario_entity *e = &s->entity[n];
        char text[192];
        for (uint32_t k = 0; k < e->sensors; k++) {
            const char *of = measured_of(&e->sensor[k]);
            (void)snprintf(text, sizeof text, "%s%s%s%s%s%s", k == 0 ? "sensors." : ",",
                           k == 0 ? e->name : "", k == 0 ? "=" : "",
                           mf_sensor_word(e->sensor[k].kind), of[0] != '\0' ? " " : "", of);
            mf_bus_put_text(f, text, sizeof text, false);
        }
        mf_bus_put_text(f, "\n", e->sensors > 0 ? 1 : 0, false);
    }
}

void swarm_frame_scene(const struct swarm *w, struct mf_bus_writer *f)
{
    const struct mf_scenario *s = w->scenario;
    const char *title = s->title[0] != '\0' ? s->title : w->file, *comma = "";
    char text[1024], api[MF_ADDR_TEXT_MAX];
    swarm_links_api(w, api);
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
