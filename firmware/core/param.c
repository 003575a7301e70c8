/* SPDX-License-Identifier: Apache-2.0 */
/* Source: PX4 1.17 (src/lib/parameters, mavlink_parameters.cpp), MAVLink parameter protocol. */
#include "firmware/core/param.h"

#include "firmware/core/tasks.h"
#include "firmware/state/vehicle.h"
#include "math/crc32.h"
#include "mavlink/enums.h"

#include <float.h>
#include <string.h>

/* Delay until a changed value is sent again [us]: PX4 sends changed values 5 ms after the change,
 * in addition to the answer (MavlinkParametersManager::send_untransmitted). */
#define AGAIN_US (5 * MF_MS_US)

/* Parameters that could not be saved are tried again after [us]. */
#define SAVE_AGAIN_US (10 * MF_SECOND_US)

/* Not-a-number, of a parameter that acts on nothing: all of them are floats. */
#define NO_VALUE 0x7FC00000u

/* Members of mf_param_info for the table's types int32 and float. */
#define MEMBER_int32   i
#define MEMBER_float   f
#define IS_FLOAT_int32 false
#define IS_FLOAT_float true
/* clang-format off */
#define VALUE(type, x) {.MEMBER_##type = (x)}
/* clang-format on */

const struct mf_param_info mf_param_table[MF_PARAM_COUNT] = {
#define P(name, type, value, min, max, unit, doc) \
    {#name, IS_FLOAT_##type, VALUE(type, value), VALUE(type, min), VALUE(type, max)},
#include "firmware/state/params.def"
};

#define P(name, type, value, min, max, unit, doc) \
    _Static_assert(sizeof #name <= MF_PARAM_NAME_MAX + 1u, #name ": 16 characters at most");
#include "firmware/state/params.def"

/* Both lists are short and asked at changes only, so they are searched one by one. */
static const uint16_t k_read_only[] = {
#define READ_ONLY(name) MF_PARAM_##name,
#include "firmware/state/params.def"
};

static const uint16_t k_volatile[] = {
#define VOLATILE(name) MF_PARAM_##name,
#include "firmware/state/params.def"
};

static const uint16_t k_physics[] = {
#define PHYSICS(name) MF_PARAM_##name,
#include "firmware/state/params.def"
};

/* Defaults of a body that moves as PX4's does, and of PX4's own rules. */
static const struct {
    uint16_t param;
    bool strict;
    union mf_param_value value;
} k_px4[] = {
#define PX4_MOTION(name, value) {MF_PARAM_##name, false, {.f = (value)}},
#define PX4_STRICT(name, value) {MF_PARAM_##name, true, {.i = (value)}},
#include "firmware/state/params.def"
};

static bool contains(const uint16_t *list, size_t n, enum mf_param param)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    for (size_t i = 0; i < n; i++) {
        if (list[i] == param) {
            return true;
        }
    }
    return false;
}

static bool is_read_only(enum mf_param param)
{
    return contains(k_read_only, sizeof k_read_only / sizeof k_read_only[0], param);
}

static bool is_of_physics(enum mf_param param)
{
    return contains(k_physics, sizeof k_physics / sizeof k_physics[0], param);
}

static bool is_volatile(enum mf_param param)
{
    return contains(k_volatile, sizeof k_volatile / sizeof k_volatile[0], param);
}

const struct mf_param_info *mf_param_info(enum mf_param param)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    return &mf_param_table[param];
}

/* Find a parameter by binary search: the table is in ascending order of names (a test checks it).
 * At most 16 characters are compared: a name of that length lacks a NUL in a message. */
int mf_param_find(const char *name)
{
    MF_ASSERT(name != NULL);
    int low = 0;
    int high = MF_PARAM_COUNT - 1;
    while (low <= high) {
        const int middle = (low + high) / 2;
        const int order = strncmp(name, mf_param_table[middle].name, MF_PARAM_NAME_MAX);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            high = middle - 1;
        } else {
            low = middle + 1;
        }
    }
    return MF_E_NOENT;
}

int32_t mf_param_i(const struct mf_params *p, enum mf_param param)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT && !mf_param_table[param].is_float);
    const int32_t value = (union mf_param_value){.bits = p->value[param]}.i;
    if (value < mf_param_table[param].min.i) {
        return mf_param_table[param].min.i;
    }
    return value > mf_param_table[param].max.i ? mf_param_table[param].max.i : value;
}

/* Sets of parameters are bits, 41 bytes for all of them. */
bool mf_param_marked(const uint8_t *marks, enum mf_param param)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    return ((unsigned)marks[param / 8u] >> param % 8u & 1u) != 0;
}

void mf_param_mark(uint8_t *marks, enum mf_param param, bool on)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    const unsigned bit = 1u << param % 8u;
    const unsigned others = marks[param / 8u] & ~bit;
    marks[param / 8u] = (uint8_t)(on ? others | bit : others);
}

static bool is_overridden(const struct mf_params *p, enum mf_param param)
{
    return mf_param_marked(p->overridden, param);
}

/* Both comparisons are false for a value that is not a number, so that one is out of range. */
static bool in_range(const struct mf_param_info *info, uint32_t bits)
{
    const union mf_param_value value = {.bits = bits};
    MF_ASSERT(info != NULL);
    if (!info->is_float) {
        return value.i >= info->min.i && value.i <= info->max.i;
    }
    return value.f >= info->min.f && value.f <= info->max.f;
}

/* True if a value is allowed. PX4 does not check ranges: with its rules a client may write any
 * value, and its reader uses the nearest valid one. Not-a-number and infinity are never allowed,
 * since they lack a nearest value. */
static bool may_be(const struct mf_options *options, enum mf_param param, uint32_t bits)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    if (mf_param_table[param].is_float && (bits & 0x7F800000u) == 0x7F800000u) {
        return false;
    }
    return options->px4_strict || in_range(&mf_param_table[param], bits);
}

/* An option that sets a default stands above the table, whose defaults hold for all others. */
static uint32_t default_bits(const struct mf_options *options, enum mf_param param)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    for (size_t i = 0; i < sizeof k_px4 / sizeof k_px4[0]; i++) {
        const bool holds = k_px4[i].strict ? options->px4_strict : options->px4_motion;
        if (holds && k_px4[i].param == param) {
            return k_px4[i].value.bits;
        }
    }
    return mf_param_table[param].value.bits;
}

/* Reset to defaults, including values of the configuration for this launch, which the caller sets
 * again. */
void mf_param_reset(struct mf_params *p, const struct mf_options *options)
{
    MF_ASSERT(p != NULL && options != NULL);
    memset(p, 0, sizeof *p);
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        p->value[i] = mf_param_table[i].value.bits;
    }
    for (size_t i = 0; i < sizeof k_px4 / sizeof k_px4[0]; i++) {
        const enum mf_param param = (enum mf_param)k_px4[i].param;
        p->value[param] = default_bits(options, param);
    }
    p->again_us = MF_NEVER;
    p->physics_hidden = options->audit && !options->px4_motion;
}

/* PX4's way to carry integers: the 32 bits as they are, in the field that is called a float. */
void mf_param_encode(const struct mf_params *p, enum mf_param param, struct mf_msg_param_value *m)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT && m != NULL);
    const struct mf_param_info *info = &mf_param_table[param];
    memset(m, 0, sizeof *m);
    m->param_value = p->physics_hidden && is_of_physics(param) ? NO_VALUE : p->value[param];
    m->param_count = MF_PARAM_COUNT;
    m->param_index = (uint16_t)param;
    memcpy(m->param_id, info->name, MF_PARAM_NAME_MAX);
    m->param_type = info->is_float ? MAV_PARAM_TYPE_REAL32 : MAV_PARAM_TYPE_INT32;
}

/* Schedule a save, even if the last one has just failed: PX4 saves automatically, too, and clients
 * do not request it. The task writes, so that many changes of a pass are one commit. */
static void schedule_save(struct mf_vehicle *v)
{
    MF_ASSERT(v != NULL);
    v->params.unsaved = true;
    v->params.retry_us = v->now.transport_us;
    mf_wake_at(v, MF_TASK_PARAMS, v->now.transport_us);
}

/* Count a parameter up without a message, as PX4's param_set_no_notification(): otherwise the
 * flight time would be sent at every landing. */
void mf_param_count(struct mf_vehicle *v, enum mf_param param, uint32_t bits)
{
    MF_ASSERT(is_volatile(param) && in_range(&mf_param_table[param], bits));
    if (bits != v->params.value[param]) {
        v->params.value[param] = bits;
        schedule_save(v);
    }
}

static void put_u32(uint8_t *to, uint32_t x)
{
    for (size_t i = 0; i < 4; i++) {
        to[i] = (uint8_t)(x >> 8 * i);
    }
}

static uint32_t get_u32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* PX4's param_hash_check(): a client that has cached all values under this number asks for none.
 * PX4 leaves out what is volatile, since it changes without a client. */
uint32_t mf_param_hash(const struct mf_params *p)
{
    MF_ASSERT(p != NULL);
    uint32_t crc = 0;
    for (size_t i = 0; i < MF_PARAM_COUNT; i++) {
        const char *name = mf_param_info((enum mf_param)i)->name;
        uint8_t value[4];
        put_u32(value, p->value[i]);
        if (!is_volatile((enum mf_param)i)) {
            crc = mf_crc32(crc, name, strlen(name));
            crc = mf_crc32(crc, value, sizeof value);
        }
    }
    return crc;
}

/* A record: name 16, MAV_PARAM_TYPE 1, zero 1, checksum of the rest 2, value 4; little endian. It
 * holds the name, not the index: a version with another table still finds what it knows. */
#define RECORD_SIZE  24u
#define RECORD_TYPE  16u
#define RECORD_CHECK 18u
#define RECORD_VALUE 20u

static uint16_t record_check(const uint8_t record[RECORD_SIZE])
{
    const uint32_t crc = mf_crc32(0, record, RECORD_CHECK);
    return (uint16_t)mf_crc32(crc, record + RECORD_VALUE, RECORD_SIZE - RECORD_VALUE);
}

static void record_write(const struct mf_params *p, enum mf_param param,
                         uint8_t record[RECORD_SIZE])
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    memset(record, 0, RECORD_SIZE);
    memcpy(record, mf_param_table[param].name, MF_PARAM_NAME_MAX);
    record[RECORD_TYPE] =
        mf_param_table[param].is_float ? MAV_PARAM_TYPE_REAL32 : MAV_PARAM_TYPE_INT32;
    put_u32(record + RECORD_VALUE, p->value[param]);
    const uint16_t check = record_check(record);
    record[RECORD_CHECK] = (uint8_t)check;
    record[RECORD_CHECK + 1u] = (uint8_t)(check >> 8);
}

/* Read a record, which may be damaged, or from a version with another table. @return enum mf_param,
 * or MF_E_NOENT */
static int record_read(const struct mf_options *options, const uint8_t record[RECORD_SIZE],
                       uint32_t *bits)
{
    const uint16_t check = (uint16_t)(record[RECORD_CHECK] | record[RECORD_CHECK + 1u] << 8);
    const int param = mf_param_find((const char *)record);
    MF_ASSERT(bits != NULL);
    if (check != record_check(record) || param < 0 || is_read_only((enum mf_param)param)) {
        return MF_E_NOENT;
    }
    const uint8_t type =
        mf_param_table[param].is_float ? MAV_PARAM_TYPE_REAL32 : MAV_PARAM_TYPE_INT32;
    *bits = get_u32(record + RECORD_VALUE);
    return record[RECORD_TYPE] == type && may_be(options, (enum mf_param)param, *bits) ? param
                                                                                       : MF_E_NOENT;
}

/* Load saved values. A damaged or unknown record is skipped: the store checks whole banks, this
 * checks records that a board's own store may have let through. */
int mf_param_load(struct mf_params *p, const struct mf_options *options, const struct mf_hal *hal)
{
    MF_ASSERT(p != NULL && options != NULL);
    struct mf_store_info info;
    if (mf_store_info(hal, MF_STORE_PARAM, &info) != MF_E_OK) {
        return 0;
    }
    int taken = 0;
    for (uint16_t i = 0; i < info.count; i++) {
        uint8_t record[RECORD_SIZE];
        uint32_t bits = 0;
        if (mf_store_get(hal, MF_STORE_PARAM, i, record) != MF_E_OK) {
            continue;
        }
        const int param = record_read(options, record, &bits);
        if (param >= 0) {
            p->value[param] = bits;
            taken++;
        }
    }
    return taken;
}

/* Records on their way into the store. */
struct batch {
    uint16_t count;
    uint32_t tag;
    bool failed;
};

/* A record that does not fit lets the whole save fail: half of a configuration would fly
 * differently from both the old one and the new one. */
static void stage(const struct mf_hal *hal, struct batch *batch, const uint8_t record[RECORD_SIZE])
{
    MF_ASSERT(batch->count < UINT16_MAX);
    if (mf_store_put(hal, MF_STORE_PARAM, batch->count, record) != MF_E_OK) {
        batch->failed = true;
        return;
    }
    batch->count++;
    batch->tag = mf_crc32(batch->tag, record, RECORD_SIZE);
}

/* Keep the saved values of parameters that the configuration overrides for this launch. The records
 * are read from the active bank while the other one is filled, so the order of the two does not
 * matter. */
static void stage_overridden(const struct mf_params *p, const struct mf_options *options,
                             const struct mf_hal *hal, struct batch *batch, uint16_t active)
{
    MF_ASSERT(batch->count == 0);
    for (uint16_t i = 0; i < active; i++) {
        uint8_t record[RECORD_SIZE];
        uint32_t bits = 0;
        if (mf_store_get(hal, MF_STORE_PARAM, i, record) != MF_E_OK) {
            continue; /* as when it was loaded */
        }
        const int param = record_read(options, record, &bits);
        if (param >= 0 && is_overridden(p, (enum mf_param)param)) {
            stage(hal, batch, record);
        }
    }
}

int mf_param_save(struct mf_params *p, const struct mf_options *options, const struct mf_hal *hal)
{
    struct mf_store_info info;
    struct batch batch = {0};
    MF_ASSERT(p != NULL && options != NULL);
    if (mf_store_info(hal, MF_STORE_PARAM, &info) != MF_E_OK) {
        return MF_E_IO;
    }
    if (info.capacity == 0) { /* without a medium, values are not expected to stay */
        p->unsaved = false;
        return MF_E_OK;
    }
    stage_overridden(p, options, hal, &batch, info.count);
    /* Only values other than their defaults are saved, as in PX4: a new default of a later version
     * reaches all users who never changed it. */
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const enum mf_param param = (enum mf_param)i;
        if (p->value[i] != default_bits(options, param) && !is_overridden(p, param)) {
            uint8_t record[RECORD_SIZE];
            record_write(p, param, record);
            stage(hal, &batch, record);
        }
    }
    if (batch.failed || mf_store_commit(hal, MF_STORE_PARAM, batch.count, batch.tag) != MF_E_OK) {
        return MF_E_IO;
    }
    p->unsaved = false;
    return MF_E_OK;
}

/* PARAM_SET was answered before its value was saved, so a store that fails is tried again and
 * again. */
enum mf_save mf_param_save_due(struct mf_params *p, const struct mf_options *options,
                               const struct mf_hal *hal, mf_us_t now_us)
{
    MF_ASSERT(p->retry_us <= now_us + SAVE_AGAIN_US);
    if (p->unsaved && now_us >= p->retry_us && mf_param_save(p, options, hal) != MF_E_OK) {
        p->lost = true;
        p->retry_us = now_us + SAVE_AGAIN_US;
        return MF_SAVE_FAILED;
    }
    if (p->lost && !p->unsaved) {
        p->lost = false;
        return MF_SAVE_RECOVERED;
    }
    return MF_SAVE_QUIET;
}

int mf_param_put(struct mf_vehicle *v, enum mf_param param, uint32_t bits, bool *news)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    /* A client that writes all values back that it has read, as ground stations do, does not change
     * read-only ones, and gets no error. */
    const bool same = bits == v->params.value[param];
    if (!same && is_read_only(param)) { /* before the range: no value would be right */
        return MF_E_DENIED;
    }
    if (!may_be(&v->options, param, bits)) {
        return MF_E_RANGE;
    }
    /* A value that a client wrote is no longer the configuration's, so it is saved from now on. */
    const bool taken_over = is_overridden(&v->params, param) && !is_read_only(param);
    v->params.value[param] = bits;
    if (taken_over) {
        mf_param_mark(v->params.overridden, param, false);
    }
    *news = !same || taken_over;
    if (*news) {
        mf_param_mark(v->params.again, param, true);
        v->params.again_us = mf_earlier(v->params.again_us, v->now.transport_us + AGAIN_US);
        schedule_save(v);
    }
    return MF_E_OK;
}

int mf_param_launch(struct mf_params *p, const char *name, double value)
{
    MF_ASSERT(p != NULL && name != NULL);
    const int param = strlen(name) <= MF_PARAM_NAME_MAX ? mf_param_find(name) : MF_E_NOENT;
    if (param < 0) {
        return MF_E_NOENT;
    }
    const struct mf_param_info *info = &mf_param_table[param];
    union mf_param_value own;
    if (info->is_float) {
        if (!(value >= -(double)FLT_MAX && value <= (double)FLT_MAX)) { /* so that NaN fails, too */
            return MF_E_RANGE;
        }
        own.f = (float)value; /* first: 0.1 is below the limit 0.1f as long as it is a double */
        if (!in_range(info, own.bits)) {
            return MF_E_RANGE;
        }
    } else {
        if (!(value >= info->min.i && value <= info->max.i)) {
            return MF_E_RANGE;
        }
        own.i = (int32_t)value;
        if ((double)own.i != value) {
            return MF_E_RANGE;
        }
    }
    p->value[param] = own.bits;
    mf_param_mark(p->overridden, (enum mf_param)param, true);
    return param;
}
