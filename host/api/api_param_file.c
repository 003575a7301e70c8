/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: all parameters at once, as files of ground stations. */
#include "firmware/core/param.h"
#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "host/spec/paramfile.h"
#include "mavlink/enums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AUTOPILOT 1 /* component id of the autopilot in files */

const struct mf_api_field mf_api_param_file_fields[] = {
    {NULL, NULL, NULL}, /* text in one of several forms, which its content shows */
};

const struct mf_api_field mf_api_param_file_query[] = {
    {"format", "string:json|params|parm",
     "form of the answer: json, QGroundControl's .params, or MAVProxy's .parm; json by default"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_param_set_fields[] = {
    {"set", "integer", "number of parameters that have the file's value now"},
    {"unknown", "array:string", "names of the file that the vehicle does not have"},
    {"refused", "array:string", "names of the file whose value was refused, with the reason"},
    {"other_components", "integer", "number of lines of the file about other components"},
    {NULL, NULL, NULL},
};

/* ---- files from clients */

/* Find the parameter of an entry. @return MF_E_NOENT: the vehicle does not have it */
static int find_param(const struct mf_paramfile_entry *entry)
{
    return strlen(entry->name) <= MF_PARAM_NAME_MAX ? mf_param_find(entry->name) : (int)MF_E_NOENT;
}

/* Convert a number to the parameter's type. @return false: it is not a value of this type */
static bool convert_number(const struct mf_param_info *info, double number,
                           union mf_param_value *value)
{
    if (info->is_float) {
        value->f = (float)number;
        return true;
    }
    if (!(trunc(number) == number && number >= INT32_MIN && number <= INT32_MAX)) {
        return false;
    }
    value->i = (int32_t)number;
    return true;
}

/* Set one parameter, unless it has this value already. @param why  out: reason of a refusal; "": it
 * is set @return false: the vehicle did not answer */
static bool set_param(struct mf_api_call *call, enum mf_param param, double number, char *why,
                      size_t size)
{
    const struct mf_param_info *info = mf_param_info(param);
    struct mf_msg_param_set set = {.param_type = info->is_float ? MAV_PARAM_TYPE_REAL32
                                                                : MAV_PARAM_TYPE_INT32};
    struct mf_msg_param_value now;
    union mf_param_value value;
    uint8_t error = MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE;
    if (convert_number(info, number, &value)) {
        if (mf_snapshot_param(call->api->vehicle, param).bits == value.bits) {
            return true;
        }
        set.param_value = value.bits;
        memcpy(set.param_id, info->name, strnlen(info->name, sizeof set.param_id));
        if (!mf_api_asked(call,
                          call->api->ops->set_param(call->api->ops_ctx, &set, &error, &now))) {
            return false;
        }
    }
    const double low = info->is_float ? (double)info->min.f : info->min.i;
    const double high = info->is_float ? (double)info->max.f : info->max.i;
    if (error == MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE) {
        (void)snprintf(why, size, "%s: must be %.7g .. %.7g%s, not %.10g", info->name, low, high,
                       info->is_float ? "" : ", whole", number);
    } else if (error != 0) {
        (void)snprintf(why, size, "%s: %s", info->name,
                       error == MAV_PARAM_ERROR_READ_ONLY ? "read-only" : "refused");
    }
    return true;
}

/* Check all lines of a file before parameters are set. @return false: refused, and nothing is
 * set */
static bool check_lines(struct mf_api_call *call, const struct mf_http_text *body)
{
    struct mf_paramfile file = mf_paramfile_begin(body->at, body->len);
    struct mf_paramfile_entry entry;
    char error[200];
    int more;
    unsigned lines = 0;
    while ((more = mf_paramfile_next(&file, &entry, error, sizeof error)) == 1) {
        lines++;
    }
    if (more != 0) {
        mf_api_refuse(call, 422, "the parameters: %s", error);
    } else if (lines == 0) {
        mf_api_refuse(call, 400,
                      "the body is missing: a file of parameters, QGroundControl's .params or "
                      "MAVProxy's .parm");
    }
    return more == 0 && lines > 0;
}

/* Write the names of the file that the vehicle does not know. */
static void write_unknown(struct mf_api_call *call, const struct mf_http_text *body)
{
    struct mf_paramfile file = mf_paramfile_begin(body->at, body->len);
    struct mf_paramfile_entry entry;
    char error[200];
    mf_json_array(&call->json, "unknown");
    while (mf_paramfile_next(&file, &entry, error, sizeof error) == 1) {
        const bool ours = entry.component < 0 || entry.component == AUTOPILOT;
        if (ours && find_param(&entry) < 0) {
            mf_json_text(&call->json, NULL, entry.name);
        }
    }
    mf_json_end(&call->json);
}

void mf_api_put_params(struct mf_api_call *call)
{
    const struct mf_http_text *body = &call->request->body;
    struct mf_paramfile_entry entry;
    char text[200];
    unsigned set = 0, others = 0;
    if (!check_lines(call, body->len > 0 ? body : &(struct mf_http_text){"", 0})) {
        return;
    }
    struct mf_paramfile file = mf_paramfile_begin(body->at, body->len);
    mf_json_array(&call->json, "refused");
    while (mf_paramfile_next(&file, &entry, text, sizeof text) == 1) {
        const bool ours = entry.component < 0 || entry.component == AUTOPILOT;
        const int param = find_param(&entry);
        others += !ours;
        if (ours && param >= 0) {
            text[0] = '\0';
            if (!set_param(call, (enum mf_param)param, entry.value, text, sizeof text)) {
                return;
            }
            set += text[0] == '\0';
            if (text[0] != '\0') {
                mf_json_text(&call->json, NULL, text);
            }
        }
    }
    mf_json_end(&call->json);
    write_unknown(call, body);
    mf_json_integer(&call->json, "set", set);
    mf_json_integer(&call->json, "other_components", others);
}

/* ---- files to clients */

/* Print a value so that reading it gives the same bits. */
static void print_value(const struct mf_api_call *call, enum mf_param param, char *text,
                        size_t size)
{
    const union mf_param_value value = mf_snapshot_param(call->api->vehicle, param);
    if (mf_param_info(param)->is_float) {
        (void)snprintf(text, size, "%.9g", (double)value.f);
    } else {
        (void)snprintf(text, size, "%ld", (long)value.i);
    }
}

/* Answer the parameters as a file if the query requests one. @return false: the caller answers as
 * JSON; true: answered or refused */
bool mf_api_write_param_file(struct mf_api_call *call)
{
    struct mf_http_text format;
    char *at = call->api->server->http->answer;
    const size_t room = call->api->server->http->answer_max;
    if (!mf_api_query(call, "format", &format) || mf_api_is(&format, "json")) {
        return false;
    }
    const bool ground_control = mf_api_is(&format, "params");
    if (!ground_control && !mf_api_is(&format, "parm")) {
        mf_api_refuse(call, 422, "format must be json, params or parm, not '%.*s'",
                      (int)(format.len < 40 ? format.len : 40), format.at);
        return true;
    }
    const unsigned sysid = mf_vehicle_status(call->api->vehicle).sysid;
    size_t n = ground_control
                   ? (size_t)snprintf(at, room,
                                      "# Onboard parameters for Vehicle %u\n#\n# Vehicle-Id "
                                      "Component-Id Name Value Type\n",
                                      sysid)
                   : 0;
    for (int i = 0; i < MF_PARAM_COUNT && n < room; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        char value[32];
        print_value(call, (enum mf_param)i, value, sizeof value);
        n += (size_t)(ground_control
                          ? snprintf(at + n, room - n, "%u\t%d\t%s\t%s\t%d\n", sysid, AUTOPILOT,
                                     info->name, value,
                                     info->is_float ? MAV_PARAM_TYPE_REAL32 : MAV_PARAM_TYPE_INT32)
                          : snprintf(at + n, room - n, "%-16s %s\n", info->name, value));
    }
    call->answer->type = "text/plain; charset=utf-8";
    call->answer->body = at;
    call->answer->len = n < room ? n : room;
    return true;
}
