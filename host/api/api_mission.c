/* SPDX-License-Identifier: Apache-2.0 */
/* The control API: mission, fence and rally points, so many items at once. */
#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "host/spec/plan.h"
#include "mavlink/enums.h"

#include <string.h>

/* Items of one answer; the longest has less than 400 characters. */
#define ITEMS_MAX 256u
_Static_assert(ITEMS_MAX * 400u < MF_HTTP_ANSWER_MAX, "they fit into an answer");

#define LIST_FIELDS                                                                       \
    {"count", "integer", "how many there are"},                                           \
        {"tag", "integer", "MAVLink's opaque id of the list: another one, another list"}, \
        {"from", "integer", "the first one of this answer"},

const struct mf_api_field mf_api_mission_fields[] = {
    LIST_FIELDS{"current", "integer", "the item that is flown, or will be next"},
    {"reached", "integer?", "the last one that was reached; null: none"},
    {"items", "array:item", "at most 256: ?from= and count="},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_items_query[] = {
    {"from", "integer:0..65535", "the first item"},
    {"count", "integer:0..256", "how many at most"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_fence_fields[] = {
    LIST_FIELDS{"distance_max_m", "number?", "from home (GF_MAX_HOR_DIST); null: any"},
    {"height_max_m", "number?", "above home (GF_MAX_VER_DIST); null: any"},
    {"items", "array:item", "corners and circles, as those of /v1/mission"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_rally_fields[] = {
    LIST_FIELDS{"items", "array:item", "as those of /v1/mission"},
    {NULL, NULL, NULL},
};

/* ---- which of them */

/* @return false: refused; *value stays if it is not there */
static bool read_number(struct mf_api_call *call, const char *name, uint32_t max, uint32_t *value)
{
    struct mf_http_text text;
    uint32_t number = 0;
    if (!mf_api_query(call, name, &text)) {
        return true;
    }
    size_t digit = 0;
    for (; digit < text.len && text.at[digit] >= '0' && text.at[digit] <= '9' && number <= max;
         digit++) {
        number = number * 10u + (uint32_t)(text.at[digit] - '0');
    }
    if (digit == 0 || number > max || digit < text.len) {
        mf_api_refuse(call, 422, "%s: allowed: 0 .. %u", name, (unsigned)max);
        return false;
    }
    *value = number;
    return true;
}

/* ---- the answer */

static void write_item(struct mf_json *j, uint16_t seq, const struct mf_snapshot_item *item)
{
    mf_json_object(j, NULL);
    mf_json_integer(j, "seq", seq);
    mf_json_integer(j, "command", item->command);
    mf_json_integer(j, "frame", item->frame);
    mf_json_array(j, "param");
    for (size_t i = 0; i < 4; i++) {
        mf_json_number(j, NULL, (double)item->param[i], 6);
    }
    mf_json_end(j);
    if (item->place) {
        mf_json_number(j, "lat_deg", item->lat_deg, 7);
        mf_json_number(j, "lon_deg", item->lon_deg, 7);
    } else {
        mf_json_null(j, "lat_deg");
        mf_json_null(j, "lon_deg");
    }
    mf_json_number(j, "alt_m", (double)item->alt_m, 4);
    mf_json_number(j, "alt_amsl_m", item->alt_amsl_m, 4);
    mf_json_end(j);
}

/* @return whether it was not refused; the list's own members may follow, then its items */
static bool begin(struct mf_api_call *call, enum mf_store_area area, uint32_t *from, uint32_t *end)
{
    struct mf_store_info info = {.count = 0};
    uint32_t count = ITEMS_MAX;
    *from = 0;
    if (!read_number(call, "from", UINT16_MAX, from) ||
        !read_number(call, "count", ITEMS_MAX, &count)) {
        return false;
    }
    (void)mf_store_info(mf_vehicle_devices(call->api->vehicle), area, &info);
    *end = *from + count < info.count ? *from + count : info.count;
    mf_json_integer(&call->json, "count", info.count);
    mf_json_integer(&call->json, "tag", info.tag);
    mf_json_integer(&call->json, "from", *from);
    return true;
}

static void write_items(struct mf_api_call *call, enum mf_store_area area, uint32_t from,
                        uint32_t end)
{
    struct mf_snapshot_item item;
    mf_json_array(&call->json, "items");
    for (uint32_t i = from; i < end; i++) {
        if (mf_snapshot_item(call->api->vehicle, area, (uint16_t)i, &item) == MF_E_OK) {
            write_item(&call->json, (uint16_t)i, &item);
        }
    }
    mf_json_end(&call->json);
}

static void write_limit(struct mf_json *j, const char *key, float limit_m)
{
    if (limit_m > 0.0f) {
        mf_json_number(j, key, (double)limit_m, 3);
    } else {
        mf_json_null(j, key);
    }
}

void mf_api_get_mission(struct mf_api_call *call)
{
    struct mf_snapshot s;
    uint32_t from, end;
    mf_snapshot_take(call->api->vehicle, &s);
    if (begin(call, MF_STORE_MISSION, &from, &end)) {
        mf_json_integer(&call->json, "current", s.mission_current);
        if (s.mission_reached < 0) {
            mf_json_null(&call->json, "reached");
        } else {
            mf_json_integer(&call->json, "reached", s.mission_reached);
        }
        write_items(call, MF_STORE_MISSION, from, end);
    }
}

void mf_api_get_fence(struct mf_api_call *call)
{
    uint32_t from, end;
    if (begin(call, MF_STORE_FENCE, &from, &end)) {
        float distance_m, height_m;
        mf_snapshot_limits(call->api->vehicle, &distance_m, &height_m);
        write_limit(&call->json, "distance_max_m", distance_m);
        write_limit(&call->json, "height_max_m", height_m);
        write_items(call, MF_STORE_FENCE, from, end);
    }
}

void mf_api_get_rally(struct mf_api_call *call)
{
    uint32_t from, end;
    if (begin(call, MF_STORE_RALLY, &from, &end)) {
        write_items(call, MF_STORE_RALLY, from, end);
    }
}

/* ---- uploads */

const struct mf_api_field mf_api_plan_fields[] = {
    {"fileType", "string", "\"Plan\": QGroundControl's file"},
    {"items", "array:item", "or items as GET gives them"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_plan_query[] = {
    {"home", "string:first|none",
     "whether the first line of a waypoint file is home; else it is if it looks like one"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_stored_fields[] = {
    {"mission", "integer", "items that are stored now"},
    {"fence", "integer", "corners and circles"},
    {"rally", "integer", "points"},
    {NULL, NULL, NULL},
};

/* Of MAV_MISSION_RESULT, by number. */
static const char *const k_mission_result[] = {"accepted",
                                               "error",
                                               "unsupported frame",
                                               "unsupported command",
                                               "no space",
                                               "invalid",
                                               "invalid param1",
                                               "invalid param2",
                                               "invalid param3",
                                               "invalid param4",
                                               "invalid latitude",
                                               "invalid longitude",
                                               "invalid altitude",
                                               "invalid sequence",
                                               "denied",
                                               "cancelled"};

static const char *const k_list[] = {"mission", "fence", "rally points"};

/* @return whether it is stored */
static bool upload(struct mf_api_call *call, uint8_t type, struct mf_msg_mission_item_int *items,
                   uint16_t count)
{
    uint8_t result = MAV_MISSION_ERROR;
    if (!mf_api_asked(call,
                      call->api->ops->upload(call->api->ops_ctx, type, items, count, &result))) {
        return false;
    }
    if (result != MAV_MISSION_ACCEPTED) {
        const size_t known = sizeof k_mission_result / sizeof k_mission_result[0];
        mf_api_refuse(call, 409, "the vehicle refuses the %s: %s (MAV_MISSION_RESULT %u)",
                      k_list[type], result < known ? k_mission_result[result] : "unknown", result);
        return false;
    }
    return true;
}

static void write_stored(struct mf_api_call *call)
{
    struct mf_snapshot s;
    mf_snapshot_take(call->api->vehicle, &s);
    mf_json_integer(&call->json, "mission", s.mission_count);
    mf_json_integer(&call->json, "fence", s.fence_count);
    mf_json_integer(&call->json, "rally", s.rally_count);
}

/* @return false: the query was refused */
static bool read_home(struct mf_api_call *call, enum mf_plan_home *home)
{
    struct mf_http_text word;
    *home = MF_PLAN_HOME_SEEN;
    if (mf_api_query(call, "home", &word) && !mf_plan_home_named(word.at, word.len, home)) {
        mf_api_refuse(call, 422, "home must be first or none, not '%.*s'",
                      (int)(word.len < 40 ? word.len : 40), word.at);
        return false;
    }
    return true;
}

/* Fence and rally points stay as they are where the plan has none. */
void mf_api_put_mission(struct mf_api_call *call)
{
    char error[200];
    struct mf_plan *plan = call->api->server->plan;
    const struct mf_http_text *body = &call->request->body;
    enum mf_plan_home home;
    if (!read_home(call, &home)) {
        return;
    }
    if (body->len == 0) {
        mf_api_refuse(call, 400,
                      "the body is missing: a .plan, a waypoint file or {\"items\": [...]}");
        return;
    }
    if (mf_plan_read(body->at, body->len, home, plan, error, sizeof error) != MF_E_OK) {
        mf_api_refuse(call, 422, "the plan: %s", error);
        return;
    }
    if (upload(call, MAV_MISSION_TYPE_MISSION, plan->item, plan->count) &&
        (plan->fence_count == 0 ||
         upload(call, MAV_MISSION_TYPE_FENCE, plan->fence, plan->fence_count)) &&
        (plan->rally_count == 0 ||
         upload(call, MAV_MISSION_TYPE_RALLY, plan->rally, plan->rally_count))) {
        write_stored(call);
    }
}

void mf_api_delete_plan(struct mf_api_call *call)
{
    const struct mf_http_text *path = &call->request->path;
    const char last = path->at[path->len - 1];
    const uint8_t type = last == 'n'   ? MAV_MISSION_TYPE_MISSION
                         : last == 'e' ? MAV_MISSION_TYPE_FENCE
                                       : MAV_MISSION_TYPE_RALLY;
    if (upload(call, type, NULL, 0)) {
        write_stored(call);
    }
}
