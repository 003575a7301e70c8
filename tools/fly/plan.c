/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/plan.h"

#include "mavlink/enums.h"
#include "tools/fly/wpl.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WHERE_MAX    96u
#define FILE_MAX     (32L * 1024 * 1024)
#define PARAM_COUNT  7u
#define CORNERS_MIN  3u
#define ALT_MAX_M    1e5
#define RADIUS_MAX_M 1e7

/* A file while it is read. */
struct reader {
    const char *path;
    char *error;
    size_t error_size;
    struct fly_plan *plan;
    uint16_t jump_id[FLY_PLAN_MAX]; /* QGroundControl's name of each item, from 1 */
};

/* @return -1, with "file: where: what" in the error */
__attribute__((format(printf, 3, 4))) static int fail(const struct reader *r, const char *where,
                                                      const char *format, ...)
{
    char what[192];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(r->error, r->error_size, "%s: %s: %s", r->path, where, what);
    return -1;
}

static const char *type_name(const json_t *v)
{
    static const char *const k_name[] = {"an object", "an array", "a text", "a whole number",
                                         "a number",  "true",     "false",  "null"};
    return v == NULL ? "missing" : k_name[json_typeof(v)];
}

static int read_int(const struct reader *r, const json_t *object, const char *key,
                    const char *where, json_int_t max, json_int_t *value)
{
    const json_t *v = json_object_get(object, key);
    if (!json_is_integer(v)) {
        return fail(r, where, "%s must be a whole number, it is %s", key, type_name(v));
    }
    *value = json_integer_value(v);
    if (*value < 0 || *value > max) {
        return fail(r, where, "%s must be 0 to %lld, it is %lld", key, (long long)max,
                    (long long)*value);
    }
    return 0;
}

static double number_or_nan(const json_t *v)
{
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

/* ---- items */

struct params {
    double value[PARAM_COUNT]; /* NaN where the file says null */
};

static int read_params(const struct reader *r, const json_t *item, const char *where,
                       struct params *out)
{
    const json_t *list = json_object_get(item, "params");
    if (!json_is_array(list)) {
        return fail(r, where, "params must be an array of 7, it is %s", type_name(list));
    }
    if (json_array_size(list) != PARAM_COUNT) {
        return fail(r, where, "params must hold 7 values, it holds %zu", json_array_size(list));
    }
    for (size_t i = 0; i < PARAM_COUNT; i++) {
        const json_t *v = json_array_get(list, i);
        if (!json_is_number(v) && !json_is_null(v)) {
            return fail(r, where, "params[%zu] must be a number or null, it is %s", i,
                        type_name(v));
        }
        out->value[i] = number_or_nan(v);
        if (fabs(out->value[i]) > (double)FLT_MAX) {
            return fail(r, where, "params[%zu] does not fit a MAVLink float", i);
        }
    }
    return 0;
}

static bool is_global(uint8_t frame)
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
    return isnan(deg) ? FLY_NOT_GIVEN : (int32_t)lround(deg * 1e7);
}

/* params[4..6]: latitude, longitude, altitude; in frame MISSION plain numbers, as QGroundControl
 * sends them. */
static int place_item(const struct reader *r, const char *where, const struct params *p,
                      struct mf_msg_mission_item_int *out)
{
    const double lat = p->value[4];
    const double lon = p->value[5];
    out->z = mf_f32_bits((float)p->value[6]);
    if (out->frame == MAV_FRAME_MISSION) {
        if (fabs(lat) > (double)INT32_MAX || fabs(lon) > (double)INT32_MAX) {
            return fail(r, where, "params[4] or params[5] is out of range");
        }
        out->x = isnan(lat) ? 0 : (int32_t)lat;
        out->y = isnan(lon) ? 0 : (int32_t)lon;
        return 0;
    }
    if (fabs(lat) > 90.0) {
        return fail(r, where, "latitude params[4] must be -90 to 90 degrees, it is %g", lat);
    }
    if (fabs(lon) > 180.0) {
        return fail(r, where, "longitude params[5] must be -180 to 180 degrees, it is %g", lon);
    }
    if (out->command == MAV_CMD_NAV_WAYPOINT && isnan(lat + lon + p->value[6])) {
        return fail(r, where, "a waypoint needs latitude, longitude and altitude");
    }
    out->x = to_e7(lat);
    out->y = to_e7(lon);
    return 0;
}

static int read_head(const struct reader *r, const json_t *item, const char *where,
                     struct mf_msg_mission_item_int *out)
{
    json_int_t command = 0;
    json_int_t frame = 0;
    const json_t *go_on = json_object_get(item, "autoContinue");
    if (read_int(r, item, "command", where, UINT16_MAX, &command) != 0 ||
        read_int(r, item, "frame", where, UINT8_MAX, &frame) != 0) {
        return -1;
    }
    if (frame != MAV_FRAME_MISSION && !is_global((uint8_t)frame)) {
        return fail(r, where, "frame %lld is not one of a plan (0, 2, 3, 5, 6, 10, 11)",
                    (long long)frame);
    }
    if (go_on != NULL && !json_is_boolean(go_on)) {
        return fail(r, where, "autoContinue must be true or false, it is %s", type_name(go_on));
    }
    out->command = (uint16_t)command;
    out->frame = (uint8_t)frame;
    out->autocontinue = go_on == NULL || json_is_true(go_on);
    return 0;
}

static int read_jump_id(struct reader *r, const json_t *item, const char *where)
{
    json_int_t id = r->plan->count + 1;
    if (json_object_get(item, "doJumpId") != NULL &&
        read_int(r, item, "doJumpId", where, UINT16_MAX, &id) != 0) {
        return -1;
    }
    r->jump_id[r->plan->count] = (uint16_t)id;
    return 0;
}

static int read_simple(struct reader *r, const json_t *item, const char *where)
{
    struct fly_plan *plan = r->plan;
    struct params p;
    if (plan->count == FLY_PLAN_MAX) {
        return fail(r, where, "more than %u items", FLY_PLAN_MAX);
    }
    struct mf_msg_mission_item_int *out = &plan->item[plan->count];
    *out = (struct mf_msg_mission_item_int){.seq = plan->count, .current = plan->count == 0};
    if (read_head(r, item, where, out) != 0 || read_params(r, item, where, &p) != 0 ||
        place_item(r, where, &p, out) != 0 || read_jump_id(r, item, where) != 0) {
        return -1;
    }
    out->param1 = mf_f32_bits((float)p.value[0]);
    out->param2 = mf_f32_bits((float)p.value[1]);
    out->param3 = mf_f32_bits((float)p.value[2]);
    out->param4 = mf_f32_bits((float)p.value[3]);
    plan->count++;
    return 0;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static int read_complex(struct reader *r, const json_t *item, const char *where)
{
    const char *kind = text_of(item, "complexItemType");
    const json_t *transect = json_object_get(item, "TransectStyleComplexItem");
    const json_t *list = json_object_get(transect, "Items");
    if (json_array_size(list) == 0) {
        return fail(
            r, where,
            "the file does not hold the items of this '%s'; only surveys and corridor scans "
            "with TransectStyleComplexItem.Items can be flown",
            kind[0] == '\0' ? "ComplexItem" : kind);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        char inner[WHERE_MAX + 32];
        snprintf(inner, sizeof inner, "%s.Items[%zu]", where, i);
        if (read_simple(r, json_array_get(list, i), inner) != 0) {
            return -1;
        }
    }
    return 0;
}

static int read_item(struct reader *r, const json_t *item, size_t index)
{
    char where[WHERE_MAX];
    snprintf(where, sizeof where, "mission.items[%zu]", index);
    const char *type = text_of(item, "type");
    if (strcmp(type, "SimpleItem") == 0) {
        return read_simple(r, item, where);
    }
    if (strcmp(type, "ComplexItem") == 0) {
        return read_complex(r, item, where);
    }
    return fail(r, where, "type must be SimpleItem or ComplexItem, it is %s%s",
                type[0] == '\0' ? type_name(json_object_get(item, "type")) : type,
                json_is_object(item) ? "" : " (the item is no object)");
}

/* DO_JUMP names its target by doJumpId; on the wire it is the target's sequence number. */
static int resolve_jump(const struct reader *r, struct mf_msg_mission_item_int *jump)
{
    const float id = mf_f32_from_bits(jump->param1);
    for (uint16_t i = 0; i < r->plan->count; i++) {
        if (fabsf(id - (float)r->jump_id[i]) < 0.5f) {
            jump->param1 = mf_f32_bits((float)i);
            return 0;
        }
    }
    return fail(r, "mission.items",
                "the jump with doJumpId %u goes to %g, and no item is called so",
                (unsigned)r->jump_id[jump->seq], (double)id);
}

/* ---- the file */

static int read_home(struct reader *r, const json_t *mission)
{
    const json_t *home = json_object_get(mission, "plannedHomePosition");
    double v[3];
    if (home == NULL || json_is_null(home)) {
        return 0;
    }
    for (size_t i = 0; i < 3; i++) {
        v[i] = number_or_nan(json_array_get(home, i));
    }
    if (json_array_size(home) != 3 || !(fabs(v[0]) <= 90.0) || !(fabs(v[1]) <= 180.0) ||
        isnan(v[2])) {
        return fail(r, "mission.plannedHomePosition",
                    "must be [latitude, longitude, altitude] in degrees and metres");
    }
    r->plan->has_home = true;
    r->plan->home = (struct mf_geo){v[0], v[1]};
    r->plan->home_alt_m = v[2];
    return 0;
}

static int read_mission(struct reader *r, const json_t *mission)
{
    const json_t *items = json_object_get(mission, "items");
    if (!json_is_object(mission) || !json_is_array(items)) {
        return fail(r, "mission.items", "must be an array, it is %s", type_name(items));
    }
    r->plan->cruise_mps = number_or_nan(json_object_get(mission, "cruiseSpeed"));
    r->plan->hover_mps = number_or_nan(json_object_get(mission, "hoverSpeed"));
    for (size_t i = 0; i < json_array_size(items); i++) {
        if (read_item(r, json_array_get(items, i), i) != 0) {
            return -1;
        }
    }
    if (r->plan->count == 0) {
        return fail(r, "mission.items", "the plan is empty");
    }
    for (uint16_t i = 0; i < r->plan->count; i++) {
        struct mf_msg_mission_item_int *item = &r->plan->item[i];
        if (item->command == MAV_CMD_DO_JUMP && resolve_jump(r, item) != 0) {
            return -1;
        }
    }
    return read_home(r, mission);
}

/* ---- geofence and rally points */

/* A list of items while it is filled. */
struct list {
    struct mf_msg_mission_item_int *item;
    uint16_t *count;
    uint16_t capacity;
};

/* An item at [latitude, longitude] or, for @p size 3, [latitude, longitude, altitude
 * above home]. */
static int add_item(const struct reader *r, const char *where, const struct list *list,
                    uint16_t command, const json_t *place, size_t size)
{
    const double lat = number_or_nan(json_array_get(place, 0));
    const double lon = number_or_nan(json_array_get(place, 1));
    const double alt = size > 2 ? number_or_nan(json_array_get(place, 2)) : 0.0;
    if (json_array_size(place) != size || !(fabs(lat) <= 90.0) || !(fabs(lon) <= 180.0) ||
        !(fabs(alt) <= ALT_MAX_M)) {
        return fail(r, where, "must be [latitude, longitude%s] in degrees%s",
                    size > 2 ? ", altitude" : "", size > 2 ? " and metres" : "");
    }
    if (*list->count == list->capacity) {
        return fail(r, where, "more than %u of them", list->capacity);
    }
    list->item[*list->count] = (struct mf_msg_mission_item_int){
        .x = to_e7(lat),
        .y = to_e7(lon),
        .z = mf_f32_bits((float)alt),
        .seq = *list->count,
        .command = command,
        .frame = size > 2 ? MAV_FRAME_GLOBAL_RELATIVE_ALT : MAV_FRAME_GLOBAL,
        .autocontinue = 1,
    };
    (*list->count)++;
    return 0;
}

/* What may be flown in, or must not. @return -1: it does not say */
static int read_inclusion(const struct reader *r, const json_t *shape, const char *where,
                          bool *inclusion)
{
    const json_t *v = json_object_get(shape, "inclusion");
    *inclusion = json_is_true(v);
    return json_is_boolean(v)
               ? 0
               : fail(r, where, "inclusion must be true or false, it is %s", type_name(v));
}

static int read_polygon(const struct reader *r, const json_t *shape, const char *where,
                        const struct list *list)
{
    const json_t *corners = json_object_get(shape, "polygon");
    const size_t n = json_array_size(corners);
    const uint16_t first = *list->count;
    bool inclusion;
    if (read_inclusion(r, shape, where, &inclusion) != 0) {
        return -1;
    }
    if (n < CORNERS_MIN) {
        return fail(r, where, "polygon must be an array of at least %u corners", CORNERS_MIN);
    }
    for (size_t i = 0; i < n; i++) {
        char corner[WHERE_MAX + 32];
        snprintf(corner, sizeof corner, "%s.polygon[%zu]", where, i);
        if (add_item(r, corner, list,
                     inclusion ? MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION
                               : MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION,
                     json_array_get(corners, i), 2) != 0) {
            return -1;
        }
        list->item[first + i].param1 = mf_f32_bits((float)n);
    }
    return 0;
}

static int read_circle(const struct reader *r, const json_t *shape, const char *where,
                       const struct list *list)
{
    const json_t *circle = json_object_get(shape, "circle");
    const double radius_m = number_or_nan(json_object_get(circle, "radius"));
    bool inclusion;
    char center[WHERE_MAX + 32];
    if (read_inclusion(r, shape, where, &inclusion) != 0) {
        return -1;
    }
    if (!(radius_m > 0.0 && radius_m <= RADIUS_MAX_M)) {
        return fail(r, where, "circle.radius must be a number of metres above 0");
    }
    snprintf(center, sizeof center, "%s.circle.center", where);
    if (add_item(r, center, list,
                 inclusion ? MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION
                           : MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION,
                 json_object_get(circle, "center"), 2) != 0) {
        return -1;
    }
    list->item[*list->count - 1u].param1 = mf_f32_bits((float)radius_m);
    return 0;
}

static int read_rally_point(const struct reader *r, const json_t *point, const char *where,
                            const struct list *list)
{
    return add_item(r, where, list, MAV_CMD_NAV_RALLY_POINT, point, 3);
}

/* Polygons, circles and rally points, in the order in which QGroundControl sends them. */
static int read_around(struct reader *r, const json_t *root)
{
    struct fly_plan *p = r->plan;
    const struct list fence = {p->fence, &p->fence_count, FLY_FENCE_MAX};
    const struct list rally = {p->rally, &p->rally_count, FLY_RALLY_MAX};
    const struct {
        const char *object;
        const char *key;
        const struct list *list;
        int (*read)(const struct reader *r, const json_t *shape, const char *where,
                    const struct list *list);
    } k_part[] = {{"geoFence", "polygons", &fence, read_polygon},
                  {"geoFence", "circles", &fence, read_circle},
                  {"rallyPoints", "points", &rally, read_rally_point}};
    for (size_t i = 0; i < sizeof k_part / sizeof k_part[0]; i++) {
        const json_t *shapes =
            json_object_get(json_object_get(root, k_part[i].object), k_part[i].key);
        for (size_t s = 0; s < json_array_size(shapes); s++) {
            char where[WHERE_MAX];
            snprintf(where, sizeof where, "%s.%s[%zu]", k_part[i].object, k_part[i].key, s);
            if (k_part[i].read(r, json_array_get(shapes, s), where, k_part[i].list) != 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int read_root(struct reader *r, const json_t *root)
{
    json_int_t version = 0;
    const char *type = text_of(root, "fileType");
    if (strcmp(type, "Plan") != 0) {
        return fail(r, "fileType", "must be \"Plan\" (QGroundControl's .plan), it is %s",
                    type[0] == '\0' ? type_name(json_object_get(root, "fileType")) : type);
    }
    if (read_int(r, root, "version", "file", INT32_MAX, &version) != 0) {
        return -1;
    }
    if (version != 1) {
        return fail(r, "version", "%lld is unknown, only 1 is", (long long)version);
    }
    return read_mission(r, json_object_get(root, "mission")) != 0 ? -1 : read_around(r, root);
}

/* jansson reads directories and pipes for ever; a plan is a file of some size. */
static json_t *parse(const struct reader *r)
{
    json_error_t at;
    FILE *file = fopen(r->path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || ftell(file) > FILE_MAX ||
        fseek(file, 0, SEEK_SET) != 0) {
        snprintf(r->error, r->error_size, "%s: %s", r->path,
                 file == NULL ? "there is no such file, or it cannot be read"
                              : "this is no plan file");
        if (file != NULL) {
            fclose(file);
        }
        return NULL;
    }
    const bool is_wpl = fly_wpl_is(file);
    unsigned line = 0;
    json_t *root =
        is_wpl ? fly_wpl_read(file, &line) : json_loadf(file, JSON_REJECT_DUPLICATES, &at);
    fclose(file);
    if (root == NULL && is_wpl) {
        snprintf(r->error, r->error_size,
                 "%s:%u: not the twelve numbers of a waypoint: index, current, frame, command, "
                 "param1 to 4, latitude, longitude, altitude, autocontinue",
                 r->path, line);
    } else if (root == NULL) {
        snprintf(r->error, r->error_size, "%s:%d:%d: %s", r->path, at.line, at.column, at.text);
    }
    return root;
}

int fly_plan_load(const char *path, struct fly_plan *plan, char *error, size_t error_size)
{
    struct reader r = {.path = path, .plan = plan};
    r.error = error;
    r.error_size = error_size;
    memset(plan, 0, sizeof *plan);
    json_t *root = parse(&r);
    if (root == NULL) {
        return -1;
    }
    const int result = read_root(&r, root);
    json_decref(root);
    return result;
}

/* ---- plans without a file */

static void add_place(struct fly_plan *plan, uint16_t command, struct mf_geo at, double alt_m)
{
    plan->item[plan->count] = (struct mf_msg_mission_item_int){
        .param4 = mf_f32_bits(NAN), /* heading: the vehicle's choice */
        .x = to_e7(at.lat_deg),
        .y = to_e7(at.lon_deg),
        .z = mf_f32_bits((float)alt_m),
        .seq = plan->count,
        .command = command,
        .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
        .current = plan->count == 0,
        .autocontinue = 1,
    };
    plan->count++;
}

void fly_plan_square(struct fly_plan *plan, struct mf_geo home, double alt_m, double side_m)
{
    static const double k_corner[][2] = {{1, 0}, {1, 1}, {0, 1}, {0, 0}};
    memset(plan, 0, sizeof *plan);
    plan->has_home = true;
    plan->home = home;
    plan->cruise_mps = (double)NAN;
    plan->hover_mps = (double)NAN;
    add_place(plan, MAV_CMD_NAV_TAKEOFF, home, alt_m);
    for (size_t i = 0; i < sizeof k_corner / sizeof k_corner[0]; i++) {
        const struct mf_geo at =
            mf_geo_from_local(home, side_m * k_corner[i][0], side_m * k_corner[i][1]);
        add_place(plan, MAV_CMD_NAV_WAYPOINT, at, alt_m);
    }
}

int fly_plan_insert(struct fly_plan *plan, uint16_t index,
                    const struct mf_msg_mission_item_int *item)
{
    if (plan->count == FLY_PLAN_MAX) {
        return -1;
    }
    memmove(&plan->item[index + 1], &plan->item[index],
            (size_t)(plan->count - index) * sizeof plan->item[0]);
    plan->item[index] = *item;
    plan->count++;
    for (uint16_t i = 0; i < plan->count; i++) {
        struct mf_msg_mission_item_int *p = &plan->item[i];
        const float target = mf_f32_from_bits(p->param1);
        p->seq = i;
        p->current = i == 0;
        if (p->command == MAV_CMD_DO_JUMP && i != index && target >= (float)index) {
            p->param1 = mf_f32_bits(target + 1.0f);
        }
    }
    return 0;
}

bool fly_item_has_place(const struct mf_msg_mission_item_int *item)
{
    switch (item->command) {
    case MAV_CMD_NAV_WAYPOINT:
    case MAV_CMD_NAV_SPLINE_WAYPOINT:
    case MAV_CMD_NAV_LOITER_UNLIM:
    case MAV_CMD_NAV_LOITER_TURNS:
    case MAV_CMD_NAV_LOITER_TIME:
    case MAV_CMD_NAV_LOITER_TO_ALT:
    case MAV_CMD_NAV_LAND:
    case MAV_CMD_NAV_TAKEOFF:
    case MAV_CMD_NAV_VTOL_TAKEOFF:
    case MAV_CMD_NAV_VTOL_LAND:
        break;
    default:
        return false;
    }
    /* ArduPilot's "here" is 0, 0 */
    return is_global(item->frame) && item->x != FLY_NOT_GIVEN && item->y != FLY_NOT_GIVEN &&
           (item->x != 0 || item->y != 0);
}

struct mf_geo fly_item_place(const struct mf_msg_mission_item_int *item)
{
    return (struct mf_geo){item->x * 1e-7, item->y * 1e-7};
}
