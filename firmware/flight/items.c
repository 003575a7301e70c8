/* SPDX-License-Identifier: Apache-2.0 */
/* Items of plans: the table of commands, and checks of one item. */
#include "firmware/flight/items.h"

#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/state/limits.h"
#include "math/crc32.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#define LAT_MAX_E7 900000000
#define LON_MAX_E7 1800000000
#define VERTEX_MIN 3.0f
#define VERTEX_MAX 65535.0f
#define FLOAT_INF  0x7F800000u /* bits without the sign; above it: not-a-number */
#define FLOAT_SIGN 0x80000000u

struct rule {
    uint16_t command; /* MAV_CMD */
    uint8_t kind;     /* enum mf_item_kind */
    uint8_t at;       /* enum mf_item_at */
    uint8_t type;     /* MAV_MISSION_TYPE */
    uint8_t px4;      /* enum mf_item_px4 */
};

/* clang-format off */
static const struct rule k_rule[] = {
#define X(name, kind, at, type, px4) \
    {MAV_CMD_##name, MF_ITEM_##kind, MF_AT_##at, MAV_MISSION_TYPE_##type, MF_PX4_##px4},
    MF_ITEM_LIST(X)
#undef X
};
/* clang-format on */

/* ---- one item ---- */

struct mf_item mf_item_of(const struct mf_msg_mission_item_int *m)
{
    return (struct mf_item){.param = {m->param1, m->param2, m->param3, m->param4},
                            .x = m->x,
                            .y = m->y,
                            .z = m->z,
                            .command = m->command,
                            .frame = m->frame,
                            .autocontinue = m->autocontinue};
}

/* Find the rule of a command. A search through 50 rules takes far less time than the read of an
 * item from the store. */
static const struct rule *find_rule(uint16_t command)
{
    for (size_t i = 0; i < sizeof k_rule / sizeof k_rule[0]; i++) {
        if (k_rule[i].command == command) {
            return &k_rule[i];
        }
    }
    return NULL;
}

/* True for altitudes above home or above the ground; without terrain, the ground is as high as home
 * everywhere. */
bool mf_item_is_relative(uint8_t frame)
{
    return frame == MAV_FRAME_GLOBAL_RELATIVE_ALT || frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT ||
           mf_datum_is_terrain(frame);
}

static bool is_global(uint8_t frame)
{
    return mf_item_is_relative(frame) || frame == MAV_FRAME_GLOBAL || frame == MAV_FRAME_GLOBAL_INT;
}

static bool is_latitude(int32_t x)
{
    return x >= -LAT_MAX_E7 && x <= LAT_MAX_E7;
}

static bool is_longitude(int32_t y)
{
    return y >= -LON_MAX_E7 && y <= LON_MAX_E7;
}

int mf_item_kind(uint16_t command)
{
    const struct rule *rule = find_rule(command);
    return rule != NULL && rule->type == MAV_MISSION_TYPE_MISSION ? rule->kind : MF_E_NOSUPP;
}

bool mf_item_moves(uint16_t command)
{
    const int kind = mf_item_kind(command);
    return kind >= MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL;
}

/* True if an item has a position. A take-off or landing may have any value for "here"; other items
 * with an invalid place are refused at upload, and if a store contains one, it counts as an item
 * without a position. */
bool mf_item_has_position(const struct mf_item *item)
{
    const struct rule *rule = find_rule(item->command);
    return rule != NULL && rule->at != MF_AT_NONE && is_global(item->frame) &&
           is_latitude(item->x) && is_longitude(item->y);
}

struct mf_geo mf_item_place(const struct mf_item *item)
{
    return (struct mf_geo){(double)item->x / 1e7, (double)item->y / 1e7};
}

/* Find the ground below an item's place, or below the vehicle for a take-off, which climbs where it
 * is. */
int mf_item_ground(const struct mf_datum *datum, const struct mf_item *item, double *ground_m)
{
    const struct mf_pose *pose = &datum->estimate->pose;
    const bool here = mf_item_kind(item->command) == MF_ITEM_TAKEOFF || !mf_item_has_position(item);
    const struct mf_geo place =
        here ? (struct mf_geo){pose->lat_deg, pose->lon_deg} : mf_item_place(item);
    return mf_datum_ground(datum->hal, datum->estimate, place, ground_m);
}

double mf_item_amsl_m(const struct mf_datum *datum, const struct mf_item *item, double otherwise_m)
{
    MF_ASSERT(item != NULL);
    const double z = (double)mf_f32_from_bits(item->z);
    if (!mf_finite(z)) {
        return otherwise_m;
    }
    double zero_m = mf_item_is_relative(item->frame) ? datum->home->alt_amsl_m : 0.0;
    if (mf_datum_is_terrain(item->frame)) {
        (void)mf_item_ground(datum, item, &zero_m); /* else flat: as high as home everywhere */
    }
    MF_ASSERT(mf_finite(zero_m));
    return zero_m + z;
}

static uint8_t check_roi(const struct mf_item *item)
{
    const float mode = mf_f32_from_bits(item->param[0]);
    const bool known = is_global(item->frame)
                           ? mode == (float)MAV_ROI_NONE || mode == (float)MAV_ROI_LOCATION
                           : mode == (float)MAV_ROI_NONE || mode == (float)MAV_ROI_WPNEXT ||
                                 mode == (float)MAV_ROI_WPINDEX;
    return known ? MAV_MISSION_ACCEPTED : MAV_MISSION_INVALID_PARAM1;
}

/* Commands that cannot be served whatever their first parameter says. */
static uint8_t check_param1(const struct mf_item *item)
{
    const float param1 = mf_f32_from_bits(item->param[0]); /* NaN fails every comparison */
    switch (item->command) {
    case MAV_CMD_NAV_ROI:
    case MAV_CMD_DO_SET_ROI:
        return check_roi(item);
    case MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION:
    case MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION:
        return param1 >= VERTEX_MIN && param1 <= VERTEX_MAX ? MAV_MISSION_ACCEPTED
                                                            : MAV_MISSION_ERROR;
    case MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION:
    case MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION:
        return param1 >= 0.0f ? MAV_MISSION_ACCEPTED : MAV_MISSION_INVALID_PARAM1;
    default:
        return MAV_MISSION_ACCEPTED;
    }
}

/* A parameter that is not a number means "default"; an infinite one means nothing. */
static uint8_t check_params(const struct mf_item *item)
{
    for (unsigned i = 0; i < 4; i++) {
        if ((item->param[i] & ~FLOAT_SIGN) == FLOAT_INF) {
            return (uint8_t)(MAV_MISSION_INVALID_PARAM1 + i);
        }
    }
    if ((item->z & ~FLOAT_SIGN) == FLOAT_INF) {
        return MAV_MISSION_INVALID_PARAM7;
    }
    return check_param1(item);
}

/* Check the place of an item. Vertices and circles do not use their z. */
static uint8_t check_place(const struct rule *rule, const struct mf_item *item)
{
    MF_ASSERT(rule->at != MF_AT_NONE && is_global(item->frame));
    if (rule->at != MF_AT_HERE && !is_latitude(item->x)) {
        return MAV_MISSION_INVALID_PARAM5_X;
    }
    if (rule->at != MF_AT_HERE && !is_longitude(item->y)) {
        return MAV_MISSION_INVALID_PARAM6_Y;
    }
    const double alt_m = (double)mf_f32_from_bits(item->z); /* NaN fails every comparison */
    const bool good = rule->type == MAV_MISSION_TYPE_FENCE || mf_abs(alt_m) <= MF_ALTITUDE_MAX_M;
    return good ? MAV_MISSION_ACCEPTED : MAV_MISSION_INVALID_PARAM7;
}

/* PX4 looks at the frame, then at the command in that kind of frame, then at the kind of plan. */
static uint8_t check_rule(uint8_t type, const struct rule *rule, uint8_t frame, bool px4)
{
    const bool global = is_global(frame);
    const bool flat = px4 || rule == NULL || rule->at == MF_AT_NONE;
    if ((!global && frame != MAV_FRAME_MISSION) || (flat && mf_datum_is_terrain(frame))) {
        return MAV_MISSION_UNSUPPORTED_FRAME;
    }
    if (rule == NULL || (px4 && rule->px4 == MF_PX4_REFUSES)) {
        return MAV_MISSION_UNSUPPORTED;
    }
    const unsigned at = px4 && rule->px4 == MF_PX4_NO_PLACE ? MF_AT_NONE : rule->at;
    if (at != MF_AT_EITHER && global != (at != MF_AT_NONE)) {
        return MAV_MISSION_UNSUPPORTED;
    }
    return rule->type == type ? MAV_MISSION_ACCEPTED : MAV_MISSION_ERROR;
}

uint8_t mf_item_check(uint8_t type, const struct mf_item *item, bool px4)
{
    MF_ASSERT(type <= MAV_MISSION_TYPE_RALLY && item != NULL);
    const struct rule *rule = find_rule(item->command);
    uint8_t result = check_rule(type, rule, item->frame, px4);
    /* Parameters before the place: a client gets the first complaint only. */
    if (result == MAV_MISSION_ACCEPTED) {
        result = check_params(item);
    }
    return result == MAV_MISSION_ACCEPTED && is_global(item->frame) ? check_place(rule, item)
                                                                    : result;
}

bool mf_item_grounds(uint16_t command, bool px4)
{
    const struct rule *rule = find_rule(command);
    return rule != NULL && (rule->px4 == MF_PX4_VTOL || (px4 && rule->px4 == MF_PX4_DENIES));
}

static uint8_t *put_le32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        *to++ = (uint8_t)(value >> 8u * i);
    }
    return to;
}

/* Byte by byte, little-endian: PX4's checksum runs over its packed struct, and this one over the
 * same bytes on any processor. */
uint32_t mf_item_tag(uint32_t tag, const struct mf_item *item)
{
    uint8_t bytes[32];
    uint8_t *to = bytes;
    *to++ = item->frame;
    *to++ = (uint8_t)item->command;
    *to++ = (uint8_t)(item->command >> 8);
    *to++ = item->autocontinue;
    for (unsigned i = 0; i < 4; i++) {
        to = put_le32(to, item->param[i]);
    }
    to = put_le32(to, (uint32_t)item->x);
    to = put_le32(to, (uint32_t)item->y);
    to = put_le32(to, item->z);
    MF_ASSERT(to == bytes + sizeof bytes);
    return mf_crc32(tag, bytes, sizeof bytes);
}
