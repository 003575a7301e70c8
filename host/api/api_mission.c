/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: mission, fence and rally points; lists are answered in parts. */
#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "host/spec/plan.h"
#include "host/spec/plan_text.h"
#include "mavlink/enums.h"

#include <string.h>

/* Maximum number of items in one answer; the longest item has less than 400 characters. */
#define ITEMS_MAX 256u
_Static_assert(ITEMS_MAX * 400u < MF_HTTP_ANSWER_MAX, "they fit into an answer");

#define LIST_FIELDS                                                                               \
    {"count", "integer", "number of items of the list"},                                          \
        {"tag", "integer", "opaque id of the list, as MAVLink has it: it changes with the list"}, \
        {"from", "integer", "number of the first item of this answer"},

const struct mf_api_field mf_api_mission_fields[] = {
    LIST_FIELDS{"current", "integer", "number of the item that is flown, or will be next"},
    {"reached", "integer?", "number of the last item that was reached; null: none"},
    {"items", "array:item", "items of the list, 256 at most: see from and count"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_items_query[] = {
    {"from", "integer:0..65535", "number of the first item of the answer; 0 by default"},
    {"count", "integer:0..256", "maximum number of items of the answer; 256 by default"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_fence_fields[] = {
    LIST_FIELDS{"distance_max_m", "number?",
                "largest distance from home (GF_MAX_HOR_DIST) [m]; null: no limit"},
    {"height_max_m", "number?", "largest height above home (GF_MAX_VER_DIST) [m]; null: no limit"},
    {"items", "array:item", "corners and circles of the fence, 256 at most"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_rally_fields[] = {
    LIST_FIELDS{"items", "array:item", "rally points, 256 at most"},
    {NULL, NULL, NULL},
};

/* ---- queries */

/* Read a number of the query. @param value  stays if the query does not have it @return false:
 * refused */
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

/* Begin the answer of a list. The list's own members may follow, then the items @p from to @p end.
 * @return false: refused */
static bool begin_list(struct mf_api_call *call, enum mf_store_area area, uint32_t *from,
                       uint32_t *end)
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
    if (begin_list(call, MF_STORE_MISSION, &from, &end)) {
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
    if (begin_list(call, MF_STORE_FENCE, &from, &end)) {
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
    if (begin_list(call, MF_STORE_RALLY, &from, &end)) {
        write_items(call, MF_STORE_RALLY, from, end);
    }
}

/* ---- uploads */

const struct mf_api_field mf_api_plan_fields[] = {
    {"fileType", "string", "\"Plan\" in a file of QGroundControl"},
    {"items", "array:item", "items as GET gives them, instead of a file"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_plan_query[] = {
    {"home", "string:first|none",
     "first: the first line of a waypoint file is home; none: it is an item; by default its "
     "values decide"},
    {"check", "boolean", "true: check the plan and store nothing; false by default"},
    {NULL, NULL, NULL},
};

#define STORED_FIELDS                                                           \
    {"mission", "integer", "number of items of the mission now"},               \
        {"fence", "integer", "number of corners and circles of the fence now"}, \
        {"rally", "integer", "number of rally points now"},

const struct mf_api_field mf_api_stored_fields[] = {
    STORED_FIELDS{NULL, NULL, NULL},
};

const struct mf_api_field mf_api_upload_fields[] = {
    STORED_FIELDS{"stored", "boolean", "true: the plan is stored; false: it was only checked"},
    {"feasible", "boolean", "true: the mission could be started from where the vehicle is"},
    {"reason", "string?", "reason why it could not be started; null: it could"},
    {NULL, NULL, NULL},
};

/* Upload a list to the vehicle. @return true: the vehicle stored it */
static bool upload_list(struct mf_api_call *call, uint8_t type,
                        struct mf_msg_mission_item_int *items, uint16_t count)
{
    char text[MF_PLAN_REFUSAL_MAX];
    uint8_t result = MAV_MISSION_ERROR;
    if (!mf_api_asked(call,
                      call->api->ops->upload(call->api->ops_ctx, type, items, count, &result))) {
        return false;
    }
    if (result != MAV_MISSION_ACCEPTED) {
        const struct mf_plan_verdict verdict = mf_plan_refused_part(type, count, result);
        mf_api_refuse(call, 409, "the vehicle refuses the %s",
                      mf_plan_refusal_text(&verdict, 0, text));
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

/* ---- a whole plan */

/* A plan for the vehicle. Without fence or rally points in the plan, the vehicle keeps its own. */
struct offer {
    struct mf_api_plan *memory;
    struct mf_plan_part part[MF_PLAN_PARTS]; /* by MAV_MISSION_TYPE */
    bool check;                              /* true: only checked, not stored */
};

/* Read the query of a plan. @return false: refused */
static bool read_query(struct mf_api_call *call, enum mf_plan_home *home, bool *check)
{
    struct mf_http_text word;
    *home = MF_PLAN_HOME_SEEN;
    if (mf_api_query(call, "home", &word) && !mf_plan_home_named(word.at, word.len, home)) {
        mf_api_refuse(call, 422, "home must be first or none, not '%.*s'",
                      (int)(word.len < 40 ? word.len : 40), word.at);
        return false;
    }
    const bool given = mf_api_query(call, "check", &word);
    *check = given && mf_api_is(&word, "true");
    if (given && !*check && !mf_api_is(&word, "false")) {
        mf_api_refuse(call, 422, "check must be true or false, not '%.*s'",
                      (int)(word.len < 40 ? word.len : 40), word.at);
        return false;
    }
    return true;
}

/* Read the plan of the body. @return false: refused */
static bool read_plan(struct mf_api_call *call, struct offer *offer)
{
    char error[200];
    const struct mf_http_text *body = &call->request->body;
    struct mf_plan *plan = &call->api->server->plan->plan;
    enum mf_plan_home home;
    if (!read_query(call, &home, &offer->check)) {
        return false;
    }
    if (body->len == 0) {
        mf_api_refuse(call, 400,
                      "the body is missing: a .plan, a waypoint file or {\"items\": [...]}");
        return false;
    }
    if (mf_plan_read(body->at, body->len, home, plan, error, sizeof error) != MF_E_OK) {
        mf_api_refuse(call, 422, "the plan: %s", error);
        return false;
    }
    offer->memory = call->api->server->plan;
    offer->part[MAV_MISSION_TYPE_MISSION] =
        (struct mf_plan_part){plan->item, plan->count, plan->count > 0};
    offer->part[MAV_MISSION_TYPE_FENCE] =
        (struct mf_plan_part){plan->fence, plan->fence_count, plan->fence_count > 0};
    offer->part[MAV_MISSION_TYPE_RALLY] =
        (struct mf_plan_part){plan->rally, plan->rally_count, plan->rally_count > 0};
    return true;
}

/* Check a plan. @return true: the vehicle would accept all parts */
static bool check_plan(struct mf_api_call *call, const struct offer *offer)
{
    char text[MF_PLAN_REFUSAL_MAX];
    struct mf_plan_verdict verdict;
    if (mf_plan_check(call->api->vehicle, offer->part, &verdict)) {
        return true;
    }
    const struct mf_msg_mission_item_int *item = offer->part[verdict.type].item;
    mf_api_refuse(
        call, 409, "the vehicle refuses the %s",
        mf_plan_refusal_text(&verdict, verdict.seq >= 0 ? item[verdict.seq].command : 0, text));
    return false;
}

/* Copy a part from the vehicle, to restore it if necessary. @return number of its items, at most @p
 * room */
static uint16_t keep_part(const struct mf_api_call *call, uint8_t type,
                          struct mf_msg_mission_item_int *to, uint16_t room)
{
    const struct mf_hal *hal = mf_vehicle_devices(call->api->vehicle);
    const enum mf_store_area area = (enum mf_store_area)(MF_STORE_MISSION + type);
    struct mf_item item;
    uint16_t n = 0;
    while (n < room && mf_store_get(hal, area, n, &item) == MF_E_OK) {
        to[n++] = (struct mf_msg_mission_item_int){.param1 = item.param[0],
                                                   .param2 = item.param[1],
                                                   .param3 = item.param[2],
                                                   .param4 = item.param[3],
                                                   .x = item.x,
                                                   .y = item.y,
                                                   .z = item.z,
                                                   .command = item.command,
                                                   .frame = item.frame,
                                                   .autocontinue = item.autocontinue};
    }
    return n;
}

static uint32_t tag_of_mission(const struct mf_api_call *call)
{
    struct mf_store_info info = {0};
    (void)mf_store_info(mf_vehicle_devices(call->api->vehicle), MF_STORE_MISSION, &info);
    return info.tag;
}

/* Store all parts, the mission last, since the vehicle checks it against the fence. After the
 * check, only a rule of misbehaviour or a full disk can refuse a part: then fence and rally points
 * are restored, unless the mission was stored and only its answer was lost. @return true: all parts
 * are stored and acknowledged */
static bool store_plan(struct mf_api_call *call, const struct offer *offer)
{
    struct mf_plan *plan = &offer->memory->plan;
    struct {
        uint8_t type;
        struct mf_msg_mission_item_int *item, *before;
        uint16_t count, room, kept;
    } part[] = {{MAV_MISSION_TYPE_FENCE, plan->fence, offer->memory->fence, plan->fence_count,
                 MF_PLAN_FENCE_MAX, 0},
                {MAV_MISSION_TYPE_RALLY, plan->rally, offer->memory->rally, plan->rally_count,
                 MF_PLAN_RALLY_MAX, 0}};
    const uint32_t tag = tag_of_mission(call);
    bool good = true;
    size_t done = 0;
    for (; done < sizeof part / sizeof part[0] && good; done++) {
        if (offer->part[part[done].type].given) {
            part[done].kept = keep_part(call, part[done].type, part[done].before, part[done].room);
            good = upload_list(call, part[done].type, part[done].item, part[done].count);
        }
    }
    good = good && upload_list(call, MAV_MISSION_TYPE_MISSION, plan->item, plan->count);
    if (good || tag_of_mission(call) != tag) {
        return good;
    }
    while (done-- > 0) {
        uint8_t result;
        if (offer->part[part[done].type].given) {
            (void)call->api->ops->upload(call->api->ops_ctx, part[done].type, part[done].before,
                                         part[done].kept, &result);
        }
    }
    return false;
}

/* Write the answer of an upload, or of a check, which has the same members. */
static void write_outcome(struct mf_api_call *call, const struct offer *offer)
{
    struct mf_snapshot s;
    struct mf_text why;
    const struct mf_plan_part *part = offer->part;
    mf_snapshot_take(call->api->vehicle, &s);
    const uint16_t now[MF_PLAN_PARTS] = {s.mission_count, s.fence_count, s.rally_count};
    static const char *const k_key[MF_PLAN_PARTS] = {"mission", "fence", "rally"};
    for (size_t i = 0; i < MF_PLAN_PARTS; i++) {
        mf_json_integer(&call->json, k_key[i], part[i].given ? part[i].count : now[i]);
    }
    mf_json_bool(&call->json, "stored", !offer->check);
    const bool feasible = mf_plan_feasible(call->api->vehicle, offer->check ? part : NULL, &why);
    mf_json_bool(&call->json, "feasible", feasible);
    mf_json_text(&call->json, "reason", feasible ? NULL : why.s);
}

void mf_api_put_mission(struct mf_api_call *call)
{
    struct offer offer = {0};
    if (read_plan(call, &offer) && check_plan(call, &offer) &&
        (offer.check || store_plan(call, &offer))) {
        write_outcome(call, &offer);
    }
}

void mf_api_delete_plan(struct mf_api_call *call)
{
    const struct mf_http_text *path = &call->request->path;
    const char last = path->at[path->len - 1];
    const uint8_t type = last == 'n'   ? MAV_MISSION_TYPE_MISSION
                         : last == 'e' ? MAV_MISSION_TYPE_FENCE
                                       : MAV_MISSION_TYPE_RALLY;
    if (upload_list(call, type, NULL, 0)) {
        write_stored(call);
    }
}
