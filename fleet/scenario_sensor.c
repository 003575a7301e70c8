/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of sensors. Called by fleet/scenario and scenario_keys, and
 * boards/swarm/senses. */
#include "fleet/scenario_sensor.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"
#include "math/trig.h"

#include <math.h>

#define SENSOR(field) offsetof(struct mf_scenario_sensor, field)
#define LINK(field)   offsetof(struct mf_scenario_sensor_link, field)

static const struct {
    const char *word;
    uint32_t values, noisy;
    double reach_m, pitch_deg;
} k_kind[] = {
#define X(name, word, values, noisy, reach, pitch) {word, values, noisy, reach, pitch},
    MF_SCENARIO_SENSOR_LIST(X)
#undef X
};

static const char *const k_words[] = {
#define X(name, word, values, noisy, reach, pitch) word,
    MF_SCENARIO_SENSOR_LIST(X)
#undef X
        NULL};

static const struct mf_key k_sensor[] = {
    WORD("kind", SENSOR(kind), k_words, "what it measures (docs/swarm-manual.md)"),
    REAL("rate", SENSOR(rate_hz), 0.001, 100, "measurements per second; 1"),
    REAL("sigma", SENSOR(sigma), 0, 1000,
         "standard deviation of the noise of each of its numbers, in their unit; 0: none"),
    REAL("reach", SENSOR(reach_m), 0.01, 1e4,
         "how far it sees [m]; range, ring 5; optical_flow, object, own 50"),
    TRIPLE("offset", SENSOR(offset_m), -100, 100,
           "where on the body it is: [forward, right, down] of its middle [m]"),
    REAL("yaw", SENSOR(yaw_deg), -360, 360, "where it looks, to the right of ahead [deg]; 0"),
    REAL("pitch", SENSOR(pitch_deg), -90, 90,
         "where it looks, above ahead [deg]; 0; optical_flow, camera -90: down"),
    PAIR("fov", SENSOR(fov_deg), 0.1, 170,
         "camera: angles of view, across and along [deg]; 90 each"),
    NAME("of", SENSOR(of), sizeof((struct mf_scenario_sensor *)0)->of,
         "object, own: the entity whose members it finds"),
    FLAG("members", SENSOR(members),
         "range, ring, own: its rays end at members, too, balls of body.radius; no"),
    NAME("attr", SENSOR(attr), MF_FIELD_NAME_MAX,
         "attribute: which value of the weather; in a world of cells instead of a kind: of cells; "
         "blocked: cells that no member can enter"),
    WORD("direction", SENSOR(direction), mf_scenario_direction_words,
         "cells: NONE: all around within its range; FORWARD, ...: those ahead, ..."),
    WHOLE("range", SENSOR(range), 0, 32, "cells: how far; 0"),
    MF_SCENARIO_OWN_KEYS(SENSOR(own)),
};
const struct mf_keys mf_sensor_keys = {k_sensor, COUNT_OF(k_sensor), "kind", SENSOR(line)};

static const struct mf_key k_link[] = {
    REAL("rate", LINK(rate_hz), 0, 100,
         "maximum number of messages a second of each sensor; 20; 0: none"),
    REAL("bytes", LINK(bytes_per_s), 0, 1e6,
         "maximum number of bytes a second of all sensors; 5000"),
};
const struct mf_keys mf_sensor_link_keys = {k_link, COUNT_OF(k_link), NULL, SIZE_MAX};

const char *mf_sensor_word(int32_t kind)
{
    MF_ASSERT(kind >= 0 && kind < (int32_t)MF_SCENARIO_SENSOR_KINDS);
    return k_kind[kind].word;
}

uint32_t mf_sensor_values(int32_t kind)
{
    MF_ASSERT(kind >= 0 && kind < (int32_t)MF_SCENARIO_SENSOR_KINDS);
    return k_kind[kind].values;
}

uint32_t mf_sensor_noisy(int32_t kind)
{
    MF_ASSERT(kind >= 0 && kind < (int32_t)MF_SCENARIO_SENSOR_KINDS);
    return k_kind[kind].noisy;
}

void mf_sensor_defaults(void *sensor)
{
    *(struct mf_scenario_sensor *)sensor = (struct mf_scenario_sensor){
        .rate_hz = 1.0, .pitch_deg = (double)NAN, .fov_deg = {90.0, 90.0}};
}

/* Fill in the values that the kind determines. @return NULL, or an error: a value that is missing,
 * or does not fit the kind */
static const char *settle(struct mf_scenario_sensor *s)
{
    const bool names = s->attr[0] != '\0', of = s->of[0] != '\0';
    s->reach_m = s->reach_m > 0.0 ? s->reach_m : k_kind[s->kind].reach_m;
    s->pitch_deg = isnan(s->pitch_deg) ? k_kind[s->kind].pitch_deg : s->pitch_deg;
    if (names != (s->kind == MF_SCENARIO_SENSOR_ATTRIBUTE)) {
        return names ? "attr goes with kind attribute, or with space.cells"
                     : "kind attribute needs attr: what it measures";
    }
    if (of != (s->kind == MF_SCENARIO_SENSOR_OBJECT) && s->kind != MF_SCENARIO_SENSOR_OWN) {
        return of ? "of goes with kinds object and own"
                  : "kind object needs of: the entity that it finds";
    }
    if (s->kind != MF_SCENARIO_SENSOR_OWN && (s->own.name[0] != '\0' || s->own.params > 0)) {
        return "name and params go with kind own";
    }
    return NULL;
}

bool mf_sensor_check(struct mf_reading *r, struct mf_scenario *s, struct mf_scenario_entity *e)
{
    const bool cells = s->grid.size[0] > 0.0;
    if (e->sensors > 0 && s->search.plan >= 0) {
        return mf_reading_refuse(r, e->sensor[0].line,
                                 "%s: a team that searches has a camera, no sensors", e->name);
    }
    _Static_assert(MF_GRID_EQUIPMENT_MAX == 4u, "as the text says");
    if (cells && e->sensors > MF_GRID_EQUIPMENT_MAX) {
        return mf_reading_refuse(r, e->sensor[0].line,
                                 "%s: a drone in a world of cells has 4 sensors at most", e->name);
    }
    for (uint32_t i = 0; i < e->sensors; i++) {
        struct mf_scenario_sensor *sensor = &e->sensor[i];
        const char *wrong = !cells                    ? settle(sensor)
                            : sensor->attr[0] != '\0' ? NULL
                                                      : "in a world of cells each needs attr: what "
                                                        "it senses";
        if (wrong != NULL) {
            return mf_reading_refuse(r, sensor->line, "sensors: %s", wrong);
        }
        if (sensor->of[0] != '\0' && mf_scenario_entity_named(s, sensor->of) == NULL) {
            return mf_reading_refuse(r, sensor->line, "sensors: no entity is called '%s'",
                                     sensor->of);
        }
    }
    return true;
}

struct mf_sense_mount mf_sensor_mount(const struct mf_scenario_sensor *s)
{
    return (struct mf_sense_mount){
        {s->offset_m[0], s->offset_m[1], s->offset_m[2]}, mf_rad(s->yaw_deg), mf_rad(s->pitch_deg)};
}
