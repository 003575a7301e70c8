/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/conform/drone.h"

#include "firmware/protocol/param_change.h"
#include "host/spec/faultspec.h"
#include "math/trig.h"
#include "world/egm96.h"

#include <stdlib.h>
#include <string.h>

enum setting_type { SETTING_INT, SETTING_UID, SETTING_REAL };

static const struct {
    enum setting_type type;
    size_t offset;
    const char *key;
    double value;
} k_setting[] = {
#define X(type, field, key, value) \
    {SETTING_##type, offsetof(struct drone_settings, field), key, value},
    DRONE_SETTING_LIST(X)
#undef X
#define X(type, field, key, value, low, high) \
    {SETTING_##type, offsetof(struct drone_settings, world.field), key, value},
        MF_WORLD_SETTING_LIST(X)
#undef X
};

#define X(name, size) _Static_assert((size) <= DRONE_RECORD_MAX, "records of " #name);
MF_STORE_AREA_LIST(X)
#undef X

/* ---- settings */

static void *field_of(struct drone *d, size_t index)
{
    return (uint8_t *)&d->settings + k_setting[index].offset;
}

/* @return MF_E_OK, or MF_E_RANGE unless the whole text is a number */
static int parse_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' ? MF_E_OK : MF_E_RANGE;
}

static int parse_whole(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 0);
    return end != text && *end == '\0' ? MF_E_OK : MF_E_RANGE;
}

static int set_number(struct drone *d, size_t index, const char *value)
{
    double real;
    uint64_t whole;
    if (k_setting[index].type == SETTING_UID) {
        if (parse_whole(value, &whole) != MF_E_OK) {
            return MF_E_RANGE;
        }
        memcpy(field_of(d, index), &whole, sizeof whole);
        return MF_E_OK;
    }
    if (parse_real(value, &real) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (k_setting[index].type == SETTING_REAL) {
        memcpy(field_of(d, index), &real, sizeof real);
        return MF_E_OK;
    }
    if (!(real >= INT32_MIN && real <= INT32_MAX)) {
        return MF_E_RANGE;
    }
    const int32_t integer = (int32_t)real;
    memcpy(field_of(d, index), &integer, sizeof integer);
    return MF_E_OK;
}

/* Settings are checked at the boot only, but records of the store may come before it. */
static uint16_t capacity(int32_t records)
{
    return records >= 0 && records <= (int32_t)DRONE_RECORDS ? (uint16_t)records : 0;
}

static void set_capacities(struct drone *d)
{
    const struct drone_settings *s = &d->settings;
    d->store.area[MF_STORE_PARAM].info.capacity = capacity(s->store_param);
    d->store.area[MF_STORE_MISSION].info.capacity = capacity(s->store_mission);
    d->store.area[MF_STORE_FENCE].info.capacity = capacity(s->store_fence);
    d->store.area[MF_STORE_RALLY].info.capacity = capacity(s->store_rally);
    d->store.area[MF_STORE_SIGNING].info.capacity = capacity(s->store_signing);
}

static int set_param(struct drone *d, const char *name, const char *value)
{
    struct drone_settings *s = &d->settings;
    if (s->param_count == DRONE_PARAMS) {
        return MF_E_FULL;
    }
    if (strlen(name) > MF_PARAM_NAME_MAX) {
        return MF_E_NOENT;
    }
    memcpy(s->param[s->param_count].name, name, strlen(name) + 1);
    if (parse_real(value, &s->param[s->param_count].value) != MF_E_OK) {
        return MF_E_RANGE;
    }
    s->param_count++;
    return MF_E_OK;
}

static int set_fault(struct drone *d, const char *value)
{
    char reason[MF_FAULT_REASON_MAX];
    struct mf_world_settings *s = &d->settings.world;
    if (s->fault_count == MF_FAULT_PLANS_MAX) {
        return MF_E_FULL;
    }
    const int result = mf_fault_spec_parse(value, strlen(value), &s->fault[s->fault_count], reason);
    s->fault_count += result == MF_E_OK;
    return result;
}

static int set_motion(struct drone *d, const char *value)
{
    const int motion = mf_world_motion(value);
    if (motion < 0) {
        return MF_E_RANGE;
    }
    d->settings.world.motion = (enum mf_world_motion)motion;
    return MF_E_OK;
}

/* @param text  at least as many characters as the id has digits @return whether they are
 * hexadecimal */
static bool parse_id(const char *text, uint8_t *id)
{
    static const char k_digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 2 * MF_REMOTE_ID_BYTES; i++) {
        const char *digit = strchr(k_digits, text[i]);
        if (digit == NULL) {
            return false;
        }
        const unsigned high = i % 2 == 0 ? 0u : 16u * id[i / 2];
        id[i / 2] = (uint8_t)(high + (unsigned)(digit - k_digits));
    }
    return true;
}

/* "1 2 0 0 4d41... 4649...": types of id and aircraft, category, class, the ids of vehicle and
 * operator */
static int set_remote_id(struct drone *d, const char *value)
{
    uint8_t number[4], operator_id[MF_REMOTE_ID_BYTES];
    struct mf_remote_id_card *card = &d->settings.remote_id;
    for (size_t i = 0; i < sizeof number; i++) {
        char *end;
        const unsigned long whole = strtoul(value, &end, 10);
        if (end == value || *end != ' ' || whole > UINT8_MAX) {
            return MF_E_RANGE;
        }
        number[i] = (uint8_t)whole;
        value = end + 1;
    }
    const size_t digits = 2 * MF_REMOTE_ID_BYTES;
    if (strlen(value) != 2 * digits + 1 || value[digits] != ' ' || !parse_id(value, card->uas_id) ||
        !parse_id(value + digits + 1, operator_id)) {
        return MF_E_RANGE;
    }
    memcpy(card->operator_id, operator_id, sizeof operator_id);
    card->id_type = number[0];
    card->ua_type = number[1];
    card->category_eu = number[2];
    card->class_eu = number[3];
    d->settings.remote_id_given = true;
    return MF_E_OK;
}

int drone_set(struct drone *d, const char *text, size_t n)
{
    static const char k_param[] = "param.";
    char setting[DRONE_SETTING_MAX];
    if (n >= sizeof setting || memchr(text, '\0', n) != NULL) {
        return MF_E_RANGE;
    }
    memcpy(setting, text, n);
    setting[n] = '\0';
    char *value = strchr(setting, '=');
    if (value == NULL) {
        return MF_E_RANGE;
    }
    *value++ = '\0';
    for (size_t i = 0; i < sizeof k_setting / sizeof k_setting[0]; i++) {
        if (strcmp(k_setting[i].key, setting) == 0) {
            const int result = set_number(d, i, value);
            set_capacities(d);
            return result;
        }
    }
    if (strncmp(setting, k_param, sizeof k_param - 1) == 0) {
        return set_param(d, setting + sizeof k_param - 1, value);
    }
    if (strcmp(setting, "fault") == 0) {
        return set_fault(d, value);
    }
    if (strcmp(setting, "geoid") == 0) {
        return drone_earth_set(&d->earth, value);
    }
    if (strcmp(setting, "terrain") == 0) {
        return drone_earth_set_terrain(&d->earth, value);
    }
    if (strcmp(setting, "motion") == 0) {
        return set_motion(d, value);
    }
    if (strcmp(setting, "remote_id") == 0) {
        return set_remote_id(d, value);
    }
    return MF_E_NOENT;
}

/* ---- world and vehicle */

void drone_init(struct drone *d, mf_recorder_write *write, void *ctx)
{
    for (size_t i = 0; i < sizeof k_setting / sizeof k_setting[0]; i++) {
        const int32_t integer = (int32_t)k_setting[i].value;
        const uint64_t whole = (uint64_t)(int64_t)k_setting[i].value;
        switch (k_setting[i].type) {
        case SETTING_INT:
            memcpy(field_of(d, i), &integer, sizeof integer);
            break;
        case SETTING_UID:
            memcpy(field_of(d, i), &whole, sizeof whole);
            break;
        case SETTING_REAL:
        default:
            memcpy(field_of(d, i), &k_setting[i].value, sizeof k_setting[i].value);
            break;
        }
    }
    struct mf_store_banks banks[MF_STORE_AREA_COUNT];
    for (size_t i = 0; i < MF_STORE_AREA_COUNT; i++) {
        banks[i] = (struct mf_store_banks){{d->banks[i][0], d->banks[i][1]}, DRONE_RECORDS};
    }
    mf_store_memory_init(&d->store, banks);
    d->memory = (struct mf_memory){.bytes = d->parts, .size = sizeof d->parts};
    mf_wiring_init(&d->wiring, &(struct mf_wiring_setup){.connections = d->connections,
                                                         .count = DRONE_LINKS,
                                                         .memory = &d->memory,
                                                         .recorder_bytes = DRONE_RECORDER_BYTES});
    const int recorded = mf_wiring_record(&d->wiring, write, ctx);
    MF_ASSERT(recorded == MF_E_OK);
    set_capacities(d);
    if (mf_egm96_pack_size > 0) { /* there are machines that have no room for it */
        const int result = drone_earth_have(&d->earth, mf_egm96_pack, mf_egm96_pack_size);
        MF_ASSERT(result == MF_E_OK);
    }
}

/* A board's configuration checks its values; ours come from a file that may be anybody's. */
static bool settings_make_sense(const struct drone_settings *s)
{
    return mf_between(s->links, 0, DRONE_LINKS) && mf_between(s->store_param, 0, DRONE_RECORDS) &&
           mf_between(s->store_mission, 0, DRONE_RECORDS) &&
           mf_between(s->store_fence, 0, DRONE_RECORDS) &&
           mf_between(s->store_rally, 0, DRONE_RECORDS) &&
           mf_between(s->store_signing, 0, DRONE_RECORDS) && mf_between(s->sysid, 1, 254) &&
           mf_between(s->compid, 1, 254) && mf_between(s->start_grid_us, 0, INT32_MAX) &&
           mf_world_settings_are_good(&s->world);
}

int drone_boot(struct drone *d, const struct mf_hal *hal, int64_t epoch_utc_us)
{
    struct drone_settings *s = &d->settings;
    if (!settings_make_sense(s) || epoch_utc_us < 0 || epoch_utc_us > DRONE_TIME_MAX_US) {
        return MF_E_RANGE;
    }
    s->world.epoch_utc_us = epoch_utc_us;
    s->world.instance = s->uid;
    s->world.geoid = &d->earth.geoid;
    s->world.terrain = &d->earth.terrain;
    s->world.memory = &d->memory;
    s->world.audit = s->audit != 0;
    if (d->earth.geoid.count == 0) {
        (void)drone_earth_set(&d->earth, "egm96");
    }
    const struct mf_drone_setup setup = {
        .world = &s->world,
        .wiring = &d->wiring,
        .vehicle =
            {
                .hal = *hal,
                .links = d->links,
                .shells = s->services != 0 ? d->shells : NULL,
                .barriers = s->holdable_clock != 0 ? d->barriers : NULL,
                .signing = s->services != 0 ? &d->signing : NULL,
                .ftp = s->services != 0 ? &d->ftp : NULL,
                .link_count = (uint16_t)s->links,
                .sysid = (uint8_t)s->sysid,
                .compid = (uint8_t)s->compid,
                .uid = s->uid,
                .utc_us = epoch_utc_us,
                .journal = &d->journal,
                .remote_id = s->remote_id_given ? &s->remote_id : NULL,
                .options = {.px4_strict = s->px4_strict != 0,
                            .lose_item_reached = s->lose_item_reached != 0,
                            .lenient_param_types = s->lenient_param_types != 0,
                            .statustext_gcs_only = s->statustext_gcs_only != 0,
                            .px4_motion = s->world.motion == MF_WORLD_MOTION_PHYSICS,
                            .audit = s->audit != 0,
                            .start_grid_us = s->start_grid_us},
            },
    };
    int result = mf_drone_init(&d->object, &setup);
    for (size_t i = 0; i < s->param_count && result == MF_E_OK; i++) {
        result = mf_param_override(&d->object.vehicle, s->param[i].name, s->param[i].value);
    }
    return result;
}
