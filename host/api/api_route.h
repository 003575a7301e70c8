/* SPDX-License-Identifier: Apache-2.0 */
/** Inside the control API: its routes as tables, and what they share. */
#ifndef MF_HOST_API_API_ROUTE_H
#define MF_HOST_API_API_ROUTE_H

#include "firmware/report/snapshot.h"
#include "host/api/api.h"
#include "host/base/json.h"

/** One request that is being answered. */
struct mf_api_call {
    struct mf_api *api;
    const struct mf_http_request *request;
    struct mf_http_answer *answer;
    struct mf_json_members *body; /**< of a POST */
    struct mf_http_text param; /**< what stands for {fault}, {rule}, {link} or {name} in the path */
    struct mf_json json;       /**< the answer's body, in which an object is open */
};

/**
 * One field of a body, or a parameter: name, type, what it is.
 *
 * The type is that of JSON Schema; then '?' if it may be null, '!' if it is required, '/' if one of
 * those with that is; then ':' and what is allowed: of an object which (struct mf_api_part), of an
 * array the type of its items, or which, of a string its words ("hold|run", or "faults": their
 * names), of a number "LOW..HIGH".
 */
struct mf_api_field {
    const char *name, *type, *help;
};

/** An object that several answers or requests have. */
struct mf_api_part {
    const char *name;
    const struct mf_api_field *fields; /**< ends with a NULL name */
    bool request;                      /**< a body of requests */
};

/** All of them; ends with a NULL name. */
extern const struct mf_api_part mf_api_parts[];

enum mf_api_scope {
    MF_API_FREE,    /**< of the process; needs no token anywhere */
    MF_API_PROCESS, /**< of the process */
    MF_API_VEHICLE, /**< of a vehicle: /v1/faults is also served at /v1/vehicles/{id}/faults */
};

/** What the paths of one vehicle begin with; its id follows. */
#define MF_API_VEHICLES_PATH "/v1/vehicles/"

struct mf_api_route {
    const char *method, *path; /**< of the first vehicle, if it is of one */
    enum mf_api_scope scope;
    const char *type;
    /** Fills in answer->status, unless 200, and writes to json. */
    void (*serve)(struct mf_api_call *call);
    const char *help;
    const struct mf_api_field *takes, *gives; /**< each ends with a NULL name; NULL: no JSON */
    const struct mf_api_field
        *query; /**< parameters; NULL: none, but where it is MF_API_FREE any */
};

#define MF_API_FIELDS(NAME) extern const struct mf_api_field mf_api_##NAME[]

MF_API_FIELDS(vehicle_fields);
MF_API_FIELDS(fault_fields);
MF_API_FIELDS(faults_fields);
MF_API_FIELDS(rule_fields);
MF_API_FIELDS(rules_fields);
MF_API_FIELDS(order_fields);
MF_API_FIELDS(clock_fields);
MF_API_FIELDS(map_fields);
MF_API_FIELDS(command_fields);
MF_API_FIELDS(param_fields);
MF_API_FIELDS(params_fields);
MF_API_FIELDS(param_request_fields);
MF_API_FIELDS(param_file_fields);
MF_API_FIELDS(param_file_query);
MF_API_FIELDS(param_set_fields);
MF_API_FIELDS(plan_fields);
MF_API_FIELDS(plan_query);
MF_API_FIELDS(track_fields);
MF_API_FIELDS(track_query);
MF_API_FIELDS(stored_fields);
MF_API_FIELDS(upload_fields);
MF_API_FIELDS(result_fields);
MF_API_FIELDS(links_fields);
MF_API_FIELDS(items_query);
MF_API_FIELDS(events_query);
MF_API_FIELDS(quality_fields);
MF_API_FIELDS(ports_fields);
MF_API_FIELDS(mission_fields);
MF_API_FIELDS(fence_fields);
MF_API_FIELDS(rally_fields);

void mf_api_get_page(struct mf_api_call *call);
void mf_api_get_docs(struct mf_api_call *call);
void mf_api_get_vehicle(struct mf_api_call *call);
void mf_api_get_mission(struct mf_api_call *call);
void mf_api_put_mission(struct mf_api_call *call);
void mf_api_delete_plan(struct mf_api_call *call);
void mf_api_get_track(struct mf_api_call *call);
void mf_api_get_fence(struct mf_api_call *call);
void mf_api_get_rally(struct mf_api_call *call);
void mf_api_get_faults(struct mf_api_call *call);
void mf_api_post_fault(struct mf_api_call *call);
void mf_api_delete_faults(struct mf_api_call *call);
void mf_api_delete_fault(struct mf_api_call *call);
void mf_api_get_rules(struct mf_api_call *call);
void mf_api_post_rule(struct mf_api_call *call);
void mf_api_delete_rules(struct mf_api_call *call);
void mf_api_delete_rule(struct mf_api_call *call);
void mf_api_post_command(struct mf_api_call *call);
void mf_api_get_params(struct mf_api_call *call);
void mf_api_put_params(struct mf_api_call *call);
void mf_api_get_param(struct mf_api_call *call);
void mf_api_put_param(struct mf_api_call *call);
void mf_api_get_clock(struct mf_api_call *call);
void mf_api_post_clock(struct mf_api_call *call);
void mf_api_get_map(struct mf_api_call *call);
void mf_api_get_links(struct mf_api_call *call);
void mf_api_get_quality(struct mf_api_call *call);
void mf_api_put_quality(struct mf_api_call *call);
void mf_api_get_metrics(struct mf_api_call *call);
void mf_api_get_events(struct mf_api_call *call);

/** @brief The document of OpenAPI that describes some routes; those of one path follow each other.
 *  @return its length without the NUL; 0: it does not fit into @p cap bytes */
size_t mf_api_write_document(const struct mf_api_route *routes, size_t count, char *text,
                             size_t cap);

/** @brief What follows the id in the path of a vehicle's route: "/faults"; "" for the vehicle. */
const char *mf_api_beneath(const struct mf_api_route *route);

/** @brief Answer with an error instead of what has been written. @param text  what is wrong */
__attribute__((format(printf, 3, 4))) void mf_api_refuse(struct mf_api_call *call, uint16_t status,
                                                         const char *text, ...);

/** @brief Is a body a file, which is read as it comes: a plan, or parameters? */
static inline bool mf_api_is_file(const struct mf_api_field *takes)
{
    return takes == mf_api_plan_fields || takes == mf_api_param_file_fields;
}

/** @brief Refuse a body with a member that is not in the table, or of another type.
 *  @return whether it was refused */
bool mf_api_check_body(struct mf_api_call *call, const struct mf_api_field *takes);

/** @brief Refuse a request with a parameter behind '?' that its route does not have; a free route
 *  takes any. @return whether all are known */
bool mf_api_check_query(struct mf_api_call *call, const struct mf_api_route *route);

/** @brief Configured links, as the array "ports". @param word  those with this number or of this
 *  kind, or "all"; NULL: all  @return how many */
unsigned mf_api_write_ports(struct mf_api_call *call, const struct mf_http_text *word);

/** @brief A pass is over: the flight goes on to here. */
void mf_api_track(struct mf_api *api);

/** @brief Add what a link has counted, of frames and of bytes. */
void mf_api_add_link(struct mf_link_stats *sum, struct mf_parser_stats *bytes,
                     const struct mf_snapshot_link *link);

/** @brief Answer with what has come of a question to the vehicle, as mf_inside_command() gives it.
 *  @return whether it was answered by the vehicle */
bool mf_api_asked(struct mf_api_call *call, int result);

/** @brief Answer with all parameters as a file, if the query wants one.
 *  @return whether the request is answered, or refused */
bool mf_api_write_param_file(struct mf_api_call *call);

/** @brief What a MAV_RESULT is called; "": it is none. */
const char *mf_api_result_word(size_t result);

/** @brief Members of an object: place [deg, m AMSL], velocity north, east, down [m/s], heading 0 to
 * 360, roll, pitch [deg]. */
void mf_api_write_motion(struct mf_json *json, const struct mf_pose *pose);

/** @brief Is a text of a request exactly this word? */
bool mf_api_is(const struct mf_http_text *text, const char *word);

/** @brief A member of the query: "from" in "from=123&count=5". @return whether it is there */
bool mf_api_query(const struct mf_api_call *call, const char *name, struct mf_http_text *value);

/** @brief Does time stand where the API let it run to? */
bool mf_api_clock_stands(const struct mf_api *api);

/** @brief An API that has nothing to do with time any more makes room for other controllers. */
void mf_api_clock_settle(struct mf_api *api);

/** @brief Number of the oldest piece that is kept. */
static inline uint64_t mf_api_oldest_piece(const struct mf_api *api)
{
    return api->piece_count > MF_API_EVENTS_KEPT ? api->piece_count - MF_API_EVENTS_KEPT : 0;
}

/** @brief The next piece for a stream (mf_http_feed()); its source is the struct mf_api. */
size_t mf_api_next_piece(void *source, uint64_t *cursor, const char **piece);

/** Routes of a plan and of faults, which every table has, in this order. */
#define MF_API_JSON "application/json"
/* clang-format off */
#define MF_API_PLAN_ROUTES \
    {"DELETE", "/v1/mission", MF_API_VEHICLE, MF_API_JSON, mf_api_delete_plan, \
     "Clear the mission", NULL, mf_api_stored_fields, NULL}, \
    {"GET", "/v1/fence", MF_API_VEHICLE, MF_API_JSON, mf_api_get_fence, \
     "The same of the geofence", NULL, mf_api_fence_fields, mf_api_items_query}, \
    {"DELETE", "/v1/fence", MF_API_VEHICLE, MF_API_JSON, mf_api_delete_plan, \
     "Clear the geofence", NULL, mf_api_stored_fields, NULL}, \
    {"GET", "/v1/rally", MF_API_VEHICLE, MF_API_JSON, mf_api_get_rally, \
     "The same of rally points", NULL, mf_api_rally_fields, mf_api_items_query}, \
    {"DELETE", "/v1/rally", MF_API_VEHICLE, MF_API_JSON, mf_api_delete_plan, \
     "Clear the rally points", NULL, mf_api_stored_fields, NULL}, \
    {"GET", "/v1/faults", MF_API_VEHICLE, MF_API_JSON, mf_api_get_faults, \
     "Every fault there is, and which are active", NULL, mf_api_faults_fields, NULL}
/* clang-format on */

#endif
