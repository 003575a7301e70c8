/* SPDX-License-Identifier: Apache-2.0 */
/** Internal header of the control API: its routes as tables, and functions that they share. */
#ifndef MF_HOST_API_API_ROUTE_H
#define MF_HOST_API_API_ROUTE_H

#include "firmware/report/snapshot.h"
#include "host/api/api.h"
#include "host/base/json.h"

/** Request that is being answered. */
struct mf_api_call {
    struct mf_api *api;
    const struct mf_http_request *request;
    struct mf_http_answer *answer;
    struct mf_json_members *body; /**< body of a POST */
    struct mf_http_text param;    /**< text of {fault}, {rule}, {link} or {name} in the path */
    struct mf_json json;          /**< body of the answer, with an open object */
};

/**
 * Field of a body, or a parameter: name, type, meaning.
 *
 * The type is that of JSON Schema; then '?' if it may be null, '!' if it is required, '/' if one of
 * the fields with '/' is; then ':' and the allowed values: for an object its struct mf_api_part,
 * for an array the type or the part of its items, for a string its words ("hold
 * run", or "faults": their names), for a number "LOW..HIGH".
 */
struct mf_api_field {
    const char *name, *type, *help;
};

/** Object that several answers or requests contain. */
struct mf_api_part {
    const char *name;
    const struct mf_api_field *fields; /**< ends with a NULL name */
    bool request;                      /**< part of bodies of requests */
};

/** All parts; ends with a NULL name. */
extern const struct mf_api_part mf_api_parts[];

enum mf_api_scope {
    MF_API_FREE,    /**< of the process; never needs a token */
    MF_API_PROCESS, /**< of the process */
    MF_API_RAW,     /**< of the process; the handler reads the body, whose JSON may be deep */
    MF_API_VEHICLE, /**< of a vehicle: /v1/faults is also served at /v1/vehicles/{id}/faults */
};

/** Beginning of the paths of one vehicle; its id follows. */
#define MF_API_VEHICLES_PATH "/v1/vehicles/"

struct mf_api_route {
    const char *method, *path; /**< path for the first vehicle, if the route belongs to a vehicle */
    enum mf_api_scope scope;
    const char *type;
    /** Set answer->status, unless 200, and write to json. */
    void (*serve)(struct mf_api_call *call);
    const char *help;
    const struct mf_api_field *takes,
        *gives; /**< fields of request and answer; each ends with a NULL name; NULL: not JSON */
    const struct mf_api_field
        *query; /**< parameters; NULL: none, except that an MF_API_FREE route ignores any */
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

/** @brief Write the OpenAPI document of some routes; those of one path must follow each other.
 * @return its length without the NUL; 0: longer than @p cap bytes */
size_t mf_api_write_document(const struct mf_api_route *routes, size_t count, char *text,
                             size_t cap);

/** @brief Find an example of a body. @return members of its object as JSON, or NULL */
const char *mf_api_example(const struct mf_api_field *fields);

/** @brief Name the group of a route, such as "Faults". @param path  of the route of the first
 * vehicle, with its '/' */
const char *mf_api_group(const char *path);

/** @brief Rest of the path of a vehicle's route after the id: "/faults"; "" for the vehicle. */
const char *mf_api_beneath(const struct mf_api_route *route);

/** @brief Replace the answer by an error. @param text  the fault */
__attribute__((format(printf, 3, 4))) void mf_api_refuse(struct mf_api_call *call, uint16_t status,
                                                         const char *text, ...);

/** @brief True if the body is a file, which the handler reads as it is: a plan, or parameters. */
static inline bool mf_api_is_file(const struct mf_api_field *takes)
{
    return takes == mf_api_plan_fields || takes == mf_api_param_file_fields;
}

/** @brief Refuse a body with a member that is not in the table, or of another type.
 * @return true: refused */
bool mf_api_check_body(struct mf_api_call *call, const struct mf_api_field *takes);

/** @brief Refuse a request with an unknown parameter after '?'. A route of the scope MF_API_FREE
 * accepts all. @return true: all are known */
bool mf_api_check_query(struct mf_api_call *call, const struct mf_api_route *route);

/** @brief Write the configured links, as the array "ports". @param word  number or kind to select,
 * or "all"; NULL: all  @return their number */
unsigned mf_api_write_ports(struct mf_api_call *call, const struct mf_http_text *word);

/** @brief Continue the track to the present, after a pass. */
void mf_api_track(struct mf_api *api);

/** @brief Add a link's counters of frames and of bytes to a sum. */
void mf_api_add_link(struct mf_link_stats *sum, struct mf_parser_stats *bytes,
                     const struct mf_snapshot_link *link);

/** @brief Answer with the result of a request to the vehicle, as mf_inside_command() returns it.
 * @return true: the vehicle has answered */
bool mf_api_asked(struct mf_api_call *call, int result);

/** @brief Answer with all parameters as a file, if the query asks for one.
 * @return true: the request is answered, or refused */
bool mf_api_write_param_file(struct mf_api_call *call);

/** @brief Name of a MAV_RESULT; "": unknown. */
const char *mf_api_result_word(size_t result);

/** @brief Write members of an object: place [deg, m AMSL], velocity north, east, down [m/s],
 * heading 0 to 360, roll, pitch [deg]. */
void mf_api_write_motion(struct mf_json *json, const struct mf_pose *pose);

/** @brief True if a text of a request is exactly this word. */
bool mf_api_is(const struct mf_http_text *text, const char *word);

/** @brief Find a parameter of the query: "from" in "from=123&count=5". @return true: found */
bool mf_api_query(const struct mf_api_call *call, const char *name, struct mf_http_text *value);

/** @brief True if time stands at the limit that the API has set. */
bool mf_api_clock_stands(const struct mf_api *api);

/** @brief Leave time control, if the API no longer limits time, so that another controller can
 * connect. */
void mf_api_clock_settle(struct mf_api *api);

/** @brief Number of the oldest piece that is kept. */
static inline uint64_t mf_api_oldest_piece(const struct mf_api *api)
{
    return api->piece_count > MF_API_EVENTS_KEPT ? api->piece_count - MF_API_EVENTS_KEPT : 0;
}

/** @brief Next piece for a stream (mf_http_feed()); its source is the struct mf_api. */
size_t mf_api_next_piece(void *source, uint64_t *cursor, const char **piece);

/** Routes of a plan and of faults, which every table has, in this order. */
#define MF_API_JSON "application/json"
/* clang-format off */
#define MF_API_PLAN_ROUTES \
    {"DELETE", "/v1/mission", MF_API_VEHICLE, MF_API_JSON, mf_api_delete_plan, \
     "Clear the mission", NULL, mf_api_stored_fields, NULL}, \
    {"GET", "/v1/fence", MF_API_VEHICLE, MF_API_JSON, mf_api_get_fence, \
     "Corners and circles of the geofence", NULL, mf_api_fence_fields, mf_api_items_query}, \
    {"DELETE", "/v1/fence", MF_API_VEHICLE, MF_API_JSON, mf_api_delete_plan, \
     "Clear the geofence", NULL, mf_api_stored_fields, NULL}, \
    {"GET", "/v1/rally", MF_API_VEHICLE, MF_API_JSON, mf_api_get_rally, \
     "Rally points", NULL, mf_api_rally_fields, mf_api_items_query}, \
    {"DELETE", "/v1/rally", MF_API_VEHICLE, MF_API_JSON, mf_api_delete_plan, \
     "Clear the rally points", NULL, mf_api_stored_fields, NULL}, \
    {"GET", "/v1/faults", MF_API_VEHICLE, MF_API_JSON, mf_api_get_faults, \
     "Every fault, and which are active", NULL, mf_api_faults_fields, NULL}
/* clang-format on */

#endif
