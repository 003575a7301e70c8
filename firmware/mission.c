/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/mission.h"

#include "firmware/vehicle.h"
#include "math/crc32.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <string.h>

#define LAT_MAX_E7       900000000
#define LON_MAX_E7       1800000000
#define VERTEX_MIN       3.0f
#define VERTEX_MAX       65535.0f
#define FLOAT_INF        0x7F800000u /* bits without the sign; above it: not-a-number */
#define FLOAT_SIGN       0x80000000u
#define LANDING_REQUIRED "Landing waypoint/pattern required."

/* What x and y of a command hold. */
enum place {
    AT_NONE,   /* nothing, or what the command says: frame MISSION only */
    AT_PLACE,  /* latitude and longitude: global frames only */
    AT_HERE,   /* the same, or anything else for "where the vehicle is" */
    AT_EITHER, /* by frame */
};

/* MAV_CMD, what it does, position, plan. What PX4 takes, and what clients write besides:
 * LOITER_TURNS, the CONDITIONs, DO_FENCE_ENABLE, DO_SET_SERVO, SET_CAMERA_ZOOM. INSTANT: there is nothing to wait for, or no hardware. */
/* clang-format off */
#define ITEM_LIST(X)                                                 \
    X(NAV_WAYPOINT,                         WAYPOINT,     PLACE,  MISSION) \
    X(NAV_LOITER_UNLIM,                     LOITER_UNLIM, PLACE,  MISSION) \
    X(NAV_LOITER_TURNS,                     TURNS,        PLACE,  MISSION) \
    X(NAV_LOITER_TIME,                      LOITER_TIME,  PLACE,  MISSION) \
    X(NAV_RETURN_TO_LAUNCH,                 RTL,          NONE,   MISSION) \
    X(NAV_LAND,                             LAND,         HERE,   MISSION) \
    X(NAV_TAKEOFF,                          TAKEOFF,      HERE,   MISSION) \
    X(NAV_LOITER_TO_ALT,                    TO_ALT,       PLACE,  MISSION) \
    X(NAV_ROI,                              ROI,          EITHER, MISSION) \
    X(NAV_DELAY,                            DELAY,        NONE,   MISSION) \
    X(CONDITION_DELAY,                      DELAY,        NONE,   MISSION) \
    X(CONDITION_DISTANCE,                   INSTANT,      NONE,   MISSION) \
    X(CONDITION_YAW,                        YAW,          NONE,   MISSION) \
    X(DO_JUMP,                              JUMP,         NONE,   MISSION) \
    X(DO_CHANGE_SPEED,                      SPEED,        NONE,   MISSION) \
    X(DO_SET_HOME,                          SET_HOME,     EITHER, MISSION) \
    X(DO_SET_SERVO,                         INSTANT,      NONE,   MISSION) \
    X(DO_SET_ACTUATOR,                      INSTANT,      NONE,   MISSION) \
    X(DO_LAND_START,                        INSTANT,      NONE,   MISSION) \
    X(DO_SET_ROI_LOCATION,                  ROI,          PLACE,  MISSION) \
    X(DO_SET_ROI_WPNEXT_OFFSET,             ROI,          NONE,   MISSION) \
    X(DO_SET_ROI_NONE,                      ROI,          NONE,   MISSION) \
    X(DO_CONTROL_VIDEO,                     INSTANT,      NONE,   MISSION) \
    X(DO_SET_ROI,                           ROI,          EITHER, MISSION) \
    X(DO_DIGICAM_CONTROL,                   INSTANT,      NONE,   MISSION) \
    X(DO_MOUNT_CONFIGURE,                   INSTANT,      NONE,   MISSION) \
    X(DO_MOUNT_CONTROL,                     INSTANT,      NONE,   MISSION) \
    X(DO_SET_CAM_TRIGG_DIST,                INSTANT,      NONE,   MISSION) \
    X(DO_FENCE_ENABLE,                      INSTANT,      NONE,   MISSION) \
    X(DO_GRIPPER,                           INSTANT,      NONE,   MISSION) \
    X(DO_SET_CAM_TRIGG_INTERVAL,            INSTANT,      NONE,   MISSION) \
    X(OBLIQUE_SURVEY,                       INSTANT,      NONE,   MISSION) \
    X(SET_CAMERA_MODE,                      INSTANT,      NONE,   MISSION) \
    X(SET_CAMERA_ZOOM,                      INSTANT,      NONE,   MISSION) \
    X(SET_CAMERA_FOCUS,                     INSTANT,      NONE,   MISSION) \
    X(SET_CAMERA_SOURCE,                    INSTANT,      NONE,   MISSION) \
    X(DO_GIMBAL_MANAGER_PITCHYAW,           INSTANT,      NONE,   MISSION) \
    X(DO_GIMBAL_MANAGER_CONFIGURE,          INSTANT,      NONE,   MISSION) \
    X(IMAGE_START_CAPTURE,                  INSTANT,      NONE,   MISSION) \
    X(IMAGE_STOP_CAPTURE,                   INSTANT,      NONE,   MISSION) \
    X(DO_TRIGGER_CONTROL,                   INSTANT,      NONE,   MISSION) \
    X(VIDEO_START_CAPTURE,                  INSTANT,      NONE,   MISSION) \
    X(VIDEO_STOP_CAPTURE,                   INSTANT,      NONE,   MISSION) \
    X(CONDITION_GATE,                       INSTANT,      PLACE,  MISSION) \
    X(DO_WINCH,                             INSTANT,      NONE,   MISSION) \
    X(NAV_FENCE_RETURN_POINT,               INSTANT,      PLACE,  FENCE)   \
    X(NAV_FENCE_POLYGON_VERTEX_INCLUSION,   INSTANT,      PLACE,  FENCE)   \
    X(NAV_FENCE_POLYGON_VERTEX_EXCLUSION,   INSTANT,      PLACE,  FENCE)   \
    X(NAV_FENCE_CIRCLE_INCLUSION,           INSTANT,      PLACE,  FENCE)   \
    X(NAV_FENCE_CIRCLE_EXCLUSION,           INSTANT,      PLACE,  FENCE)   \
    X(NAV_RALLY_POINT,                      INSTANT,      PLACE,  RALLY)
/* clang-format on */

struct rule {
    uint16_t command; /* MAV_CMD */
    uint8_t kind;     /* enum mf_item_kind */
    uint8_t at;       /* enum place */
    uint8_t type;     /* MAV_MISSION_TYPE */
};

static const struct rule k_rule[] = {
#define X(name, kind, at, type) {MAV_CMD_##name, MF_ITEM_##kind, AT_##at, MAV_MISSION_TYPE_##type},
    ITEM_LIST(X)
#undef X
};

/* ---- one item ---- */

static const struct rule *find_rule(uint16_t command)
{
    for (size_t i = 0; i < sizeof k_rule / sizeof k_rule[0]; i++) {
        if (k_rule[i].command == command) {
            return &k_rule[i];
        }
    }
    return NULL;
}

/* Above home, or the ground, which is as high as home everywhere unless there is terrain. */
static bool is_relative(uint8_t frame)
{
    return frame == MAV_FRAME_GLOBAL_RELATIVE_ALT || frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT ||
           mf_datum_is_terrain(frame);
}

static bool is_global(uint8_t frame)
{
    return is_relative(frame) || frame == MAV_FRAME_GLOBAL || frame == MAV_FRAME_GLOBAL_INT;
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

bool mf_item_has_position(const struct mf_item *item)
{
    const struct rule *rule = find_rule(item->command);
    return rule != NULL && rule->at != AT_NONE && is_global(item->frame) && is_latitude(item->x) &&
           is_longitude(item->y);
}

struct mf_geo mf_item_place(const struct mf_item *item)
{
    return (struct mf_geo){(double)item->x / 1e7, (double)item->y / 1e7};
}

/* The ground that an item's altitude is above: at its place or, of a take-off, which climbs where it
 * is, here. @return as mf_datum_ground() */
static int ground_of(const struct mf_vehicle *v, const struct mf_item *item, double *ground_m)
{
    const struct mf_pose *pose = &v->estimate.pose;
    const bool here = mf_item_kind(item->command) == MF_ITEM_TAKEOFF || !mf_item_has_position(item);
    const struct mf_geo place =
        here ? (struct mf_geo){pose->lat_deg, pose->lon_deg} : mf_item_place(item);
    return mf_datum_ground(v, place.lat_deg, place.lon_deg, ground_m);
}

double mf_item_amsl_m(const struct mf_vehicle *v, const struct mf_item *item, double otherwise_m)
{
    const double z = (double)mf_f32_from_bits(item->z);
    if (!mf_finite(z)) {
        return otherwise_m;
    }
    double zero_m = is_relative(item->frame) ? v->home.alt_amsl_m : 0.0;
    if (mf_datum_is_terrain(item->frame)) {
        (void)ground_of(v, item, &zero_m);
    }
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
    case MAV_CMD_DO_JUMP:
        return param1 >= 0.0f ? MAV_MISSION_ACCEPTED : MAV_MISSION_INVALID_PARAM1;
    case MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION:
    case MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION:
        return param1 >= VERTEX_MIN && param1 <= VERTEX_MAX ? MAV_MISSION_ACCEPTED
                                                            : MAV_MISSION_ERROR;
    case MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION:
    case MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION:
        return param1 > 0.0f ? MAV_MISSION_ACCEPTED : MAV_MISSION_INVALID_PARAM1;
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

static uint8_t check_place(const struct rule *rule, const struct mf_item *item)
{
    MF_ASSERT(rule->at != AT_NONE && is_global(item->frame));
    if (rule->at != AT_HERE && !is_latitude(item->x)) {
        return MAV_MISSION_INVALID_PARAM5_X;
    }
    if (rule->at != AT_HERE && !is_longitude(item->y)) {
        return MAV_MISSION_INVALID_PARAM6_Y;
    }
    const double alt_m = (double)mf_f32_from_bits(item->z); /* NaN fails every comparison */
    const bool good = rule->type == MAV_MISSION_TYPE_FENCE || mf_abs(alt_m) <= MF_ALTITUDE_MAX_M;
    return good ? MAV_MISSION_ACCEPTED : MAV_MISSION_INVALID_PARAM7;
}

uint8_t mf_item_check(uint8_t type, const struct mf_item *item)
{
    MF_ASSERT(type <= MAV_MISSION_TYPE_RALLY && item != NULL);
    const struct rule *rule = find_rule(item->command);
    const bool global = is_global(item->frame);
    if (!global && item->frame != MAV_FRAME_MISSION) {
        return MAV_MISSION_UNSUPPORTED_FRAME;
    }
    if (rule == NULL) {
        return MAV_MISSION_UNSUPPORTED;
    }
    if (rule->type != type) {
        return MAV_MISSION_ERROR;
    }
    if (rule->at != AT_EITHER && global != (rule->at != AT_NONE)) {
        return MAV_MISSION_UNSUPPORTED_FRAME;
    }
    const uint8_t result = check_params(item);
    return result == MAV_MISSION_ACCEPTED && global ? check_place(rule, item) : result;
}

static uint8_t *put_le32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        *to++ = (uint8_t)(value >> 8u * i);
    }
    return to;
}

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

/* ---- the mission as a whole ---- */

int mf_mission_get(const struct mf_vehicle *v, uint16_t index, struct mf_item *item)
{
    MF_ASSERT(item != NULL);
    return index < v->mission.count ? mf_store_get(&v->hal, MF_STORE_MISSION, index, item)
                                    : MF_E_RANGE;
}

/* Does it make its place home, or fly there (a take-off climbs where it is), and no model of the geoid
 * covers it? */
static bool is_uncharted(const struct mf_vehicle *v, const struct mf_item *item, int kind)
{
    const struct mf_geo place = mf_item_place(item);
    const bool sets_home = kind == MF_ITEM_SET_HOME && !(mf_f32_from_bits(item->param[0]) > 0.5f);
    const bool goes = kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL;
    return (sets_home || goes) && mf_item_has_position(item) &&
           !mf_datum_known(v, place.lat_deg, place.lon_deg);
}

/* Must it fly at a height above a ground that is not known? */
static bool is_groundless(const struct mf_vehicle *v, const struct mf_item *item, int kind)
{
    double ground_m;
    return kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL && mf_datum_is_terrain(item->frame) &&
           mf_item_has_position(item) && ground_of(v, item, &ground_m) == MF_E_NOENT;
}

static enum mf_flaw flaw_of(const struct mf_vehicle *v, const struct mf_item *item)
{
    const struct mf_mission *m = &v->mission;
    const int kind = mf_item_kind(item->command);
    if (mf_item_check(MAV_MISSION_TYPE_MISSION, item) != MAV_MISSION_ACCEPTED) {
        return MF_FLAW_INVALID;
    }
    if (kind == MF_ITEM_TAKEOFF && m->survey.first >= 0) {
        return MF_FLAW_TAKEOFF;
    }
    const bool astray =
        kind == MF_ITEM_JUMP && !(mf_f32_from_bits(item->param[0]) < (float)m->count);
    if (astray) {
        return MF_FLAW_JUMP;
    }
    if (is_uncharted(v, item, kind)) {
        return MF_FLAW_DATUM;
    }
    return is_groundless(v, item, kind) ? MF_FLAW_TERRAIN : MF_FLAW_NONE;
}

static void note(int32_t *first, bool is, uint16_t seq)
{
    if (is && *first < 0) {
        *first = seq;
    }
}

static void survey(struct mf_vehicle *v)
{
    struct mf_mission_survey *s = &v->mission.survey;
    struct mf_item item;
    *s = (struct mf_mission_survey){MF_FLAW_NONE, -1, -1, -1, -1, -1, -1, -1, false};
    s->in_air = v->commander.landed > MF_LANDED_ON_GROUND;
    for (uint16_t i = 0; i < v->mission.count && s->flaw == MF_FLAW_NONE; i++) {
        const bool read = mf_mission_get(v, i, &item) == MF_E_OK;
        s->flaw = read ? (uint8_t)flaw_of(v, &item) : (uint8_t)MF_FLAW_UNREADABLE;
        note(&s->flaw_seq, s->flaw != MF_FLAW_NONE, i);
        const int kind = read ? mf_item_kind(item.command) : MF_E_IO;
        const bool moving = read && mf_item_moves(item.command);
        /* a take-off climbs where it is, whatever its place says */
        const bool going = moving && kind != MF_ITEM_TAKEOFF && mf_item_has_position(&item);
        note(&s->first, moving, i);
        note(&s->place, going, i);
        note(&s->relative, moving && is_relative(item.frame), i);
        note(&s->takeoff, kind == MF_ITEM_TAKEOFF, i);
        note(&s->land, kind == MF_ITEM_LAND, i);
        note(&s->land_start,
             kind == MF_ITEM_LAND || (read && item.command == MAV_CMD_DO_LAND_START), i);
    }
    MF_ASSERT((s->flaw == MF_FLAW_NONE) == (s->flaw_seq < 0));
    mf_fence_survey(v);
}

static struct mf_store_info stored(const struct mf_vehicle *v, enum mf_store_area area)
{
    struct mf_store_info info = {0};
    (void)mf_store_info(&v->hal, area, &info);
    return info;
}

/* The active mission is what the store holds; nothing of it is done. */
static void take_up(struct mf_vehicle *v, uint16_t current)
{
    struct mf_mission *m = &v->mission;
    const struct mf_store_info info = stored(v, MF_STORE_MISSION);
    *m = (struct mf_mission){
        .tag = info.tag,
        .fence_tag = m->fence_tag,
        .rally_tag = m->rally_tag,
        .count = info.count,
        .current = current < info.count ? current : 0,
        .reached = -1,
    };
    survey(v);
    MF_ASSERT(m->current == 0 || m->current < m->count);
}

void mf_mission_load(struct mf_vehicle *v)
{
    v->mission.fence_tag = stored(v, MF_STORE_FENCE).tag;
    v->mission.rally_tag = stored(v, MF_STORE_RALLY).tag;
    v->fence.items = stored(v, MF_STORE_FENCE).count;
    take_up(v, 0);
}

static void tell(struct mf_vehicle *v, mf_us_t now_us)
{
    mf_stream_broadcast(v, MF_STREAM_MISSION_CURRENT, now_us);
    mf_navigator_refresh(v, now_us);
}

void mf_mission_replaced(struct mf_vehicle *v, uint16_t current, mf_us_t now_us)
{
    const struct mf_roi none = {.kind = MF_ROI_NONE};
    mf_navigator_set_roi(v, now_us, &none);
    take_up(v, current);
    tell(v, now_us);
}

/* ---- can it be flown? ---- */

static bool has_flaw(const struct mf_vehicle *v, struct mf_text *why)
{
    static const struct {
        const char *before, *after;
    } k_text[] = {
#define X(name, before, after) {before, after},
        MF_FLAW_LIST(X)
#undef X
    };
    const struct mf_mission_survey *s = &v->mission.survey;
    MF_ASSERT(s->flaw < sizeof k_text / sizeof k_text[0]);
    if (s->flaw == MF_FLAW_NONE) {
        return false;
    }
    mf_text_add(why, k_text[s->flaw].before);
    if (k_text[s->flaw].after != NULL) {
        mf_text_add_int(why, s->flaw_seq);
        mf_text_add(why, k_text[s->flaw].after);
    }
    return true;
}

static bool has_no_items(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->mission.count > 0) {
        return false;
    }
    mf_text_add(why, "it has no items");
    return true;
}

static bool lacks_home(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->mission.survey.relative < 0 || v->home.valid) {
        return false;
    }
    mf_text_add(why, "No home pos, WP ");
    mf_text_add_int(why, v->mission.survey.relative + 1); /* PX4 counts them from 1 in texts */
    mf_text_add(why, " uses rel alt");
    return true;
}

static bool takes_off_too_low(const struct mf_vehicle *v, struct mf_text *why)
{
    struct mf_item item;
    if (!v->home.valid || v->mission.survey.first < 0 ||
        mf_mission_get(v, (uint16_t)v->mission.survey.first, &item) != MF_E_OK ||
        mf_item_kind(item.command) != MF_ITEM_TAKEOFF) {
        return false;
    }
    const double zero_m = is_relative(item.frame) ? 0.0 : v->home.alt_amsl_m;
    if ((double)mf_f32_from_bits(item.z) > zero_m) {
        return false;
    }
    mf_text_add(why, "Takeoff altitude below home altitude!");
    return true;
}

static bool begins_too_far(const struct mf_vehicle *v, struct mf_text *why)
{
    struct mf_item item;
    const double max_m = (double)mf_param_f(v, MF_PARAM_MIS_DIST_1WP);
    if (!v->home.valid || v->mission.survey.place < 0 || max_m <= 0.0 ||
        mf_mission_get(v, (uint16_t)v->mission.survey.place, &item) != MF_E_OK) {
        return false;
    }
    const struct mf_geo home = {v->home.lat_deg, v->home.lon_deg};
    const double distance_m = mf_geo_inverse(home, mf_item_place(&item)).distance_m;
    if (distance_m <= max_m) {
        return false;
    }
    *why = mf_text("First waypoint too far away: ");
    mf_text_add_int(why, (int32_t)distance_m);
    mf_text_add(why, "m, ");
    mf_text_add_int(why, (int32_t)max_m);
    mf_text_add(why, " max");
    return true;
}

static bool starts_with_landing(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->mission.survey.land != 0 || v->mission.survey.in_air) {
        return false;
    }
    mf_text_add(why, "starts with landing");
    return true;
}

/* Both, or none. */
static const char *either_or(bool takeoff, bool land)
{
    if (takeoff == land) {
        return "";
    }
    return takeoff ? "Add Landing item or remove Takeoff." : "Add Takeoff item or remove Landing.";
}

/* MIS_TKO_LAND_REQ */
static bool lacks_takeoff_or_landing(const struct mf_vehicle *v, struct mf_text *why)
{
    const bool takeoff = v->mission.survey.takeoff >= 0;
    const bool land = v->mission.survey.land >= 0;
    const char *missing = "";
    switch (mf_param_i(v, MF_PARAM_MIS_TKO_LAND_REQ)) {
    case 1:
        missing = takeoff ? "" : "Takeoff waypoint required.";
        break;
    case 2:
        missing = land ? "" : LANDING_REQUIRED;
        break;
    case 3:
        missing = takeoff && land ? "" : "Takeoff or Landing item missing.";
        break;
    case 5:
        if (v->mission.survey.in_air) {
            missing = land ? "" : LANDING_REQUIRED;
            break;
        }
        missing = either_or(takeoff, land);
        break;
    case 4:
        missing = either_or(takeoff, land);
        break;
    default:
        break;
    }
    mf_text_add(why, missing);
    return missing[0] != '\0';
}

static bool leaves_fence(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->fence.astray < 0) {
        return false;
    }
    mf_text_add(why, "Geofence violation for waypoint ");
    mf_text_add_int(why, v->fence.astray + 1); /* PX4 counts them from 1 here */
    return true;
}

bool mf_mission_feasible(const struct mf_vehicle *v, struct mf_text *why)
{
    static bool (*const k_reason[])(const struct mf_vehicle *, struct mf_text *) = {
        has_no_items,      has_flaw,       starts_with_landing, lacks_home,
        takes_off_too_low, begins_too_far, leaves_fence,        lacks_takeoff_or_landing};
    *why = mf_text("Mission rejected: ");
    for (size_t i = 0; i < sizeof k_reason / sizeof k_reason[0]; i++) {
        if (k_reason[i](v, why)) {
            MF_ASSERT(why->len > 0);
            return false;
        }
    }
    *why = mf_text("");
    return true;
}

/* The first waypoint lower than home, -1 none. */
static int32_t below_home(const struct mf_vehicle *v)
{
    struct mf_item item;
    for (uint16_t i = 0; v->home.valid && i < v->mission.count; i++) {
        if (mf_mission_get(v, i, &item) == MF_E_OK && mf_item_moves(item.command) &&
            mf_item_has_position(&item) &&
            mf_item_amsl_m(v, &item, v->home.alt_amsl_m) < v->home.alt_amsl_m) {
            return i;
        }
    }
    return -1;
}

void mf_mission_judge(struct mf_vehicle *v)
{
    struct mf_text why;
    if (!mf_mission_feasible(v, &why)) {
        mf_say(v, MF_CRITICAL, why.s);
    }
    const int32_t below = below_home(v);
    if (below >= 0) {
        struct mf_text text = mf_text("Warning: Waypoint ");
        mf_text_add_int(&text, below + 1);
        mf_text_add(&text, " below home");
        mf_say(v, MF_CRITICAL, text.s);
    }
}

bool mf_mission_mode_active(enum mf_mode mode)
{
    return mode == MF_MODE_MISSION || mode == MF_MODE_TAKEOFF || mode == MF_MODE_LAND;
}

uint8_t mf_mission_state(const struct mf_vehicle *v)
{
    struct mf_text why;
    MF_ASSERT(v->mission.reached >= -1);
    if (!mf_mission_feasible(v, &why)) {
        return MISSION_STATE_NO_MISSION;
    }
    if (v->mission.finished) {
        return MISSION_STATE_COMPLETE;
    }
    if (v->commander.armed && mf_mission_mode_active((enum mf_mode)v->commander.mode)) {
        return MISSION_STATE_ACTIVE;
    }
    return v->mission.reached < 0 ? MISSION_STATE_NOT_STARTED : MISSION_STATE_PAUSED;
}

/* ---- its progress ---- */

int mf_mission_set_current(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us)
{
    struct mf_mission *m = &v->mission;
    if (seq >= m->count) {
        return MF_E_RANGE;
    }
    if (m->finished) { /* another run begins */
        m->finished = false;
        m->reached = -1;
        memset(m->jump, 0, sizeof m->jump);
    }
    m->current = seq;
    tell(v, now_us);
    return MF_E_OK;
}

void mf_mission_reached(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us)
{
    struct mf_item item;
    MF_ASSERT(now_us >= 0);
    v->counters.events++;
    const struct mf_msg_mission_item_reached m = {.seq = seq};
    v->mission.reached = seq;
    v->arrivals.last[v->arrivals.count++ % MF_ARRIVALS_KEPT] = (struct mf_arrival){now_us, seq};
    mf_health_happened(v, now_us, MF_HAPPENING_WAYPOINT, seq);
    mf_links_send(v, MF_MSG_MISSION_ITEM_REACHED, &m);
    const int kind =
        mf_mission_get(v, seq, &item) == MF_E_OK ? mf_item_kind(item.command) : MF_E_NOSUPP;
    if (kind >= MF_ITEM_WAYPOINT && kind <= MF_ITEM_TO_ALT) {
        struct mf_text text = mf_text("Waypoint ");
        mf_text_add_int(&text, seq);
        mf_text_add(&text, " reached");
        mf_say(v, MF_INFO, text.s);
    }
}
