/* SPDX-License-Identifier: Apache-2.0 */
/* Measures all sensors of a rate at its instants, on several threads, and writes them.
 * program/systems.c lists its system; behaviours of plug-ins, page/ and output/ read
 * measurements. */
#include "boards/swarm/space/senses.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/space/collisions.h"
#include "boards/swarm/space/sense_plugin.h"
#include "boards/swarm/space/sense_rays.h"
#include "boards/swarm/space/touching.h"
#include "math/trig.h"
#include "world/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Maximum number of different rates in a scenario. */
#define RATES_MAX 8u

/* Sensors of one rate. */
struct rate {
    struct mf_group group;
    uint32_t id[1]; /* index of the rate: the group has one turn for all its sensors */
    mf_us_t period_us;
    bool finds, touches; /* sensors that look for members; contact sensors */
};

/* State of all sensors, in the arena. */
struct swarm_senses {
    uint32_t rates;
    struct rate rate[RATES_MAX];
    struct {
        struct swarm_sensed *sensed; /* [count * sensors], of the entity */
        float *ring;                 /* [count * rings * MF_SENSOR_RAYS], of the entity [m] */
        uint32_t rate[MF_SCENARIO_SENSORS_MAX];
        uint32_t alike[MF_SCENARIO_SENSORS_MAX]; /* number of sensors of the same kind before each
                                                  */
        uint32_t rings;
        uint8_t *state[MF_SCENARIO_SENSORS_MAX]; /* sensors of plug-ins: [count *
                                                  * swarm_sense_plugin_bytes()] */
        bool found;                              /* a sensor looks for the entity's members */
    } of[MF_SCENARIO_ENTITIES_MAX];
    double (*neu_m)[3]; /* [members], positions of those that sensors look for */
    struct swarm_touching touching;
    swarm_sensed_fn *report; /* NULL: nothing reports measurements to clients */
};

/* @return NULL: it is not written */
static FILE *senses_file_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SENSES_FILE];
}

static struct swarm_senses *senses_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SENSES];
}

/* ---- set-up */

/* True in a world of cells, whose drones have sensors of other kinds. */
static bool has_cells(const struct mf_scenario *s)
{
    return s->grid.size[0] > 0.0;
}

static bool has_sensors(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities && !has_cells(s); k++) {
        if (s->entity[k].sensors > 0) {
            return true;
        }
    }
    return false;
}

/* Index of a sensor's rate, which is added if it is new. @return RATES_MAX: too many rates */
static uint32_t rate_index_of(struct swarm_senses *all, const struct mf_scenario_sensor *sensor)
{
    const mf_us_t period_us = (mf_us_t)(1e6 / sensor->rate_hz + 0.5);
    uint32_t r = 0;
    while (r < all->rates && all->rate[r].period_us != period_us) {
        r++;
    }
    if (r == all->rates && r < RATES_MAX) {
        all->rate[r].period_us = period_us;
        all->rates++;
    }
    return r;
}

static int prepare_sensor(struct swarm *w, uint32_t entity, uint32_t k)
{
    struct swarm_senses *all = senses_of(w);
    const struct mf_scenario_entity *e = &w->scenario->entity[entity];
    const struct mf_scenario_sensor *sensor = &e->sensor[k];
    const bool touches = sensor->kind == MF_SCENARIO_SENSOR_CONTACT;
    const uint32_t r = rate_index_of(all, sensor);
    uint32_t from, to;
    if (r == RATES_MAX) {
        return swarm_refuse(w, sensor->line, "sensors: there are more than %u different rates",
                            RATES_MAX);
    }
    all->of[entity].rate[k] = r;
    all->of[entity].rings += sensor->kind == MF_SCENARIO_SENSOR_RING ? 1u : 0u;
    for (uint32_t j = 0; j < k; j++) {
        all->of[entity].alike[k] += e->sensor[j].kind == sensor->kind ? 1u : 0u;
    }
    if (mf_scenario_find(w->scenario, sensor->of, &from, &to)) {
        const struct mf_scenario_entity *found = mf_scenario_entity_of(w->scenario, from);
        all->of[found - w->scenario->entity].found = true;
        all->rate[r].finds = true;
    }
    for (uint32_t n = 0; n < w->scenario->entities && sensor->members; n++) {
        const bool ball = w->scenario->entity[n].body.radius_m > 0.0;
        all->of[n].found = all->of[n].found || ball;
        all->rate[r].finds = all->rate[r].finds || ball;
    }
    if (touches && all->touching.period_us != 0 &&
        all->touching.period_us != all->rate[r].period_us) {
        return swarm_refuse(w, sensor->line, "sensors: all of kind contact must have one rate");
    }
    all->touching.period_us = touches ? all->rate[r].period_us : all->touching.period_us;
    all->rate[r].touches = all->rate[r].touches || touches;
    return SWARM_OK;
}

/* Reserve the state of an entity's sensors of plug-ins. */
static int prepare_states(struct swarm *w, uint32_t entity)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[entity];
    bool good = true;
    for (uint32_t k = 0; k < e->sensors && good; k++) {
        const size_t bytes = e->count * swarm_sense_plugin_bytes(w, entity, k);
        uint8_t *state = bytes > 0 ? swarm_memory(w, e->sensor[k].line, bytes) : NULL;
        senses_of(w)->of[entity].state[k] = state;
        good = bytes == 0 || state != NULL;
    }
    return good ? SWARM_OK : SWARM_INPUT;
}

static int prepare_entity_sensors(struct swarm *w, uint32_t entity)
{
    struct swarm_senses *all = senses_of(w);
    const struct mf_scenario_entity *e = &w->scenario->entity[entity];
    int result = SWARM_OK;
    for (uint32_t k = 0; k < e->sensors && result == SWARM_OK; k++) {
        result = prepare_sensor(w, entity, k);
    }
    if (result != SWARM_OK || e->sensors == 0) {
        return result;
    }
    const size_t count = (size_t)e->count * e->sensors;
    const size_t rays = (size_t)e->count * all->of[entity].rings * MF_SENSOR_RAYS;
    all->of[entity].sensed = swarm_memory(w, e->line, count * sizeof *all->of[entity].sensed);
    all->of[entity].ring =
        rays > 0 ? swarm_memory(w, e->line, rays * sizeof *all->of[entity].ring) : NULL;
    return all->of[entity].sensed == NULL || (rays > 0 && all->of[entity].ring == NULL)
               ? SWARM_INPUT
               : prepare_states(w, entity);
}

void swarm_senses_report(struct swarm *w, swarm_sensed_fn *report)
{
    senses_of(w)->report = report;
}

static bool has_finder(const struct swarm_senses *all)
{
    bool any = false;
    for (uint32_t r = 0; r < all->rates; r++) {
        any = any || all->rate[r].finds;
    }
    return any;
}

static int prepare_senses(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    if (!has_sensors(s)) {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_SENSES] = swarm_memory(w, 1, sizeof *senses_of(w));
    int result = senses_of(w) != NULL ? SWARM_OK : SWARM_INPUT;
    for (uint32_t k = 0; k < s->entities && result == SWARM_OK; k++) {
        result = prepare_entity_sensors(w, k);
    }
    if (result == SWARM_OK && has_finder(senses_of(w))) {
        senses_of(w)->neu_m = swarm_memory(w, 1, s->members * sizeof *senses_of(w)->neu_m);
        result = senses_of(w)->neu_m != NULL ? SWARM_OK : SWARM_INPUT;
    }
    if (result == SWARM_OK && senses_of(w)->touching.period_us > 0) {
        result =
            swarm_touching_prepare(w, &senses_of(w)->touching, senses_of(w)->touching.period_us);
    }
    return result;
}

/* ---- measurement of one sensor */

struct look {
    struct swarm *w;
    const struct mf_scenario_sensor *sensor;
    struct swarm_sensed *sensed;
    const struct mf_sense_body *body;
    struct mf_sense at;
    const struct mf_scenario_entity *entity;
    uint32_t k; /* index of the sensor in the entity */
    uint32_t i;
    mf_us_t at_us;
    float *ray; /* sensor is a ring: [MF_SENSOR_RAYS] */
    uint64_t key;
};

/* Purpose of random numbers of plug-ins, above those of the noise of such sensors. */
enum {
    OWN_PURPOSE = MF_PURPOSE_SENSOR + 16 * MF_SCENARIO_SENSOR_OWN + (int)MF_SCENARIO_SENSORS_MAX
};

/* Index of an entity in the scenario. */
static uint32_t entity_index_of(const struct swarm *w, const struct mf_scenario_entity *e)
{
    return (uint32_t)(e - w->scenario->entity);
}

/* Random error of value @p n of a measurement. */
static double noise_of(const struct look *l, uint32_t n)
{
    return l->sensor->sigma > 0.0
               ? l->sensor->sigma *
                     mf_noise_gauss(l->key, (uint64_t)l->sensed->count * MF_SENSOR_RAYS + n)
               : 0.0;
}

static double ray_of(const struct look *l, const double toward[3])
{
    const double reach_m = l->sensor->reach_m;
    const double wall_m = mf_sense_ray(l->w->members.space, l->at.neu_m, toward, reach_m);
    const double ghost_m = swarm_ray(l->w, l->i, l->at_us, l->at.neu_m, toward, reach_m);
    const double seen_m = ghost_m < reach_m && ghost_m < wall_m ? ghost_m : wall_m;
    const struct swarm_sense_ray ray = {l->i, l->at_us, l->at.neu_m, toward, reach_m};
    const double ball_m = l->sensor->members
                              ? swarm_sense_ray_members(l->w, &ray, senses_of(l->w)->neu_m)
                              : (double)INFINITY;
    return ball_m < seen_m ? ball_m : seen_m;
}

static void see_heading(struct look *l)
{
    l->sensed->value[0] = mf_deg(l->body->rpy_rad[2]);
}

static void see_range(struct look *l)
{
    l->sensed->value[0] = ray_of(l, l->at.ahead);
}

static void see_acceleration(struct look *l)
{
    mf_sense_acceleration(&l->at, l->sensed->value);
}

static void see_rates(struct look *l)
{
    mf_sense_rates(&l->at, l->sensed->value);
}

static void see_position(struct look *l)
{
    memcpy(l->sensed->value, l->at.neu_m, sizeof l->at.neu_m);
}

static void see_pose(struct look *l)
{
    see_position(l);
    memcpy(&l->sensed->value[3], l->body->rpy_rad, sizeof l->body->rpy_rad);
}

static void see_flow(struct look *l)
{
    const struct mf_sense_flow flow =
        mf_sense_flow(&l->at, l->w->members.space, l->sensor->reach_m);
    double *value = l->sensed->value;
    value[0] = flow.x_rps;
    value[1] = flow.y_rps;
    value[2] = flow.distance_m;
    memcpy(&value[3], flow.turn_rps, sizeof flow.turn_rps);
}

static void see_footprint(struct look *l)
{
    double corner[4][2];
    const double half_rad[2] = {0.5 * mf_rad(l->sensor->fov_deg[0]),
                                0.5 * mf_rad(l->sensor->fov_deg[1])};
    mf_sense_footprint(&l->at, half_rad, corner);
    memcpy(l->sensed->value, corner, sizeof corner);
}

static void see_attribute(struct look *l)
{
    l->sensed->value[0] = (double)INFINITY;
    (void)swarm_sense_read_weather(l->w, l->at.neu_m, l->at_us, l->sensor->attr, l->sensed->value);
}

/* Measure distance [m], bearing [deg] and elevation [deg] of the nearest member in reach, and
 * their number. */
static void see_objects(struct look *l)
{
    uint32_t from = 0, to = 0;
    double *value = l->sensed->value, nearest_m = l->sensor->reach_m;
    value[0] = value[1] = value[2] = (double)INFINITY;
    value[3] = 0.0;
    (void)mf_scenario_find(l->w->scenario, l->sensor->of, &from, &to);
    for (uint32_t j = from; j < to; j++) {
        const double *there = senses_of(l->w)->neu_m[j];
        const double way[3] = {there[0] - l->at.neu_m[0], there[1] - l->at.neu_m[1],
                               there[2] - l->at.neu_m[2]};
        const double away_m = mf_sqrt(mf_dot3(way, way));
        if (j == l->i || !(away_m < l->sensor->reach_m) || swarm_is_away(l->w, j, l->at_us)) {
            continue;
        }
        value[3] += 1.0;
        if (away_m < nearest_m) {
            nearest_m = value[0] = away_m;
            value[1] = fmod(mf_deg(mf_atan2(way[1], way[0])) + 360.0, 360.0);
            value[2] = mf_deg(mf_atan2(way[2], mf_length2(way[0], way[1])));
            l->sensed->found = SWARM_FOUND_MEMBER;
            l->sensed->what = j;
        }
    }
}

/* Measure the shortest of all rays [m] and its direction [deg]. Each ray has its own noise. */
static void see_ring(struct look *l)
{
    double *value = l->sensed->value;
    value[0] = value[1] = (double)INFINITY;
    for (uint32_t n = 0; n < MF_SENSOR_RAYS; n++) {
        double toward[3];
        const double turn_deg = 360.0 / MF_SENSOR_RAYS * n;
        mf_sense_toward(&l->at, mf_rad(turn_deg), toward);
        const double seen_m = ray_of(l, toward);
        const double shown_m = isfinite(seen_m) ? fmax(seen_m + noise_of(l, n), 0.0) : seen_m;
        l->ray[n] = (float)shown_m;
        if (shown_m < value[0]) {
            value[0] = shown_m;
            value[1] = turn_deg;
        }
    }
}

static void see_own(struct look *l)
{
    const uint32_t n = entity_index_of(l->w, l->entity);
    const size_t place = l->i - l->entity->first;
    uint8_t *state = senses_of(l->w)->of[n].state[l->k];
    const struct swarm_sense_plugin own = {
        .w = l->w,
        .entity = n,
        .k = l->k,
        .i = l->i,
        .at_us = l->at_us,
        .count = l->sensed->count,
        .key = mf_scenario_chance(l->w->scenario, l->i,
                                  OWN_PURPOSE + senses_of(l->w)->of[n].alike[l->k]),
        .body = l->body,
        .at = &l->at,
        .neu_m = senses_of(l->w)->neu_m,
        .state = state != NULL ? &state[place * swarm_sense_plugin_bytes(l->w, n, l->k)] : NULL,
    };
    swarm_sense_plugin_measure(&own, l->sensed->value);
}

/* Contact sensors are missing: feel_all() has counted their contacts. */
static void (*const k_see[MF_SCENARIO_SENSOR_KINDS])(struct look *l) = {
    [MF_SCENARIO_SENSOR_COMPASS] = see_heading,
    [MF_SCENARIO_SENSOR_RANGE] = see_range,
    [MF_SCENARIO_SENSOR_ACCELEROMETER] = see_acceleration,
    [MF_SCENARIO_SENSOR_GYROSCOPE] = see_rates,
    [MF_SCENARIO_SENSOR_POSITION] = see_position,
    [MF_SCENARIO_SENSOR_POSE] = see_pose,
    [MF_SCENARIO_SENSOR_OPTICAL_FLOW] = see_flow,
    [MF_SCENARIO_SENSOR_CAMERA] = see_footprint,
    [MF_SCENARIO_SENSOR_ATTRIBUTE] = see_attribute,
    [MF_SCENARIO_SENSOR_OBJECT] = see_objects,
    [MF_SCENARIO_SENSOR_RING] = see_ring,
    [MF_SCENARIO_SENSOR_OWN] = see_own,
};

static void add_noise(struct look *l)
{
    double *value = l->sensed->value;
    for (uint32_t n = 0; n < mf_sensor_noisy(l->sensor->kind); n++) {
        value[n] += noise_of(l, n);
    }
    if (l->sensor->kind == MF_SCENARIO_SENSOR_COMPASS) {
        value[0] = fmod(value[0] + 720.0, 360.0);
    } else if (l->sensor->kind == MF_SCENARIO_SENSOR_RANGE ||
               l->sensor->kind == MF_SCENARIO_SENSOR_OBJECT) {
        value[0] = fmax(value[0], 0.0);
    }
}

/* ---- a look of all sensors of one rate */

static struct mf_sense_body sense_body_of(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    struct mf_sense_body b;
    const struct mf_pose p = swarm_motion(w, i, at_us, b.neu_m);
    for (uint32_t k = 0; k < 3; k++) {
        b.vel_ned_mps[k] = (double)p.vel_ned_mps[k];
        b.acc_ned_mps2[k] = (double)p.acc_ned_mps2[k];
    }
    const float rpy_rad[3] = {p.roll_rad, p.pitch_rad, p.yaw_rad};
    const float rpy_per_s[3] = {p.rollspeed_rps, p.pitchspeed_rps, p.yawspeed_rps};
    for (uint32_t k = 0; k < 3; k++) {
        b.rpy_rad[k] = (double)rpy_rad[k];
        b.rpy_per_s[k] = (double)rpy_per_s[k];
    }
    return b;
}

struct looking {
    struct swarm *w;
    uint32_t rate;
    mf_us_t at_us;
};

static struct swarm_sensed *sensed_of(const struct swarm *w, const struct mf_scenario_entity *e,
                                      uint32_t i, uint32_t k)
{
    return &senses_of(w)->of[entity_index_of(w, e)].sensed[(i - e->first) * e->sensors + k];
}

/* Rays of a sensor of a member; NULL: the sensor is not a ring. */
static float *ring_of(const struct swarm *w, const struct mf_scenario_entity *e, uint32_t i,
                      uint32_t k)
{
    const struct swarm_senses *all = senses_of(w);
    const uint32_t n = entity_index_of(w, e);
    const size_t ring = (size_t)(i - e->first) * all->of[n].rings + all->of[n].alike[k];
    return e->sensor[k].kind == MF_SCENARIO_SENSOR_RING ? &all->of[n].ring[ring * MF_SENSOR_RAYS]
                                                        : NULL;
}

static void measure_member(const struct looking *of, const struct mf_scenario_entity *e, uint32_t i)
{
    struct swarm *w = of->w;
    const uint32_t n = entity_index_of(w, e);
    struct mf_sense_body body;
    bool known = false;
    for (uint32_t k = 0; k < e->sensors; k++) {
        const struct mf_scenario_sensor *sensor = &e->sensor[k];
        if (senses_of(w)->of[n].rate[k] != of->rate) {
            continue;
        }
        struct swarm_sensed *sensed = sensed_of(w, e, i, k);
        const uint32_t purpose = (uint32_t)MF_PURPOSE_SENSOR + 16u * (uint32_t)sensor->kind;
        struct look l = {
            .w = w,
            .sensor = sensor,
            .sensed = sensed,
            .body = &body,
            .entity = e,
            .k = k,
            .i = i,
            .at_us = of->at_us,
            .ray = ring_of(w, e, i, k),
            .key = mf_scenario_chance(w->scenario, i, purpose + senses_of(w)->of[n].alike[k])};
        if (k_see[sensor->kind] != NULL) {
            const struct mf_sense_mount mount = mf_sensor_mount(sensor);
            body = known ? body : sense_body_of(w, i, of->at_us);
            known = true;
            if (sensor->kind != MF_SCENARIO_SENSOR_COMPASS) { /* a compass needs only the attitude;
                                                               * many members have one */
                mf_sense_on(&body, &mount, &l.at);
            }
            sensed->found = SWARM_FOUND_NOTHING;
            k_see[sensor->kind](&l);
            add_noise(&l);
        }
        sensed->at_us = of->at_us;
        sensed->count++;
    }
}

static void visit_shard(const struct looking *l, uint32_t shard,
                        void (*run)(const struct looking *l, const struct mf_scenario_entity *e,
                                    uint32_t i))
{
    const struct mf_scenario *s = l->w->scenario;
    const uint32_t from = (uint32_t)((uint64_t)s->members * shard / MF_CROWD_SHARDS);
    const uint32_t to = (uint32_t)((uint64_t)s->members * (shard + 1u) / MF_CROWD_SHARDS);
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        const uint32_t last = e->first + e->count < to ? e->first + e->count : to;
        for (uint32_t i = e->first > from ? e->first : from; i < last; i++) {
            run(l, e, i);
        }
    }
}

/* Measure the sensors of a member, unless it is lost or absent. */
static void measure_one(const struct looking *of, const struct mf_scenario_entity *e, uint32_t i)
{
    if (e->sensors > 0 && !swarm_is_away(of->w, i, of->at_us)) {
        measure_member(of, e, i);
    }
}

static void measure_shard(void *ctx, uint32_t shard)
{
    visit_shard(ctx, shard, measure_one);
}

static void place_one(const struct looking *l, const struct mf_scenario_entity *e, uint32_t i)
{
    if (senses_of(l->w)->of[entity_index_of(l->w, e)].found) {
        swarm_place(l->w, i, l->at_us, senses_of(l->w)->neu_m[i]);
    }
}

static void place_shard(void *ctx, uint32_t shard)
{
    visit_shard(ctx, shard, place_one);
}

/* ---- contacts */

/* Count a contact with a member's contact sensors, which keep the first object of a look. */
static void feel_contact(struct swarm *w, uint32_t i, uint32_t what, enum swarm_found found)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    for (uint32_t k = 0; k < e->sensors; k++) {
        struct swarm_sensed *s = sensed_of(w, e, i, k);
        if (e->sensor[k].kind != MF_SCENARIO_SENSOR_CONTACT) {
            continue;
        }
        s->what = s->value[0] > 0.0 ? s->what : what;
        s->found = s->value[0] > 0.0 ? s->found : (uint32_t)found;
        s->value[0] += 1.0;
    }
}

static void feel_nothing(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t n = 0; n < s->entities; n++) {
        for (uint32_t at = 0; at < s->entity[n].count * s->entity[n].sensors; at++) {
            if (s->entity[n].sensor[at % s->entity[n].sensors].kind == MF_SCENARIO_SENSOR_CONTACT) {
                senses_of(w)->of[n].sensed[at].value[0] = 0.0;
                senses_of(w)->of[n].sensed[at].found = SWARM_FOUND_NOTHING;
            }
        }
    }
}

static void feel_pair(void *ctx, const struct mf_contact *contact)
{
    if (!swarm_collides(ctx, contact->ball, contact->with)) {
        feel_contact(ctx, contact->ball, contact->with, SWARM_FOUND_MEMBER);
        feel_contact(ctx, contact->with, contact->ball, SWARM_FOUND_MEMBER);
    }
}

static void feel_all(struct swarm *w, mf_us_t at_us)
{
    struct swarm_touching *t = &senses_of(w)->touching;
    feel_nothing(w);
    if (at_us > 0) {
        swarm_touching_look(w, t, at_us);
    }
    for (uint32_t i = 0; i < w->scenario->members && at_us > 0; i++) {
        struct mf_contact contact;
        if (swarm_touching_find_obstacle(w, t, i, &contact)) {
            feel_contact(w, i, contact.with, SWARM_FOUND_OBSTACLE);
        }
        swarm_touching_visit_members(t, i, feel_pair, w);
        uint32_t with;
        if (swarm_collision_since(w, i, t->at_us, &with)) {
            feel_contact(w, i, with, SWARM_FOUND_MEMBER);
        }
    }
    swarm_touching_end_look(w, t, at_us);
}

/* ---- the file */

static void write_measurement(struct swarm *w, const struct mf_scenario_entity *e, uint32_t i,
                              uint32_t k)
{
    char member[SWARM_NAME_MAX], found[SWARM_NAME_MAX] = "", which[8] = "";
    const struct swarm_sensed *s = sensed_of(w, e, i, k);
    const int32_t kind = e->sensor[k].kind;
    const uint32_t alike = senses_of(w)->of[entity_index_of(w, e)].alike[k];
    mf_scenario_member_name(w->scenario, i, member);
    if (s->found == SWARM_FOUND_MEMBER) {
        mf_scenario_member_name(w->scenario, s->what, found);
    } else if (s->found == SWARM_FOUND_OBSTACLE) {
        (void)snprintf(found, sizeof found, "obstacle.%u", (unsigned)s->what + 1u);
    }
    if (alike > 0) {
        (void)snprintf(which, sizeof which, ".%u", (unsigned)alike + 1u);
    }
    (void)fprintf(senses_file_of(w), "%.6f,%s,%s%s,%s", (double)s->at_us / 1e6, member,
                  mf_sensor_word(kind), which, found);
    for (uint32_t n = 0; n < MF_SENSOR_VALUES_MAX; n++) {
        if (n < mf_sensor_values(kind) && isfinite(s->value[n])) {
            (void)fprintf(senses_file_of(w), ",%.6f", s->value[n]);
        } else {
            (void)fputc(',', senses_file_of(w));
        }
    }
    (void)fputc('\n', senses_file_of(w));
}

/* Report and write the measurements of a rate. @return their number */
static uint64_t publish_rate(struct swarm *w, uint32_t rate, mf_us_t at_us)
{
    const struct swarm_senses *senses = senses_of(w);
    const struct mf_scenario *s = w->scenario;
    uint64_t count = 0;
    for (uint32_t n = 0; n < s->entities; n++) {
        const struct mf_scenario_entity *e = &s->entity[n];
        for (uint32_t at = 0; at < e->count * e->sensors; at++) {
            const uint32_t i = e->first + at / e->sensors, k = at % e->sensors;
            const struct swarm_sensed *sensed = sensed_of(w, e, i, k);
            if (senses->of[n].rate[k] != rate || sensed->count == 0 || sensed->at_us != at_us) {
                continue;
            }
            count++;
            if (senses->report != NULL) {
                senses->report(w, i, k, sensed, ring_of(w, e, i, k));
            }
            if (senses_file_of(w) != NULL &&
                mf_scenario_is_chosen(s, &s->outputs.sensors.of, i, true)) {
                write_measurement(w, e, i, k);
            }
        }
    }
    return count;
}

static void look_at_rate(void *ctx, uint32_t number, mf_us_t at_us)
{
    struct swarm *w = ctx;
    const struct rate *rate = &senses_of(w)->rate[number];
    struct looking l = {w, number, at_us};
    if (rate->touches) {
        feel_all(w, at_us);
    }
    if (rate->finds) {
        mf_workers_run(&w->workers, MF_CROWD_SHARDS, place_shard, &l);
    }
    mf_workers_run(&w->workers, MF_CROWD_SHARDS, measure_shard, &l);
    swarm_costs_lap(w, SWARM_COST_SENSORS, publish_rate(w, number, at_us));
}

static int open_senses_file(struct swarm *w)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.sensors;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_SENSES_FILE] = swarm_open(w, o, 0);
    if (senses_file_of(w) == NULL) {
        return SWARM_INPUT;
    }
    if (w->command->resume == NULL) {
        (void)fputs("t_s,member,sensor,found,a,b,c,d,e,f,g,h\n", senses_file_of(w));
    }
    return SWARM_OK;
}

static int start_rates(struct swarm *w)
{
    struct swarm_senses *s = senses_of(w);
    for (uint32_t r = 0; s != NULL && r < s->rates; r++) {
        struct rate *rate = &s->rate[r];
        mf_group_init(&rate->group, MF_PHASE_ENTITY, look_at_rate, w, rate->id, 1);
        int result = mf_group_join(&w->engine, &rate->group, 0, rate->period_us);
        result = result == MF_E_OK ? mf_group_add(&w->engine, &rate->group, r) : result;
        MF_ASSERT(result == MF_E_OK); /* the engine has room for all rates */
    }
    return SWARM_OK;
}

static bool close_senses_file(struct swarm *w)
{
    return swarm_close(w, senses_file_of(w));
}

const struct swarm_sensed *swarm_get_sensed(const struct swarm *w, uint32_t i, uint32_t k)
{
    return sensed_of(w, mf_scenario_entity_of(w->scenario, i), i, k);
}

/* ---- columns: the first number that the first sensor of a kind measured last */

static bool has_kind(const struct swarm *w, enum mf_scenario_sensor_kind kind)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t k = 0; k < s->entities && !has_cells(s); k++) {
        for (uint32_t i = 0; i < s->entity[k].sensors; i++) {
            if (s->entity[k].sensor[i].kind == (int32_t)kind) {
                return true;
            }
        }
    }
    return false;
}

/* Write the value, or only the comma if the member lacks such a sensor or it has not measured yet.
 */
static void write_kind(const struct swarm *w, uint32_t i, enum mf_scenario_sensor_kind kind,
                       FILE *to)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    uint32_t k = 0;
    while (k < e->sensors && e->sensor[k].kind != (int32_t)kind) {
        k++;
    }
    const struct swarm_sensed *s = k < e->sensors ? sensed_of(w, e, i, k) : NULL;
    (void)fputc(',', to);
    if (s != NULL && s->count > 0 && isfinite(s->value[0])) {
        (void)fprintf(to, "%.4f", s->value[0]);
    }
}

static bool has_compass(const struct swarm *w)
{
    return has_kind(w, MF_SCENARIO_SENSOR_COMPASS);
}

static void write_compass_column(const struct swarm *w, uint32_t i, FILE *to)
{
    write_kind(w, i, MF_SCENARIO_SENSOR_COMPASS, to);
}

static bool has_range(const struct swarm *w)
{
    return has_kind(w, MF_SCENARIO_SENSOR_RANGE);
}

static void write_range_column(const struct swarm *w, uint32_t i, FILE *to)
{
    write_kind(w, i, MF_SCENARIO_SENSOR_RANGE, to);
}

static const struct swarm_column k_column[] = {{",compass_deg", has_compass, write_compass_column},
                                               {",range_m", has_range, write_range_column},
                                               {0}};

const struct swarm_system swarm_senses_system = {
    .name = "senses",
    .on = {[SWARM_FIND] = swarm_sense_plugin_prepare,
           [SWARM_RESUME] = swarm_sense_plugin_prepare,
           [SWARM_PREPARE] = prepare_senses,
           [SWARM_OPEN] = open_senses_file,
           [SWARM_BEGIN] = start_rates},
    .columns = k_column,
    .complete = close_senses_file,
};
