/* SPDX-License-Identifier: Apache-2.0 */
/* Scenario: defaults, checks between keys, reading of a file. Called by boards/swarm/main and
 * sweep. */
#include "fleet/scenario.h"

#include "fleet/key_forms.h"
#include "fleet/scenario_ghost.h"
#include "fleet/scenario_given.h"
#include "fleet/scenario_networks.h"
#include "fleet/sweep.h"
#include "math/chance.h"
#include "world/obstacles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- defaults */

static void set_defaults(struct mf_scenario *s)
{
    memset(s, 0, sizeof *s);
    s->seed = 1;
    s->time.rate = 1.0;
    s->time.end_s = (double)INFINITY;
    s->time.step_s = 0.01;
    mf_scenario_search_defaults(&s->search);
    mf_scenario_grid_defaults(&s->grid);
    mf_scenario_medium_defaults(&s->medium);
    mf_planner_defaults(&s->planner);
    s->collisions = (struct mf_scenario_collisions){.every_s = 0.01, .restitution = 1.0};
    s->bus.tick_s = 0.1;
    s->bus.controllers = 1;
    s->bus.patience_s = 10.0;
    mf_scenario_gzuav_defaults(&s->gzuav);
    mf_scenario_hosts_defaults(&s->hosts);
    mf_scenario_outputs_defaults(&s->outputs);
    s->origin[0] = 47.397742;
    s->origin[1] = 8.545594;
    s->origin[2] = 488.0;
}

/* ---- checks between keys */

static bool refuse_at(struct mf_reading *r, int line, const char *what, const char *name)
{
    r->path[0] = '\0';
    return mf_reading_refuse(r, line, what, name);
}

static bool is_thing(const struct mf_scenario_entity *e)
{
    return e->as == MF_SCENARIO_KIND_THING;
}

/* Turn an entity with the key thing into one of kind THING, except in a search and in a world of
 * cells. */
static bool take_thing(struct mf_reading *r, const struct mf_scenario *s,
                       struct mf_scenario_entity *e)
{
    const bool ordinary = s->search.plan < 0 && s->grid.size[0] <= 0.0;
    if (ordinary && e->object.thing != MF_SCENARIO_THING_NONE &&
        e->as != MF_SCENARIO_KIND_GHOST) { /* a ghost stays one: its place comes from outside */
        e->as = MF_SCENARIO_KIND_THING;
    } else if (is_thing(e)) {
        return refuse_at(r, e->line, "%s: the key thing says what a thing is", e->name);
    }
    return true;
}

/* Check the keys of objects that only a search, or a world that moves them, has. */
static bool check_object(struct mf_reading *r, const struct mf_scenario *s,
                         const struct mf_scenario_entity *e)
{
    const struct mf_scenario_object *o = &e->object;
    const bool searched = s->search.plan >= 0 && o->thing == MF_SCENARIO_THING_OBJECT;
    if (!searched && (o->type[0] != '\0' || !isnan(o->height_m) || o->velocity_mps[2] != 0.0)) {
        return refuse_at(r, e->line, "%s: type, height and a velocity up are of a search's objects",
                         e->name);
    }
    return isnan(o->velocity_mps[0]) || isnan(o->speed_mps) ||
           refuse_at(r, e->line, "%s: give speed, which is by chance, or velocity, not both",
                     e->name);
}

/* Set the default speed of objects, which move only in a search, unless the file sets a speed. */
static bool settle_speed(struct mf_reading *r, const struct mf_scenario *s,
                         struct mf_scenario_entity *e)
{
    const bool object = e->object.thing == MF_SCENARIO_THING_OBJECT;
    if (!check_object(r, s, e)) {
        return false;
    }
    if (!isnan(e->object.velocity_mps[0])) {
        e->object.speed_mps = hypot(e->object.velocity_mps[0], e->object.velocity_mps[1]);
    }
    if (isnan(e->object.speed_mps)) {
        e->object.speed_mps = s->search.plan >= 0 ? 1.0 : 0.0;
        return true;
    }
    return (object && e->as != MF_SCENARIO_KIND_GHOST && s->grid.size[0] <= 0.0) ||
           refuse_at(r, e->line,
                     "%s: speed and velocity are of objects that the run moves: not of others, of "
                     "ghosts, or in cells",
                     e->name);
}

/* Check that the kind of entity may have its body. */
static bool check_body(struct mf_reading *r, const struct mf_scenario *s,
                       const struct mf_scenario_entity *e)
{
    const bool stepped = mf_scenario_is_stepped(&e->body);
    struct mf_stepped_settings made;
    mf_scenario_stepped(&e->body, &made);
    if (e->as != MF_SCENARIO_KIND_VEHICLE && e->body.kind != MF_SCENARIO_BODY_CONSTANT &&
        !(stepped && e->as == MF_SCENARIO_KIND_AGENT)) {
        return refuse_at(r, e->line,
                         "%s: only vehicles have body physics; agents have constant, bee, rigid "
                         "or own, ghosts constant",
                         e->name);
    }
    if (stepped && e->as == MF_SCENARIO_KIND_VEHICLE && !mf_stepped_obeys(&made)) {
        return refuse_at(r, e->line,
                         "%s: a vehicle's rigid body needs forces: [follow], by which it obeys",
                         e->name);
    }
    if (stepped && e->as == MF_SCENARIO_KIND_VEHICLE && s->outputs.record.file[0] != '\0') {
        return refuse_at(r, e->line, "%s: vehicles whose body is stepped cannot be recorded",
                         e->name);
    }
    return !stepped || isfinite(s->time.end_s) ||
           refuse_at(r, e->line,
                     "%s: a body that is stepped may never rest: time.end must be "
                     "seconds",
                     e->name);
}

/* Refuse keys that the kind of entity would ignore. */
static bool check_kind(struct mf_reading *r, const struct mf_scenario *s,
                       const struct mf_scenario_entity *e)
{
    const struct mf_behaviour *b = &e->behaviour;
    const bool vehicle = e->as == MF_SCENARIO_KIND_VEHICLE;
    if (!vehicle && (e->plan[0] != '\0' || e->params + e->settings + e->faults > 0)) {
        return refuse_at(r, e->line, "%s: only vehicles have plan, params, settings and faults",
                         e->name);
    }
    const char *wrong = mf_scenario_autopilot_wrong(s, e);
    if (wrong != NULL) {
        return refuse_at(r, e->line, wrong, e->name);
    }
    if (s->search.plan >= 0) {
        return true; /* a search checks its members later */
    }
    wrong = mf_scenario_ghost_wrong(s, e);
    if (wrong != NULL) {
        return refuse_at(r, e->line, wrong, e->name);
    }
    if (s->grid.size[0] > 0.0) {
        return true; /* a world of cells checks its members later */
    }
    const bool planned = s->planner.kind >= 0;
    if (e->body.kind == MF_SCENARIO_BODY_CELL || e->object.thing == MF_SCENARIO_THING_CHARGER ||
        e->object.thing == MF_SCENARIO_THING_MOVER || e->cell.actuators > 0) {
        return refuse_at(r, e->line,
                         "%s: body cell, thing charger and mover, and actuators need space.cells",
                         e->name);
    }
    if (e->body.kind == MF_SCENARIO_BODY_THRUST) {
        return refuse_at(r, e->line, "%s: body thrust needs a plan", e->name);
    }
    if (!planned && (e->seeker.seeks[0] != '\0' || e->cell.mah > 0.0)) {
        return refuse_at(r, e->line, "%s: seeks and battery need a plan, a planner or space.cells",
                         e->name);
    }
    if (e->body.shape >= 0 && (e->as != MF_SCENARIO_KIND_GHOST || e->time_socket.count > 0)) {
        return refuse_at(r, e->line,
                         "%s: body.shape is of ghosts by mocap, a link or the bus: a shape that "
                         "stands still is one of space.obstacles",
                         e->name);
    }
    if (is_thing(e)) {
        return (b->kind == MF_BEHAVIOUR_NONE && e->sensors + e->link.count == 0) ||
               refuse_at(r, e->line, "%s: a thing has no behaviour, sensors and link", e->name);
    }
    if (!check_body(r, s, e)) {
        return false;
    }
    if (b->kind == MF_BEHAVIOUR_NONE) {
        return true;
    }
    if (e->plan[0] != '\0') {
        return refuse_at(r, e->line, "%s: give a plan or a behaviour, not both", e->name);
    }
    if (b->kind == MF_BEHAVIOUR_WAYPOINTS && b->points == 0) {
        return refuse_at(r, e->line, "%s: waypoints need points: [[north, east, height], ...]",
                         e->name);
    }
    return isfinite(s->time.end_s) ||
           refuse_at(r, e->line, "%s: a behaviour never ends: time.end must be seconds", e->name);
}

static bool check_sensors(struct mf_reading *r, const struct mf_scenario *s,
                          struct mf_scenario_entity *e)
{
    if (e->sensors > 0 && s->search.plan >= 0) {
        return refuse_at(r, e->sensor[0].line, "%s: a team that searches has a camera, no sensors",
                         e->name);
    }
    const bool cells = s->grid.size[0] > 0.0;
    _Static_assert(MF_GRID_EQUIPMENT_MAX == 4u, "as the text says");
    if (cells && e->sensors > MF_GRID_EQUIPMENT_MAX) {
        return refuse_at(r, e->sensor[0].line,
                         "%s: a drone in a world of cells has 4 sensors at most", e->name);
    }
    for (uint32_t i = 0; i < e->sensors; i++) {
        const bool named = e->sensor[i].attr[0] != '\0';
        const char *wrong = !cells  ? mf_sensor_settle(&e->sensor[i])
                            : named ? NULL
                                    : "in a world of cells each needs attr: what it senses";
        if (wrong != NULL) {
            return refuse_at(r, e->sensor[i].line, "sensors: %s", wrong);
        }
    }
    return true;
}

static bool check_radio(struct mf_reading *r, const struct mf_scenario *s,
                        const struct mf_scenario_entity *e)
{
    struct mf_radio radio;
    const double *axis = e->radio.axis_neu;
    if (e->radio.kind < 0) {
        return e->send.every_s == 0.0 ||
               refuse_at(r, e->send.line, "%s: send needs a radio", e->name);
    }
    if (s->search.plan >= 0 || s->grid.size[0] > 0.0) {
        return refuse_at(r, e->radio.line, "%s: a search and a world of cells have no radios",
                         e->name);
    }
    if (mf_scenario_radio(&e->radio, &radio) != MF_E_OK) {
        return refuse_at(r, e->radio.line,
                         "%s: its radio has no such level: cc2420 has 31, 27, 23, 19, 15, 11, 7 "
                         "and 3, rf230 0 to 15, generic none but power",
                         e->name);
    }
    if (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] < 1e-6) {
        return refuse_at(r, e->radio.line, "%s: radio.axis points nowhere", e->name);
    }
    return e->send.every_s == 0.0 || isfinite(s->time.end_s) ||
           refuse_at(r, e->send.line, "%s: send never ends: time.end must be seconds", e->name);
}

static bool check_entity(struct mf_reading *r, struct mf_scenario *s, uint32_t number)
{
    static const char k_letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    struct mf_scenario_entity *e = &s->entity[number];
    if (e->name[0] == '\0') {
        (void)snprintf(e->name, sizeof e->name, "entity%u", (unsigned)number + 1u);
    }
    if (e->name[strspn(e->name, k_letters)] != '\0') {
        return refuse_at(r, e->line, "name '%s' must have letters, digits, - and _ only", e->name);
    }
    for (uint32_t i = 0; i < number; i++) {
        if (strcmp(s->entity[i].name, e->name) == 0) {
            return refuse_at(r, e->line, "two entities are called '%s'", e->name);
        }
    }
    const struct mf_scenario_place *p = &e->place;
    if (p->kind == MF_PLACE_GRID && p->grid[0] * p->grid[1] < (double)e->count) {
        return refuse_at(r, e->line, "%s: the grid has fewer places than members", e->name);
    }
    if (p->kind == MF_PLACE_GRID &&
        fmax(p->grid[0], p->grid[1]) * p->spacing_m > MF_SCENARIO_FAR_M) {
        return refuse_at(r, e->line, "%s: the grid is larger than 1000 km", e->name);
    }
    if (p->kind == MF_PLACE_LIST && p->places < e->count) {
        return refuse_at(r, e->line, "%s: the list has fewer places than members", e->name);
    }
    const char *wrong = mf_scenario_body_complete(&e->body);
    if (wrong != NULL) {
        return refuse_at(r, e->line, "%s", wrong);
    }
    wrong = mf_scenario_arrivals_wrong(s, e);
    if (wrong != NULL) {
        return refuse_at(r, e->line, wrong, e->name);
    }
    if (e->arrivals.corners > 0) {
        e->place.kind = MF_PLACE_ARRIVALS;
    }
    if (mf_scenario_begins_in_air(&e->body)) {
        e->behaviour.height_m[0] = e->behaviour.height_m[1] = 0.0;
    }
    if (!take_thing(r, s, e) || !settle_speed(r, s, e) || !check_kind(r, s, e) ||
        !check_radio(r, s, e) || !check_sensors(r, s, e)) {
        return false;
    }
    e->first = s->members;
    e->chance = mf_chance_text(0, e->name);
    s->members += e->count;
    return s->members <= MF_SCENARIO_COUNT_MAX ||
           refuse_at(r, e->line, "%s: all entities together have more than 1000000 members",
                     e->name);
}

/* Check that the entities exist which sensors are to find. */
static bool check_found(struct mf_reading *r, const struct mf_scenario *s,
                        const struct mf_scenario_entity *e)
{
    for (uint32_t k = 0; k < e->sensors; k++) {
        const struct mf_scenario_sensor *sensor = &e->sensor[k];
        if (sensor->of[0] != '\0' && mf_scenario_entity_named(s, sensor->of) == NULL) {
            return refuse_at(r, sensor->line, "sensors: no entity is called '%s'", sensor->of);
        }
    }
    return true;
}

/* Check that chains of places that refer to other entities end. */
static bool check_places(struct mf_reading *r, const struct mf_scenario *s)
{
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        uint32_t steps = 0;
        if (!check_found(r, s, e)) {
            return false;
        }
        while (e->place.kind == MF_PLACE_ENTITY) {
            const struct mf_scenario_entity *next = mf_scenario_entity_named(s, e->place.of);
            if (next == NULL) {
                return refuse_at(r, e->line, "place: no entity is called '%s'", e->place.of);
            }
            if (++steps > s->entities) {
                return refuse_at(r, e->line, "place: '%s' leads back to itself", e->name);
            }
            e = next;
        }
        if (e->place.kind == MF_PLACE_BOUNDARY && s->search.corners == 0) {
            return refuse_at(r, e->line, "%s: place boundary needs space.boundary", e->name);
        }
    }
    return true;
}

static bool check_chosen(struct mf_reading *r, const struct mf_scenario *s,
                         const struct mf_scenario_chosen *chosen)
{
    uint32_t from, to;
    for (uint32_t i = 0; i < chosen->count; i++) {
        if (!mf_scenario_find(s, chosen->name[i], &from, &to)) {
            return refuse_at(r, chosen->line, "no entity or member is called '%s'",
                             chosen->name[i]);
        }
    }
    return true;
}

/* Check that an expectation expects exactly one thing. */
static bool check_expect(struct mf_reading *r, struct mf_scenario *s, struct mf_scenario_expect *e)
{
    const int things = (e->event >= 0) + (e->never >= 0) + (e->mode[0] != '\0') +
                       (isnan(e->position[0]) ? 0 : 1) + (e->task > 0) + (e->found[0] != '\0');
    if (things != 1) {
        return refuse_at(
            r, e->line, "%s must have one of: event, never, mode, position, task, found", "expect");
    }
    e->any_item = e->item == UINT32_MAX;
    if (!e->any_item && e->event != MF_SCENARIO_EVENT_ITEM && e->never != MF_SCENARIO_EVENT_ITEM) {
        return refuse_at(r, e->line, "item needs event or never: %s", "item");
    }
    return check_chosen(r, s, &e->of);
}

/* Check plans, obstacles and the outputs that need them. */
static bool check_space(struct mf_reading *r, const struct mf_scenario *s)
{
    const struct mf_scenario_output *video = &s->outputs.video;
    if (video->file[0] != '\0' && s->search.plan < 0 && s->grid.size[0] <= 0.0) {
        return refuse_at(r, video->line, "outputs: video needs %s", "a plan or space.cells");
    }
    if (s->collisions.line > 0 &&
        (s->search.plan >= 0 || s->grid.size[0] > 0.0 || s->hosts.line > 0)) {
        return refuse_at(r, s->collisions.line, "space: collisions are of %s",
                         "no search, world of cells, or run over several hosts");
    }
    if (s->search.plan >= 0 && s->search.obstacles > MF_OBSTACLES_MAX) {
        return refuse_at(r, s->search.obstacle[MF_OBSTACLES_MAX].line,
                         "a team that searches flies around %s", "32 obstacles at most");
    }
    for (uint32_t i = 0; i < s->search.obstacles && s->search.plan >= 0; i++) {
        const struct mf_scenario_obstacle *o = &s->search.obstacle[i];
        if (o->kind != MF_SCENARIO_SHAPE_BOX && o->kind != MF_SCENARIO_SHAPE_CYLINDER) {
            return refuse_at(r, o->line, "a team that searches flies around %s",
                             "boxes and cylinders only");
        }
    }
    if (s->grid.size[0] > 0.0 && s->search.obstacles > 0) {
        return refuse_at(r, s->search.obstacle[0].line, "a world of cells has space.blocked, no %s",
                         "obstacles");
    }
    return true;
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

/* Check a member that a hive sends out. @param seeks  entity that the members before it seek; "":
 * not known yet */
static bool check_sent(struct mf_reading *r, const struct mf_scenario *s,
                       const struct mf_scenario_entity *e, const char **seeks)
{
    const char *own = e->seeker.seeks;
    const struct mf_scenario_entity *flowers = mf_scenario_entity_named(s, own);
    if (is_thing(e) || e->plan[0] != '\0' || e->behaviour.kind != MF_BEHAVIOUR_NONE ||
        mf_scenario_arrives(e)) {
        return refuse_at(r, e->line,
                         "%s: a hive sends neither things nor members with a plan or a behaviour",
                         e->name);
    }
    if (own[0] == '\0') {
        return true;
    }
    if (flowers == NULL || flowers->object.thing != MF_SCENARIO_THING_OBJECT) {
        return refuse_at(r, e->line, "seeks: no entity of objects is called '%s'", own);
    }
    if (flowers->object.speed_mps > 0.0) {
        return refuse_at(r, flowers->line, "%s: what a hive seeks stands still: it has no speed",
                         flowers->name);
    }
    if ((*seeks)[0] != '\0' && strcmp(*seeks, own) != 0) {
        return refuse_at(r, e->line, "%s: all of a hive seek the same", e->name);
    }
    *seeks = own;
    return true;
}

/* Check a behaviour that depends on received packets. */
static bool check_hearing(struct mf_reading *r, const struct mf_scenario *s,
                          const struct mf_scenario_entity *e)
{
    const struct mf_behaviour *b = &e->behaviour;
    const bool climbs = b->kind == MF_BEHAVIOUR_GRADIENT;
    if (!climbs && b->kind != MF_BEHAVIOUR_SURVEY_FLOCK) {
        return true;
    }
    if (e->radio.kind < 0) {
        return refuse_at(r, e->line, "%s: its behaviour needs a radio", e->name);
    }
    if (!climbs) {
        return (s->search.corners > 0 && e->send.message == MF_SCENARIO_MESSAGE_POSITION) ||
               refuse_at(r, e->line,
                         "%s: survey_flock needs space.boundary, and send: {message: position}",
                         e->name);
    }
    for (uint32_t i = 0; i < b->paths; i++) {
        const struct mf_scenario_entity *path = mf_scenario_entity_named(s, b->path[i]);
        if (path == NULL || path->count < 2 || path->send.every_s == 0.0) {
            return refuse_at(r, e->line,
                             "beacons: no entity of two or more that send is called '%s'",
                             b->path[i]);
        }
    }
    return b->paths > 0 || refuse_at(r, e->line, "%s: gradient needs beacons", e->name);
}

/* Check a planner: it needs a world, a hive, and members that obey orders and seek the same
 * entity. */
static bool check_planner(struct mf_reading *r, const struct mf_scenario *s)
{
    const struct mf_scenario_planner *p = &s->planner;
    const char *seeks = "";
    uint32_t hives = 0;
    if (s->search.plan >= 0 || s->grid.size[0] > 0.0) {
        return refuse_at(r, p->line, "planner: a hive goes with neither a plan nor %s",
                         "space.cells");
    }
    if (p->of.count == 0) {
        return refuse_at(r, p->line, "planner lacks of: %s", "whom the hive sends out");
    }
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        hives += e->object.thing == MF_SCENARIO_THING_HIVE ? e->count : 0;
        if (is_sent(s, e) && !check_sent(r, s, e, &seeks)) {
            return false;
        }
    }
    return (hives == 1 && seeks[0] != '\0') ||
           refuse_at(r, p->line, "planner: hive needs one entity with %s",
                     "thing: hive, and members that seek objects");
}

/* Check members that share work, by a hive or by radio. */
static bool check_work(struct mf_reading *r, const struct mf_scenario *s)
{
    for (uint32_t i = 0; i < s->entities; i++) {
        if (!check_hearing(r, s, &s->entity[i])) {
            return false;
        }
    }
    return s->planner.kind < 0 || (check_chosen(r, s, &s->planner.of) && check_planner(r, s));
}

static bool check_bus(struct mf_reading *r, const struct mf_scenario *s)
{
    const struct mf_scenario_bus *b = &s->bus;
    if (b->heard.count + b->sensed.count > 0 && (s->search.plan >= 0 || s->grid.size[0] > 0.0)) {
        return refuse_at(r, b->line, "bus: heard and sensed are of %s",
                         "no search or world of cells");
    }
    return check_chosen(r, s, &b->heard) && check_chosen(r, s, &b->sensed);
}

static bool check_components(struct mf_reading *r, const struct mf_scenario *s)
{
    for (uint32_t i = 0; i < s->components; i++) {
        const struct mf_scenario_component *c = &s->component[i];
        const bool named = c->own.name[0] != '\0', runs = c->run[0] != '\0';
        if (named == runs || (c->own.params > 0 && runs)) {
            return refuse_at(r, c->line, "components have %s",
                             "a run each, or the name of a plug-in's, with its params");
        }
        if (s->search.plan >= 0 || s->grid.size[0] > 0.0) {
            return refuse_at(r, c->line, "components have %s", "no search or world of cells");
        }
        if (!check_chosen(r, s, &c->of)) {
            return false;
        }
    }
    return true;
}

/* Check that every output names existing members, and that no two outputs share a file. */
static bool check_outputs(struct mf_reading *r, const struct mf_scenario *s)
{
    const struct mf_scenario_output *const all[] = {
        &s->outputs.csv,        &s->outputs.kml,      &s->outputs.czml,      &s->outputs.geojson,
        &s->outputs.tlog,       &s->outputs.record,   &s->outputs.events,    &s->outputs.radio,
        &s->outputs.contacts,   &s->outputs.sensors,  &s->outputs.stats,     &s->outputs.tasks,
        &s->outputs.map,        &s->outputs.trace,    &s->outputs.hive,      &s->outputs.overhead,
        &s->outputs.video,      &s->outputs.pictures, &s->outputs.recording, &s->outputs.counts,
        &s->outputs.detections, &s->outputs.trust,    &s->outputs.costs};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        const char *file = all[i]->file;
        if (!check_chosen(r, s, &all[i]->of)) {
            return false;
        }
        for (size_t k = 0; k < i && file[0] != '\0' && strncmp(file, "/dev/", 5) != 0; k++) {
            if (strcmp(file, all[k]->file) == 0) {
                return refuse_at(r, all[i]->line, "outputs: two of them are the file %s", file);
            }
        }
    }
    return true;
}

static bool check(struct mf_reading *r, struct mf_scenario *s)
{
    int line;
    if (s->version != MF_SCENARIO_VERSION) {
        return refuse_at(r, 1, "lacks the key swarm: %s, the version of its keys", "1");
    }
    if (s->entities == 0) {
        return refuse_at(r, 1, "has no %s", "entities");
    }
    if (s->medium.path == MF_PATH_OTHER && s->medium.range_m >= MF_MEDIUM_FAR_M) {
        return refuse_at(r, s->medium.line, "medium: the path loss of a plug-in needs a range%s",
                         "");
    }
    if (s->medium.noise[1] < 0.0) {
        return refuse_at(r, 1, "medium.noise: a standard deviation is not below 0%s", "");
    }
    if (!(fabs(s->origin[0]) < 90.0 && fabs(s->origin[1]) <= 180.0)) {
        return refuse_at(r, 1, "space.origin must be %s", "latitude and longitude");
    }
    const char *weather = mf_scenario_weather_check(&s->weather, &line);
    if (weather != NULL) {
        return refuse_at(r, line > 0 ? line : 1, "space.weather.%s", weather);
    }
    mf_scenario_obstacles_settle(&s->search);
    if (!check_space(r, s)) {
        return false;
    }
    for (uint32_t i = 0; i < s->entities; i++) {
        if (!check_entity(r, s, i)) {
            return false;
        }
    }
    if (!check_bus(r, s) || !check_components(r, s) || !check_outputs(r, s)) {
        return false;
    }
    if (!mf_sweep_check(r, s) || !check_chosen(r, s, &s->links.window.vehicles)) {
        return false;
    }
    for (uint32_t i = 0; i < s->expects; i++) {
        if (!check_expect(r, s, &s->expect[i])) {
            return false;
        }
    }
    return check_places(r, s) && check_work(r, s) && mf_scenario_networks_settle(r, s);
}

/* ---- reading */

static bool read_tree(struct mf_reading *r, const struct mf_node *root,
                      const struct mf_scenario_given *given, const struct mf_given_text *file,
                      struct mf_given_tree *own, struct mf_scenario *s)
{
    if (root == NULL || mf_node_kind(root) != MF_NODE_MAP) {
        return mf_reading_refuse(r, 1, "must be a map of keys to values (docs/scenarios.md)");
    }
    return (given->variation == NULL || mf_given_variation(r, root, given->variation, s)) &&
           mf_given_values(r, given, file, own) && mf_keys_read(r, &mf_scenario_keys, root, s) &&
           mf_keys_all_used(r) && check(r, s);
}

int mf_scenario_read(const char *file, const char *text, size_t n,
                     const struct mf_scenario_given *given, struct mf_scenario *s, char *error)
{
    const struct mf_node *root;
    struct mf_yaml_error wrong;
    struct mf_reading *r = calloc(1, sizeof *r);
    struct mf_given_tree *own = calloc(given->sets + 1u, sizeof *own);
    struct mf_yaml *tree = mf_yaml_read_text(text, n, &root, &wrong);
    bool good = false;
    set_defaults(s);
    if (tree == NULL || r == NULL || own == NULL) {
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "%.120s:%d: %s", file,
                       tree == NULL ? wrong.line : 1,
                       tree == NULL ? wrong.reason : "no memory to read it");
    } else {
        r->file = file;
        r->tree = tree;
        good = read_tree(r, root, given, &(struct mf_given_text){text, n}, own, s);
        s->sum = r->sum;
        s->blocks = r->blocks;
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "%s", r->error);
    }
    for (size_t i = 0; own != NULL && i < given->sets; i++) {
        mf_yaml_free(own[i].tree);
    }
    mf_yaml_free(tree);
    free(own);
    free(r);
    return good ? MF_E_OK : MF_E_RANGE;
}

void mf_scenario_free(struct mf_scenario *s)
{
    mf_keys_free(s->blocks);
    *s = (struct mf_scenario){0};
}
