/* SPDX-License-Identifier: Apache-2.0 */
/* Files of plans in three forms, for the control API and tools/fly: .plan of QGroundControl,
 * waypoint files, and the control API's JSON. */
#include "host/spec/plan.h"

#include "hal/types.h"
#include "host/base/filekind.h"
#include "host/base/json_view.h"
#include "host/base/value.h"
#include "mavlink/enums.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WHERE_MAX    96u
#define WORD_MAX     48u
#define PARAM_COUNT  7u
#define CORNERS_MIN  3u
#define ALT_MAX_M    1e5
#define RADIUS_MAX_M 1e7

/* Reader of a text. */
struct reader {
    char *error;
    size_t error_size;
    struct mf_plan *plan;
};

/* Fail. @return MF_E_RANGE, with "where: what" in the error */
__attribute__((format(printf, 3, 4))) static int fail(const struct reader *r, const char *where,
                                                      const char *format, ...)
{
    char what[192];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)snprintf(r->error, r->error_size, "%s: %s", where, what);
    return MF_E_RANGE;
}

static bool is_whole(double v, double max)
{
    return v >= 0 && v <= max && trunc(v) == v;
}

static int read_int(const struct reader *r, struct mf_json_view object, const char *key,
                    const char *where, uint16_t max, uint16_t *value)
{
    const struct mf_json_view v = mf_json_view_get(object, key);
    const double number = mf_json_view_number(v);
    if (isnan(number)) {
        return fail(r, where, "%s must be a whole number, it is %s", key, mf_json_view_word(v));
    }
    if (!is_whole(number, max)) {
        return fail(r, where, "%s must be a whole number from 0 to %u, it is %g", key, max, number);
    }
    *value = (uint16_t)number;
    return MF_E_OK;
}

/* ---- items */

/* Item in the form of files; a value that the file does not give is NaN. */
struct head {
    uint16_t command, frame, jump_id;
    bool go_on;
    double value[PARAM_COUNT]; /* param1 to param4, latitude, longitude, altitude */
};

bool mf_plan_is_global(uint16_t frame)
{
    switch (frame) {
    case MAV_FRAME_GLOBAL:
    case MAV_FRAME_GLOBAL_RELATIVE_ALT:
    case MAV_FRAME_GLOBAL_INT:
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
    case MAV_FRAME_GLOBAL_TERRAIN_ALT:
    case MAV_FRAME_GLOBAL_TERRAIN_ALT_INT:
        return true;
    default:
        return false;
    }
}

static int32_t to_e7(double deg)
{
    return isnan(deg) ? MF_PLAN_NOT_GIVEN : (int32_t)lround(deg * 1e7);
}

/* Convert the place of an item. With frame MISSION the values are plain numbers, as QGroundControl
 * sends them. */
static int place_item(const struct reader *r, const char *where, const struct head *head,
                      struct mf_msg_mission_item_int *out)
{
    const double lat = head->value[4];
    const double lon = head->value[5];
    out->z = mf_f32_bits((float)head->value[6]);
    if (out->frame == MAV_FRAME_MISSION) {
        if (fabs(lat) > (double)INT32_MAX || fabs(lon) > (double)INT32_MAX) {
            return fail(r, where, "params[4] or params[5] is out of range");
        }
        out->x = isnan(lat) ? 0 : (int32_t)lat;
        out->y = isnan(lon) ? 0 : (int32_t)lon;
        return MF_E_OK;
    }
    if (fabs(lat) > 90.0) {
        return fail(r, where, "latitude params[4] must be -90 to 90 degrees, it is %g", lat);
    }
    if (fabs(lon) > 180.0) {
        return fail(r, where, "longitude params[5] must be -180 to 180 degrees, it is %g", lon);
    }
    if (out->command == MAV_CMD_NAV_WAYPOINT && isnan(lat + lon + head->value[6])) {
        return fail(r, where, "a waypoint needs latitude, longitude and altitude");
    }
    out->x = to_e7(lat);
    out->y = to_e7(lon);
    return MF_E_OK;
}

static int add(struct reader *r, const char *where, const struct head *head)
{
    struct mf_plan *plan = r->plan;
    if (plan->count == MF_PLAN_MAX) {
        return fail(r, where, "more than %u items", MF_PLAN_MAX);
    }
    if (head->frame != MAV_FRAME_MISSION && !mf_plan_is_global(head->frame)) {
        return fail(r, where, "frame %u is not one of a plan (0, 2, 3, 5, 6, 10, 11)", head->frame);
    }
    struct mf_msg_mission_item_int *out = &plan->item[plan->count];
    *out = (struct mf_msg_mission_item_int){
        .seq = plan->count,
        .current = plan->count == 0,
        .command = head->command,
        .frame = (uint8_t)head->frame,
        .autocontinue = head->go_on,
        .param1 = mf_f32_bits((float)head->value[0]),
        .param2 = mf_f32_bits((float)head->value[1]),
        .param3 = mf_f32_bits((float)head->value[2]),
        .param4 = mf_f32_bits((float)head->value[3]),
    };
    if (place_item(r, where, head, out) != MF_E_OK) {
        return MF_E_RANGE;
    }
    plan->jump_id[plan->count++] = head->jump_id;
    return MF_E_OK;
}

/* Read an array of numbers, with null for NaN. @param from  index of the first one in the values of
 * @p head */
static int read_params(const struct reader *r, struct mf_json_view list, const char *key,
                       const char *where, size_t from, size_t count, struct head *head)
{
    if (mf_json_view_kind(list) != MF_JSON_VIEW_ARRAY) {
        return fail(r, where, "%s must be an array of %zu, it is %s", key, count,
                    mf_json_view_word(list));
    }
    if (mf_json_view_count(list) != count) {
        return fail(r, where, "%s must hold %zu values, it holds %zu", key, count,
                    mf_json_view_count(list));
    }
    struct mf_json_view v = mf_json_view_first(list);
    for (size_t i = 0; i < count; i++, v = mf_json_view_next(v)) {
        const enum mf_json_view_kind kind = mf_json_view_kind(v);
        if (kind != MF_JSON_VIEW_NUMBER && kind != MF_JSON_VIEW_NULL) {
            return fail(r, where, "%s[%zu] must be a number or null, it is %s", key, i,
                        mf_json_view_word(v));
        }
        head->value[from + i] = mf_json_view_number(v);
        if (fabs(head->value[from + i]) > (double)FLT_MAX) {
            return fail(r, where, "%s[%zu] does not fit a MAVLink float", key, i);
        }
    }
    return MF_E_OK;
}

static int read_command(const struct reader *r, struct mf_json_view item, const char *where,
                        struct head *head)
{
    const struct mf_json_view go_on = mf_json_view_get(item, "autoContinue");
    const enum mf_json_view_kind kind = mf_json_view_kind(go_on);
    if (read_int(r, item, "command", where, UINT16_MAX, &head->command) != MF_E_OK ||
        read_int(r, item, "frame", where, UINT8_MAX, &head->frame) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (kind != MF_JSON_VIEW_TRUE && kind != MF_JSON_VIEW_FALSE && kind != MF_JSON_VIEW_MISSING) {
        return fail(r, where, "autoContinue must be true or false, it is %s",
                    mf_json_view_word(go_on));
    }
    head->go_on = kind != MF_JSON_VIEW_FALSE;
    return MF_E_OK;
}

static int read_simple(struct reader *r, struct mf_json_view item, const char *where)
{
    struct head head = {.jump_id = (uint16_t)(r->plan->count + 1u)};
    if (read_command(r, item, where, &head) != MF_E_OK ||
        read_params(r, mf_json_view_get(item, "params"), "params", where, 0, PARAM_COUNT, &head) !=
            MF_E_OK) {
        return MF_E_RANGE;
    }
    if (mf_json_view_get(item, "doJumpId").at != NULL &&
        read_int(r, item, "doJumpId", where, UINT16_MAX, &head.jump_id) != MF_E_OK) {
        return MF_E_RANGE;
    }
    return add(r, where, &head);
}

static int read_complex(struct reader *r, struct mf_json_view item, const char *where)
{
    const struct mf_json_view transect = mf_json_view_get(item, "TransectStyleComplexItem");
    struct mf_json_view v = mf_json_view_first(mf_json_view_get(transect, "Items"));
    if (v.at == NULL) {
        char kind[WORD_MAX];
        mf_json_view_text(mf_json_view_get(item, "complexItemType"), kind, sizeof kind);
        return fail(
            r, where,
            "the file does not hold the items of this '%s'; only surveys and corridor scans "
            "with TransectStyleComplexItem.Items can be flown",
            kind[0] == '\0' ? "ComplexItem" : kind);
    }
    for (size_t i = 0; v.at != NULL; i++, v = mf_json_view_next(v)) {
        char inner[WHERE_MAX + 32];
        (void)snprintf(inner, sizeof inner, "%s.Items[%zu]", where, i);
        if (read_simple(r, v, inner) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int read_item(struct reader *r, struct mf_json_view item, size_t index)
{
    char where[WHERE_MAX], type[WORD_MAX];
    const struct mf_json_view kind = mf_json_view_get(item, "type");
    (void)snprintf(where, sizeof where, "mission.items[%zu]", index);
    mf_json_view_text(kind, type, sizeof type);
    if (strcmp(type, "SimpleItem") == 0) {
        return read_simple(r, item, where);
    }
    if (strcmp(type, "ComplexItem") == 0) {
        return read_complex(r, item, where);
    }
    return fail(r, where, "type must be SimpleItem or ComplexItem, it is %s%s",
                type[0] == '\0' ? mf_json_view_word(kind) : type,
                mf_json_view_kind(item) == MF_JSON_VIEW_OBJECT ? ""
                                                               : " (the item is not an object)");
}

/* Convert the target of a DO_JUMP from a doJumpId, as files have it, to a sequence number, as
 * MAVLink has it. */
static int resolve_jump(const struct reader *r, struct mf_msg_mission_item_int *jump)
{
    const float id = mf_f32_from_bits(jump->param1);
    for (uint16_t i = 0; i < r->plan->count; i++) {
        if (fabsf(id - (float)r->plan->jump_id[i]) < 0.5f) {
            jump->param1 = mf_f32_bits((float)i);
            return MF_E_OK;
        }
    }
    return fail(r, "mission.items",
                "the jump with doJumpId %u goes to %g, and no item is called so",
                (unsigned)r->plan->jump_id[jump->seq], (double)id);
}

/* Check the mission, and convert its jumps, after all items were read. */
static int finish_items(const struct reader *r)
{
    if (r->plan->count == 0) {
        return fail(r, "mission.items", "the plan is empty");
    }
    for (uint16_t i = 0; i < r->plan->count; i++) {
        struct mf_msg_mission_item_int *item = &r->plan->item[i];
        if (item->command == MAV_CMD_DO_JUMP && resolve_jump(r, item) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

/* ---- parts of a .plan */

/* The version of mission, geofence and rally points that can be read. */
#define PART_VERSION 2u

static bool holds_values(struct mf_json_view v)
{
    char name[WORD_MAX];
    return mf_json_view_first(v).at != NULL ||
           mf_json_view_member(v, (struct mf_json_view){NULL}, name, sizeof name).at != NULL;
}

/* Refuse a version that cannot be read. QGroundControl wrote version 1 of fences and rally points
 * for years, mostly without any: nothing of such a part is lost. */
static int check_version(const struct reader *r, struct mf_json_view part, const char *name)
{
    struct mf_json_view value = {NULL};
    uint16_t version = PART_VERSION;
    char member[WORD_MAX];
    bool empty = strcmp(name, "mission") != 0;
    if (mf_json_view_get(part, "version").at != NULL &&
        read_int(r, part, "version", name, UINT16_MAX, &version) != MF_E_OK) {
        return MF_E_RANGE;
    }
    while ((value = mf_json_view_member(part, value, member, sizeof member)).at != NULL) {
        empty = empty && !holds_values(value);
    }
    return version == PART_VERSION || (version == 1 && empty)
               ? MF_E_OK
               : fail(r, name,
                      "version %u cannot be read, only %u; save the plan again with "
                      "QGroundControl",
                      version, PART_VERSION);
}

/* Check the type of a part and of its lists, so that nothing is skipped that the vehicle should
 * obey.
 * @param lists  names of arrays, ends with NULL; NULL: any member may be there
 * @return MF_E_OK, also if the part is missing */
static int check_part(const struct reader *r, struct mf_json_view root, const char *name,
                      const char *const *lists)
{
    const struct mf_json_view part = mf_json_view_get(root, name);
    struct mf_json_view value = {NULL};
    char member[WORD_MAX];
    if (part.at == NULL || mf_json_view_kind(part) == MF_JSON_VIEW_NULL) {
        return MF_E_OK;
    }
    if (mf_json_view_kind(part) != MF_JSON_VIEW_OBJECT) {
        return fail(r, name, "must be an object, it is %s", mf_json_view_word(part));
    }
    if (check_version(r, part, name) != MF_E_OK) {
        return MF_E_RANGE;
    }
    while (lists != NULL &&
           (value = mf_json_view_member(part, value, member, sizeof member)).at != NULL) {
        size_t i = 0;
        while (lists[i] != NULL && strcmp(lists[i], member) != 0) {
            i++;
        }
        if (lists[i] == NULL && holds_values(value)) {
            return fail(r, name, "'%s' is not known, allowed: %s%s%s", member, lists[0],
                        lists[1] != NULL ? ", " : "", lists[1] != NULL ? lists[1] : "");
        }
        if (lists[i] != NULL && mf_json_view_kind(value) != MF_JSON_VIEW_ARRAY) {
            return fail(r, name, "%s must be an array, it is %s", member, mf_json_view_word(value));
        }
    }
    return MF_E_OK;
}

/* True if a text contains a word, in any case of letters; strcasestr() would add 2 kB to a static
 * program. */
static bool holds_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    while (*text != '\0' && strncasecmp(text, word, n) != 0) {
        text++;
    }
    return *text != '\0';
}

/* Refuse a part with a wrong name, such as "geofence": the vehicle would fly without its fence. */
static int check_names(const struct reader *r, struct mf_json_view root)
{
    static const char *const k_part[][2] = {{"geoFence", "fence"}, {"rallyPoints", "rally"}};
    struct mf_json_view value = {NULL};
    char member[WORD_MAX];
    while ((value = mf_json_view_member(root, value, member, sizeof member)).at != NULL) {
        for (size_t i = 0; i < sizeof k_part / sizeof k_part[0]; i++) {
            if (holds_word(member, k_part[i][1]) && strcmp(member, k_part[i][0]) != 0) {
                return fail(r, "file", "'%s' is not known, the name is %s", member, k_part[i][0]);
            }
        }
    }
    return MF_E_OK;
}

static int check_parts(const struct reader *r, struct mf_json_view root)
{
    static const char *const k_fence[] = {"polygons", "circles", "breachReturn", NULL};
    static const char *const k_rally[] = {"points", NULL};
    return check_names(r, root) == MF_E_OK && check_part(r, root, "mission", NULL) == MF_E_OK &&
                   check_part(r, root, "geoFence", k_fence) == MF_E_OK &&
                   check_part(r, root, "rallyPoints", k_rally) == MF_E_OK
               ? MF_E_OK
               : MF_E_RANGE;
}

/* ---- the mission of a .plan */

static int read_home(struct reader *r, struct mf_json_view mission)
{
    const struct mf_json_view home = mf_json_view_get(mission, "plannedHomePosition");
    const enum mf_json_view_kind kind = mf_json_view_kind(home);
    double v[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (kind == MF_JSON_VIEW_MISSING || kind == MF_JSON_VIEW_NULL) {
        return MF_E_OK;
    }
    enum mf_json_view_kind last = MF_JSON_VIEW_MISSING;
    struct mf_json_view item = mf_json_view_first(home);
    for (size_t i = 0; i < 3 && item.at != NULL; i++, item = mf_json_view_next(item)) {
        v[i] = mf_json_view_number(item);
        last = mf_json_view_kind(item);
    }
    if (mf_json_view_count(home) != 3 || !(fabs(v[0]) <= 90.0) || !(fabs(v[1]) <= 180.0) ||
        (last != MF_JSON_VIEW_NULL && isnan(v[2]))) {
        return fail(r, "mission.plannedHomePosition",
                    "must be [latitude, longitude, altitude] in degrees and metres; the altitude "
                    "may be null");
    }
    r->plan->has_home = true;
    r->plan->home = (struct mf_geo){v[0], v[1]};
    r->plan->home_alt_m = v[2];
    return MF_E_OK;
}

static int read_mission(struct reader *r, struct mf_json_view mission)
{
    const struct mf_json_view items = mf_json_view_get(mission, "items");
    if (mf_json_view_kind(items) != MF_JSON_VIEW_ARRAY) {
        return fail(r, "mission.items", "must be an array, it is %s", mf_json_view_word(items));
    }
    r->plan->cruise_mps = mf_json_view_number(mf_json_view_get(mission, "cruiseSpeed"));
    r->plan->hover_mps = mf_json_view_number(mf_json_view_get(mission, "hoverSpeed"));
    struct mf_json_view item = mf_json_view_first(items);
    for (size_t i = 0; item.at != NULL; i++, item = mf_json_view_next(item)) {
        if (read_item(r, item, i) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return finish_items(r) == MF_E_OK ? read_home(r, mission) : MF_E_RANGE;
}

/* ---- geofence and rally points */

/* List of items that is being filled. */
struct list {
    struct mf_msg_mission_item_int *item;
    uint16_t *count;
    uint16_t capacity;
};

/* Add an item at [latitude, longitude] or, for @p size 3, [latitude, longitude, altitude above
 * home]. */
static int add_item(const struct reader *r, const char *where, const struct list *list,
                    uint16_t command, struct mf_json_view place, size_t size)
{
    double v[3] = {(double)NAN, (double)NAN, size > 2 ? (double)NAN : 0.0};
    struct mf_json_view item = mf_json_view_first(place);
    for (size_t i = 0; i < size && item.at != NULL; i++, item = mf_json_view_next(item)) {
        v[i] = mf_json_view_number(item);
    }
    if (mf_json_view_count(place) != size || !(fabs(v[0]) <= 90.0) || !(fabs(v[1]) <= 180.0) ||
        !(fabs(v[2]) <= ALT_MAX_M)) {
        return fail(r, where, "must be [latitude, longitude%s] in degrees%s",
                    size > 2 ? ", altitude" : "", size > 2 ? " and metres" : "");
    }
    if (*list->count == list->capacity) {
        return fail(r, where, "more than %u of them", list->capacity);
    }
    list->item[*list->count] = (struct mf_msg_mission_item_int){
        .x = to_e7(v[0]),
        .y = to_e7(v[1]),
        .z = mf_f32_bits((float)v[2]),
        .seq = *list->count,
        .command = command,
        .frame = size > 2 ? MAV_FRAME_GLOBAL_RELATIVE_ALT : MAV_FRAME_GLOBAL,
        .autocontinue = 1,
    };
    (*list->count)++;
    return MF_E_OK;
}

/* Read whether a shape of the fence includes or excludes its inside. @return MF_E_RANGE: the file
 * does not say it */
static int read_inclusion(const struct reader *r, struct mf_json_view shape, const char *where,
                          bool *inclusion)
{
    const struct mf_json_view v = mf_json_view_get(shape, "inclusion");
    const enum mf_json_view_kind kind = mf_json_view_kind(v);
    *inclusion = kind == MF_JSON_VIEW_TRUE;
    return kind == MF_JSON_VIEW_TRUE || kind == MF_JSON_VIEW_FALSE
               ? MF_E_OK
               : fail(r, where, "inclusion must be true or false, it is %s", mf_json_view_word(v));
}

static int read_polygon(const struct reader *r, struct mf_json_view shape, const char *where,
                        const struct list *list)
{
    const struct mf_json_view corners = mf_json_view_get(shape, "polygon");
    const size_t n = mf_json_view_count(corners);
    const uint16_t first = *list->count;
    bool inclusion;
    if (read_inclusion(r, shape, where, &inclusion) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (n < CORNERS_MIN) {
        return fail(r, where, "polygon must be an array of at least %u corners", CORNERS_MIN);
    }
    struct mf_json_view v = mf_json_view_first(corners);
    for (size_t i = 0; i < n; i++, v = mf_json_view_next(v)) {
        char corner[WHERE_MAX + 32];
        (void)snprintf(corner, sizeof corner, "%s.polygon[%zu]", where, i);
        if (add_item(r, corner, list,
                     inclusion ? MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION
                               : MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION,
                     v, 2) != MF_E_OK) {
            return MF_E_RANGE;
        }
        list->item[first + i].param1 = mf_f32_bits((float)n);
    }
    return MF_E_OK;
}

static int read_circle(const struct reader *r, struct mf_json_view shape, const char *where,
                       const struct list *list)
{
    const struct mf_json_view circle = mf_json_view_get(shape, "circle");
    const double radius_m = mf_json_view_number(mf_json_view_get(circle, "radius"));
    bool inclusion;
    char center[WHERE_MAX + 32];
    if (read_inclusion(r, shape, where, &inclusion) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (!(radius_m > 0.0 && radius_m <= RADIUS_MAX_M)) {
        return fail(r, where, "circle.radius must be a number of metres above 0");
    }
    (void)snprintf(center, sizeof center, "%s.circle.center", where);
    if (add_item(r, center, list,
                 inclusion ? MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION
                           : MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION,
                 mf_json_view_get(circle, "center"), 2) != MF_E_OK) {
        return MF_E_RANGE;
    }
    list->item[*list->count - 1u].param1 = mf_f32_bits((float)radius_m);
    return MF_E_OK;
}

static int read_rally_point(const struct reader *r, struct mf_json_view point, const char *where,
                            const struct list *list)
{
    return add_item(r, where, list, MAV_CMD_NAV_RALLY_POINT, point, 3);
}

/* Read polygons, circles and rally points, in the order in which QGroundControl sends them. */
static int read_around(struct reader *r, struct mf_json_view root)
{
    struct mf_plan *p = r->plan;
    const struct list fence = {p->fence, &p->fence_count, MF_PLAN_FENCE_MAX};
    const struct list rally = {p->rally, &p->rally_count, MF_PLAN_RALLY_MAX};
    const struct {
        const char *object;
        const char *key;
        const struct list *list;
        int (*read)(const struct reader *r, struct mf_json_view shape, const char *where,
                    const struct list *list);
    } k_part[] = {{"geoFence", "polygons", &fence, read_polygon},
                  {"geoFence", "circles", &fence, read_circle},
                  {"rallyPoints", "points", &rally, read_rally_point}};
    for (size_t i = 0; i < sizeof k_part / sizeof k_part[0]; i++) {
        struct mf_json_view shape = mf_json_view_first(
            mf_json_view_get(mf_json_view_get(root, k_part[i].object), k_part[i].key));
        for (size_t s = 0; shape.at != NULL; s++, shape = mf_json_view_next(shape)) {
            char where[WHERE_MAX];
            (void)snprintf(where, sizeof where, "%s.%s[%zu]", k_part[i].object, k_part[i].key, s);
            if (k_part[i].read(r, shape, where, k_part[i].list) != MF_E_OK) {
                return MF_E_RANGE;
            }
        }
    }
    return MF_E_OK;
}

/* ---- JSON of the control API */

static int read_shown(struct reader *r, struct mf_json_view item, const char *where)
{
    static const char *const k_key[] = {"lat_deg", "lon_deg", "alt_m"};
    struct head head = {.jump_id = r->plan->count}; /* in this form, jumps name indices */
    if (read_command(r, item, where, &head) != MF_E_OK ||
        read_params(r, mf_json_view_get(item, "param"), "param", where, 0, 4, &head) != MF_E_OK) {
        return MF_E_RANGE;
    }
    for (size_t i = 0; i < sizeof k_key / sizeof k_key[0]; i++) {
        head.value[4 + i] = mf_json_view_number(mf_json_view_get(item, k_key[i]));
    }
    return add(r, where, &head);
}

static int read_items(struct reader *r, struct mf_json_view items)
{
    struct mf_json_view item = mf_json_view_first(items);
    for (size_t i = 0; item.at != NULL; i++, item = mf_json_view_next(item)) {
        char where[WHERE_MAX];
        (void)snprintf(where, sizeof where, "items[%zu]", i);
        if (read_shown(r, item, where) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return finish_items(r);
}

/* ---- waypoints in text */

static const char k_waypoints[] = "QGC WPL ";
#define WAYPOINTS_VERSION "110"

/* Columns of a waypoint file's line. */
enum { INDEX, CURRENT, FRAME, COMMAND, PARAM, GO_ON = PARAM + PARAM_COUNT, COLUMNS };

/* Read a line. @param at  in: the line; out: the next one; a line that begins with '#' is empty
 * @return number of its columns; -1: not all are numbers */
static int read_line(const char **at, double column[COLUMNS])
{
    int n = 0;
    for (;;) {
        *at += strspn(*at, " \t\r");
        if (n == 0 && **at == '#') {
            *at += strcspn(*at, "\n");
        }
        if (**at == '\n' || **at == '\0') {
            *at += **at == '\n';
            return n;
        }
        char *end;
        const double v = strtod(*at, &end);
        if (n == COLUMNS || end == *at || isinf(v) || strchr(" \t\r\n", *end) == NULL) {
            return -1;
        }
        column[n++] = v;
        *at = end;
    }
}

/* True for commands with a position: all NAV commands but two. */
static bool has_place(uint16_t command)
{
    return command < MAV_CMD_CONDITION_DELAY && command != MAV_CMD_NAV_RETURN_TO_LAUNCH &&
           command != MAV_CMD_NAV_DELAY;
}

/* Check the version behind the words of the first line.
 * @return the second line; NULL: the version was refused */
static const char *skip_title(const struct reader *r, const char *at)
{
    const char *version = at + sizeof k_waypoints - 1;
    const size_t n = strcspn(version, " \t\r\n");
    char shown[16];
    if (n != strlen(WAYPOINTS_VERSION) || strncmp(version, WAYPOINTS_VERSION, n) != 0) {
        mf_value_shown(version, n, shown, sizeof shown);
        (void)fail(r, "1",
                   "version '%s' of QGC WPL cannot be read, only " WAYPOINTS_VERSION
                   "; of another one change the number, and say home=none if no line is home",
                   shown);
        return NULL;
    }
    at = version + strcspn(version, "\n");
    return at + (*at == '\n');
}

/* True if the first line of the file is home: its column "current" does not matter, since
 * Mission Planner, QGroundControl and MAVProxy write different values. */
static bool is_home(enum mf_plan_home where, const double column[COLUMNS], const struct head *head)
{
    return where == MF_PLAN_HOME_FIRST ||
           (where == MF_PLAN_HOME_SEEN && column[INDEX] <= 0 && head->frame == MAV_FRAME_GLOBAL &&
            head->command == MAV_CMD_NAV_WAYPOINT);
}

static int read_waypoints(struct reader *r, const char *at, enum mf_plan_home where_home)
{
    double column[COLUMNS];
    struct mf_plan *plan = r->plan;
    struct head head, home = {0};
    bool has_home = false;
    at = skip_title(r, at);
    plan->cruise_mps = plan->hover_mps = (double)NAN;
    for (unsigned line = 2; at != NULL && *at != '\0'; line++) {
        char where[WHERE_MAX];
        (void)snprintf(where, sizeof where, "%u", line);
        const int n = read_line(&at, column);
        if (n == 0) {
            continue;
        }
        if (n != COLUMNS || !is_whole(column[INDEX], UINT16_MAX) ||
            !is_whole(column[FRAME], UINT8_MAX) || !is_whole(column[COMMAND], UINT16_MAX)) {
            return fail(r, where,
                        "not the twelve numbers of a waypoint: index, current, frame, command, "
                        "param1 to 4, latitude, longitude, altitude, autocontinue");
        }
        head = (struct head){.command = (uint16_t)column[COMMAND],
                             .frame = (uint16_t)column[FRAME],
                             .jump_id = (uint16_t)column[INDEX],
                             .go_on = column[GO_ON] > 0};
        memcpy(head.value, &column[PARAM], sizeof head.value);
        if (head.value[4] == 0 && head.value[5] == 0 && !has_place(head.command)) {
            head.frame =
                MAV_FRAME_MISSION; /* these programs write any frame for items without a position */
        }
        if (plan->count == 0 && !has_home && is_home(where_home, column, &head)) {
            has_home = true;
            home = head;
        } else if (add(r, where, &head) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    if (at == NULL) {
        return MF_E_RANGE;
    }
    if (has_home && plan->count == 0 && where_home == MF_PLAN_HOME_SEEN) {
        return add(r, "2", &home);
    }
    plan->has_home = has_home;
    plan->home = (struct mf_geo){home.value[4], home.value[5]};
    plan->home_alt_m = home.value[6];
    return finish_items(r);
}

/* ---- all forms */

/* Refuse a file that is not a plan. @param kind  NULL: unknown */
static int refuse_kind(const struct reader *r, const char *kind)
{
    (void)snprintf(r->error, r->error_size,
                   "%s%sa plan is a .plan of QGroundControl, a waypoint file (QGC WPL 110), or "
                   "{\"items\": [...]} as GET /v1/mission gives it",
                   kind != NULL ? kind : "", kind != NULL ? ", but " : "");
    return MF_E_RANGE;
}

static int read_root(struct reader *r, struct mf_json_view root)
{
    uint16_t version = 0;
    char type[WORD_MAX];
    const struct mf_json_view kind = mf_json_view_get(root, "fileType");
    const struct mf_json_view items = mf_json_view_get(root, "items");
    if (kind.at == NULL && mf_json_view_kind(items) == MF_JSON_VIEW_ARRAY) {
        return read_items(r, items);
    }
    mf_json_view_text(kind, type, sizeof type);
    if (strcmp(type, "Plan") != 0) {
        return fail(r, "fileType", "must be \"Plan\" (QGroundControl's .plan), it is %s",
                    type[0] == '\0' ? mf_json_view_word(kind) : type);
    }
    if (read_int(r, root, "version", "file", UINT16_MAX, &version) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (version != 1) {
        return fail(r, "version", "%u is unknown, only 1 is", version);
    }
    return check_parts(r, root) == MF_E_OK &&
                   read_mission(r, mf_json_view_get(root, "mission")) == MF_E_OK
               ? read_around(r, root)
               : MF_E_RANGE;
}

bool mf_plan_home_named(const char *word, size_t n, enum mf_plan_home *home)
{
    *home = n == 5 && strncmp(word, "first", n) == 0  ? MF_PLAN_HOME_FIRST
            : n == 4 && strncmp(word, "none", n) == 0 ? MF_PLAN_HOME_NONE
                                                      : MF_PLAN_HOME_SEEN;
    return *home != MF_PLAN_HOME_SEEN;
}

int mf_plan_read(const char *text, size_t n, enum mf_plan_home home, struct mf_plan *plan,
                 char *error, size_t error_size)
{
    const char *begin = text + mf_value_bom(text, n);
    struct reader r = {.plan = plan};
    struct mf_json_mistake mistake;
    struct mf_json_view root;
    r.error = error;
    r.error_size = error_size;
    memset(plan, 0, offsetof(struct mf_plan, jump_id));
    if (strncmp(begin, k_waypoints, sizeof k_waypoints - 1) == 0) {
        return strlen(text) == n ? read_waypoints(&r, begin, home)
                                 : fail(&r, "file", "a NUL byte in it");
    }
    if (!mf_json_view_check(text, n, &root, &mistake)) {
        const char *kind = mf_filekind(text, n);
        if (kind != NULL || begin[strspn(begin, " \t\r\n")] != '{') {
            return refuse_kind(&r, kind);
        }
        (void)snprintf(error, error_size, "%u:%u: %s", mistake.line, mistake.column, mistake.what);
        return MF_E_RANGE;
    }
    return mf_json_view_get(root, "fileType").at == NULL && mf_filekind(text, n) != NULL
               ? refuse_kind(&r, mf_filekind(text, n))
               : read_root(&r, root);
}
