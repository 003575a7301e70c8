/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the obstacles, and finds contacts of members with them and each other at regular looks.
 * senses.c and program/systems.c call it. */
#include "boards/swarm/space/contacts.h"

#include "boards/swarm/space/collisions.h"
#include "boards/swarm/space/touching.h"
#include "boards/swarm/space/world_plugin.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "world/space_mesh.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HULL_TRIANGLES (MF_HULL_POINTS_MAX * MF_HULL_POINTS_MAX * MF_HULL_POINTS_MAX / 6u)

/* Contact of a member, in the rows of a look. */
struct swarm_contact {
    mf_us_t at_us;
    uint32_t member, with;
    bool obstacle;
};

/* State of contacts, in the arena. */
struct swarm_contacts {
    struct mf_space space;
    struct swarm_touching touching;
    struct mf_timer timer;
    uint64_t obstacles, members; /* number of contacts with obstacles, between members */
};

/* The file of meetings. */
const size_t swarm_contacts_file_bytes = sizeof(struct swarm_gathered);

static struct swarm_gathered *contact_rows_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_CONTACTS_FILE];
}

static struct swarm_contacts *contacts_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_CONTACTS];
}

/* ---- meshes */

/* Triangles of one obstacle, moved to its place. */
struct mesh {
    struct mf_triangle *triangle;
    uint32_t count;
};

static int read_mesh(struct swarm *w, const struct mf_scenario_obstacle *o, struct mesh *mesh)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    size_t n = 0;
    swarm_plan_path(w, o->file, path, sizeof path);
    char *text = swarm_read_file(w, path, &n);
    if (text == NULL) {
        return swarm_refuse(w, o->line, "obstacles: %s: %s", path, strerror(errno));
    }
    const uint32_t most = mf_mesh_stl_most(n);
    mesh->triangle = swarm_memory(w, o->line, most * sizeof *mesh->triangle);
    const enum mf_mesh_error error =
        mesh->triangle == NULL
            ? MF_MESH_FULL
            : mf_mesh_read_stl((const uint8_t *)text, n, mesh->triangle, most, &mesh->count);
    free(text);
    if (error == MF_MESH_NUMBER) {
        return swarm_refuse(w, o->line, "obstacles: %s: facet %u: %s", path, mesh->count + 1u,
                            mf_mesh_text(error));
    }
    return error == MF_MESH_OK
               ? SWARM_OK
               : swarm_refuse(w, o->line, "obstacles: %s: %s", path, mf_mesh_text(error));
}

static int make_hull(struct swarm *w, const struct mf_scenario_obstacle *o, struct mesh *mesh)
{
    mesh->triangle = swarm_memory(w, o->line, HULL_TRIANGLES * sizeof *mesh->triangle);
    if (mesh->triangle == NULL) {
        return SWARM_INPUT;
    }
    const enum mf_mesh_error error = o->points < 4
                                         ? MF_MESH_EMPTY
                                         : mf_mesh_hull(&o->point[0][0], o->points, mesh->triangle,
                                                        HULL_TRIANGLES, &mesh->count);
    return error == MF_MESH_OK
               ? SWARM_OK
               : swarm_refuse(w, o->line,
                              "obstacles: a hull needs 4 to %u points that do not lie in one plane",
                              MF_HULL_POINTS_MAX);
}

static bool is_mesh(const struct mf_scenario_obstacle *o)
{
    return o->kind == MF_SCENARIO_SHAPE_MESH || o->kind == MF_SCENARIO_SHAPE_HULL;
}

static int make_mesh(struct swarm *w, const struct mf_scenario_obstacle *o, struct mesh *mesh)
{
    const int result =
        o->kind == MF_SCENARIO_SHAPE_MESH ? read_mesh(w, o, mesh) : make_hull(w, o, mesh);
    for (uint32_t i = 0; i < 3u * mesh->count && result == SWARM_OK; i++) {
        mesh->triangle[i / 3u].at[i % 3u] += o->at[i % 3u];
    }
    return result;
}

/* Read or make the triangles of all obstacles.
 * @param mesh  out [obstacles]
 * @param parts  out: number of triangles and other solids */
static int make_meshes(struct swarm *w, struct mesh *mesh, uint32_t *parts)
{
    const struct mf_scenario_search *s = &w->scenario->search;
    int result = SWARM_OK;
    *parts = 0;
    for (uint32_t i = 0; i < s->obstacles && result == SWARM_OK; i++) {
        const struct mf_scenario_obstacle *o = &s->obstacle[i];
        if (is_mesh(o)) {
            result = make_mesh(w, o, &mesh[i]);
        }
        *parts += is_mesh(o) ? mesh[i].count : 1u;
    }
    return result;
}

/* ---- set-up */

static struct mf_solid solid_of(const struct mf_scenario_obstacle *o)
{
    static const enum mf_solid_kind k_kind[MF_SCENARIO_SHAPES] = {
        [MF_SCENARIO_SHAPE_BOX] = MF_SOLID_BOX,
        [MF_SCENARIO_SHAPE_CYLINDER] = MF_SOLID_CYLINDER,
        [MF_SCENARIO_SHAPE_SPHERE] = MF_SOLID_SPHERE,
        [MF_SCENARIO_SHAPE_CONE] = MF_SOLID_CONE};
    struct mf_solid solid = {.kind = (int32_t)k_kind[o->kind],
                             .heading = {1.0, 0.0},
                             .radius_m = o->radius_m,
                             .height_m = o->height_m};
    memcpy(solid.at_neu_m, o->at, sizeof solid.at_neu_m);
    memcpy(solid.size_m, o->size, sizeof solid.size_m);
    if (o->kind == MF_SCENARIO_SHAPE_BOX) { /* the scenario has the corner */
        solid.at_neu_m[0] += 0.5 * o->size[0];
        solid.at_neu_m[1] += 0.5 * o->size[1];
    }
    return solid;
}

static int add_obstacle(struct mf_space *space, uint32_t i, const struct mf_scenario_obstacle *o,
                        const struct mesh *mesh)
{
    if (is_mesh(o)) {
        return mf_space_add_triangles(space, i, mesh->triangle, mesh->count);
    }
    const struct mf_solid solid = solid_of(o);
    return mf_space_add_solid(space, i, &solid);
}

static int add_obstacles(struct swarm *w, const struct mesh *mesh)
{
    const struct mf_scenario_search *s = &w->scenario->search;
    for (uint32_t i = 0; i < s->obstacles; i++) {
        if (add_obstacle(&contacts_of(w)->space, i, &s->obstacle[i], &mesh[i]) != MF_E_OK) {
            return swarm_refuse(w, s->obstacle[i].line,
                                "obstacles: it has no extent, or reaches beyond 1000 km");
        }
    }
    mf_space_build(&contacts_of(w)->space);
    return SWARM_OK;
}

static int prepare_space(struct swarm *w)
{
    uint32_t parts;
    struct mesh *mesh = swarm_memory(w, 1, (w->scenario->search.obstacles + 1u) * sizeof *mesh);
    if (mesh == NULL) {
        return SWARM_INPUT;
    }
    const int result = make_meshes(w, mesh, &parts);
    void *bytes =
        result == SWARM_OK && parts > 0 ? swarm_memory(w, 1, mf_space_bytes(parts)) : NULL;
    if (parts == 0 || result != SWARM_OK) {
        return result;
    }
    if (bytes == NULL) {
        return SWARM_INPUT;
    }
    mf_space_init(&contacts_of(w)->space, parts, bytes);
    return add_obstacles(w, mesh);
}

static int prepare_contacts(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const bool writes = s->outputs.contacts.file[0] != '\0';
    if (s->search.obstacles == 0 && !writes) {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_CONTACTS] = swarm_memory(w, 1, sizeof *contacts_of(w));
    if (contacts_of(w) == NULL) {
        return SWARM_INPUT;
    }
    w->members.space = &contacts_of(w)->space;
    const int result = prepare_space(w);
    return result == SWARM_OK && writes
               ? swarm_touching_prepare(w, &contacts_of(w)->touching,
                                        mf_us_of(s->outputs.contacts.every_s))
               : result;
}

static int open_contacts_file(struct swarm *w)
{
    struct swarm_gathered *c = contact_rows_of(w);
    const struct mf_scenario_output *o = &w->scenario->outputs.contacts;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    c->file = swarm_open(w, o, 0);
    if (c->file == NULL) {
        return SWARM_INPUT;
    }
    if (w->command->resume == NULL) {
        (void)fputs("t_s,member,with\n", c->file);
    }
    return SWARM_OK;
}

/* ---- a look at all contacts since the last one */

struct looking {
    struct swarm *w;
    struct swarm_rows *of;
};

static void keep_contact(const struct looking *l, const struct mf_contact *contact, bool obstacle)
{
    const mf_us_t at_us = contacts_of(l->w)->touching.at_us + contact->after_us;
    if (swarm_is_absent(l->w, contact->ball, at_us) ||
        (!obstacle && swarm_is_absent(l->w, contact->with, at_us))) {
        return; /* retired before the contact */
    }
    struct swarm_contact *row = swarm_gather(l->of, sizeof *row);
    if (row != NULL) {
        *row = (struct swarm_contact){at_us, contact->ball, contact->with, obstacle};
    }
}

static void keep_pair(void *ctx, const struct mf_contact *contact)
{
    const struct looking *l = ctx;
    if (!swarm_collides(l->w, contact->ball, contact->with)) {
        keep_contact(l, contact, false);
    }
}

/* Keep the collisions since the last look, which members' places do not show. */
static void keep_collisions(struct swarm *w)
{
    const struct looking l = {w, &contact_rows_of(w)->shard[0]};
    struct swarm_collision collision;
    while (swarm_collisions_next(w, &collision)) {
        const struct mf_contact contact = {collision.at_us - contacts_of(w)->touching.at_us,
                                           collision.i, collision.with};
        if (mf_scenario_is_chosen(w->scenario, &w->scenario->outputs.contacts.of, collision.i,
                                  true)) {
            keep_contact(&l, &contact, false);
        }
    }
}

static void look_at_shard(void *ctx, uint32_t shard)
{
    struct swarm *w = ctx;
    const struct swarm_touching *t = &contacts_of(w)->touching;
    struct looking l = {w, &contact_rows_of(w)->shard[shard]};
    const uint64_t members = w->scenario->members;
    const uint32_t to = (uint32_t)(members * (shard + 1u) / MF_CROWD_SHARDS);
    for (uint32_t i = (uint32_t)(members * shard / MF_CROWD_SHARDS); i < to; i++) {
        struct mf_contact contact;
        if (!mf_scenario_is_chosen(w->scenario, &w->scenario->outputs.contacts.of, i, true)) {
            continue;
        }
        if (swarm_touching_find_obstacle(w, t, i, &contact)) {
            keep_contact(&l, &contact, true);
        }
        swarm_touching_visit_members(t, i, keep_pair, &l);
    }
}

static int compare_contacts(const void *left, const void *right)
{
    const struct swarm_contact *a = left, *b = right;
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us ? -1 : 1;
    }
    if (a->member != b->member) {
        return a->member < b->member ? -1 : 1;
    }
    if (a->obstacle != b->obstacle) {
        return a->obstacle ? -1 : 1;
    }
    return a->with < b->with ? -1 : a->with > b->with;
}

static void write_contact(struct swarm *w, const struct swarm_contact *contact)
{
    char member[SWARM_NAME_MAX], with[SWARM_NAME_MAX];
    mf_scenario_member_name(w->scenario, contact->member, member);
    if (contact->obstacle) {
        contacts_of(w)->obstacles++;
        (void)snprintf(with, sizeof with, "obstacle.%u", (unsigned)contact->with + 1u);
    } else {
        contacts_of(w)->members++;
        mf_scenario_member_name(w->scenario, contact->with, with);
    }
    (void)fprintf(contact_rows_of(w)->file, "%.6f,%s,%s\n", (double)contact->at_us / 1e6, member,
                  with);
}

/* Write the contacts of all shards in the order of time. @return their number */
static uint64_t write_contacts(struct swarm *w)
{
    struct swarm_rows *all = &contact_rows_of(w)->shard[0];
    for (uint32_t shard = 1; shard < MF_CROWD_SHARDS; shard++) {
        struct swarm_rows *of = &contact_rows_of(w)->shard[shard];
        for (size_t k = 0; k < of->count; k++) {
            struct swarm_contact *row = swarm_gather(all, sizeof *row);
            if (row == NULL) {
                break;
            }
            *row = ((const struct swarm_contact *)of->at)[k];
        }
        of->count = 0;
    }
    struct swarm_contact *contact = all->at;
    const size_t count = all->count;
    if (count > 0) {
        qsort(contact, count, sizeof *contact, compare_contacts);
    }
    for (size_t k = 0; k < count; k++) {
        write_contact(w, &contact[k]);
    }
    all->count = 0;
    return count;
}

static void look_at_contacts(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct swarm_touching *t = &contacts_of(w)->touching;
    uint64_t count = 0;
    (void)id;
    if (at_us > 0) {
        swarm_touching_look(w, t, at_us);
        mf_workers_run(&w->workers, MF_CROWD_SHARDS, look_at_shard, w);
        keep_collisions(w);
        count = write_contacts(w);
    }
    swarm_touching_end_look(w, t, at_us);
    swarm_costs_lap(w, SWARM_COST_CONTACTS, count);
}

static int start_contacts_timer(struct swarm *w)
{
    if (contacts_of(w) == NULL || contacts_of(w)->touching.period_us == 0) {
        return SWARM_OK;
    }
    struct swarm_contacts *c = contacts_of(w);
    mf_timer_init(&c->timer, MF_PHASE_OBSERVE, 0, look_at_contacts, w);
    const int result = mf_timer_set(&w->engine, &c->timer, 0, c->touching.period_us);
    MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    return SWARM_OK;
}

static uint32_t count_watching_timers(const struct swarm *w)
{
    return contacts_of(w) != NULL && mf_timer_is_set(&contacts_of(w)->timer) ? 1 : 0;
}

/* ---- summary */

static void print_contacts(const struct swarm *w)
{
    const struct swarm_contacts *c = contacts_of(w);
    if (c != NULL && c->touching.period_us > 0) {
        (void)printf("contacts  %" PRIu64 " with obstacles, %" PRIu64 " between members\n",
                     c->obstacles, c->members);
    }
}

static bool close_contacts_file(struct swarm *w)
{
    return swarm_gathered_close(w, contact_rows_of(w));
}

const struct swarm_system swarm_contacts_system = {
    .name = "contacts",
    .on = {[SWARM_FIND] = swarm_world_plugin_prepare,
           [SWARM_RESUME] = swarm_world_plugin_prepare,
           [SWARM_PREPARE] = prepare_contacts,
           [SWARM_OPEN] = open_contacts_file,
           [SWARM_BEGIN] = start_contacts_timer},
    .count_watches = count_watching_timers,
    .print_summary = print_contacts,
    .complete = close_contacts_file,
};

const struct swarm_system swarm_obstacles_system = {
    .name = "obstacles",
    .on = {[SWARM_FIND] = swarm_world_plugin_prepare,
           [SWARM_RESUME] = swarm_world_plugin_prepare,
           [SWARM_PREPARE] = prepare_contacts},
};
